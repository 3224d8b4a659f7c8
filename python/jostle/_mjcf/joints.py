"""Joints, equality constraints and tendons of a MuJoCo model."""
from __future__ import annotations

from typing import Dict, List, Set, Tuple

import numpy as np

from .._joint_start import matrix_of
from .actuators import Actuators
from .freedoms import Freedoms
from .model import Source, list_text

_OPEN = 1e-5  # m or rad: a constraint that is farther from being met at the start is refused


class Joints:
    def __init__(self, source: Source, of_bodies: Dict[int, Freedoms]):
        self.s, self.m, self.d, self.of_bodies = source, source.m, source.d, of_bodies
        self.tied: Set[Tuple[int, int]] = set()
        """Bodies that joints of the scenario tie."""
        self.actuators = Actuators(source, self.has_coordinate)

    def has_coordinate(self, j: int) -> bool:
        return self.m.jnt_type[j] in (2, 3) and self.m.body_jntnum[self.m.jnt_bodyid[j]] == 1

    def tie(self, one: int, two: int) -> str:
        a, b = sorted((self.s.owner[one], self.s.owner[two]))
        self.tied.add((a, b))
        return f"[{self.s.end(one)}, {self.s.end(two)}]"

    # Joints of the tree.

    def lines(self) -> List[str]:
        bodies = [b for b in range(1, self.m.nbody) if self.s.owner[b] == b and self.s.moves(b)]
        return [line for body in bodies for line in self.of_body(body)] + self.equalities()

    def of_body(self, body: int) -> List[str]:
        s, m, joints = self.s, self.m, list(self.s.joints(body))
        parent = int(m.body_parentid[body])
        for j in joints:
            self.check_forces(j)
        if not joints:
            return [f"  {s.name(s.names[body] + '_weld')}: {{fixed: {self.tie(parent, body)}}}"]
        words = self.of_bodies[body].words if body in self.of_bodies else ()
        if words or m.jnt_type[joints[0]] == 0:
            for j in joints:
                self.check_no_forces(j)
            if words:
                s.converted.append(f"joints of '{s.names[body]}' are freedoms of the body: {', '.join(words)}")
            return []
        if len(joints) > 1:
            why = self.of_bodies[body].why_not if body in self.of_bodies else "its parent moves"
            s.refuse("joints", f"body '{s.names[body]}' has {len(joints)} joints on its parent: {why}")
            return []
        return [self.joint(joints[0], parent, body)]

    def check_forces(self, j: int) -> None:
        """What no joint of a scenario has."""
        s, m, what = self.s, self.m, f"joint '{self.s.label('joint', j)}'"
        if not s.is_off("SPRING"):
            poly = np.any(s.field("jnt_stiffnesspoly")[j])
            if poly:
                s.refuse("spring", f"{what}: a spring that is not linear")
            if np.any(s.field("jnt_springyield")[j]) and (poly or m.jnt_stiffness[j]):
                s.refuse("spring", f"{what}: a spring that yields")
        if not s.is_off("DAMPER") and np.any(s.field("dof_dampingpoly")[s.dofs(j)]):
            s.refuse("damper", f"{what}: damping that is not linear")
        if s.limited(j) and m.jnt_margin[j]:
            s.refuse("margin", f"{what}: a margin of its limits")

    def check_no_forces(self, j: int) -> None:
        s = self.s
        if s.stiffness(j) or s.damping(j) or s.friction_loss(j) or self.m.dof_armature[s.dofs(j)].any() or s.limited(j):
            s.refuse("freedom", f"forces or limits of joint '{s.label('joint', j)}', which becomes a freedom of its body")

    def joint(self, j: int, parent: int, body: int) -> str:
        s, m, d, given = self.s, self.m, self.d, self.s.label("joint", j)
        kind, loss = {1: "ball", 2: "prismatic", 3: "revolute"}[int(m.jnt_type[j])], s.friction_loss(j)
        stiffness, damping, armature = s.stiffness(j), s.damping(j), float(m.dof_armature[s.dofs(j)].max())
        start = f"  {s.name_for('joint', j)}: {{{kind}: {self.tie(parent, body)}, at: {list_text(d.xanchor[j])}"
        if loss:
            start += f", friction: {loss!r}"
        if kind == "ball":
            if s.limited(j) or stiffness or damping or armature:
                s.refuse("ball", f"limits, spring, damper or armature of the ball joint '{given}'")
            if loss:
                s.converted.append(f"friction of the ball joint '{given}': of the turn as a whole, not of each axis")
            return start + "}"
        now = d.qpos[m.jnt_qposadr[j]]
        parts = [f"axis: {list_text(d.xaxis[j])}"]
        if s.limited(j):
            low, high = m.jnt_range[j] - now
            if not low <= 0 <= high:
                s.refuse("limits", f"joint '{given}' starts outside of its limits")
            parts.append(f"limits: {list_text([min(low, 0), max(high, 0)])}")
        damping += self.actuators.damping.get(j, 0.0)
        armature += self.actuators.armature.get(j, 0.0)
        for name, kind, value in (("stiffness", "spring", stiffness), ("damping", "damper", damping),
                                  ("armature", "armature", armature)):
            if value < 0:
                s.refuse(kind, f"joint '{given}': {name} below 0")
            elif value:
                parts.append(f"{name}: {value!r}")
        if stiffness > 0:
            parts.append(f"rest: {float(m.qpos_spring[m.jnt_qposadr[j]] - now)!r}")
        if j in self.actuators.motors:
            parts.append(self.actuators.motors[j])
        return f"{start}, {', '.join(parts)}}}"

    # Equality constraints.

    def equalities(self) -> List[str]:
        s, m, lines = self.s, self.m, []
        for e in range(m.neq):
            kind = s.mj.mjtEq(m.eq_type[e]).name[5:].lower()
            what = f"equality '{s.label('equality', e)}' of the kind {kind}"
            if not m.eq_active0[e] or s.is_off("EQUALITY"):
                s.ignored.append(f"{what}: it is switched off")
                continue
            if kind not in ("connect", "weld") or kind == "weld" and m.eq_data[e, 10] == 0:
                s.refuse("equality", what + (" without a torque" if kind == "weld" else ""))
                continue
            one, two, at = self.ends(e)
            if s.owner[one] == s.owner[two] or not (s.moves(one) or s.moves(two)):
                s.ignored.append(f"{what}: its ends do not move against each other")
                continue
            gap = self.open_by(e)
            if gap > _OPEN:
                s.refuse("equality", f"{what} is not met at the start, by {gap:.3g}")
                continue
            if gap > 1e-9:
                s.converted.append(f"{what}: met at the start, where it is open by {gap:.3g}")
            ends = self.tie(one, two)
            text = f"ball: {ends}, at: {list_text(at)}" if kind == "connect" else f"fixed: {ends}"
            lines.append(f"  {s.name_for('equality', e)}: {{{text}}}")
        return lines

    def ends(self, e: int) -> Tuple[int, int, np.ndarray]:
        """Bodies of a connect or a weld, and the point of a connect in the world."""
        m, d = self.m, self.d
        one, two = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
        if m.eq_objtype[e] == self.s.mj.mjtObj.mjOBJ_SITE:
            return int(m.site_bodyid[one]), int(m.site_bodyid[two]), d.site_xpos[two]
        return one, two, d.xpos[one] + matrix_of(d.xquat[one]) @ m.eq_data[e, :3]

    def open_by(self, e: int) -> float:
        """m or rad, by which MuJoCo finds the constraint open at the start."""
        m, d = self.m, self.d
        rows = (d.efc_type == self.s.mj.mjtConstraint.mjCNSTR_EQUALITY) & (d.efc_id == e)
        found = np.array(d.efc_pos[rows])
        found[3:] *= 2 / m.eq_data[e, 10] if len(found) > 3 else 1  # half of the sine of the angle, times a scale
        return float(np.linalg.norm(found[:3]) + np.linalg.norm(found[3:]))

    # Tendons.

    def springs(self) -> List[str]:
        s, m, mj, lines = self.s, self.m, self.s.mj, []
        for t in range(m.ntendon):
            what = f"tendon '{s.label('tendon', t)}'"
            wraps = range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t])
            stiffness, damping, other = self.of_tendon(t)
            if stiffness < 0 or damping < 0:
                s.refuse("tendon", f"{what}: stiffness or damping below 0")
                continue
            if not (stiffness or damping or other):
                s.ignored.append(f"{what}: it has no force")
                continue
            rest = m.tendon_lengthspring[t]
            simple = len(wraps) == 2 and all(m.wrap_type[w] == mj.mjtWrap.mjWRAP_SITE for w in wraps)
            if not simple or other or stiffness and rest[0] != rest[1]:
                s.refuse("tendon", f"{what}: only a linear spring between two sites")
                continue
            sites = [int(m.wrap_objid[w]) for w in wraps]
            one, two = (int(m.site_bodyid[site]) for site in sites)
            if s.owner[one] == s.owner[two] or not (s.moves(one) or s.moves(two)):
                s.ignored.append(f"{what}: its ends do not move against each other")
                continue
            points = [self.d.site_xpos[site] for site in sites]
            if np.linalg.norm(points[0] - points[1]) <= 1e-9:
                s.refuse("tendon", f"{what}: its ends are at one point at the start")
                continue
            length = rest[0] if rest[0] >= 0 else m.tendon_length0[t]
            parts = [f"stiffness: {stiffness!r}", f"damping: {damping!r}"]
            if stiffness > 0:
                parts.append(f"rest: {float(length)!r}")
            lines.append(f"  {s.name_for('tendon', t)}: {{between: [{s.end(one)}, {s.end(two)}], "
                         f"at: [{list_text(points[0])}, {list_text(points[1])}], {', '.join(parts)}}}")
        return lines

    def of_tendon(self, t: int) -> Tuple[float, float, bool]:
        """Stiffness, damping, and whether it has something that a spring has not."""
        s, m = self.s, self.m
        other = bool(np.any(s.field("tendon_armature")[t]) or m.tendon_limited[t] and not s.is_off("LIMIT")
                     or m.tendon_frictionloss[t] and not s.is_off("FRICTIONLOSS"))
        stiffness = 0.0 if s.is_off("SPRING") else float(np.ravel(m.tendon_stiffness[t])[0])
        damping = 0.0 if s.is_off("DAMPER") else float(np.ravel(m.tendon_damping[t])[0])
        if not s.is_off("SPRING"):
            poly = bool(np.any(s.field("tendon_stiffnesspoly")[t]))
            other = other or poly or bool(stiffness and np.any(s.field("tendon_springyield")[t]))
        return stiffness, damping, other or not s.is_off("DAMPER") and bool(np.any(s.field("tendon_dampingpoly")[t]))
