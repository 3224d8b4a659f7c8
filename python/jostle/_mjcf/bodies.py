"""Bodies of a MuJoCo model: masses, freedoms, states and shapes."""
from __future__ import annotations

from typing import Dict, List, Tuple

import numpy as np

from .._joint_start import matrix_of
from .._mujoco import _quaternion
from .freedoms import CLOSE, Freedoms, freedoms
from .model import AXES, Source, list_text


class Bodies:
    def __init__(self, source: Source, no_freedoms: str = ""):
        self.s, self.m, self.d = source, source.m, source.d
        self.freedoms: Dict[int, Freedoms] = {}
        """Of bodies with several joints on the world."""
        for body in range(1, self.m.nbody):
            parent = self.m.body_parentid[body]
            if self.m.body_jntnum[body] > 1 and source.is_static(parent):
                found = freedoms(source, body, self.inertia(body)[1])
                self.freedoms[body] = Freedoms((), no_freedoms) if no_freedoms and found.words else found

    def lines(self) -> List[str]:
        return [line for body in range(self.m.nbody) if self.s.owner[body] == body for line in self.body(body)]

    def body(self, body: int) -> List[str]:
        s, m, d = self.s, self.m, self.d
        shapes = [self.shape(g, body) for g in range(m.ngeom) if s.owner[m.geom_bodyid[g]] == body]
        shapes = [shape for shape in shapes if shape]
        if body == 0 and not shapes:
            return []
        lines = [f"  {s.names[body]}:"]
        if m.body_mocapid[body] >= 0:
            s.refuse("mocap", f"body '{s.names[body]}' is moved from outside; a scenario has `prescribed` for it")
        is_fixed = s.is_static(body) or m.body_mocapid[body] >= 0
        words = self.freedoms[body].words if body in self.freedoms else ()
        lines += ["    fixed: true"] if is_fixed else self.mass(body, words)
        turns = [word[1] for word in words if word[0] == "r"]
        rotation = np.array(d.xquat[body])
        if len(turns) == 1:  # its other elements are what rounding left
            rotation[[1 + k for k in range(3) if AXES[k] != turns[0]]] = 0
        lines += [f"    position: {list_text(d.xpos[body])}", f"    rotation: {{quaternion: {list_text(rotation)}}}"]
        if not is_fixed:
            velocity = np.zeros(6)
            s.mj.mj_objectVelocity(m, d, s.mj.mjtObj.mjOBJ_XBODY, body, velocity, 0)
            if words:
                velocity[[k for k in range(6) if ("r" + AXES[k] if k < 3 else AXES[k - 3]) not in words]] = 0
            lines += [f"    velocity: {list_text(velocity[3:])}", f"    spin: {list_text(velocity[:3])}"]
        return lines + (["    shapes:", *shapes] if shapes else [])

    # Mass.

    def mass(self, body: int, words: Tuple[str, ...]) -> List[str]:
        mass, centre, J = self.inertia(body)
        if mass <= 0:
            self.s.refuse("massless", f"body '{self.s.names[body]}' moves and has no mass")
        lines = [f"    mass: {mass!r}"]
        if words and np.linalg.norm(centre) <= CLOSE:  # what locks a freedom wants none at all
            centre = np.zeros(3)
        if not words or any(word[0] == "r" for word in words):
            lines += [f"    centre_of_mass: {list_text(centre)}",
                      f"    inertia: {list_text([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])}"]
        return lines + ([f"    freedom: [{', '.join(words)}]"] if words else [])

    def inertia(self, body: int) -> Tuple[float, np.ndarray, np.ndarray]:
        """Mass, centre of mass and inertia about it, of the body and of those that are part of it."""
        m = self.m
        parts = []
        for b in range(body, m.nbody):
            if self.s.owner[b] != body or not (m.body_mass[b] > 0 or m.body_inertia[b].any()):
                continue
            position, turn = self.place(b, body)
            R = turn @ matrix_of(m.body_iquat[b])
            parts.append((float(m.body_mass[b]), position + turn @ m.body_ipos[b], R @ np.diag(m.body_inertia[b]) @ R.T))
        if len(parts) == 1:
            return parts[0]
        mass = sum(part[0] for part in parts)
        centre = sum((part[0] * part[1] for part in parts), np.zeros(3)) / (mass or 1.0)
        J = np.zeros((3, 3))
        for its_mass, its_centre, inertia in parts:
            arm = its_centre - centre
            J += inertia + its_mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        return mass, centre, J

    def place(self, body: int, owner: int) -> Tuple[np.ndarray, np.ndarray]:
        """Position and axes of a body in those of the one that it is part of."""
        position, turn = np.zeros(3), np.eye(3)
        while body != owner:
            R = matrix_of(self.m.body_quat[body])
            position, turn = self.m.body_pos[body] + R @ position, R @ turn
            body = int(self.m.body_parentid[body])
        return position, turn

    # Shapes.

    def touches(self, g: int) -> bool:
        m = self.m
        in_pair = np.any(m.pair_geom1 == g) or np.any(m.pair_geom2 == g)
        return not self.s.is_off("CONTACT") and bool(m.geom_contype[g] or m.geom_conaffinity[g] or in_pair)

    def shape(self, g: int, owner: int) -> str:
        s, m = self.s, self.m
        what = f"geom {s.mj.mj_id2name(m, s.mj.mjtObj.mjOBJ_GEOM, g) or g} of '{s.names[owner]}'"
        if not self.touches(g):
            s.ignored.append(f"{what} touches nothing")
            return ""
        kind, size = s.mj.mjtGeom(m.geom_type[g]).name[7:].lower(), m.geom_size[g]
        position, turn = m.geom_pos[g], m.geom_quat[g]
        if m.geom_bodyid[g] != owner:
            its_position, its_turn = self.place(int(m.geom_bodyid[g]), owner)
            position, turn = its_position + its_turn @ position, _quaternion(its_turn @ matrix_of(turn))
        radius = float(size[0]) if size[0] > 1e-9 else 0.0  # to_mujoco writes a particle so
        if kind == "plane":
            if not s.is_static(owner):
                s.refuse("plane", f"{what}: a half-space on a body that moves")
                return ""
            normal = matrix_of(turn)[:, 2]
            return f"      - {{half_space: {{normal: {list_text(normal)}, offset: {float(normal @ position)!r}}}}}"
        known = {"sphere": f"sphere: {{radius: {radius!r}}}",
                 "capsule": f"capsule: {{length: {float(2 * size[1])!r}, radius: {radius!r}, axis: z}}",
                 "cylinder": f"cylinder: {{length: {float(2 * size[1])!r}, radius: {float(size[0])!r}, axis: z}}",
                 "box": f"box: {{size: {list_text(2 * size)}}}"}
        if kind not in known:
            s.refuse(kind, f"{what} is of the kind {kind}")
            return ""
        return f"      - {{{known[kind]}, position: {list_text(position)}, rotation: {{quaternion: {list_text(turn)}}}}}"
