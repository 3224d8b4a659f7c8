import collections
import pickle
import pydoc
import re
import types

import jostle as js
import numpy as np
import pytest
from conftest import LIBRARY, library

TEXT = """\
jostle: 1
world: {step: 0.01, duration: 1}
bodies:
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}}
"""

BALL = {"mass": 1, "shape": {"sphere": {"radius": 0.1}}}
PLAIN = {"jostle": 1, "world": {"step": 0.01, "duration": 1}, "bodies": {"ball": BALL}}


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


def test_texts_that_are_set_stay_texts(tmp_path):
    for title in ("null", "true", "3", "a: b, [c]", "it's \"so\"\n#"):
        assert library("rod", set={"title": title}).title == title
    with pytest.raises(js.ScenarioError, match=r"record.quantities\[0\]: unexpected ','"):
        library("rod", set={"record.quantities": ["rod.position.x, 3"]})
    assert library("rod", set={"world.duration": np.array(0.5)}).steps == 200
    assert library("rod", set={"variables.mu": {"uniform": np.array([0.1, 0.2])}, "world.method": "trapezoidal"})
    assert library("rod", set={"world.duration": "0.5"}).steps == 200, "an expression"
    table = tmp_path / "mu.csv"
    table.write_text("mu\n0.25\n")
    assert library("rod", set={"sample": {"method": "table", "table": table}}).draw(0)["mu"] == 0.25
    with pytest.raises(js.UsageError, match="numbers, texts, lists and dicts"):
        library("rod", set={"world.gravity": {1, 2}})


@pytest.mark.parametrize("title", ["\U0001F600", "\u2028 \u2029 \x85", "\x7f", "\ufeff", "\0 \t\n\r\x1b", "\\u0041 \\ \""])
def test_texts_have_characters_of_all_kinds(title):
    sc = js.load({**PLAIN, "title": title})
    assert sc.title == library("rod", set={"title": title}).title == pickle.loads(pickle.dumps(sc)).title == title


def test_half_a_character_is_a_mistake_with_a_place():
    for line, column, call in ((2, 13, lambda: js.load({"title": "a\ud83d"})), (1, 8, lambda: js.load("title: \udc00\n")),
                               (0, 0, lambda: library("rod", set={"title": "\ud83d"})),
                               (0, 0, lambda: library("rod", set=["title=\ud83d"])), (0, 0, lambda: js.load(b"\xff.yaml"))):
        with pytest.raises(js.ScenarioError, match=r"'.ud[0-9a-f]{3}' is half of a character$") as caught:
            call()
        assert (caught.value.line, caught.value.column) == (line, column) and str(caught.value).encode()


@pytest.mark.parametrize("kind", ["file", "text"])
def test_a_table_is_found_from_every_folder(tmp_path, monkeypatch, kind):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "mu.csv").write_text("mu\n0.25\n0.5\n")
    text = TEXT.replace("world:", "variables: {mu: {uniform: [0, 1]}}\nworld:")
    text += "outcomes: {x: {at_end: ball.position.x + $mu}}\nsample: {method: table, table: mu.csv}\n"
    (tmp_path / "sub" / "g.yaml").write_text(text)
    monkeypatch.chdir(tmp_path if kind == "file" else tmp_path / "sub")
    sc = js.load("sub/g.yaml" if kind == "file" else text)
    file = "sub/g.yaml" if kind == "file" else "<text>"
    early, swept = pickle.dumps(sc), sc.sweep("out", n=2)
    monkeypatch.chdir("/")
    for again in (sc, pickle.loads(early), pickle.loads(pickle.dumps(sc)), sc._with_seed(4)):
        assert again.file == file and again.draw(1)["mu"] == 0.5
        assert again.batch(2, contacts=True, quantities=["$mu"]).quantity("$mu").tolist() == [0.25, 0.5]
    for again in (swept, pickle.loads(pickle.dumps(swept))):
        assert again.columns()["x"].tolist() == [0.25, 0.5] and again.replay(1).status == "ok"
        assert again.record(ids=[1]).ids.tolist() == [1]
    assert len(sc.generate(tmp_path / "data", n=2)) == 2


def test_messages_show_a_file_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ball.yaml").write_text(TEXT.replace("mass", "mas"))
    for given in ("ball.yaml", "./ball.yaml", b"ball.yaml"):
        with pytest.raises(js.ScenarioError) as caught:
            js.load(given)
        shown = given if isinstance(given, str) else given.decode()
        assert str(caught.value).startswith(shown + ":4:") and (caught.value.file, caught.value.line) == (shown, 4)


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
    assert caught.value.file == "set world.stepp=1" and str(caught.value).startswith("set world.stepp=1: unknown key")


