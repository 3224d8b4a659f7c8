"""Rules of contact of a MuJoCo model."""
from __future__ import annotations

from collections import Counter
from typing import Callable, Dict, FrozenSet, List, Optional, Set, Tuple

import numpy as np

from .model import Source

Rule = Tuple[float, float, float]
"""Coefficient of friction, radius of spin friction, radius of rolling friction."""


class Contacts:
    def __init__(self, source: Source, touches: Callable[[int], bool], tied: Set[Tuple[int, int]]):
        self.s, self.m, self.tied = source, source.m, tied
        self.geoms = [g for g in range(self.m.ngeom) if touches(g)]
        m = self.m
        self.pairs: Dict[FrozenSet[int], List[int]] = {}
        for p in range(m.npair):
            self.pairs.setdefault(frozenset((int(m.pair_geom1[p]), int(m.pair_geom2[p]))), []).append(p)
        self.excluded = {int(signature) for signature in m.exclude_signature}

    def rules(self) -> List[str]:
        """One for each pair of bodies, as their geoms say; those that are most frequent are the general one."""
        s, m = self.s, self.m
        self.check_geoms()
        found: Dict[Tuple[int, int], Optional[Rule]] = {}
        for i, a in enumerate(self.geoms):
            for b in self.geoms[:i]:
                one, two = sorted((s.owner[m.geom_bodyid[a]], s.owner[m.geom_bodyid[b]]))
                if one == two or not (s.moves(one) or s.moves(two)):
                    continue
                rule = self.rule(a, b)
                if found.setdefault((one, two), rule) != rule:
                    s.refuse("pairs", f"shapes of '{s.names[one]}' and '{s.names[two]}' touch in different ways")
        touching = [rule for rule in found.values() if rule is not None]
        usual = Counter(touching).most_common(1)[0][0] if touching else (0.0, 0.0, 0.0)
        lines = [f"  - {{between: any, {self.words(usual)}}}"]
        for (one, two), rule in sorted(found.items()):
            between = f"between: [{s.names[one]}, {s.names[two]}]"
            if rule is None:
                lines.append(f"  - {{{between}, contact: false}}")
            elif rule != usual or (one, two) in self.tied:  # jostle lets tied bodies touch only where a rule says so
                lines.append(f"  - {{{between}, {self.words(rule)}}}")
        return lines

    @staticmethod
    def words(rule: Rule) -> str:
        mu, spin, roll = rule
        return (f"friction: {mu!r}" + (f", spin_friction: {spin!r}" if spin else "")
                + (f", rolling_friction: {roll!r}" if roll else ""))

    def check_geoms(self) -> None:
        """What no contact of a scenario has."""
        s, m = self.s, self.m
        margins = [m.opt.o_margin] if s.is_on("OVERRIDE") else [*m.geom_margin[self.geoms], *m.pair_margin]
        if self.geoms and np.any(margins):
            s.refuse("margin", "margins of contacts")
        for word in ("surfacevel", "adhesion"):
            for g in self.geoms:
                if np.any(s.field(f"geom_{word}")[g]):
                    s.refuse(word, f"{word} of geom {s.label('geom', g)}")
        if self.geoms and np.any(s.field("pair_adhesion")[:m.npair]):
            s.refuse("adhesion", "adhesion of a pair")

    def rule(self, a: int, b: int) -> Optional[Rule]:
        """Of two geoms; None: they do not touch."""
        m, names = self.m, f"{self.s.label('geom', a)} and {self.s.label('geom', b)}"
        bodies = sorted((int(m.geom_bodyid[a]), int(m.geom_bodyid[b])))
        roots = [self.s.root(body) for body in bodies]
        if roots[0] == roots[1]:
            return None
        pairs = self.pairs.get(frozenset((a, b)), [])
        if pairs:
            rules = [self.of_condim(names, int(m.pair_dim[p]), m.pair_friction[p]) for p in pairs]
            if any(rule != rules[0] for rule in rules):
                self.s.refuse("pairs", f"{len(pairs)} pairs of {names} with friction of their own")
            elif len(pairs) > 1:
                self.s.converted.append(f"{len(pairs)} pairs of {names}: one contact, which is as rigid")
            return rules[0]
        wanted = (m.geom_contype[a] & m.geom_conaffinity[b]) or (m.geom_contype[b] & m.geom_conaffinity[a])
        above = [self.s.root(int(m.body_parentid[root])) for root in roots]
        related = 0 not in roots and not self.s.is_off("FILTERPARENT") and (roots[0] == above[1] or roots[1] == above[0])
        if not wanted or (bodies[0] << 16) + bodies[1] in self.excluded or related:
            return None
        one, two = (a, b) if m.geom_priority[a] >= m.geom_priority[b] else (b, a)
        if m.geom_priority[one] > m.geom_priority[two]:
            return self.of_condim(names, int(m.geom_condim[one]), m.geom_friction[one][[0, 0, 1, 2, 2]])
        largest = np.maximum(m.geom_friction[a], m.geom_friction[b])
        return self.of_condim(names, int(max(m.geom_condim[a], m.geom_condim[b])), largest[[0, 0, 1, 2, 2]])

    def of_condim(self, names: str, condim: int, friction: np.ndarray) -> Rule:
        """Of coefficients along two tangents, of spin and of rolling about two tangents."""
        if self.s.is_on("OVERRIDE"):
            friction = self.m.opt.o_friction
        friction = np.maximum(friction, 0)  # as MuJoCo does
        if condim > 1 and friction[0] != friction[1] or condim > 4 and friction[3] != friction[4]:
            self.s.refuse("friction", f"friction of {names} depends on the direction")
        mu = float(friction[0]) if condim > 1 else 0.0
        if condim > 3 and mu == 0 and friction[2] > 0:
            self.s.refuse("friction", f"spin friction of {names} without friction")
        spin = float(friction[2]) / mu if condim > 3 and mu > 0 else 0.0
        return mu, spin, float(friction[3]) if condim > 4 else 0.0
