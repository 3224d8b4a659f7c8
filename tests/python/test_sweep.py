import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading

import jostle as js
import numpy as np
import pytest
from conftest import LIBRARY, library


def digests(folder):
    return [shard["digest"] for shard in json.loads((folder / "run.json").read_text())["shards"]]


def test_a_sweep_has_the_bytes_of_the_program(tmp_path, program, rod):
    s = rod.sweep(tmp_path / "python", n=300)
    subprocess.run([program, "sweep", LIBRARY / "rod.yaml", "-n", "300", "-o", tmp_path / "program"], check=True, capture_output=True)
    files = sorted(p.relative_to(tmp_path / "program") for p in (tmp_path / "program").rglob("*") if p.is_file())
    assert len(files) >= 6
    for name in files:
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "program" / name).read_bytes(), name
    summary = json.loads((tmp_path / "program" / "summary.json").read_text())["outcomes"]["lies"]
    assert s.rate("lies")[:4] == (summary["rate"], summary["lower"], summary["upper"], summary["invalid"])
    assert str(s.rate("lies")).endswith(f"invalid {summary['invalid']}") and "[" in str(s.rate("lies"))
    assert s.n == 300 and s.statuses["ok"] == 300 and "lies" in str(s)
    with pytest.raises(KeyError, match="did you mean 'lies'"):
        s.rate("lise")


def test_it_resumes_and_extends(tmp_path, rod):
    seen = []
    rod.sweep(tmp_path, n=100, seed=3)
    first = digests(tmp_path)
    s = rod.sweep(tmp_path, n=100, seed=3, progress=lambda done, total, seconds: seen.append((done, total)))
    assert digests(tmp_path) == first
    assert rod.sweep(tmp_path, n=150, seed=3).n == 150
    with pytest.raises(js.UsageError, match="holds another dataset; name another folder; seed: 3 in the folder, 4 now$"):
        rod.sweep(tmp_path, n=100, seed=4)
    assert s.n == 100


def test_ctrl_c_leaves_it_resumable(tmp_path):
    code = f"""
import jostle as js
sc = js.load({str(LIBRARY / 'box_stack.yaml')!r})
def report(done, total, seconds):
    print(done, flush=True)
try:
    sc.sweep({str(tmp_path / 'cut')!r}, n=200000, progress=report)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert int(process.stdout.readline()) > 0
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert rest.split()[-1] == "interrupted" and process.returncode == 0
    sc = library("box_stack", set={"world.duration": 0.1})
    with pytest.raises(js.UsageError):
        sc.sweep(tmp_path / "cut", n=10)
    whole = library("box_stack").sweep(tmp_path / "cut", n=20)
    assert whole.n == 20


@pytest.mark.parametrize("call", ["sc.sweep('out', n=1)", "sc.sweep('out', n=3, progress=True)",
                                  "sc.generate('out', n=1, stride=100000)"])
def test_ctrl_c_ends_a_sample_that_takes_hours(tmp_path, call):
    # A scene that came to rest would end at once: a state that repeats is not stepped again. A shaker never rests.
    code = f"""
import signal
import jostle as js
sc = js.load({str(LIBRARY / 'shaker.yaml')!r}, set={{"world.duration": 1e6}})
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 1)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert (done.stdout.split()[-1:], done.returncode) == (["interrupted"], 0), done.stderr


def test_an_error_in_the_progress_function_ends_the_sweep(tmp_path, rod):
    def fails(*_):
        raise RuntimeError("mine")
    with pytest.raises(RuntimeError, match="mine"):
        rod.sweep(tmp_path, n=200000, progress=fails)


