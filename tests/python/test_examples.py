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