def test_what_every_sample_gets_wrong_is_found_at_once():
    with pytest.raises(js.ScenarioError, match="overlap"):
        js.load(TEXT + "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\ncontacts: [{between: any}]\n")


def test_a_dict_is_read_like_a_file():
    ball = {"mass": 1, "shape": {"sphere": {"radius": np.float64(0.1)}}, "position": np.array([0, 0, 1.5])}
    sc = js.load({"jostle": 1, "world": {"step": 0.01, "duration": 1}, "bodies": {"ball": ball}})
    b = sc.batch(1)
    assert b.q[0, 0, 2] == 1.5 and sc.file == "<dict>"
    assert pickle.loads(pickle.dumps(sc)).text == sc.text
    with pytest.raises(js.ScenarioError, match="did you mean 'mass'") as caught:
        js.load({"jostle": 1, "world": {"step": 0.01, "duration": 1}, "bodies": {"ball": {"mas": 1}}})
    assert caught.value.file == "<dict>" and caught.value.line == 9
    with pytest.raises(js.UsageError, match="numbers, texts, lists and dicts"):
        js.load({"jostle": 1, "world": sc})


def test_a_mapping_is_read_like_a_dict():
    ball = types.MappingProxyType({"mass": 1, "shape": collections.UserDict({"sphere": {"radius": 0.1}})})
    given = types.MappingProxyType({**PLAIN, "bodies": collections.OrderedDict(ball=ball)})
    assert js.load(given).text == js.load(PLAIN).text
    assert js.load(TEXT, set=types.MappingProxyType({"bodies.ball": ball})).text == js.load(TEXT).text


@pytest.mark.parametrize("source", [TEXT, PLAIN])
def test_later_messages_name_the_source_as_load_does(source):
    sc = js.load(source, set={"variables": {"x": {"uniform": [0, 1]}}, "sample": {"method": "latin_hypercube"}})
    for again in (sc, pickle.loads(pickle.dumps(sc))):
        with pytest.raises(js.ScenarioError, match="^<(dict|text)>:1:1: sample.count is missing") as caught:
            again.replay(0)
        assert caught.value.file == sc.file and caught.value.message.startswith("sample.count")


def test_none_removes_a_key():
    text = "jostle: 1\nworld: {step: 0.01, duration: 1, gravity: [0, 0, -1]}\nbodies: {ball: {mass: 1, inertia: 1}}\n"
    assert "-1" in js.load(text).text.split("gravity")[1][:20]
    assert "-9.81" in js.load(text, set={"world.gravity": None}).text
    with pytest.raises(js.ScenarioError, match="there is no 'gravitation' in world to remove"):
        js.load(text, set={"world.gravitation": None})
    with pytest.raises(js.ScenarioError, match="duration"):
        js.load(text, set=["world.duration=null"])


@pytest.mark.parametrize("call", [
    lambda sc: js.load(sc.text, seed=-1), lambda sc: sc.batch(3, seed=-1), lambda sc: sc.batch(2.5), lambda sc: sc.batch(0),
    lambda sc: sc.batch(3, seed=0.5), lambda sc: sc.sweep("nowhere", n=-2), lambda sc: sc.sweep("nowhere", n=2, seed=-1),
    lambda sc: sc.batch("3"), lambda sc: sc.generate("nowhere", n=0), lambda sc: sc.batch(True)])
def test_whole_numbers_are_asked_for_in_one_line(call):
    sc = library("rod")
    with pytest.raises(js.UsageError, match=r"^(n|seed) must be a whole number, [01] or more, not [^\n]+$"):
        call(sc)
    assert len(sc.batch(1e1)) == 10


@pytest.mark.parametrize("threads", [-1, 1025, 10**6, 2**40, 1.5, "2", None, True])
def test_threads_are_counted_before_any_is_made(threads, tmp_path):
    sc = library("rod")
    s = sc.sweep(tmp_path / "sweep", n=2, threads=1)
    for call in (lambda **k: sc.batch(3, **k), lambda **k: sc.sweep(tmp_path / "other", n=2, **k),
                 lambda **k: sc.run_shard(1, 2, tmp_path / "other", 2, **k),
                 lambda **k: sc.generate(tmp_path / "other", n=2, **k),
                 lambda **k: s.record(ids=[0], **k), lambda **k: js.solve_lcp([[1]], [-1], **k),
                 lambda **k: js.jacobian(sc, of=["rod.position.z"], wrt=["mu"], **k)):
        with pytest.raises(js.UsageError, match="^threads must be a whole number, 0 to 1024, not "):
            call(threads=threads)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("call", [
    lambda sc: js.load(sc.text, seed=2**64), lambda sc: sc.batch(3, seed=2**64), lambda sc: sc.sweep("nowhere", n=2**63),
    lambda sc: sc.replay(0, stride=2**31), lambda sc: sc.replay(0, stride=0), lambda sc: sc.replay(0, stride=1.5),
    lambda sc: sc.replay(0.5), lambda sc: sc.replay(2**63), lambda sc: sc.draw(-1), lambda sc: sc.draw(2**64),
    lambda sc: sc.run_shard(1.5, 2, "nowhere", 2), lambda sc: sc.run_shard("1", 2, "nowhere", 2),
    lambda sc: sc.run_shard(1, 2**63, "nowhere", 2), lambda sc: sc.run_shard(3, 2, "nowhere", 2)])
