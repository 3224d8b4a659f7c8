import json
import pathlib
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "examples"))


def test_all_carts_come_to_their_mark():
    import closed_loop
    assert closed_loop.main(300) > 0.99


def test_friction_and_mass_are_found_again():
    import fit_toss
    mu, mass = fit_toss.main()
    assert mu == pytest.approx(0.35, abs=0.02) and mass == pytest.approx(0.8, abs=0.04)


def test_a_network_learns_what_contact_does():
    import learn_toss
    (speed, spin), (free_speed, free_spin) = learn_toss.main()
    assert free_speed > 0.3 and free_spin > 2, "there is something to learn"
    assert speed < 0.35 * free_speed and spin < 0.55 * free_spin


def test_the_notebook_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT / "examples")
    cells = json.loads((ROOT / "examples" / "rod.ipynb").read_text())["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)  # noqa: S102
    assert len(names["chosen"]) == 5 and names["motion"].status == "ok"
    assert "mu > 0.7" in capsys.readouterr().out
    assert all(not cell.get("outputs") for cell in cells), "stored without outputs"
