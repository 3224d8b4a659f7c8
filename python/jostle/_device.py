"""Batches whose systems stay in the memory of a GPU."""
from __future__ import annotations

from typing import Any, Dict, List

import numpy as np

from . import _core
from ._names import suggestion

_HOST, _CUDA = (1, 3), (2, 13)  # of DLPack: memory that the processor reads; memory of a GPU by CUDA


def host_array(core: _core.Batch, value: Any) -> Any:
    """What numpy can read: arrays of others by DLPack, without a copy; those in the memory of the batch's GPU by one."""
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


class OnDevice:
    """The systems of a batch in the memory of its GPU; `Batch.on_device` makes it.

    >>> with b.on_device() as d:                             # doctest: +SKIP
    ...     velocity = torch.from_dlpack(d["velocity"])      # (n, body, 3), live, without a copy
    ...     force = torch.from_dlpack(d.force("cube"))       # (n, 6)
    ...     for _ in range(118):
    ...         force[:, :3] = -0.1 * velocity[:, 1]
    ...         d.step()
    >>> b.q                                                  # the arrays of the batch have what became of them

    The arrays are views of the engine's own memory, by DLPack: `torch.from_dlpack`, `cupy.from_dlpack`, `jax.dlpack`. They
    keep that memory, but after the `with` block nothing happens in it any more. Bodies are all bodies of the scenario, in
    its order, fixed ones included. States are those of the engine: positions (m) and velocities (m/s) of centres of mass,
    quaternions w, x, y, z from the principal axes to the world, angular velocities (rad/s) in the principal axes.
    What the scenario computes from a parameter does not follow here: a mass leaves the inertia as it is, and a number in
    "variables" changes nothing but forces that are functions of it.
    """

    def __init__(self, batch: Any, core: _core.Batch, bodies: List[str]):
        self._batch, self._core, self._bodies = batch, core, bodies
        self._resident = _core.stay_on_device(core)
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
        return self._resident.array("variables", _core.wrench_variable(self._core, self._bodies.index(body)), 6)

    def step(self, k: int = 1, wakes: bool = True) -> int:
        """Takes all systems k steps further, and waits for what others have begun on the GPU before.

        Args:
            wakes: False if nothing was written since the last step: then systems at rest are not computed again.

        Returns:
            The number of steps since the start.
        """
        if not isinstance(k, (int, np.integer)) or k < 0:
            raise ValueError(f"the number of steps must be a whole number, 0 or more, not {k!r}")
        return _core.step_on_device(self._core, min(int(k), 2**31 - 1), wakes)

    def __enter__(self) -> "OnDevice":
        return self

    def __exit__(self, *error: Any) -> None:
        _core.bring_back(self._core)

    def __repr__(self) -> str:
        return f"<jostle.OnDevice: {', '.join(self._fields)}>"