def test_samples_are_found_and_replayed(tmp_path, rod):
    s = rod.sweep(tmp_path, n=200)
    columns = s.columns()
    few = s.where("lies and $mu > 0.4 and mu < 0.45 and not rest_x > 0")
    assert 0 < len(few) < 100
    assert (columns["mu"][few.ids] > 0.4).all() and (columns["mu"][few.ids] < 0.45).all()
    replay = few[0].replay()
    assert replay.q.shape == (401, 2, 7) and replay.bodies == ["table", "rod"] and replay.status == "ok"
    assert replay.time[-1] == pytest.approx(1)
    assert replay.q[-1, 1, 0] == columns["rest_x"][few[0].id] == few[0].values["rest_x"]
    assert s.replay(few[0].id, stride=100).q.shape == (5, 2, 7)
    for again in (pickle.loads(pickle.dumps(s)), copy.deepcopy(s)):
        assert (again.replay(few[0].id).q == replay.q).all() and again.rate("lies") == s.rate("lies")
    for again in (pickle.loads(pickle.dumps(few)), copy.deepcopy(few)):
        assert (again.ids == few.ids).all() and (again[0].replay().q == replay.q).all()
        assert again[-1].values == few[-1].values and len(again[1:]) == len(few) - 1
    assert (pickle.loads(pickle.dumps(few[0])).replay().q == replay.q).all()
    assert [sample.id for sample in few[:2]] == few.ids[:2].tolist()
    assert repr(few[:2]) == f"<jostle.Samples: {few.ids[0]}, {few.ids[1]}>"
    assert repr(few) == f"<jostle.Samples: {len(few)} from {few.ids[0]} to {few.ids[-1]}>"
    assert repr(replay) == f"<jostle.Replay of sample {few[0].id}: 401 states of table, rod; 400 steps, ok>"
    assert len(s.where("status != 0")) == 0
    with pytest.raises(js.UsageError, match="^a condition is a text such as 'mu < 0.4', not None$"):
        s.where(None)
    for wrong in ("lise == 1", "mu", "__import__('os')", "mu <", "mu and lies"):
        with pytest.raises(js.UsageError):
            s.where(wrong)


def test_rates_means_and_categories_have_their_digits(tmp_path):
    sc = js.load("""\
jostle: 1
variables: {lift: {uniform: [0.00001, 0.00003]}}
world: {step: 0.01, duration: 0.01, gravity: [0, 0, 0]}
bodies: {ball: {mass: 1, inertia: 1, position: [0, 0, $lift]}}
outcomes:
  height: {at_end: ball.position.z}
  side: {category: {low: $lift < 0.00002, high: $lift >= 0.00002}, shares: {low: 0.25, high: 0.75}}
""")
    s = sc.sweep(tmp_path, n=64)
    mean = s.rate("height")
    assert not mean.is_rate and str(mean) == "1.99092e-05 [1.84558e-05, 2.13626e-05], invalid 0"
    assert s.rate("low").is_rate and str(s.rate("low")) == "0.5000 [0.3810, 0.6190], invalid 0"
    assert str(js.Rate(1.0, 0.99997, 1.0, 0, 100000)) == "1.0000 [0.999970, 1.0000], invalid 0"
    side = s.categories["side"]
    assert side["count"] == 64 and side["unmatched"] == 0 and side["shares"]["low"]["expected"] == 0.25
    assert side["chi_square"] == pytest.approx(16**2 / 16 + 16**2 / 48) and side["p"] < 1e-4
    assert sc.sweep(tmp_path / "again", n=64).categories == s.categories


def test_infinite_outcomes_are_undefined_everywhere(tmp_path):
    xarray = pytest.importorskip("xarray")
    sc = js.load({"jostle": 1, "world": {"step": 1, "steps": 1, "gravity": [0, 0, 0]}, "variables": {"a": {"uniform": [-1, 1]}},
                  "bodies": {"ball": {"mass": 1, "inertia": 1}}, "sample": {"vary": {"a": {"values": [-1, 0, 1]}}},
                  "outcomes": {"inverse": {"at_end": "1/$a + 0*ball.position.x"}}})
    s = sc.sweep(tmp_path, n=3)
    values = s.columns()["inverse"]
    assert values[[0, 2]].tolist() == [-1, 1] and np.isnan(values[1]) and s.rate("inverse").invalid == 1
    assert s.where("inverse > 0").ids.tolist() == [2] and s.where("a == 0").ids.tolist() == [1]
    with xarray.open_dataset(tmp_path / "run.h5", group="summary", engine="h5netcdf") as data:
        assert np.array_equal(data.inverse.values, values, equal_nan=True)
    b = sc.batch(n=3)
    b.step(1)
    assert np.array_equal(b.outcome("inverse"), values, equal_nan=True)


