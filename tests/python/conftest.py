"""Where the scenarios and the program are: JOSTLE_PROGRAM names the program of the same build."""
import os
import pathlib

import pytest

import jostle as js

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "scenarios" / "library"


def library(name, **options):
    return js.load(LIBRARY / f"{name}.yaml", **options)


@pytest.fixture
def rod():
    return library("rod")


@pytest.fixture
def program():
    path = os.environ.get("JOSTLE_PROGRAM")
    if not path:
        pytest.skip("JOSTLE_PROGRAM does not name the program")
    return path
