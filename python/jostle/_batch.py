"""Batches: systems that you step, read and write."""
from __future__ import annotations

import copyreg
from typing import Any, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _core
from ._contacts import Contacts, ModesDigest
from ._device import OnDevice, host_array
from ._errors import UsageError
from ._names import html_table, suggestion, truth, whole
from ._snapshot import Made, Snapshot
from ._views import Body, Joint


class Failure(NamedTuple):
    """A system whose status is not ok.

    Fields:
        id: number of the sample.
        step: number of steps that it has taken; its state is that after the last good one.
        status: name of the status: "ray", "overlap", "bad_parameters", ...
        reason: a sentence about the failure, which names a number that is wrong.
    """

    id: int
    step: int
    status: str
    reason: str


class Batch:
    """Systems of one scenario that you step together; `Scenario.batch` makes it.

    >>> b = sc.batch(n=1000)                       # doctest: +SKIP
    >>> q, v = b.q, b.v
    >>> while not b.ended.all():
    ...     b.body("rod").force[:, 1] = -10 * v[:, 0, 1]
    ...     b.step(10)

    Its arrays are live, keep their memory, and need no copy; `numpy`, and all that supports DLPack, can use them. You may
    assign (`b["mu"] = x`, `b.q = x`, `b.body("rod").force = x`) what these read, also from the memory of the batch's GPU.
    `q` and `v` are jostle's copy of the states, which have spins in body axes: they are refreshed at the end of each call
    that changes a system, and what you write into them is taken over at the beginning of the system's next step. A system
    that you write nothing to has the bits of the sample in a sweep.

    Calls wait for each other, and simulate without the GIL. After Ctrl-C, `steps` says which systems have taken their steps.
    """

    def __init__(self, scenario: _core.Scenario, core: _core.Batch, ids: np.ndarray, quantities: Sequence[str] = (),
                 modes: bool = False, contacts: bool = False):
        self._scenario, self._core = scenario, core
        self._made = Made(len(ids), contacts, list(quantities))
        self._quantities = list(quantities)
        self._modes = ModesDigest(len(ids)) if modes else None
        self._ids = ids.copy()
        self._ids.flags.writeable = False
        self._q, self._v, self._status, self._steps = core.q, core.v, core.status, core.steps
        names = scenario.bodies
        self._all_bodies = names
        self._numbers = core.bodies
        self._bodies = [names[i] for i in self._numbers]
        self._forces: Optional[np.ndarray] = None
        self._is_away = False

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not hasattr(type(self), name):  # nothing would read it
            hint = f"; write b['{name}'] for the variable" if name in self._scenario.variables else ""
            raise AttributeError(f"a batch has no '{name}' that can be set{hint}")
        super().__setattr__(name, value)

    def __len__(self) -> int:
        return len(self._ids)

    def __repr__(self) -> str:
        failed = int(np.count_nonzero(self._status))
        return f"<jostle.Batch of {len(self)} systems, {failed} failed; bodies {', '.join(self._bodies)}>"

    def _repr_html_(self) -> str:
        numbers, counts = np.unique(self._status, return_counts=True)
        rows = [[_core.status_name(int(number)), int(count)] for number, count in zip(numbers, counts)]
        return html_table(f"{len(self)} systems; bodies {', '.join(self._bodies)}", ["status", "systems"], rows)

    @property
    def ids(self) -> np.ndarray:
        """(n,) numbers of the samples."""
        return self._ids

    @property
    def bodies(self) -> List[str]:
        """Names along the second axis of `q` and `v`: the bodies that are not fixed."""
        return list(self._bodies)

    @property
    def q(self) -> np.ndarray:
        """(n, body, 7) position of the origin x, y, z (m) and unit quaternion w, x, y, z, world; NaN without initial state."""
        return self._q

    @q.setter
    def q(self, value: Any) -> None:
        self._write(self._q, value)

    @property
    def v(self) -> np.ndarray:
        """(n, body, 6) velocity (m/s) and angular velocity (rad/s), both in world axes."""
        return self._v

    @v.setter
    def v(self, value: Any) -> None:
        self._write(self._v, value)

    @property
    def status(self) -> np.ndarray:
        """(n,) uint8, read only: 0 is ok; `jostle.STATUSES` has the names."""
        return self._status

    @property
    def steps(self) -> np.ndarray:
        """(n,) int32, read only: steps since the start."""
        return self._steps

    @property
    def time(self) -> np.ndarray:
        """(n,) s since the start; a copy."""
        return self._steps * self._scenario.step

    @property
    def ended(self) -> np.ndarray:
        """(n,) bool: takes no more steps, as it has failed, taken its last step, or fulfilled `stop_when`; a copy."""
        found: np.ndarray = (self._status != 0) | (self._steps >= self._scenario.steps) | self._stopped()
        return found

    def body(self, name: str) -> Body:
        """Views of a body that is not fixed, by name."""
        if name in self._bodies:
            slot = self._bodies.index(name)
            return Body(self, name, slot, self._numbers[slot])
        if name in self._all_bodies:
            raise UsageError(f"body '{name}' is fixed: it has no state" + f" (bodies that move: {', '.join(self._bodies)})")
        raise KeyError(f"there is no body '{name}'" + suggestion(name, self._bodies))

    def joint(self, name: str) -> Joint:
        """A joint by name."""
        joints = self._scenario.joints
        names = [joint[0] for joint in joints]
        if name not in names:
            raise KeyError(f"there is no joint '{name}'" + suggestion(name, names))
        number = names.index(name)
        return Joint(self, name, number, *joints[number][1:])

    def quantity(self, expression: str) -> np.ndarray:
        """(n,) the value of an expression after the last step, a copy: one of `batch(..., quantities=[...])`. What was written
        since then does not count before the next step. Truth is 1 or 0; NaN for a system without state."""
        if expression not in self._quantities:
            raise KeyError(f"this batch was not made for the quantity '{expression}'" + suggestion(expression, self._quantities)
                           + f"; make it with quantities=[{expression!r}]")
        return self._core.quantity(self._quantities.index(expression))

    @property
    def impulse(self) -> np.ndarray:
        """(n, body, 6) N s and N m s, world, about its centre of mass: what all contacts gave a body in the step that
        `contacts` are of; zeros where there is none. A copy; the bodies are those of `bodies`.

        Raises:
            UsageError: the batch was not made with contacts=True.
        """
        self._check_is_here()
        return self._core.impulses()

    @property
    def modes_digest(self) -> np.ndarray:
        """(n,) uint64: a hash of the contacts of all steps since the start, with pieces of the step, pairs, features and
        modes (open, sticking, sliding), but no numbers. Where it is equal in two motions, the equations of their steps are,
        so that one is a smooth function of the other's parameters. A snapshot has it only of a batch with modes=True.

        Raises:
            UsageError: the batch was not made with modes=True.
        """
        if self._modes is None:
            raise UsageError("contact modes are followed only if they are asked for: batch(..., modes=True)")
        return self._modes.values.copy()

    def __getitem__(self, variable: str) -> np.ndarray:
        """(n,) live values of a variable of the scenario."""
        if not isinstance(variable, str):
            raise TypeError("a batch is indexed by the name of a variable, as in b['mu']; it cannot be iterated "
                            "over or asked with `in`")
        if variable not in self._scenario.variables:
            raise KeyError(f"there is no variable '{variable}'" + suggestion(variable, self._scenario.variables))
        return self._core.variable(variable)

    def __setitem__(self, variable: str, value: Any) -> None:
        """Gives a variable other values; what the scenario computes from it is updated.

        Before a system's first step any variable can change; its initial state is made again, also a failed one, but what
        you have written into `q` and `v` stays. Later those can change that no shape, joint or initial state follows from:
        friction, masses, springs, motors, gravity. Others raise UsageError, and nothing changes.
        """
        self._assign(self[variable], value, f"'{variable}'")

    def step(self, k: int = 1, where: Any = None) -> int:
        """Takes systems k steps further, at most to the end of the scenario.

        Args:
            k: number of steps, 0 or more.
            where: the systems to step, as `reset` takes them: a mask (n,), or numbers of samples; left out: all.

        Returns:
            The number of steps taken by the system that took most: less than k where all have ended.

        A system that fails raises nothing: it keeps its last good state until it is reset, and its status says why.
        """
        k = whole("the number of steps", k, 0)
        if where is not None:
            where = self._mask(where)
        before = self._steps.copy()
        if self._modes is None:
            self._core.step(min(k, 2**31 - 1), where)
        else:
            for _ in range(k):
                now = self._steps.copy()
                self._core.step(1, where)
                if not self._modes.add(self._steps > now, self.contacts):
                    break
        return int((self._steps - before).max())

    def failures(self) -> List[Failure]:
        """The systems whose status is not ok."""
        self._check_is_here()
        return [Failure(int(self._ids[i]), int(self._steps[i]), _core.status_name(int(self._status[i])), self._core.reason(int(i)))
                for i in np.flatnonzero(self._status)]

    def outcome(self, name: str) -> np.ndarray:
        """(n,) an outcome of the scenario so far: truth is 1 or 0. NaN for a failed system, and for one without value yet
        (`at_end` before the last step)."""
        names = self._scenario.outcomes
        if name not in names:
            raise KeyError(f"there is no outcome '{name}'" + suggestion(name, names))
        self._check_is_here()
        return self._core.outcome(names.index(name))

    @property
    def contacts(self) -> Contacts:
        """Contacts in the last step that each system has taken; a copy. The rows of system i are splits[i] to before
        splits[i + 1]. A system that failed in its last `step` has none, nor has one that has taken no step since it was
        made, reset or restored.

        Raises:
            UsageError: the batch was not made with contacts=True.
        """
        self._check_is_here()
        return Contacts(*self._core.contacts(), self.pairs)

    @property
    def pairs(self) -> List[str]:
        """The two shapes of each pair that the field `pair` of `contacts` numbers, such as "cube table"."""
        return self._core.pairs()

    def on_device(self, forces: bool = True, capturable: bool = False, contact_rows: Optional[int] = None) -> OnDevice:
        """Leaves the systems in the memory of the GPU: there you read states and write parameters and forces without a copy
        to the host, step all systems or some, and put single ones back. The batch has them back after the `with` block or
        `OnDevice.bring_back`. Until then `q`, `v`, `status` and `steps` stay as they are; other calls raise a UsageError.

        Args:
            forces: `OnDevice.force` will be used.
            capturable: `step` and `reset` are only put into a stream of CUDA's, which must be given, and wait for nothing.
                A CUDA graph may capture them, such as `torch.cuda.graph`, and repeat them. Each takes some dozens of small
                kernels more than without, and a status is to be read from `d["status"]`.
            contact_rows: if capturable, and made with contacts=True: room for at least so many contacts of each system,
                as the arrays cannot grow. A system whose last step of a call has more ends there, with the status
                "capacity". Left out: as many as the shapes can have at once; a step that is divided, or has impacts,
                counts those of all its pieces.

        Raises:
            UsageError: the batch is on the CPU, or was made with modes=True; or there are `contact_rows`, but it is not
                to be capturable, or was not made with contacts=True.
            DeviceError: this build has no kernels for the scenario; contacts need those for all systems.
        """
        if self._modes is not None:
            raise UsageError("a batch that follows contact modes cannot stay on the device: make it without modes=True")
        rows = 0 if contact_rows is None else whole("contact_rows", contact_rows, 1, 2**31 - 1)
        if truth("forces", forces):
            self._wrenches()
        return OnDevice(self, self._core, self._bodies, truth("capturable", capturable), rows)

    def save(self) -> Snapshot:
        """A copy of all that decides how the batch continues: states, variables, forces, and what you have written. It can be
        pickled, into a file or for another process, and is read by the same version of jostle."""
        return Snapshot(self._core.save(), self._made, None if self._modes is None else self._modes.values.copy())

    def restore(self, snapshot: Snapshot) -> None:
        """Continues from a snapshot of this batch, or of another one that was made alike, as often as you like.

        Raises:
            UsageError: it is of a batch of another scenario, of other samples, or with other contacts or quantities.
        """
        if not isinstance(snapshot, Snapshot):
            raise UsageError(f"restore takes what save has returned, not {snapshot!r}")
        self._check_is_here()
        modes = snapshot.into(self._core, self._made)
        if self._modes is not None:
            self._modes.values[:] = 0 if modes is None else modes

    def reset(self, ids: Optional[Union[Sequence[int], np.ndarray]] = None) -> None:
        """Puts systems back to their initial state, with the present values of their variables. Forces stay.

        Args:
            ids: numbers of samples, each of which means all its systems, or a mask (n,); left out: all systems.
        """
        systems = self._systems(ids)
        self._core.reset(systems.tolist())
        if self._modes is not None:
            self._modes.forget(systems)

    def digests(self) -> np.ndarray:
        """(n,) uint64: a hash over all bits of each system's state and results."""
        self._check_is_here()
        return self._core.digests()

    def _systems(self, ids: Any) -> np.ndarray:
        if ids is None:
            return np.arange(len(self))
        wanted = np.asarray(ids)
        if wanted.dtype == np.bool_:
            if wanted.shape != (len(self),):
                raise ValueError(f"a mask needs {len(self)} truth values, not the shape {wanted.shape}")
            return np.flatnonzero(wanted)
        if wanted.size == 0:
            return np.arange(0)
        if wanted.ndim != 1 or wanted.dtype.kind not in "iu":
            raise ValueError(f"systems are given by numbers of samples, or a mask of {len(self)} truth values, "
                             f"not {wanted.dtype} of shape {wanted.shape}")
        if wanted.size == len(self) > 2 and np.isin(wanted, (0, 1)).all():
            raise ValueError(f"a mask needs {len(self)} truth values, not the numbers 0 and 1")
        numbers = wanted.astype(np.int64)
        missing = wanted[~np.isin(numbers, self._ids)]
        if missing.size:
            raise KeyError(f"sample {missing[0]} is not in this batch")
        return np.flatnonzero(np.isin(self._ids, numbers))

    def _mask(self, ids: Any) -> np.ndarray:
        mask = np.zeros(len(self), dtype=np.bool_)
        mask[self._systems(ids)] = True
        return mask

    def _stopped(self) -> np.ndarray:
        self._check_is_here()
        return self._core.stopped().astype(np.bool_)

    def _check_is_here(self) -> None:
        if self._is_away:
            raise UsageError("the systems are on the device; bring them back first")

    def _joint(self, number: int) -> np.ndarray:
        self._check_is_here()
        return self._core.joint(number)

    def _inertia(self, number: int) -> np.ndarray:
        self._check_is_here()
        return self._core.inertia(number)

    def _wrenches(self) -> np.ndarray:
        if self._forces is None:
            self._forces = self._core.wrenches()
        return self._forces

    def _write(self, array: np.ndarray, value: Any) -> None:
        self._check_is_here()
        array[...] = host_array(self._core, value)

    def _assign(self, array: np.ndarray, value: Any, name: str) -> None:
        before, value = array.copy(), host_array(self._core, value)
        try:
            array[...] = value
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name} needs one number, or {len(self)}: {error}") from None
        try:
            self._core.apply(array)
        except BaseException:
            array[...] = before
            raise


def _not_pickled(batch: Batch) -> Any:
    raise TypeError("a batch cannot be pickled or copied; pickle its scenario and what save() returns, and restore that")


copyreg.pickle(Batch, _not_pickled)
