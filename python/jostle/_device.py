"""Arrays in the memory of a GPU, and batches whose systems stay there."""
from __future__ import annotations

import sys
from numbers import Number
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _core
from ._errors import UsageError
from ._names import suggestion, truth, whole

_HOST, _CUDA = (1, 3), (2, 13)  # of DLPack: memory that the processor reads; memory of a GPU by CUDA


def host_array(core: _core.Batch, value: Any) -> Any:
    """Numbers that numpy can read: arrays of others by DLPack, without a copy; those in the batch's GPU by one."""
    numbers = _host_array(core, value)
    wrong = _wrong_type(numbers)
    if wrong:
        raise UsageError(f"what you assign must be real numbers, not {wrong}")
    return numbers


def _wrong_type(values: Any) -> str:
    """What numpy would make real numbers although it is none; empty: nothing."""
    try:
        array = np.asarray(values)
    except ValueError:  # lists of different lengths: numpy says so when they are assigned
        return ""
    if array.dtype.kind == "c":
        return "complex ones"
    if np.ma.is_masked(values):
        return "masked ones"
    if array.dtype.kind in "USMmV":
        return f"those of the type {array.dtype}"
    strange = [x for x in array.flat if not isinstance(x, Number)] if array.dtype == object else []
    return repr(strange[0]) if strange else ""


def _host_array(core: _core.Batch, value: Any) -> Any:
    if isinstance(value, np.ndarray) or not hasattr(value, "__dlpack_device__"):
        return value
    kind = int(value.__dlpack_device__()[0])
    if kind in _CUDA:
        return _core.to_host(core, value)
    if kind in _HOST:
        try:
            return np.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError):  # such as a tensor that wants a gradient: numpy says so
            pass
    return np.asarray(value)


def is_on_gpu(value: Any) -> bool:
    """Whether an array of another library lies in the memory of a GPU."""
    return hasattr(value, "__dlpack_device__") and not isinstance(value, np.ndarray) and int(value.__dlpack_device__()[0]) in _CUDA


def library_of(array: Any) -> Any:
    """The module of a foreign array that has `from_dlpack`, such as torch, cupy or jax.numpy; None: unknown."""
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__()
    module = sys.modules.get(type(array).__module__.split(".")[0])
    return module if hasattr(module, "from_dlpack") else None


def handle_of(stream: Any) -> int:
    """CUDA's handle of a stream: a number, or an object of torch, of CuPy, or with `__cuda_stream__`. 0 is written 1, as in
    DLPack: the legacy default stream."""
    if hasattr(stream, "__cuda_stream__"):
        stream = stream.__cuda_stream__()[1]
    for name in ("cuda_stream", "ptr"):
        stream = getattr(stream, name, stream)
    if not isinstance(stream, (int, np.integer)) or stream < 0:
        raise ValueError(f"stream must be a stream of CUDA's: of torch or CuPy, or its handle, not {stream!r}")
    return int(stream) or 1


def current_stream(array: Any) -> int:
    """The stream in which the library of an array works now, as far as it can be asked; else the default stream."""
    library = sys.modules.get(type(array).__module__.split(".")[0])
    name = getattr(library, "__name__", "")
    if name == "torch":
        return handle_of(library.cuda.current_stream(array.device))  # type: ignore[union-attr]
    if name == "cupy":
        with array.device:  # each has its own
            return handle_of(library.cuda.get_current_stream())  # type: ignore[union-attr]
    return 1


def in_stream(array: Any, stream: int) -> Any:
    """An array for the compiled part; what the stream gets from now on finds it written."""
    return array.__dlpack__(stream=stream)


