import jostle as js
import pytest
from conftest import LIBRARY, library

TEXT = """\
jostle: 1
world: {step: 0.01, duration: 1}
bodies:
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}}
"""


def test_a_file_has_its_names():
    rod = library("rod")
    assert rod.bodies == ["table", "rod"] and rod.variables == ["mu", "omega0"]
    assert rod.outcomes == ["rest_x", "top_spin", "hit", "lies"]
    assert (rod.step, rod.steps, rod.seed) == (0.0025, 400, 7)
    assert rod.title.startswith("Falling, spinning rod") and rod.file.endswith("rod.yaml")
    assert 0.3 <= rod.draw(5)["mu"] <= 0.9
    assert "rod" in repr(rod)


def test_a_text_is_read_like_a_file():
    assert js.load(TEXT).bodies == ["ball"]
    rod = library("rod")
    assert js.load(rod.text).draw(9) == rod.draw(9)


def test_every_scenario_of_the_library_loads_and_steps():
    paths = sorted(LIBRARY.glob("*.yaml"))
    assert len(paths) > 20
    for path in paths:
        batch = js.load(path).batch(2)
        batch.step(3)
        assert (batch.steps == 3).all(), path


def test_values_can_be_set():
    assert library("rod", set={"world.duration": 0.5, "variables.mu": {"uniform": [0.1, 0.2]}}).draw(0)["mu"] < 0.2
    assert library("rod", set=["world.duration=0.5"]).steps == 200
    assert library("rod", seed=8).draw(1) != library("rod").draw(1)


def test_an_error_has_its_place_and_a_hint():
    with pytest.raises(js.ScenarioError) as caught:
        js.load(TEXT.replace("mass", "mas"))
    error = caught.value
    assert (error.file, error.line) == ("<text>", 4) and error.column > 1
    assert error.hint == "did you mean 'mass'?"
    assert error.message.startswith("unknown key") and str(error).startswith("<text>:4:")
    with pytest.raises(js.ScenarioError) as caught:
        js.load("nowhere.yaml")
    assert caught.value.hint is None and "cannot be read" in caught.value.message
    with pytest.raises(js.ScenarioError) as caught:
        library("rod", set={"world.stepp": 1})
    assert caught.value.line == 0 and caught.value.hint == "did you mean 'step'?"


def test_what_every_sample_gets_wrong_is_found_at_once():
    with pytest.raises(js.ScenarioError, match="overlap"):
        js.load(TEXT + "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\ncontacts: [{between: any}]\n")


def test_the_package_explains_itself():
    assert js.__version__ and len(js.__doc__) > 500
    for name in js.__all__:
        thing = getattr(js, name)
        if callable(thing):
            assert thing.__doc__ and len(thing.__doc__) > 30, name
