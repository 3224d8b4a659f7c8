"""Suggestions for names that are misspelled."""
from __future__ import annotations

import difflib
from typing import Iterable


def suggestion(wrong: str, known: Iterable[str]) -> str:
    """" (did you mean 'elbow'?)", or the known names."""
    known = list(known)
    near = difflib.get_close_matches(str(wrong), known, 1)
    if near:
        return f" (did you mean '{near[0]}'?)"
    return f" (known: {', '.join(known)})" if known else " (there are none)"
