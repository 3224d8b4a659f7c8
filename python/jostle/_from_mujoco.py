"""A MuJoCo model as a scenario; needs the package mujoco, whose parser and defaults decide what a file means."""
from __future__ import annotations

import os
import re
from typing import Any, Collection, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._errors import UsageError
from ._mujoco import _matrix


class MujocoImport(NamedTuple):
    """What `from_mujoco` returns: a scenario, and what became of the model."""

    scenario: str
    """YAML, for `jostle.load` or a file."""
    converted: List[str]
    """What the scenario says in another way."""
    ignored: List[str]
    """What does not change motion, or cannot in rigid contact."""
    left_out: List[str]
    """What changes motion and was allowed to be left out."""


def from_mujoco(model: Any, *, allow: Collection[str] = (), key: Union[int, str, None] = None) -> MujocoImport:
    """A model of MuJoCo, compiled by MuJoCo, as a scenario: bodies with masses, frames and inertia, shapes, pairs that touch
    with their friction, joints with limits, friction, springs, dampers, armatures and motors, springs between points, gravity,
    step, and the initial state. It is the inverse of `to_mujoco`.

    Contacts become rigid: solref and solimp have no meaning here.

    Args:
        model: path of an MJCF or URDF file, its text (a str that begins with "<"), or a `mujoco.MjModel`.
        allow: kinds of things that may be left out although they change motion, such as ["mesh"]; each message names its kind.
        key: number or name of the keyframe to start from; left out: the first one, if there is any.

    Raises:
        UsageError: something changes motion and the scenario cannot say it, with all such things.
    """
    try:
        import mujoco
    except ImportError as error:
        raise ImportError("from_mujoco needs mujoco: pip install mujoco") from error
    if isinstance(model, str) and model.lstrip().startswith("<"):
        model = mujoco.MjModel.from_xml_string(model)
    elif not isinstance(model, mujoco.MjModel):
        model = mujoco.MjModel.from_xml_path(os.fspath(model))
    data = mujoco.MjData(model)
    frame = model.key(key).id if key is not None else 0 if model.nkey else None
    if frame is not None:
        mujoco.mj_resetDataKeyframe(model, data, frame)
    mujoco.mj_forward(model, data)
    reader = _Reader(mujoco, model, data)
    text = reader.write()
    refused = [f"{message} (allow=[{kind!r}])" for kind, message in reader.refused if kind not in allow]
    if refused:
        raise UsageError("the model has what a scenario cannot say: " + "; ".join(refused))
    return MujocoImport(text, reader.converted, reader.ignored, [message for _, message in reader.refused])


def _list(values: Any) -> str:
    return "[" + ", ".join(repr(float(x) + 0.0) for x in np.ravel(values)) + "]"


_AXES = "xyz"


