"""The types of the package, as a checker sees them where it is installed."""
import pathlib
import subprocess
import sys

import jostle
import pytest


def test_a_typed_program_is_accepted(tmp_path):
    pytest.importorskip("mypy")
    here, package = pathlib.Path(__file__).parent, pathlib.Path(jostle.__file__).parents[1]
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(here / "typed_use.py")],
                             capture_output=True, text=True, cwd=here, env={"MYPYPATH": str(package), "PATH": ""})
    assert checked.returncode == 0, checked.stdout + checked.stderr
