"""Actuators of a MuJoCo model: motors of joints, and what drives add to the damping and inertia of joints.

A servo of the speed has the force gear kv (ctrl - gear q'), between its limits. If it reaches these close to its speed, it
is a motor; if far away, kv gear^2 is a damper and kv gear ctrl a constant force: that of a motor whose speed no joint
reaches, with the limit kv gear ctrl."""
from __future__ import annotations

from typing import Callable, Dict, Tuple

import numpy as np

from .model import Source

_NO_FORCE = 1e-290  # to_mujoco writes 1e-300 for 0
_RIGID = 0.0101
"""Of its speed, or of 1 rad/s or m/s if that is more: within this of it a motor is below the limit of its force."""
_LINEAR = 100.0
"""As above: a servo that is at its limit only so far from its speed is a damper and a constant force."""
_NEVER = 1e6
"""As above: a motor that wants this much more has a constant force."""


class Actuators:
    """What joints get from their actuators. `has_coordinate` says whether a joint has an angle or a position here."""

    def __init__(self, source: Source, has_coordinate: Callable[[int], bool]):
        self.s, self.m = source, source.m
        self.has_coordinate = has_coordinate
        self.motors: Dict[int, str] = {}
        self.forces: Dict[int, float] = {}
        """Constant ones, along the coordinates of joints."""
        self.damping: Dict[int, float] = {}
        self.armature: Dict[int, float] = {}
        for a in range(getattr(self.m, "nactuator", self.m.nu)):
            self.read(a)
        for j, force in self.forces.items():
            if force:
                speed = np.copysign(_NEVER * max(1.0, abs(force) / self.damping[j]), force)
                self.motors[j] = f"motor: {{speed: {float(speed)!r}, limit: {abs(force)!r}}}"

    def read(self, a: int) -> None:
        s, m = self.s, self.m
        what = f"actuator '{s.label('actuator', a)}'"
        group = int(m.actuator_group[a])
        off = "actuation is switched off" if s.is_off("ACTUATION") else ""
        if 0 <= group < 31 and getattr(m.opt, "disableactuator", 0) >> group & 1:
            off = "its group is switched off"
        j = s.drives(a)
        if j is None or not self.has_coordinate(j):
            if off and not self.is_passive(a):
                s.ignored.append(f"{what}: {off}")
            else:
                s.refuse("actuator", f"{what}: not on a joint that has an angle or a position in the scenario")
            return
        if not abs(self.gear(a)) < 1e100:
            s.refuse("actuator", f"{what}: its gear is {self.gear(a):g}")
            return
        self.read_passive(a, j, what)
        if off:
            s.ignored.append(f"{what}: {off}")
            return
        problem = self.problem(a, j)
        if problem:
            s.refuse("actuator", f"{what}: {problem}")
        else:
            self.drive(a, j, what)

    def drive(self, a: int, j: int, what: str) -> None:
        """By a servo of the speed."""
        s, kv, speed = self.s, float(self.m.actuator_gainprm[a, 0]), self.speed(a)
        damping = kv * self.gear(a)**2
        low, high = self.force_range(a, j)
        if high <= _RIGID * damping * max(1.0, abs(speed)):
            problem = self.problem_of_motor(j, low, high)
            if problem:
                s.refuse("actuator", f"{what}: {problem}")
                return
            limit = high if high > _NO_FORCE else 0.0
            self.motors[j] = f"motor: {{speed: {speed!r}, limit: {limit!r}}}"
            s.converted.append(f"{what}: a motor without the softness of kv = {kv:g}")
        elif min(high, -low) < _LINEAR * damping * max(1.0, abs(speed)):
            far = min(high, -low) / damping
            s.refuse("actuator", f"{what}: it reaches the limit of its force {far:.3g} from its speed, a motor does so "
                                 "within 1 % of it, and a damper with a constant force never")
        elif j in self.motors and speed:
            s.refuse("actuator", f"{what}: its joint has a motor already")
        else:
            self.damping[j] = self.damping.get(j, 0.0) + damping
            self.forces[j] = self.forces.get(j, 0.0) + damping * speed
            far = min(high, -low) / damping
            bounds = f", without the limits that its force has {far:.3g} from its speed" if np.isfinite(far) else ""
            s.converted.append(f"{what}: a damper of kv = {kv:g}{' and a constant force' if speed else ''}{bounds}")

    def gear(self, a: int) -> float:
        first = getattr(self.m, "actuator_outadr", None)
        return float(self.m.actuator_gear[a if first is None else first[a], 0])

    def is_passive(self, a: int) -> bool:
        """Whether it adds damping or inertia."""
        return any(np.any(self.s.field(f"actuator_{word}")[a]) for word in ("damping", "dampingpoly", "armature"))

    def read_passive(self, a: int, j: int, what: str) -> None:
        """Damping and inertia, which the joint has also where actuation is switched off."""
        s, gear = self.s, self.gear(a)
        if not s.is_off("DAMPER"):
            if np.any(s.field("actuator_dampingpoly")[a]):
                s.refuse("damper", f"{what}: damping that is not linear")
            self.damping[j] = self.damping.get(j, 0.0) + gear**2 * float(np.ravel(s.field("actuator_damping")[a])[0])
        self.armature[j] = self.armature.get(j, 0.0) + gear**2 * float(np.ravel(s.field("actuator_armature")[a])[0])

    def problem(self, a: int, j: int) -> str:
        """Why it is no servo of the speed; empty: it is one. `to_mujoco` writes such."""
        s, m = self.s, self.m
        kinds, gain, bias = (m.actuator_gaintype[a], m.actuator_biastype[a]), m.actuator_gainprm[a], m.actuator_biasprm[a]
        is_linear = kinds == (s.mj.mjtGain.mjGAIN_FIXED, s.mj.mjtBias.mjBIAS_AFFINE)
        is_speed = gain[0] > 0 and bias[1] == 0 and bias[2] == -gain[0]
        if not is_linear or not is_speed:
            return "only one that controls the speed of a joint"
        if m.actuator_dyntype[a] != s.mj.mjtDyn.mjDYN_NONE:
            return "it has a state of its own"
        if np.ravel(s.field("actuator_delay"))[a] > 0:
            return "it has a delay"
        if self.gear(a) == 0:
            return "its gear is 0"
        if not 1e-200 < gain[0] * self.gear(a)**2 < 1e200:
            return f"its gear is {self.gear(a):g} and its kv {gain[0]:g}"
        return ""

    def problem_of_motor(self, j: int, low: float, high: float) -> str:
        if high < 0 or abs(low + high) > 1e-12 * high + _NO_FORCE:
            return "the limits of its force are not those of a motor, which are equal in both directions"
        if j in self.motors or self.forces.get(j):
            return "its joint has a motor already"
        return ""

    def force_range(self, a: int, j: int) -> Tuple[float, float]:
        """Of the joint's force: by the limits of the actuator, and by those of the joint."""
        m, low, high = self.m, -np.inf, np.inf
        if m.actuator_forcelimited[a]:
            low, high = sorted(float(x) for x in self.gear(a) * m.actuator_forcerange[a])
        if np.ravel(self.s.field("jnt_actfrclimited"))[j]:
            low, high = max(low, float(m.jnt_actfrcrange[j, 0])), min(high, float(m.jnt_actfrcrange[j, 1]))
        return low, high

    def speed(self, a: int) -> float:
        m = self.m
        first = getattr(m, "actuator_ctrladr", None)
        c = a if first is None else int(first[a])
        control = float(self.s.d.ctrl[c])
        if m.actuator_ctrllimited[c] and not self.s.is_off("CLAMPCTRL"):
            control = min(max(control, float(m.actuator_ctrlrange[c, 0])), float(m.actuator_ctrlrange[c, 1]))
        return (control + float(m.actuator_biasprm[a, 0] / m.actuator_gainprm[a, 0])) / self.gear(a)
