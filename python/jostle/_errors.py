"""The exceptions of jostle."""
from __future__ import annotations

import os
import re
from typing import Any, Optional, Tuple

_HINT = re.compile(r"\((did you mean .*\?|known: .*)\)\s*$")


class UsageError(ValueError):
    """What you asked for cannot be done as it stands; the message says what would be right."""


class ScenarioError(ValueError):
    """A mistake in a scenario that affects every sample.

    `str(error)` is one line that an editor can jump to: ``rod.yaml:14:9: unknown key 'friciton' in contacts[0] (did you
    mean 'friction'?)``.

    Attributes:
        file: name of the file, or of what you set (`set`, `seed`)
        line, column: from 1; 0 if the mistake is not in the file
        message: the line without its place
        hint: "did you mean 'friction'?" or "known: ...", or None
    """

    def __init__(self, text: str, file: str = "", line: int = 0, column: int = 0):
        if os.path.basename(file) in ("<dict>", "<text>"):  # a place only for the sake of tables
            text, file = text.replace(file, os.path.basename(file)), os.path.basename(file)
        super().__init__(text)
        self.file = file
        self.line = line
        self.column = column
        place = f"{file}:{line}:{column}: " if line else f"{file}: "
        self.message = text[len(place):] if text.startswith(place) else text
        found = _HINT.search(self.message)
        self.hint: Optional[str] = found.group(1) if found else None

    def __reduce__(self) -> Tuple[Any, ...]:
        return ScenarioError, (str(self), self.file, self.line, self.column)


class FileError(OSError):
    """A file or folder cannot be read or written, or does not hold what it should."""


class DeviceError(RuntimeError):
    """The device is absent, failed, or has too little memory."""