class DeviceContacts:
    """Contacts in the last step that each system has taken, in the memory of the GPU; `OnDevice.contacts` gives them.

    Row r of system i is a contact if r < count[i]; beyond, `pair` is -1 and all else 0. The arrays are contiguous views, as
    those of `OnDevice`, and every `step` and `reset` fills them. They have as many rows for each system as any has needed so
    far, so nothing is left out: when a system needs more, there are larger ones, and in the old ones count is -1. Take them
    from `OnDevice.contacts` after each call. Of a batch that is capturable they stay the same arrays (`Batch.on_device`,
    `contact_rows`).
    """

    rows: int
    """Room of each system."""
    fields: Dict[str, str]
    """Names and units of the arrays: those of `Contacts.fields`. docs/layout.md says what they are."""
    pairs: List[str]
    """The two shapes a and b of each pair that the field `pair` numbers, such as "cube table"."""

    def __init__(self, arrays: Any, pairs: Sequence[str]):
        self._arrays, self.rows, self.pairs = arrays, arrays.rows, list(pairs)
        self.fields = {name: units for name, units in arrays.names() if name not in ("count", "impulse")}

    @property
    def count(self) -> Any:
        """(n,) int32: the contacts of each system; 0 of one that failed in its last `step`, or that has taken no step since it
        was put back; -1: there are larger arrays."""
        return self._arrays.array("count")

    def __getitem__(self, name: str) -> Any:
        """(n, rows), (n, rows, 2) or (n, rows, 3): a field; `c.normal` is short for `c["normal"]`."""
        if name not in self.fields:
            raise KeyError(f"contacts have no '{name}'" + suggestion(name, list(self.fields)))
        return self._arrays.array(name)

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("fields", {}):
            return self._arrays.array(name)
        raise AttributeError(f"contacts have no '{name}'" + suggestion(name, list(self.__dict__.get("fields", {}))))

    def __repr__(self) -> str:
        return f"<jostle.DeviceContacts: {self.rows} rows for each system; pairs {', '.join(self.pairs)}>"


