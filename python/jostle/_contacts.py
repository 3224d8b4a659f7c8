"""Contacts with their impulses, of a batch or of training data."""
from __future__ import annotations

from typing import Dict, NamedTuple

import numpy as np

from ._names import suggestion


class Contacts(NamedTuple):
    """Contacts in rows. Those of entry t are the rows splits[t] to before splits[t + 1]: t is a system of a batch, or a
    recorded time of a sample. docs/datasets.md has the fields; `c.impulse_n` is short for `c.fields["impulse_n"]`."""

    splits: np.ndarray
    """(entries + 1,)"""
    fields: Dict[str, np.ndarray]
    """By name, (rows,), (rows, 2) or (rows, 3): pair feature piece mode point normal tangent gap impulse_n impulse_t slip impulse_spin."""

    def __getattr__(self, name: str) -> np.ndarray:
        if name in self.fields:
            return self.fields[name]
        raise AttributeError(f"contacts have no '{name}'" + suggestion(name, list(self.fields)))