def test_numbers_beyond_what_can_be_told_are_refused_in_one_line(call):
    name = r"^(n|k|seed|sample|stride) must be a whole number, (\d+ to \d+|[01] or more), not [^\n]+$"
    with pytest.raises(js.UsageError, match=name):
        call(library("rod"))
    assert library("rod", seed=2**64 - 1).seed == 2**64 - 1


def test_the_package_explains_itself():
    assert re.fullmatch(r"[0-9a-f]{10,}|", js.commit)
    assert js.__version__ and js.results_version >= 14 and len(js.__doc__) > 500
    assert pydoc.plain(pydoc.render_doc(js)).count("\n") < 600, "help(jostle)"
    for name in js.__all__:
        thing = getattr(js, name)
        if callable(thing):
            assert thing.__doc__ and len(thing.__doc__) > 30, name


def test_truth_values_are_those_of_python_and_numpy(tmp_path):
    sc = library("rod")
    assert sc.batch(2, contacts=np.True_).contacts.splits.tolist() == [0, 0, 0]
    assert sc.batch(2, modes=np.True_).modes_digest.shape == (2,)
    assert js.solve_lcp([[1]], [-1], exhaustive=np.True_).status == "solved"
    with sc.batch(2, device="emulated").on_device(forces=np.False_, capturable=np.False_) as d:
        d.step(1, wakes=np.True_)
    emulated = sc.batch(2, device="emulated")
    for name, call in (("contacts", lambda x: sc.batch(2, contacts=x)), ("modes", lambda x: sc.batch(2, modes=x)),
                       ("exhaustive", lambda x: js.solve_lcp([[1]], [-1], exhaustive=x)),
                       ("capturable", lambda x: emulated.on_device(capturable=x))):
        for wrong in (1, "yes", None):
            with pytest.raises(js.UsageError, match=f"^{name} must be True or False, not {wrong!r}$"):
                call(wrong)
    with pytest.raises(js.UsageError, match="^contacts must be True or False, not 1$"):
        sc.generate(tmp_path, 2, contacts=1)


def test_samples_that_no_number_has_are_named():
    sc = library("rod")
    for ids in ([2**63], np.array([3, 2**63], dtype=np.uint64)):
        with pytest.raises(js.UsageError, match="^there is no sample 9223372036854775808$"):
            sc.batch(ids=ids)
    with pytest.raises(js.UsageError, match="^there is no sample -3, the first is 0$"):
        sc.batch(ids=[1, -3])
    for ids in ([0.5], [[1]], "3", [True]):
        with pytest.raises(js.UsageError, match="^ids must be a list of whole numbers$"):
            sc.batch(ids=ids)


def test_an_empty_text_is_no_path():
    with pytest.raises(js.UsageError, match="load needs the path of a file, the text of a scenario, or a dict"):
        js.load("")


@pytest.mark.parametrize("call", [lambda: js.load("a\0b.yaml"), lambda: js.load(LIBRARY / "rod.yaml", set=["title=a\0b"])])
def test_the_character_0_is_a_mistake(call):
    with pytest.raises(js.ScenarioError, match="character 0"):
        call()


@pytest.mark.parametrize("quantities", [None, 3, "a", [3]])
def test_quantities_are_a_list_of_texts(rod, quantities):
    with pytest.raises(js.UsageError, match="quantities is a list of expressions"):
        rod.batch(1, quantities=quantities)


def test_numpy_has_truth_values_that_are_no_numbers(rod):
    with pytest.raises(js.UsageError, match="n must be a whole number"):
        rod.batch(np.True_)


def test_a_motion_beyond_the_memory_is_refused_at_once():
    points = {f"point{i}": {"mass": 1, "freedom": ["x"]} for i in range(200)}  # 40 TB
    sc = js.load({"jostle": 1, "world": {"step": 1e-3, "steps": 2_000_000_000}, "bodies": points})
    with pytest.raises(MemoryError, match="2000000001 states.*greater stride"):
        sc.replay(0)
