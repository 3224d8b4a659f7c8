"""Views of one body or joint in all systems of a batch."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import UsageError
from ._names import suggestion

if TYPE_CHECKING:
    from ._batch import Batch


def _shown(values: np.ndarray) -> np.ndarray:
    values.flags.writeable = False
    return values


class _View:
    """Takes only what it has: a mistyped name is an error with a suggestion."""

    _batch: "Batch"
    name: str

    def __repr__(self) -> str:
        return f"<jostle.{type(self).__name__} {self.name!r} in {len(self._batch)} systems>"

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name != "name" and not hasattr(type(self), name):
            raise self._unknown(name)
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        raise self._unknown(name)

    @classmethod
    def _unknown(cls, name: str) -> AttributeError:
        known = [each for each, value in vars(cls).items() if isinstance(value, property)]
        return AttributeError(f"a {cls.__name__.lower()} has no '{name}'" + suggestion(name, known))


class Body(_View):
    """Views of one body in all systems of a batch; `Batch.body` makes it.

    Arrays are live: they show the present state, and what you write into them is taken over at the next step. An assignment
    (`body.velocity = 0`) writes into the array.
    """

    def __init__(self, batch: "Batch", name: str, slot: int, number: int):
        self._batch, self.name, self._slot, self._number = batch, name, slot, number

    @property
    def position(self) -> np.ndarray:
        """(n, 3) m, of the origin of the body, world."""
        return self._batch.q[:, self._slot, 0:3]

    @position.setter
    def position(self, value: Any) -> None:
        self._batch._write(self.position, value)

    @property
    def orientation(self) -> np.ndarray:
        """(n, 4) unit quaternion w, x, y, z, body to world. What you write is normalised."""
        return self._batch.q[:, self._slot, 3:7]

    @orientation.setter
    def orientation(self, value: Any) -> None:
        self._batch._write(self.orientation, value)

    @property
    def velocity(self) -> np.ndarray:
        """(n, 3) m/s, world."""
        return self._batch.v[:, self._slot, 0:3]

    @velocity.setter
    def velocity(self, value: Any) -> None:
        self._batch._write(self.velocity, value)

    @property
    def spin(self) -> np.ndarray:
        """(n, 3) rad/s, world axes."""
        return self._batch.v[:, self._slot, 3:6]

    @spin.setter
    def spin(self, value: Any) -> None:
        self._batch._write(self.spin, value)

    @property
    def force(self) -> np.ndarray:
        """(n, 3) N, world: acts at the centre of mass in every step, besides the forces of the scenario, until you
        change it. A UsageError for a body with prescribed motion, as for `torque` and `mass`."""
        return self._wrench()[:, 0:3]

    @force.setter
    def force(self, value: Any) -> None:
        self._batch._write(self.force, value)

    @property
    def torque(self) -> np.ndarray:
        """(n, 3) N m, world axes; as `force`."""
        return self._wrench()[:, 3:6]

    @torque.setter
    def torque(self, value: Any) -> None:
        self._batch._write(self.torque, value)

    def _wrench(self) -> np.ndarray:
        self._batch._check_is_here()
        self._batch._core.sets_mass(self._number)  # raises where no force moves the body
        return self._batch._wrenches()[:, self._slot]

    @property
    def mass(self) -> np.ndarray:
        """(n,) kg. Live once you have set it, or where it is random in the scenario; before, a read-only copy.
        What follows from the mass follows: an inertia that the scenario leaves out is computed from it."""
        core = self._batch._core
        return core.mass(self._number) if core.sets_mass(self._number) else _shown(core.masses(self._number))

    @mass.setter
    def mass(self, value: Any) -> None:
        self._batch._assign(self._batch._core.mass(self._number), value, f"the mass of '{self.name}'")

    @property
    def inertia(self) -> np.ndarray:
        """(n, 3) kg m^2: a copy of the principal moments about the centre of mass."""
        return self._batch._inertia(self._number)


class Joint(_View):
    """One joint in all systems of a batch; `Batch.joint` makes it. Arrays are copies, but for a `motor_speed` that you have set."""

    def __init__(self, batch: "Batch", name: str, number: int, coordinate: str, has_coordinate: bool):
        self._batch, self.name, self._number = batch, name, number
        self._coordinate, self._has_coordinate = coordinate, has_coordinate

    def _along(self, column: int, what: str) -> np.ndarray:
        if not self._has_coordinate:
            raise UsageError(f"joint '{self.name}' has no {what}: only revolute and prismatic joints have an axis")
        return self._batch._joint(self._number)[:, column]

    @property
    def angle(self) -> np.ndarray:
        """(n,) rad of a revolute joint, from 0 at the start; turns are counted."""
        if self._has_coordinate and self._coordinate != "angle":
            raise UsageError(f"joint '{self.name}' is prismatic: it has a position, not an angle")
        return self._along(0, "angle")

    @property
    def position(self) -> np.ndarray:
        """(n,) m of a prismatic joint, from 0 at the start."""
        if self._has_coordinate and self._coordinate != "position":
            raise UsageError(f"joint '{self.name}' is revolute: it has an angle, not a position")
        return self._along(0, "position")

    @property
    def speed(self) -> np.ndarray:
        """(n,) rad/s or m/s."""
        return self._along(1, "speed")

    @property
    def impulse(self) -> np.ndarray:
        """(n,) N m s or N s in the last step, along the axis: of friction, motor and limits."""
        return self._along(2, "impulse")

    @property
    def motor_speed(self) -> np.ndarray:
        """(n,) rad/s or m/s: what the motor strives for. Before you set it, what the scenario says at this time, as a copy
        that cannot be written to; then live, in place of what the scenario says."""
        core = self._batch._core
        return core.motor_speed(self._number) if core.sets_motor_speed(self._number) \
            else _shown(core.motor_speeds(self._number))

    @motor_speed.setter
    def motor_speed(self, value: Any) -> None:
        self._batch._assign(self._batch._core.motor_speed(self._number), value, f"the motor of '{self.name}'")
