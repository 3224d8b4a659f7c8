"""Contacts with their impulses, of a batch or of training data."""
from __future__ import annotations

from typing import Dict, Iterator, List, Sequence, Union

import numpy as np

from ._names import suggestion


class Contacts:
    """Contacts in rows. Those of entry t are the rows splits[t] to before splits[t + 1]: t is a system of a batch, or a
    recorded time of a sample. docs/layout.md has the fields; `c.impulse_n` is short for `c.fields["impulse_n"]`.
    """

    splits: np.ndarray
    """(entries + 1,)"""
    fields: Dict[str, np.ndarray]
    """By name, (rows,), (rows, 2) or (rows, 3): pair feature piece mode point normal tangent gap impulse_n impulse_t slip
    impulse_spin impulse_roll."""
    pairs: List[str]
    """The two shapes a and b of each pair that the field `pair` numbers, such as "cube table"."""

    def __init__(self, splits: np.ndarray, fields: Dict[str, np.ndarray], pairs: Sequence[str] = ()):
        self.splits, self.fields, self.pairs = splits, fields, list(pairs)

    def __iter__(self) -> Iterator[Union[np.ndarray, Dict[str, np.ndarray]]]:
        return iter((self.splits, self.fields))  # splits, fields = contacts

    def __getattr__(self, name: str) -> np.ndarray:
        fields = self.__dict__.get("fields", {})
        if name in fields:
            values: np.ndarray = fields[name]
            return values
        raise AttributeError(f"contacts have no '{name}'" + suggestion(name, list(fields)))

    def __repr__(self) -> str:
        return f"<jostle.Contacts: {int(self.splits[-1])} rows in {len(self.splits) - 1} entries; pairs {', '.join(self.pairs)}>"

    @property
    def impulse(self) -> np.ndarray:
        """(rows, 3) N s, world: of each contact on its shape b; shape a has its negative."""
        normal, first = self.fields["normal"], self.fields["tangent"]
        along = self.fields["impulse_t"]
        found: np.ndarray = (self.fields["impulse_n"][:, None] * normal + along[:, :1] * first
                             + along[:, 1:] * np.cross(normal, first))
        return found

    def impulse_on(self, body: str) -> np.ndarray:
        """(entries, 3) N s, world: the sum of all contact impulses on a body in each entry.

        For a body that moves it is the force part of `step/impulse`, summed here from the rows.
        """
        sign = np.array([_sides(pair, body) for pair in self.pairs], dtype=np.float64)
        if not sign.any():
            raise KeyError(f"no contact is one of '{body}'" + suggestion(body, _bodies(self.pairs)))
        each = sign[self.fields["pair"], None] * self.impulse
        entries = len(self.splits) - 1
        entry = np.repeat(np.arange(entries), np.diff(self.splits))
        return np.stack([np.bincount(entry, each[:, k], entries) for k in range(3)], axis=-1)


class ModesDigest:
    """A hash over steps, for each of n systems, of which contacts there were and in which mode."""

    def __init__(self, n: int):
        self.values = np.zeros(n, dtype=np.uint64)

    def forget(self, systems: Union[slice, np.ndarray]) -> None:
        self.values[systems] = 0

    def add(self, stepped: np.ndarray, contacts: Contacts) -> bool:
        """Adds a step of the systems that took one; returns whether any did."""
        counts = np.diff(contacts.splits)
        system = np.repeat(np.arange(len(counts)), counts)
        place = np.arange(len(system)) - contacts.splits[:-1][system]  # among the rows of its system
        rows = np.zeros(len(system), dtype=np.uint64)
        for part in (place, contacts.piece, contacts.pair, contacts.feature, contacts.mode & 3):
            rows = _mixed(rows ^ part.astype(np.uint64))
        step = np.ones(len(counts), dtype=np.uint64)
        np.add.at(step, system, rows)
        self.values[stepped] = _mixed(self.values[stepped] ^ _mixed(step[stepped]))
        return bool(stepped.any())


def _mixed(values: np.ndarray) -> np.ndarray:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = values ^ (values >> np.uint64(31))
    return mixed


def _is_of(shape: str, body: str) -> bool:
    """Whether a shape, "bracket[0]" or "cube", is one of the body."""
    number = shape[len(body):]
    return shape.startswith(body) and (not number or number[0] == "[" and number[-1] == "]" and number[1:-1].isdigit())


def _sides(pair: str, body: str) -> int:
    """1: shape b is of the body, -1: shape a is, 0: none."""
    a, _, b = pair.partition(" ")
    return int(_is_of(b, body)) - int(_is_of(a, body))


def _bodies(pairs: Sequence[str]) -> List[str]:
    names = {shape for pair in pairs for shape in pair.split(" ")}
    return sorted({name.rsplit("[", 1)[0] if name.endswith("]") else name for name in names})
