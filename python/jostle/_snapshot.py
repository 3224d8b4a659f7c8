"""What a batch is continued from."""
from __future__ import annotations

from typing import List, NamedTuple, Optional

import numpy as np

from . import _core
from ._errors import UsageError


class Made(NamedTuple):
    """How a batch was made."""

    n: int
    contacts: bool
    quantities: List[str]


class Snapshot:
    """A copy of all that decides how a batch continues; `Batch.save` makes it, `Batch.restore` takes it. Can be pickled."""

    def __init__(self, core: _core.Snapshot, made: Made, modes: Optional[np.ndarray]):
        self._core, self._made, self._modes = core, made, modes

    def __repr__(self) -> str:
        return f"<jostle.Snapshot of {self._made.n} systems>"

    def into(self, batch: _core.Batch, made: Made) -> Optional[np.ndarray]:
        """Continues a batch from here; returns the hashes of contact modes, if they were followed."""
        try:
            batch.restore(self._core)
        except UsageError:
            differing = [name for name in Made._fields if getattr(made, name) != getattr(self._made, name)]
            if not differing:
                raise
            there, here = (", ".join(f"{name}={getattr(one, name)!r}" for name in differing) for one in (self._made, made))
            raise UsageError("this snapshot is of a batch of other samples or settings: that one was made with "
                             f"{there}, this one with {here}") from None
        return self._modes