def test_replays_use_the_seed_of_the_sweep(tmp_path, rod):
    s = rod.sweep(tmp_path, n=50, seed=99)
    assert s.replay(7).q[-1, 1, 0] == s.columns()["rest_x"][7]


@pytest.mark.parametrize("count", [{}, {"count": 50}])
def test_replays_of_a_latin_hypercube_are_of_that_of_the_sweep(tmp_path, count):
    sc = library("rod", set={"sample": {"method": "latin_hypercube", **count}, "world.duration": 0.1})
    s = sc.sweep(tmp_path, n=60)
    for sweep in (s, pickle.loads(pickle.dumps(s))):
        for sample in (2, 55):
            assert sweep.replay(sample).q[-1, 1, 0] == s.columns()["rest_x"][sample]
        assert sweep.where("sample == 55")[0].replay().q[-1, 1, 0] == s.columns()["rest_x"][55]
    b = sc.batch(60)
    b.step(sc.steps)
    assert (b["mu"] == s.columns()["mu"]).all() and (b.outcome("rest_x") == s.columns()["rest_x"]).all()
    if count:  # numbers of samples are of those that the scenario has
        assert sc.batch(ids=[7, 2])["mu"].tolist() == [sc.draw(7)["mu"], sc.draw(2)["mu"]]
        assert (sc.batch(50)["mu"] == sc.batch(ids=range(50))["mu"]).all()
        assert sc.batch(ids=[7]).digests()[0] != b.digests()[7]
        with pytest.raises(js.UsageError, match="there is no sample 55, only 50 samples"):
            sc.batch(ids=[55])


def test_a_latin_hypercube_without_count_needs_one(tmp_path):
    sc = library("rod", set={"sample": {"method": "latin_hypercube"}})
    for call in (lambda: sc.draw(0), lambda: sc.sweep(tmp_path), lambda: sc.batch(ids=[0, 1]), lambda: sc.replay(0)):
        with pytest.raises(js.ScenarioError, match="sample.count is missing: a Latin hypercube depends on it"):
            call()
    with pytest.raises((js.UsageError, MemoryError), match="systems"):
        sc.batch(10**12)


def test_pandas_and_xarray(tmp_path, rod):
    pytest.importorskip("pandas")
    pytest.importorskip("h5netcdf")
    xarray = pytest.importorskip("xarray")
    s = rod.sweep(tmp_path, n=100)
    frame = s.frame()
    assert len(frame) == 100 and frame.index.name == "sample"
    with s.xarray() as data:
        assert isinstance(data, xarray.Dataset)
        assert (data.rest_x.values == frame.rest_x.values).all()
        assert (frame.mu.values == data.mu.values).all()
        assert (frame.rest_x.values == s.columns()["rest_x"]).all()
        assert {name: frame[name].dtype for name in frame} == {name: data[name].dtype for name in data}
    with s.xarray("trajectory") as motion:
        assert motion.body.values.tolist() == ["rod"]   # the table is fixed
        assert (motion.q.sel(sample=3).values == s.replay(3, stride=4).q[:, 1:]).all()


def test_types_of_columns_do_not_depend_on_their_numbers(tmp_path):
    sc = js.load({"jostle": 1, "world": {"step": 1, "steps": 2, "gravity": [0, 0, 0]}, "variables": {"m": {"uniform": [1, 2]}},
                  "bodies": {"ball": {"mass": "$m", "inertia": 1}}, "outcomes": {"far": {"at_end": "ball.position.x"}},
                  "sample": {"vary": {"m": {"values": [1, 2]}}}})
    s = sc.sweep(tmp_path, n=4)
    columns = s.columns()
    floats = ("m", "far", "end_time", "residual_max", "penetration_max", "energy_gained", "energy_gain_max", "energy_drift")
    assert all(columns[name].dtype == np.float64 and (columns[name] % 1 == 0).all() for name in floats)
    assert columns["sample"].dtype == np.int64 and columns["status"].dtype == np.uint8
    assert all(columns[name].dtype == np.int32 for name in columns if name not in (*floats, "sample", "status"))
    assert len(s.where("-status < 1 and -steps < -1 and steps * 2000000000 > 3e9")) == 4


