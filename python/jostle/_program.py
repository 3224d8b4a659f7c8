"""The command `jostle` of a wheel."""
from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program jostle, with its arguments and exit status."""
    program = Path(__file__).parent / "bin" / "jostle"
    if not program.exists():
        sys.exit(f"jostle: this package has no program in {program.parent}; it is built with the rest by cmake")
    os.execv(program, ["jostle", *sys.argv[1:]])