class OnDevice:
    """The systems of a batch in the memory of its GPU; `Batch.on_device` makes it.

    >>> with b.on_device() as d:                             # doctest: +SKIP
    ...     velocity = torch.from_dlpack(d["velocity"])      # (n, body, 3), live, without a copy
    ...     force = torch.from_dlpack(d.force("cube"))       # (n, 6)
    ...     for _ in range(118):
    ...         force[:, :3] = -0.1 * velocity[:, 1]
    ...         d.step()
    ...         d.reset(velocity[:, 1, 2].abs() < 1e-3)       # a mask: these begin again
    >>> b.q                                                  # the arrays of the batch have what became of them

    The arrays are views of the engine's own memory, by DLPack: `torch.from_dlpack`, `cupy.from_dlpack`, `jax.dlpack`. They
    keep that memory, but after the `with` block, `bring_back`, or when this object is dropped, nothing happens in it any
    more. Bodies are all bodies of the scenario, in its order, fixed ones included. States are those of the engine:
    positions (m) and velocities (m/s) of centres of mass, quaternions w, x, y, z from the principal axes to the world,
    angular velocities (rad/s) in the principal axes. What the scenario computes from a parameter does not follow here: a
    mass leaves the inertia as it is, and a number in "variables" changes nothing but forces that are functions of it, until
    the system is reset.
    """

    _is_there = False

    def __init__(self, batch: Any, core: _core.Batch, bodies: List[str], capturable: bool, contact_rows: int):
        self._batch, self._core, self._bodies = batch, core, bodies
        self._resident = _core.stay_on_device(core, capturable, contact_rows)
        self._is_there = batch._is_away = True
        self._fields: Dict[str, Any] = {name: (units, is_parameter) for name, units, is_parameter in self._resident.fields()}

    @property
    def fields(self) -> Dict[str, str]:
        """Names and units of the arrays: "mass" kg, "friction" 1, "velocity" m/s, ..."""
        return {name: units for name, (units, _) in self._fields.items()}

    def __getitem__(self, name: str) -> Any:
        """A field of all systems: (n,), (n, count), or (n, count, 3) of vectors and (n, count, 4) of quaternions, float64;
        "steps" and "status" are int32. Parameters ("mass" (n, body), "friction" (n, pair), ...) may be written: the next
        step has them. States may be written, too, but nothing is checked."""
        if name not in self._fields:
            raise KeyError(f"there is no '{name}'" + suggestion(name, list(self._fields)))
        return self._resident.array(name)

    def force(self, body: str) -> Any:
        """(n, 6) N and N m, world: force at the centre of mass and torque of a body, as `Body.force` and `Body.torque`."""
        if body not in self._bodies:
            raise KeyError(f"there is no body '{body}'" + suggestion(body, self._bodies))
        slot = self._bodies.index(body)
        self._core.sets_mass(self._batch._numbers[slot])  # raises where no force moves the body
        return self._resident.array("variables", _core.wrench_variable(self._core, slot), 6)

    @property
    def contacts(self) -> DeviceContacts:
        """Contacts in the last step that each system has taken, as `Batch.contacts` has them on the host.

        Raises:
            UsageError: the batch was not made with contacts=True.
        """
        return DeviceContacts(self._resident.contacts(), self._batch.pairs)

    @property
    def impulse(self) -> Any:
        """(n, body, 6) N s and N m s, world, about its centre of mass: what all contacts gave a body in the step that
        `contacts` are of; zeros where there is none. Taken after each call, as `contacts` are.

        Raises:
            UsageError: the batch was not made with contacts=True.
        """
        return self._resident.contacts().array("impulse")

    def step(self, k: int = 1, where: Any = None, wakes: bool = True, *, stream: Any = None) -> None:
        """Takes systems k steps further, each at most to the end of the scenario, and returns when they are made; of a batch
        that is capturable, at once: then the stream makes them.

        Args:
            k: number of steps, 0 or more. Many are made in several launches, each some hundredths of a second long; if
                capturable, each of at most 16 steps.
            where: the systems to step: a mask (n,), in the memory of the GPU (bool or uint8) or of the host, or numbers of
                samples; left out: all.
            wakes: False if nothing was written since the last step: then systems at rest are not computed again.
            stream: the stream of CUDA's in which you have written: of torch or CuPy, or its handle. The steps follow what it
                has been given so far, and nothing else on the GPU is waited for; what it gets later finds them made. Left
                out: they follow all that was begun there.

        Raises:
            UsageError: the batch is capturable, and there is no stream, or `where` is not in the memory of the GPU.
        """
        steps = whole("the number of steps", k, 0)
        handle = None if stream is None else handle_of(stream)
        _core.step_on_device(self._core, min(steps, 2**31 - 1), truth("wakes", wakes), self._mask(where, handle), handle)

    def reset(self, where: Optional[Union[Sequence[int], Any]] = None, *, stream: Any = None) -> None:
        """Puts systems back to their initial state. What the scenario computes from the numbers in "variables" is computed
        from the present ones; other parameters stay as they are, as do forces.

        Args:
            where: the systems, as for `step`.
            stream: as for `step`.
        """
        handle = None if stream is None else handle_of(stream)
        _core.reset_on_device(self._core, self._mask(where, handle), handle)

    def _mask(self, where: Any, stream: Optional[int]) -> Any:
        if where is None:
            return None
        if is_on_gpu(where):
            return in_stream(where, stream or current_stream(where))
        return self._batch._mask(where)

    def bring_back(self) -> None:
        """Gives the batch its systems back, as the end of the `with` block does; nothing if it has them."""
        if self._is_there:
            _core.bring_back(self._core)
            self._is_there = self._batch._is_away = False

    def __enter__(self) -> "OnDevice":
        return self

    def __exit__(self, *error: Any) -> None:
        self.bring_back()

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self.bring_back()

    def __repr__(self) -> str:
        return f"<jostle.OnDevice: {', '.join(self._fields)}>"