def test_bad_arguments(tmp_path, rod):
    with pytest.raises(js.UsageError, match="n must be a whole number, 1 or more, not 0"):
        rod.sweep(tmp_path / "x", n=0)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(js.UsageError, match="holds no dataset .it has 'file'.; name another folder$"):
        rod.sweep(tmp_path, n=5)
    with pytest.raises(js.UsageError, match="file is a file; a dataset needs a folder$"):
        rod.sweep(tmp_path / "file", n=5)
    with pytest.raises(js.UsageError, match="how many samples"):
        js.load(LIBRARY / "rod.yaml", set={"sample": {"seed": 1}}).sweep(tmp_path / "y")
    with pytest.raises(js.UsageError, match="expected auto, cpu"):
        rod.sweep(tmp_path / "z", n=5, device="gpu")


def test_two_threads_sweep_one_after_the_other(tmp_path, rod):
    failures = []

    def work(i):
        try:
            rod.sweep(tmp_path / str(i), n=100)
        except BaseException as error:  # noqa: B902
            failures.append(error)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failures and digests(tmp_path / "0") == digests(tmp_path / "1") == digests(tmp_path / "2")


def test_samples_are_recorded_afterwards(tmp_path, program, rod):
    s = rod.sweep(tmp_path / "s", n=200)
    before = {p: p.read_bytes() for p in (tmp_path / "s").rglob("*") if p.is_file()}
    wanted = s.where("lies and mu > 0.4 and mu < 0.45")
    assert (wanted.ids == s.where("lies == 1 and mu > 0.4 and mu < 0.45").ids).all() and 2 < len(wanted) < 30
    assert (s.where("not lies").ids == s.where("lies == 0").ids).all(), "all are valid"
    chosen = s.record(where="lies and mu > 0.4 and mu < 0.45", max=30)
    assert (chosen.ids == wanted.ids).all()
    assert all(path.read_bytes() == content for path, content in before.items()), "the dataset stays as it is"
    subprocess.run([program, "sweep", LIBRARY / "rod.yaml", "-n", "200", "-o", tmp_path / "p"], check=True, capture_output=True)
    subprocess.run([program, "record", tmp_path / "p", "--where", "lies and mu > 0.4 and mu < 0.45", "--max", "30"],
                   check=True, capture_output=True)
    assert (tmp_path / "p" / "trajectories.h5").read_bytes() == (tmp_path / "s" / "trajectories.h5").read_bytes()
    s.record(ids=[151, 3])
    assert (tmp_path / "s" / "trajectories.h5").read_bytes() != (tmp_path / "p" / "trajectories.h5").read_bytes()
    for wrong in ({}, {"where": "lies", "ids": [3]}, {"ids": [200]}, {"where": "lies", "max": 0}, {"where": "lise"}):
        with pytest.raises(js.UsageError):
            s.record(**wrong)


def test_conditions_are_those_of_the_program(tmp_path, program, rod):
    s = rod.sweep(tmp_path, n=20)
    for condition in ("$mu < 0.5", "mu^2 > 0.2 and -2^2 == -4", "sin(top_spin) > 0 or abs(rest_x) < 0.2", "not lies",
                      "lies == 1", "min(mu, sample/20) < max(0.3, sqrt(mu)) and status == 0",
                      "if(mu > 0.5, sample, 1) > 7", "sqrt(-mu) < 1 or sample == 3",
                      "cosd(60)*2 >= 1 and atan2(1, mu) > pi/3"):
        told = subprocess.run([program, "record", tmp_path, "--where", condition, "--json"], capture_output=True)
        assert s.where(condition).ids.tolist() == json.loads(told.stdout)["samples"], condition
    for condition in ("lise", "mu", "0.4 < mu < 0.45", "mu**2 > 1", "lies and lies == 1", "mu <", "", "gap(a, b) > 0"):
        told = subprocess.run([program, "record", tmp_path, "--where", condition], capture_output=True, text=True)
        with pytest.raises(js.UsageError) as error:
            s.where(condition)
        assert told.returncode == 2
        assert not condition or told.stderr == str(error.value).replace("condition", "--where", 1) + "\n"


