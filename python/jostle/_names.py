"""Names and numbers that callers give, checked with a hint."""
from __future__ import annotations

import difflib
import html
from typing import Any, Iterable, Sequence

from ._errors import UsageError


def suggestion(wrong: str, known: Iterable[str]) -> str:
    """" (did you mean 'elbow'?)", or the known names."""
    known = list(known)
    near = difflib.get_close_matches(str(wrong), known, 1)
    if near:
        return f" (did you mean '{near[0]}'?)"
    return f" (known: {', '.join(known)})" if known else " (there are none)"


def whole(name: str, value: Any, least: int) -> int:
    """A whole number of at least `least`, also one that is written as 1e3."""
    try:
        number = int(value)
        if number == value and number >= least and not isinstance(value, bool):
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise UsageError(f"{name} must be a whole number, {least} or more, not {value!r}")


def html_table(title: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """What a notebook shows."""
    cells = ["<tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in names) + "</tr>"] if any(names) else []
    cells += ["<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in row) + "</tr>" for row in rows]
    return f"<table><caption>{html.escape(title)}</caption>{''.join(cells)}</table>"
