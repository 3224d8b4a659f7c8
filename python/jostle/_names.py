"""Names and numbers that callers give, checked with a hint."""
from __future__ import annotations

import difflib
import html
import os
from typing import Any, Iterable, Sequence

import numpy as np

from ._errors import UsageError


def suggestion(wrong: str, known: Iterable[str]) -> str:
    """" (did you mean 'elbow'?)", or the known names."""
    known = list(known)
    near = difflib.get_close_matches(str(wrong), known, 1)
    if near:
        return f" (did you mean '{near[0]}'?)"
    return f" (known: {', '.join(known)})" if known else " (there are none)"


def whole(name: str, value: Any, least: int, most: int = 2**63 - 1) -> int:
    """A whole number from `least` to `most`, also one that is written as 1e3."""
    is_too_large = False
    try:
        number = int(value)
        if number == value and least <= number <= most and not isinstance(value, (bool, np.bool_)):
            return number
        is_too_large = number > most
    except (TypeError, ValueError, OverflowError):
        pass
    allowed = f"{least} or more" if most > 10**9 and not is_too_large else f"{least} to {most}"
    raise UsageError(f"{name} must be a whole number, {allowed}, not {value!r}")


def folder_path(folder: Any) -> str:
    """The path of a folder as a text, also where it is given in bytes."""
    path = os.fsdecode(folder)
    if "\0" in path:
        raise UsageError(f"a path has no character 0, as {path!r} has")
    return path


def thread_count(threads: Any) -> int:
    """0 for one per processor; at most as many as the program takes."""
    return whole("threads", threads, 0, 1024)


def truth(name: str, value: Any) -> bool:
    """True or False, also numpy's."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise UsageError(f"{name} must be True or False, not {value!r}")


def sample_numbers(ids: Any) -> np.ndarray:
    """(n,) int64 of the numbers of samples, a copy."""
    numbers = np.asarray(ids)
    if numbers.size == 0:
        return np.arange(0)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise UsageError("ids must be a list of whole numbers")
    if numbers.max() > 2**63 - 1:
        raise UsageError(f"there is no sample {numbers.max()}")
    return numbers.astype(np.int64)


def briefly(numbers: np.ndarray) -> str:
    """"3, 7, 9, 12", or "1,000 from 0 to 999"."""
    if len(numbers) <= 6:
        return ", ".join(map(str, numbers)) or "none"
    return f"{len(numbers):,} from {numbers[0]} to {numbers[-1]}"


def html_table(title: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """What a notebook shows."""
    cells = ["<tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in names) + "</tr>"] if any(names) else []
    cells += ["<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in row) + "</tr>" for row in rows]
    return f"<table><caption>{html.escape(title)}</caption>{''.join(cells)}</table>"