def test_conditions_divide_by_zero_as_expressions_do(tmp_path, rod):
    s = rod.sweep(tmp_path, n=20)
    for condition, found in [("0/0 == 0/0", 0), ("1/0 > mu", 20), ("0^-1 > 0", 20), ("mu/(sample - sample) > 0", 20),
                             ("sample^-1 < 0.5", 17), ("2^1000000000 > 1", 20)]:
        assert len(s.where(condition)) == found, condition


@pytest.mark.parametrize("damage", [lambda text: b"", lambda text: b"\xff\xfe" + text,
                                    lambda text: text[:len(text) // 2],
                                    lambda text: text[:-3], lambda text: text.replace(b"\n3,", b"\n3,x", 1),
                                    lambda text: text.replace(b"sample", b"simple", 1), lambda text: None])
def test_a_damaged_table_is_an_error_each_time(tmp_path, rod, damage):
    s = rod.sweep(tmp_path, n=20)
    path = tmp_path / "summary.csv"
    text = path.read_bytes()
    path.unlink()
    if damage(text) is not None:
        path.write_bytes(damage(text))
    for _ in range(2):
        for read in (s.columns, lambda: s.where("mu < 1"), lambda: s.record(where="mu < 1")):
            with pytest.raises(js.FileError, match="summary.csv"):
                read()
    rod.sweep(tmp_path, n=20)
    assert path.read_bytes() == text and len(s.columns()["mu"]) == 20


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b'{"samples": 3', b"{}", b"[1]"])
def test_a_damaged_summary_is_an_error(tmp_path, rod, content):
    s = rod.sweep(tmp_path, n=5)
    (tmp_path / "summary.json").write_bytes(content)
    for read in (lambda: js.Sweep(rod._core, tmp_path), s.columns, lambda: pickle.loads(pickle.dumps(s))):
        with pytest.raises(js.FileError, match="summary.json is damaged"):
            read()


@pytest.mark.parametrize("place, value", [
    ("outcomes.lies", 3), ("outcomes.lies.upper", None), ("outcomes.lies.mean or rate", None),
    ("outcomes.rest_x.mean or rate", None), ("outcomes.rest_x.kind", 1), ("outcomes.hit.count", "5"),
    ("outcomes.hit.lower", "0"), ("statuses.ok", "5"), ("samples", "5")])
def test_a_summary_that_lacks_something_says_what(tmp_path, rod, place, value):
    s = rod.sweep(tmp_path, n=5)
    path = tmp_path / "summary.json"
    summary = json.loads(path.read_text())
    *keys, last = place.split(".")
    within = summary
    for key in keys:
        within = within[key]
    if value is None:
        del within[[name for name in last.split(" or ") if name in within][0]]
    else:
        within[last] = value
    path.write_text(json.dumps(summary))
    for read in (lambda: js.Sweep(rod._core, tmp_path), s.columns):
        with pytest.raises(js.FileError, match=f"summary.json is damaged: it does not have {place}; is the sweep complete"):
            read()


@pytest.mark.parametrize("n", [4, 15])
def test_a_folder_that_has_changed_is_an_error(tmp_path, rod, n):
    pytest.importorskip("h5netcdf")
    pytest.importorskip("xarray")
    seen, unseen = rod.sweep(tmp_path, n=10), rod.sweep(tmp_path, n=10)
    columns = seen.columns()
    rod.sweep(tmp_path, n=n)
    assert (seen.columns()["mu"] == columns["mu"]).all() and len(columns["mu"]) == seen.n == 10
    for read in (unseen.columns, unseen.xarray, seen.xarray, lambda: unseen.where("mu < 1")):
        with pytest.raises(js.FileError, match=f"this Sweep is of 10 samples, and there are {n} now; call sweep again"):
            read()
    assert len(rod.sweep(tmp_path, n=n).columns()["mu"]) == n


