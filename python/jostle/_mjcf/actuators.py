"""Actuators of a MuJoCo model: motors of joints, and what drives add to the damping and inertia of joints."""
from __future__ import annotations

from typing import Callable, Dict, Tuple

import numpy as np

from .model import Source

_NO_FORCE = 1e-290  # to_mujoco writes 1e-300 for 0


class Actuators:
    """What joints get from their actuators. `has_coordinate` says whether a joint has an angle or a position here."""

    def __init__(self, source: Source, has_coordinate: Callable[[int], bool]):
        self.s, self.m = source, source.m
        self.has_coordinate = has_coordinate
        self.motors: Dict[int, str] = {}
        self.damping: Dict[int, float] = {}
        self.armature: Dict[int, float] = {}
        for a in range(getattr(self.m, "nactuator", self.m.nu)):
            self.read(a)

    def read(self, a: int) -> None:
        s, m = self.s, self.m
        what = f"actuator '{s.label('actuator', a)}'"
        group = int(m.actuator_group[a])
        if 0 <= group < 31 and getattr(m.opt, "disableactuator", 0) >> group & 1:
            s.ignored.append(f"{what}: its group is switched off")
            return
        j = s.drives(a)
        if j is None or not self.has_coordinate(j):
            s.refuse("actuator", f"{what}: not on a joint that has an angle or a position in the scenario")
            return
        self.read_passive(a, j, what)
        if s.is_off("ACTUATION"):
            s.ignored.append(f"{what}: actuation is switched off")
            return
        problem = self.problem(a, j)
        if problem:
            s.refuse("actuator", f"{what}: {problem}")
            return
        limit = self.force_range(a, j)[1]
        limit = limit if limit > _NO_FORCE else 0.0
        self.motors[j] = f"motor: {{speed: {self.speed(a)!r}, limit: {limit!r}}}"
        s.converted.append(f"{what}: a motor without the softness of kv = {m.actuator_gainprm[a, 0]:g}")

    def gear(self, a: int) -> float:
        first = getattr(self.m, "actuator_outadr", None)
        return float(self.m.actuator_gear[a if first is None else first[a], 0])

    def read_passive(self, a: int, j: int, what: str) -> None:
        """Damping and inertia, which the joint has also where actuation is switched off."""
        s, gear = self.s, self.gear(a)
        if not s.is_off("DAMPER"):
            if np.any(s.field("actuator_dampingpoly")[a]):
                s.refuse("damper", f"{what}: damping that is not linear")
            self.damping[j] = self.damping.get(j, 0.0) + gear**2 * float(np.ravel(s.field("actuator_damping")[a])[0])
        self.armature[j] = self.armature.get(j, 0.0) + gear**2 * float(np.ravel(s.field("actuator_armature")[a])[0])

    def problem(self, a: int, j: int) -> str:
        """Why it is no motor that holds a speed with a limit of its force; empty: it is one. `to_mujoco` writes such."""
        s, m = self.s, self.m
        kinds, gain, bias = (m.actuator_gaintype[a], m.actuator_biastype[a]), m.actuator_gainprm[a], m.actuator_biasprm[a]
        is_linear = kinds == (s.mj.mjtGain.mjGAIN_FIXED, s.mj.mjtBias.mjBIAS_AFFINE)
        is_speed = gain[0] > 0 and bias[1] == 0 and bias[2] == -gain[0]
        low, high = self.force_range(a, j)
        if not is_linear or not is_speed or not np.isfinite(high):
            return "only one that controls the speed of a joint, with limits of its force"
        if m.actuator_dyntype[a] != s.mj.mjtDyn.mjDYN_NONE:
            return "it has a state of its own"
        if np.ravel(s.field("actuator_delay"))[a] > 0:
            return "it has a delay"
        if self.gear(a) == 0:
            return "its gear is 0"
        if high < 0 or abs(low + high) > 1e-12 * high + _NO_FORCE:
            return "the limits of its force are not those of a motor, which are equal in both directions"
        if j in self.motors:
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
