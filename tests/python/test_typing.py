"""The types of the package as a checker sees them in a program that uses it."""
import pathlib
import subprocess
import sys

import jostle
import pytest

ASKED = "reveal_type(js.solve_lcp([[2, 1], [1, 2]], [-5, -6]).z)\nreveal_type(js.solve_lcp([np.eye(1)], [np.ones(1)]))\njs.load(3.5)\n"


def test_a_typed_program_is_accepted(tmp_path):
    pytest.importorskip("mypy")
    here, package = pathlib.Path(__file__).parent, pathlib.Path(jostle.__file__).parents[1]
    (tmp_path / "typed_use.py").write_text((here / "typed_use.py").read_text() + ASKED)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir=cache", "typed_use.py"]
    checked = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={"MYPYPATH": str(package), "PATH": ""})
    told = [line for line in checked.stdout.splitlines() if line.startswith("typed_use.py")]  # where it is installed, all
    assert len(told) == 3 and "numpy.ndarray" in told[0] and "list[tuple[numpy.ndarray" in told[1] and "LcpSolution" in told[1], checked.stdout
    assert 'error: Argument 1 to "load"' in told[2]