@pytest.mark.parametrize("name", ["run.h5", "trajectories.h5"])
def test_a_damaged_file_hides_no_trajectories(tmp_path, rod, name):
    pytest.importorskip("h5netcdf")
    pytest.importorskip("xarray")
    s = rod.sweep(tmp_path, n=40)
    s.record(ids=[30])
    whole = (tmp_path / name).read_bytes()
    for content in (b"", b"\xff" * 100, whole[:len(whole) // 2], None):
        (tmp_path / name).unlink()
        if content is not None:
            (tmp_path / name).write_bytes(content)
        elif name == "trajectories.h5":
            assert s.xarray("trajectory").sizes["sample"] == 16, "only those that the scenario records"
            continue
        with pytest.raises(js.FileError, match=name):
            s.xarray("trajectory")
    with pytest.raises(js.FileError, match="nowhere" if name == "trajectories.h5" else "run.h5"):
        s.xarray("nowhere")


def test_added_trajectories_are_seen(tmp_path, rod):
    pytest.importorskip("h5netcdf")
    pytest.importorskip("xarray")
    s = rod.sweep(tmp_path, n=100)
    chosen = s.record(where="mu > 0.8", max=5)
    with s.xarray("trajectory") as motion:
        assert motion.sample.values.tolist() == sorted(set(range(16)) | set(chosen.ids.tolist()))
        last = int(chosen.ids[-1])
        assert (motion.q.sel(sample=last).values == s.replay(last, stride=4).q[:, 1:]).all()


def test_added_trajectories_are_those_of_the_samples_that_are_left(tmp_path, rod):
    pytest.importorskip("h5netcdf")
    pytest.importorskip("xarray")
    rod.sweep(tmp_path, n=100).record(ids=[20, 70])
    with rod.sweep(tmp_path, n=50).xarray("trajectory") as motion:
        assert motion.sample.values.tolist() == [*range(16), 20]


def test_trajectories_are_added_where_the_scenario_records_none(tmp_path):
    h5py = pytest.importorskip("h5py")
    s = library("rod", set={"record": None, "world.duration": 0.02}).sweep(tmp_path, n=20)
    s.record(ids=[2])
    with h5py.File(tmp_path / "trajectories.h5") as file:
        assert (file["trajectory/q"][0] == s.replay(2).q[:, 1:]).all()


@pytest.mark.parametrize("name", [b"data", b"caf\xc3\xa9", b"not \xff utf-8"])
def test_folders_may_be_given_in_bytes(tmp_path, rod, name):
    folder = os.fsencode(tmp_path) + b"/" + name
    s = rod.sweep(folder, n=4, threads=1)
    assert s.n == 4 and os.fsencode(s.folder) == folder and len(s.columns()["mu"]) == 4
    assert rod.run_shard(1, 1, folder, 4).complete


@pytest.mark.parametrize("name", [b"file", b"file/\xff"])
def test_messages_have_paths_that_are_no_utf_8(tmp_path, rod, name):
    (tmp_path / "file").write_text("")
    with pytest.raises((js.UsageError, js.FileError)) as caught:
        rod.sweep(os.fsencode(tmp_path) + b"/" + name, n=2, threads=1)
    assert os.fsdecode(name) in str(caught.value)


def test_what_is_done_to_columns_stays_there(tmp_path, rod):
    s = rod.sweep(tmp_path / "out", n=5, threads=1)
    columns = s.columns()
    columns["sample"][0] = 77
    columns["other"] = np.zeros(5)
    assert s.columns()["sample"][0] == 0 and "other" not in s.columns() and len(s.where("sample == 77")) == 0


def test_samples_to_record_are_a_list_of_numbers(tmp_path, rod):
    s = rod.sweep(tmp_path / "out", n=5, threads=1)
    assert len(s.record(ids=[], threads=1)) == 0
    for ids in ([[1, 2]], 1, [1.0], [True], [-1], [5]):
        with pytest.raises(js.UsageError, match="ids"):
            s.record(ids=ids)