class _Reader:
    def __init__(self, mujoco: Any, model: Any, data: Any):
        self.mj, self.m, self.d = mujoco, model, data
        self.refused: List[Tuple[str, str]] = []
        self.converted: List[str] = []
        self.ignored: List[str] = []
        self.names = self.named(mujoco.mjtObj.mjOBJ_BODY, model.nbody, "body")
        self.names[0] = self.free_name("ground")
        self.joint_names = self.named(mujoco.mjtObj.mjOBJ_JOINT, model.njnt, "joint")
        self.used_joints: Dict[str, str] = {}

    def refuse(self, kind: str, message: str) -> None:
        self.refused.append((kind, message))

    def named(self, kind: Any, count: int, word: str) -> List[str]:
        names: List[str] = []
        for i in range(count):
            name = self.mj.mj_id2name(self.m, kind, i) or f"{word}{i}"
            good = re.sub(r"\W", "_", name, flags=re.ASCII)
            good = good if re.match(r"[A-Za-z_]", good) else "_" + good
            while good in names or good in ("world", "any"):
                good += "_"
            if good != name and i + (word == "joint"):
                self.converted.append(f"{word} '{name}' is called '{good}'")
            names.append(good)
        return names

    def free_name(self, name: str) -> str:
        while name in self.names:
            name += "_"
        return name

    def write(self) -> str:
        self.check_options()
        lines = ["jostle: 1", "title: Imported from MuJoCo", "world:", f"  gravity: {_list(self.m.opt.gravity)}",
                 f"  step: {self.m.opt.timestep!r}", f"  duration: {1000 * self.m.opt.timestep!r}", "bodies:"]
        for body in range(self.m.nbody):
            lines += self.body(body)
        joints = [line for body in range(1, self.m.nbody) for line in self.joints_of(body)] + self.equalities()
        lines += ["joints:", *joints] if joints else []
        springs = self.tendons()
        lines += ["springs:", *springs] if springs else []
        lines += ["contacts:", *self.rules()]
        return "\n".join(lines) + "\n"

    # Options.

    def check_options(self) -> None:
        m, mj = self.m, self.mj
        for name in ("wind", "density", "viscosity"):
            if np.any(getattr(m.opt, name)):
                self.refuse("medium", f"option {name}: jostle has no medium")
        for name in ("nflex", "nskin", "nplugin"):
            if getattr(m, name, 0):
                (self.ignored.append if name == "nskin" else lambda text: self.refuse(name[1:], text))(f"{name[1:]}s")
        if m.opt.o_margin or np.any(m.geom_margin):
            self.refuse("margin", "margins of contacts")
        if m.body_gravcomp.any():
            self.refuse("gravcomp", "compensation of gravity")
        self.ignored += ["solref and solimp: contacts are rigid here", f"integrator {mj.mjtIntegrator(m.opt.integrator).name}"]
        if m.nsensor:
            self.ignored.append(f"{m.nsensor} sensors")

    # Bodies.

    def is_static(self, body: int) -> bool:
        while body > 0:
            if self.m.body_jntnum[body] or self.m.body_mocapid[body] >= 0:
                return False
            body = self.m.body_parentid[body]
        return True

    def joints(self, body: int) -> range:
        first = self.m.body_jntadr[body]
        return range(first, first + self.m.body_jntnum[body])

    def freedom(self, body: int) -> Optional[List[str]]:
        """The freedoms along the axes of the world that several joints on the world give; None: they are others."""
        words: List[str] = []
        for j in self.joints(body):
            axis = self.d.xaxis[j]
            along = int(np.argmax(abs(axis)))
            if abs(abs(axis[along]) - 1) > 1e-9 or self.m.jnt_type[j] not in (2, 3):
                return None
            words.append(("r" if self.m.jnt_type[j] == 3 else "") + _AXES[along])
        turns = [word for word in words if word[0] == "r"]
        return words if len(set(words)) == len(words) and len(turns) in (0, 1, 3) else None

    def body(self, body: int) -> List[str]:
        m, d = self.m, self.d
        if body == 0 and m.body_geomnum[0] == 0:
            return []
        lines = [f"  {self.names[body]}:"]
        if self.is_static(body):
            lines.append("    fixed: true")
        elif m.body_mocapid[body] >= 0:
            self.refuse("mocap", f"body '{self.names[body]}' is moved from outside; a scenario has `prescribed` for it")
            lines.append("    fixed: true")
        else:
            lines += self.mass(body)
        lines += [f"    position: {_list(d.xpos[body])}", f"    rotation: {{quaternion: {_list(d.xquat[body])}}}"]
        if not self.is_static(body) and m.body_mocapid[body] < 0:
            velocity = np.zeros(6)
            self.mj.mj_objectVelocity(m, d, self.mj.mjtObj.mjOBJ_XBODY, body, velocity, 0)
            lines += [f"    velocity: {_list(velocity[3:])}", f"    spin: {_list(velocity[:3])}"]
        shapes = [self.shape(g) for g in range(m.ngeom) if m.geom_bodyid[g] == body]
        shapes = [shape for shape in shapes if shape]
        return lines + (["    shapes:", *shapes] if shapes else [])

    def mass(self, body: int) -> List[str]:
        m, joints = self.m, list(self.joints(body))
        free = len(joints) == 1 and m.jnt_type[joints[0]] == 0
        words = self.freedom(body) if len(joints) > 1 and self.is_static(m.body_parentid[body]) and not free else None
        lines = [f"    mass: {float(m.body_mass[body])!r}"]
        if words is None or any(word[0] == "r" for word in words):
            R = _matrix(m.body_iquat[body])
            J = R @ np.diag(m.body_inertia[body]) @ R.T
            lines += [f"    centre_of_mass: {_list(m.body_ipos[body])}",
                      f"    inertia: {_list([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])}"]
        return lines + ([f"    freedom: [{', '.join(words)}]"] if words else [])

    def touches(self, g: int) -> bool:
        m = self.m
        return bool(m.geom_contype[g] or m.geom_conaffinity[g] or np.any(m.pair_geom1 == g) or np.any(m.pair_geom2 == g))

    def shape(self, g: int) -> str:
        m, mj = self.m, self.mj
        what = f"geom {mj.mj_id2name(m, mj.mjtObj.mjOBJ_GEOM, g) or g} of '{self.names[m.geom_bodyid[g]]}'"
        if not self.touches(g):
            self.ignored.append(f"{what} touches nothing")
            return ""
        kind, size = mj.mjtGeom(m.geom_type[g]).name[7:].lower(), m.geom_size[g]
        position, turn = m.geom_pos[g], m.geom_quat[g]
        radius = float(size[0]) if size[0] > 1e-9 else 0.0  # to_mujoco writes a particle so
        if kind == "plane":
            if not self.is_static(m.geom_bodyid[g]):
                self.refuse("plane", f"{what}: a half-space on a body that moves")
                return ""
            normal = _matrix(turn)[:, 2]
            return f"      - {{half_space: {{normal: {_list(normal)}, offset: {float(normal @ position)!r}}}}}"
        known = {"sphere": f"sphere: {{radius: {radius!r}}}",
                 "capsule": f"capsule: {{length: {float(2 * size[1])!r}, radius: {radius!r}, axis: z}}",
                 "cylinder": f"cylinder: {{length: {float(2 * size[1])!r}, radius: {float(size[0])!r}, axis: z}}",
                 "box": f"box: {{size: {_list(2 * size)}}}"}
        if kind not in known:
            self.refuse(kind, f"{what} is of the kind {kind}")
            return ""
        return f"      - {{{known[kind]}, position: {_list(position)}, rotation: {{quaternion: {_list(turn)}}}}}"

    # Joints.

    def end(self, body: int) -> str:
        """The world, where nothing moves, so that no fixed body without shapes is needed."""
        return "world" if self.is_static(body) else self.names[body]

    def joints_of(self, body: int) -> List[str]:
        m, parent = self.m, self.m.body_parentid[body]
        joints = list(self.joints(body))
        if self.is_static(body) or m.body_mocapid[body] >= 0:
            return []
        if not joints:
            name = f"{self.names[body]}_weld"
            return [f"  {name}: {{fixed: [{self.end(parent)}, {self.names[body]}]}}"]
        if m.jnt_type[joints[0]] == 0:
            for j in joints:
                self.check_no_forces(j)
            return []
        if len(joints) > 1:
            if self.is_static(parent) and self.freedom(body):
                for j in joints:
                    self.check_no_forces(j)
                return []
            self.refuse("joints", f"body '{self.names[body]}' has {len(joints)} joints on its parent")
            return []
        return [self.joint(joints[0], parent, body)]

    def check_no_forces(self, j: int) -> None:
        m, dofs = self.m, self.dofs(j)
        if m.jnt_stiffness[j] or m.dof_damping[dofs].any() or m.dof_frictionloss[dofs].any() or m.dof_armature[dofs].any() \
                or m.jnt_limited[j] or np.any(m.actuator_trnid[:, 0] == j):
            self.refuse("freedom", f"forces, limits or motors of joint '{self.joint_names[j]}', which becomes a freedom of its body")

    def dofs(self, j: int) -> slice:
        first = self.m.jnt_dofadr[j]
        return slice(first, first + {0: 6, 1: 3, 2: 1, 3: 1}[int(self.m.jnt_type[j])])

    def joint(self, j: int, parent: int, body: int) -> str:
        m, d, dof = self.m, self.d, self.dofs(j).start
        kind = {1: "ball", 2: "prismatic", 3: "revolute"}[int(m.jnt_type[j])]
        parts = [f"{kind}: [{self.end(parent)}, {self.names[body]}]", f"at: {_list(d.xanchor[j])}"]
        if m.dof_frictionloss[dof]:
            parts.append(f"friction: {float(m.dof_frictionloss[dof])!r}")
        if kind == "ball":
            if m.jnt_limited[j] or m.jnt_stiffness[j] or m.dof_damping[dof] or m.dof_armature[dof]:
                self.refuse("ball", f"limits, spring, damper or armature of the ball joint '{self.joint_names[j]}'")
            return f"  {self.joint_names[j]}: {{{', '.join(parts)}}}"
        now = d.qpos[m.jnt_qposadr[j]]
        parts.append(f"axis: {_list(d.xaxis[j])}")
        if m.jnt_limited[j]:
            low, high = m.jnt_range[j] - now
            if not low <= 0 <= high:
                self.refuse("limits", f"joint '{self.joint_names[j]}' starts outside of its limits")
            parts.append(f"limits: {_list([min(low, 0), max(high, 0)])}")
        for name, value in (("stiffness", m.jnt_stiffness[j]), ("damping", m.dof_damping[dof]), ("armature", m.dof_armature[dof])):
            if value:
                parts.append(f"{name}: {float(np.ravel(value)[0])!r}")
        if m.jnt_stiffness[j]:
            parts.append(f"rest: {float(m.qpos_spring[m.jnt_qposadr[j]] - now)!r}")
        return f"  {self.joint_names[j]}: {{{', '.join(parts + self.motor(j))}}}"

    def motor(self, j: int) -> List[str]:
        """Of an actuator that controls the speed: `to_mujoco` writes such."""
        m, found = self.m, []
        for a in np.flatnonzero((m.actuator_trnid[:, 0] == j) & (m.actuator_trntype == 0)):
            name = self.mj.mj_id2name(m, self.mj.mjtObj.mjOBJ_ACTUATOR, int(a)) or str(a)
            is_speed = m.actuator_biastype[a] == 1 and m.actuator_biasprm[a, 1] == 0 and m.actuator_biasprm[a, 2] == -m.actuator_gainprm[a, 0]
            if not is_speed or not m.actuator_forcelimited[a] or found or m.actuator_gear[a, 0] != 1:
                self.refuse("actuator", f"actuator '{name}': only one that controls the speed of a joint, with limits of its force")
                continue
            limit = float(max(abs(m.actuator_forcerange[a])))
            found = [f"motor: {{speed: {float(self.d.ctrl[a])!r}, limit: {limit!r}}}"]
            self.converted.append(f"actuator '{name}': a motor without the softness of kv = {m.actuator_gainprm[a, 0]:g}")
        return found

    def equalities(self) -> List[str]:
        m, mj, lines = self.m, self.mj, []
        for e in range(m.neq):
            kind = mj.mjtEq(m.eq_type[e]).name[5:].lower()
            name = re.sub(r"\W", "_", mj.mj_id2name(m, mj.mjtObj.mjOBJ_EQUALITY, e) or f"equality{e}", flags=re.ASCII)
            if not m.eq_active0[e] or kind not in ("connect", "weld"):
                self.refuse("equality", f"equality '{name}' of the kind {kind}")
                continue
            sites = m.eq_objtype[e] == mj.mjtObj.mjOBJ_SITE
            one, two = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
            bodies = (int(m.site_bodyid[one]), int(m.site_bodyid[two])) if sites else (one, two)
            at = self.d.site_xpos[two] if sites else self.d.xpos[one] + _matrix(self.d.xquat[one]) @ m.eq_data[e, :3]
            ends = f"[{self.end(bodies[0])}, {self.end(bodies[1])}]"
            lines.append(f"  {name}: {{ball: {ends}, at: {_list(at)}}}" if kind == "connect" else f"  {name}: {{fixed: {ends}}}")
        for a in range(m.nu):
            if m.actuator_trntype[a] != 0:
                self.refuse("actuator", f"actuator {mj.mj_id2name(m, mj.mjtObj.mjOBJ_ACTUATOR, a) or a}: not on a joint")
        return lines

    def tendons(self) -> List[str]:
        m, mj, lines = self.m, self.mj, []
        for t in range(m.ntendon):
            name = mj.mj_id2name(m, mj.mjtObj.mjOBJ_TENDON, t) or f"tendon{t}"
            wraps = range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t])
            rest = m.tendon_lengthspring[t]
            simple = len(wraps) == 2 and all(m.wrap_type[w] == mj.mjtWrap.mjWRAP_SITE for w in wraps) and rest[0] == rest[1]
            if not simple or m.tendon_limited[t] or m.tendon_frictionloss[t]:
                self.refuse("tendon", f"tendon '{name}': only a spring between two sites")
                continue
            sites = [int(m.wrap_objid[w]) for w in wraps]
            ends = ", ".join(self.end(int(m.site_bodyid[s])) for s in sites)
            length = rest[0] if rest[0] >= 0 else m.tendon_length0[t]
            lines.append(f"  {re.sub(chr(92) + 'W', '_', name, flags=re.ASCII)}: {{between: [{ends}], at: [{_list(self.d.site_xpos[sites[0]])}, "
                         f"{_list(self.d.site_xpos[sites[1]])}], stiffness: {float(np.ravel(m.tendon_stiffness[t])[0])!r}, "
                         f"damping: {float(np.ravel(m.tendon_damping[t])[0])!r}, rest: {float(length)!r}}}")
        return lines

    # Contacts.

    def rules(self) -> List[str]:
        """One for each pair of bodies, as their geoms say; those that are most frequent are the general one."""
        found: Dict[Tuple[int, int], Optional[Tuple[float, float, float]]] = {}
        geoms = [g for g in range(self.m.ngeom) if self.touches(g)]
        for i, a in enumerate(geoms):
            for b in geoms[:i]:
                one, two = sorted((int(self.m.geom_bodyid[a]), int(self.m.geom_bodyid[b])))
                if one == two or self.is_static(one) and self.is_static(two):
                    continue
                rule = self.friction(a, b)
                if found.setdefault((one, two), rule) != rule:
                    self.refuse("pairs", f"shapes of '{self.names[one]}' and '{self.names[two]}' touch in different ways")
        touching = [rule for rule in found.values() if rule is not None]
        usual = max(set(touching), key=touching.count) if touching else (0.0, 0.0, 0.0)
        lines = [f"  - {{between: any, {self.words(usual)}}}"]
        tied = {tuple(sorted((body, int(self.m.body_parentid[body])))) for body in range(1, self.m.nbody)}
        for (one, two), rule in sorted(found.items()):
            between = f"between: [{self.names[one]}, {self.names[two]}]"
            if rule is None:
                lines.append(f"  - {{{between}, contact: false}}")
            elif rule != usual or (one, two) in tied:
                lines.append(f"  - {{{between}, {self.words(rule)}}}")
        return lines

    @staticmethod
    def words(rule: Tuple[float, float, float]) -> str:
        mu, spin, roll = rule
        return (f"friction: {mu!r}" + (f", spin_friction: {spin!r}" if spin else "")
                + (f", rolling_friction: {roll!r}" if roll else ""))

    def friction(self, a: int, b: int) -> Optional[Tuple[float, float, float]]:
        """(coefficient, radius of spin friction, radius of rolling friction) of two geoms; None: they do not touch."""
        m = self.m
        for p in range(m.npair):
            if {int(m.pair_geom1[p]), int(m.pair_geom2[p])} == {a, b}:
                return self.of_condim(int(m.pair_dim[p]), m.pair_friction[p][[0, 2, 3]])
        bodies = sorted((int(m.geom_bodyid[a]), int(m.geom_bodyid[b])))
        wanted = (m.geom_contype[a] & m.geom_conaffinity[b]) or (m.geom_contype[b] & m.geom_conaffinity[a])
        excluded = any(m.exclude_signature[e] == (bodies[0] << 16) + bodies[1] for e in range(m.nexclude))
        weld = m.body_weldid
        related = weld[bodies[0]] == weld[m.body_parentid[weld[bodies[1]]]] and weld[bodies[0]] != 0
        if not wanted or excluded or related or weld[bodies[0]] == weld[bodies[1]]:
            return None
        one, two = (a, b) if m.geom_priority[a] >= m.geom_priority[b] else (b, a)
        if m.geom_priority[one] > m.geom_priority[two]:
            return self.of_condim(int(m.geom_condim[one]), m.geom_friction[one])
        return self.of_condim(int(max(m.geom_condim[a], m.geom_condim[b])), np.maximum(m.geom_friction[a], m.geom_friction[b]))

    @staticmethod
    def of_condim(condim: int, friction: np.ndarray) -> Tuple[float, float, float]:
        mu = float(friction[0]) if condim > 1 else 0.0
        spin = float(friction[1]) / mu if condim > 3 and mu > 0 else 0.0
        return mu, spin, float(friction[2]) if condim > 4 else 0.0
