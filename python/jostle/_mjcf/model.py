"""A compiled MuJoCo model as `from_mujoco` reads it: what is switched off, which body is part of which, names, notes."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Set, Tuple

import numpy as np

from .._core import is_reserved

AXES = "xyz"
_YAML_WORDS = {"null", "true", "false"}
_NO_MASS = 1e-15  # mjMINVAL


def list_text(values: Any) -> str:
    return "[" + ", ".join(repr(float(x) + 0.0) for x in np.ravel(values)) + "]"


class Source:
    """The model, its state at the start, and what becomes of both."""

    def __init__(self, mujoco: Any, model: Any, data: Any):
        self.mj, self.m, self.d = mujoco, model, data
        self.refused: List[Tuple[str, str]] = []
        self.converted: List[str] = []
        self.ignored: List[str] = []
        self.taken: Set[str] = set()
        self.owner = self.owners()
        self.names: Dict[int, str] = {}
        for body in (*range(1, model.nbody), 0):
            if self.owner[body] == body:
                self.names[body] = self.name_for("body", body) if body else self.name("ground")
        for body in range(1, model.nbody):
            if self.owner[body] != body:
                label = self.label("body", body)
                self.converted.append(f"body '{label}' is part of '{self.name_of(body)}', on which it is fixed")

    # Notes and names.

    def refuse(self, kind: str, message: str) -> None:
        if (kind, message) not in self.refused:
            self.refused.append((kind, message))

    def label(self, word: str, number: int) -> str:
        """The name in the file, or one with the number."""
        return self.mj.mj_id2name(self.m, getattr(self.mj.mjtObj, f"mjOBJ_{word.upper()}"), number) or f"{word}{number}"

    def name(self, given: str) -> str:
        """A name for the scenario that nothing else has."""
        good = re.sub(r"\W", "_", given, flags=re.ASCII)
        good = good if re.match(r"[A-Za-z_]", good) else "_" + good
        while good in self.taken or is_reserved(good) or good.lower() in _YAML_WORDS:
            good += "_"
        self.taken.add(good)
        return good

    def name_for(self, word: str, number: int) -> str:
        given = self.label(word, number)
        good = self.name(given)
        if good != given:
            self.converted.append(f"{word} '{given}' is called '{good}'")
        return good

    def field(self, name: str) -> np.ndarray:
        """An array of the model that older versions of MuJoCo lack: there it is 0."""
        m, found = self.m, getattr(self.m, name, None)
        return np.zeros((max(m.nbody, m.njnt, m.nv, m.ngeom, m.ntendon, m.nu, m.npair), 10)) if found is None else found

    # Flags.

    def is_off(self, flag: str) -> bool:
        """Whether `<flag>` disables the word."""
        bits = self.mj.mjtDisableBit
        bit = getattr(bits, f"mjDSBL_{flag}", None)
        if bit is None:  # older versions have one for springs and dampers
            bit = getattr(bits, "mjDSBL_PASSIVE")
        of_solver = flag in ("CONTACT", "LIMIT", "EQUALITY", "FRICTIONLOSS")
        return bool(self.m.opt.disableflags & int(bit)) or of_solver and self.is_off("CONSTRAINT")

    def is_on(self, flag: str) -> bool:
        bit = getattr(self.mj.mjtEnableBit, f"mjENBL_{flag}", None)
        return bit is not None and bool(self.m.opt.enableflags & int(bit))

    # Bodies.

    def is_held(self, body: int) -> bool:
        """Whether it is fixed on its parent."""
        return body > 0 and not self.m.body_jntnum[body] and self.m.body_mocapid[body] < 0

    def root(self, body: int) -> int:
        """The first of the bodies that are fixed on each other; 0: the world."""
        while self.is_held(body):
            body = int(self.m.body_parentid[body])
        return body

    def is_static(self, body: int) -> bool:
        return self.root(body) == 0

    def moves(self, body: int) -> bool:
        return not self.is_static(body) and self.m.body_mocapid[self.root(body)] < 0

    def has_mass(self, body: int) -> bool:
        return self.m.body_mass[body] > _NO_MASS and bool(np.all(self.m.body_inertia[body] > _NO_MASS))

    def owners(self) -> List[int]:
        """The body that each one is part of: a body of its own, or, without mass and fixed on a body that moves, that one.
        Where the first of several that are fixed on each other has no mass, they are one body."""
        owner = list(range(self.m.nbody))
        for body in range(1, self.m.nbody):
            root = self.root(body)
            if root in (0, body):
                continue
            if not self.has_mass(body) or (self.m.body_mocapid[root] < 0 and not self.has_mass(root)):
                owner[body] = owner[int(self.m.body_parentid[body])]
        return owner

    def name_of(self, body: int) -> str:
        return self.names[self.owner[body]]

    def end(self, body: int) -> str:
        """The world, where nothing moves, so that no fixed body without shapes is needed."""
        return "world" if self.is_static(body) else self.name_of(body)

    def joints(self, body: int) -> range:
        first = self.m.body_jntadr[body]
        return range(first, first + self.m.body_jntnum[body])

    # Joints: their numbers, 0 where a flag disables them.

    def dofs(self, j: int) -> slice:
        first = self.m.jnt_dofadr[j]
        return slice(first, first + {0: 6, 1: 3, 2: 1, 3: 1}[int(self.m.jnt_type[j])])

    def limited(self, j: int) -> bool:
        return bool(self.m.jnt_limited[j]) and not self.is_off("LIMIT")

    def friction_loss(self, j: int) -> float:
        return 0.0 if self.is_off("FRICTIONLOSS") else max(0.0, float(self.m.dof_frictionloss[self.dofs(j)].max()))

    def stiffness(self, j: int) -> float:
        return 0.0 if self.is_off("SPRING") else float(self.m.jnt_stiffness[j])

    def damping(self, j: int) -> float:
        return 0.0 if self.is_off("DAMPER") else float(self.m.dof_damping[self.dofs(j)].max())

    def drives(self, actuator: int) -> Optional[int]:
        """The joint that an actuator acts on; None: something else."""
        kinds = (int(self.mj.mjtTrn.mjTRN_JOINT), int(self.mj.mjtTrn.mjTRN_JOINTINPARENT))
        return int(self.m.actuator_trnid[actuator, 0]) if int(self.m.actuator_trntype[actuator]) in kinds else None
