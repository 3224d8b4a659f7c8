import json
import os
import pickle
import shutil
import subprocess

import jostle as js
import numpy as np
import pytest
from conftest import LIBRARY

h5py = pytest.importorskip("h5py")


@pytest.fixture(scope="module")
def cubes(tmp_path_factory):
    sc = js.load(LIBRARY / "cube_toss.yaml")
    return sc.generate(tmp_path_factory.mktemp("data") / "cubes", n=40, quantities=["gap(cube, table)"])


def test_it_is_what_the_program_generates(cubes, tmp_path, program):
    subprocess.run([program, "generate", LIBRARY / "cube_toss.yaml", "-n", "40", "-o", tmp_path / "data",
                    "--set", "record.quantities=['gap(cube, table)']"], check=True, capture_output=True)
    for name in ("run.h5", "meta.json"):
        assert (cubes.folder / name).read_bytes() == (tmp_path / "data" / name).read_bytes()


def same_data(folder, program, name, tmp_path, *options):
    subprocess.run([program, "generate", LIBRARY / f"{name}.yaml", "-n", "8", "-o", tmp_path / "program", *options],
                   check=True, capture_output=True)
    return all((folder / file).read_bytes() == (tmp_path / "program" / file).read_bytes() for file in ("run.h5", "meta.json"))


def test_what_is_left_out_is_as_the_scenario_records_it(tmp_path, program):
    data = js.load(LIBRARY / "rod.yaml").generate(tmp_path / "data", n=8)   # record: {trajectories: 16, stride: 4}
    assert data.read("trajectory/q").shape == (8, 101, 1, 7) and data.read("trajectory/q").dtype == np.float32
    assert same_data(data.folder, program, "rod", tmp_path)


def test_records_beyond_the_memory_are_refused_at_once(tmp_path):
    sc = js.load({"jostle": 1, "world": {"step": 0.001, "duration": 10000}, "bodies": {"ball": {"copies": 200, "mass": 1, "inertia": 1}}})
    with pytest.raises(MemoryError, match="^the records of a sample need about .*, but .*; a larger record.stride records fewer states$"):
        sc.generate(tmp_path / "data", n=1)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("wrong, message", [({"dtype": "f2"}, "dtype"), ({"stride": 0}, "stride must be 1 or more, not 0"),
                                            ({"quantities": ["rad.angle"]}, "quantities.0.: .*'rad'")])
def test_messages_name_the_arguments(tmp_path, rod, wrong, message):
    with pytest.raises(js.ScenarioError, match=f"^{message}"):
        rod.generate(tmp_path / "data", n=8, **wrong)


def test_lcps_are_recorded_every_so_many_steps_or_never(tmp_path, rod):
    with pytest.raises(js.UsageError, match="^lcp_every must be a whole number, 0 or more, not -1$"):
        rod.generate(tmp_path / "data", n=8, lcp_every=-1)


@pytest.mark.parametrize("pickled", [False, True])
def test_what_load_sets_of_the_record_is_recorded(tmp_path, program, pickled):
    sc = js.load(LIBRARY / "rod.yaml", set={"record.quantities": ["energy", "rod.position.y"], "record.lcp": {"every": 50},
                                            "record.dtype": "f8", "record.trajectories": [1, 5]})
    sc = pickle.loads(pickle.dumps(sc)) if pickled else sc
    data = sc.generate(tmp_path / "data", n=8)
    assert data.ids.tolist() == [1, 5] and data.read("step/rod.position.y").shape == (2, 101)
    assert data.read("step/energy").dtype == np.float64 and data.meta["lcp_times"] == 9
    assert same_data(data.folder, program, "rod", tmp_path, "--set", "record.quantities=[energy, rod.position.y]",
                     "--set", "record.lcp.every=50", "--set", "record.dtype=f8", "--set", "record.trajectories=[1, 5]")


def test_arguments_are_stronger_than_the_record_of_the_scenario(tmp_path, program):
    sc = js.load(LIBRARY / "rod.yaml", set={"record.quantities": ["energy"], "record.lcp": {"every": 50}, "record.contacts": True})
    data = sc.generate(tmp_path / "data", n=8, contacts=False, lcp_every=0, dtype="f8", stride=100, quantities=["rod.angle"])
    with h5py.File(data.folder / "run.h5") as file:
        assert set(file) == {"summary", "trajectory", "step"} and data.meta["groups"].keys() == {"trajectory", "step"}
        assert all(name in file[group] for group, fields in data.meta["groups"].items() for name in fields)
    assert data.read("step/rod.angle").shape == (8, 5)
    assert same_data(data.folder, program, "rod", tmp_path, "--set", "record.contacts=false", "--set", "record.dtype=f8",
                     "--set", "record.stride=100", "--set", "record.quantities=[rod.angle]")


def test_the_split_stays_when_the_folder_grows(cubes, tmp_path):
    train, test = cubes.split(0.9)
    assert len(train) == cubes.meta["split"]["training"] and len(train) + len(test) == 40 and len(test) > 0
    more = js.load(LIBRARY / "cube_toss.yaml").generate(tmp_path / "more", n=60).split(0.9)
    assert set(train.ids) <= set(more[0].ids) and set(test.ids) <= set(more[1].ids)
    with pytest.raises(js.UsageError, match="part"):
        cubes.split(1.5)


def test_windows_are_pieces_of_the_motions(cubes):
    train, _ = cubes.split(0.9)
    w = train.windows(history=5, horizon=2)
    assert w.bodies == ["cube"] and len(w) == len(train) * (119 - 6)
    x, y = w[100:400]
    assert x.shape == (300, 5, 1, 13) and y.shape == (300, 2, 1, 13) and x.dtype == np.float32
    sample, start = w.place(150)
    q, v = train.read("trajectory/q"), train.read("trajectory/v")
    row = list(train.ids).index(sample)
    both = np.concatenate([q[row, start:start + 7, 0], v[row, start:start + 7, 0]], axis=-1)
    assert (x[50, :, 0] == both[:5]).all() and (y[50, :, 0] == both[5:]).all()
    one, next_one = w[-1]
    assert one.shape == (5, 1, 13) and not np.isnan(next_one).any()
    with pytest.raises(js.UsageError, match="horizon"):
        train.windows(history=119)
    with pytest.raises(KeyError, match="cube"):
        train.windows(bodies=["cub"])


@pytest.mark.parametrize("in_memory", [True, False, None])
def test_windows_take_indices_in_any_order(cubes, in_memory):
    train, _ = cubes.split(0.9)
    w = train.windows(history=3, horizon=2, impulses=True, in_memory=in_memory)
    indices = np.array([150, 3, len(w) - 1, 3, -1])
    x, y, p = w[indices]
    assert x.shape == (5, 3, 1, 13) and y.shape == (5, 2, 1, 13) and p.shape == (5, 2, 1, 6)
    for i, index in enumerate(indices):
        sample, start = w.place(index)
        q, impulse = cubes.read("trajectory/q")[sample], cubes.read("step/impulse")[sample]
        assert (x[i, :, :, :7] == q[start:start + 3]).all() and (y[i, :, :, :7] == q[start + 3:start + 5]).all()
        assert (p[i] == impulse[start + 3:start + 5]).all()
        one = w[int(index)]
        assert all((part[i] == own).all() for part, own in zip((x, y, p), one))
    assert [part.shape for part in w[[]]] == [(0, 3, 1, 13), (0, 2, 1, 13), (0, 2, 1, 6)]
    assert [part.shape for part in w[5:2]] == [part.shape for part in w[[]]]
    for wrong, error in ((len(w), IndexError), ([len(w)], IndexError), ([0.5], TypeError), (np.ones((2, 2), int), TypeError)):
        with pytest.raises(error):
            w[wrong]


def test_states_of_windows_are_evenly_spaced(tmp_path):
    sc = js.load(LIBRARY / "cube_toss.yaml")
    d = sc.generate(tmp_path / "data", n=3, stride=4)
    times = d.read("trajectory/time")
    assert len(times) == 31 and np.round(np.diff(times)[-2:] / sc.step).tolist() == [4, 2]
    w = d.windows(history=2, horizon=1)
    assert len(w) == 3 * (30 - 2) and w.place(-1) == (2, 27)
    assert (w[-1][1][0, 0, :7] == d.read("trajectory/q")[2, 29, 0]).all()


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "u4", "u8"])
def test_windows_take_indices_of_every_type(cubes, dtype):
    w = cubes.windows()
    assert len(w) > 255 and (w[np.array([1, 100], dtype)][0] == w[[1, 100]][0]).all()
    if dtype == "u8":
        for wrong in (len(w), 2**63, 2**64 - 1):
            with pytest.raises(IndexError, match=f"there is no window {wrong}, only {len(w)}"):
                w[np.array([wrong], dtype)]
    if dtype.startswith("i"):
        assert (w[np.array([-1], dtype)][0] == w[[-1]][0]).all()


@pytest.mark.parametrize("name", ["history", "horizon"])
@pytest.mark.parametrize("value", [0, 1.5, "2", None])
def test_lengths_of_windows_are_whole_numbers(cubes, name, value):
    with pytest.raises(js.UsageError, match=f"^{name} must be a whole number, 1 or more, not {value!r}$"):
        cubes.windows(**{name: value})


@pytest.mark.parametrize("name", ["meta.json", "run.h5"])
@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"bodies": ['])
def test_damaged_training_data_is_a_file_error(cubes, tmp_path, name, content):
    folder = shutil.copytree(cubes.folder, tmp_path / "data")
    (folder / name).write_bytes(content)
    with pytest.raises(js.FileError, match=name):
        js.TrainingData(folder).read("trajectory/q")
    (folder / name).unlink()
    with pytest.raises(js.FileError):
        js.TrainingData(folder).read("trajectory/q")


def test_damage_anywhere_in_the_file_is_a_file_error(cubes, tmp_path):
    folder = shutil.copytree(cubes.folder, tmp_path / "data")
    whole, found = (folder / "run.h5").read_bytes(), 0
    calls = (lambda: js.TrainingData(folder, [3]), lambda: js.TrainingData(folder).read("trajectory/q"),
             lambda: js.TrainingData(folder).read("trajectory/time"), lambda: js.TrainingData(folder).contacts(3),
             lambda: js.TrainingData(folder).windows(impulses=True)[:3])
    for at in range(0, len(whole), len(whole) // 60):
        spoilt = bytearray(whole)
        spoilt[at:at + 512] = bytes(len(spoilt[at:at + 512]))
        (folder / "run.h5").write_bytes(spoilt)
        for call in calls:
            try:
                call()
            except js.FileError as error:
                assert str(folder / "run.h5") in str(error)
                found += 1
    assert found > 20


@pytest.mark.parametrize("place", ["groups", "pairs", "groups.trajectory.q.dimensions", "times"])
def test_a_description_that_lacks_something_says_what(cubes, tmp_path, place):
    folder = shutil.copytree(cubes.folder, tmp_path / "data")
    meta = json.loads((folder / "meta.json").read_text())
    *keys, last = place.split(".")
    within = meta
    for key in keys:
        within = within[key]
    within[last] = None
    (folder / "meta.json").write_text(json.dumps(meta))
    with pytest.raises(js.FileError, match=f"meta.json is damaged: it does not have {place}; is it a finished folder"):
        js.TrainingData(folder)


# m v' - m v = impulses of contacts + applied: the impulse in a window is that between its last two states.
def test_an_impulse_is_of_the_step_that_ends_at_its_state(cubes):
    w = cubes.windows(impulses=True)
    x, y, p = w[:]
    gravity = 0.37 * 9.81 / 148
    change = 0.37 * (y[:, 0, 0, 9] - x[:, 0, 0, 9])
    assert np.abs(change - (p[:, 0, 0, 2] - gravity)).max() < 1e-6


def test_contacts_of_a_sample_carry_its_impulses(cubes):
    splits, fields = cubes.contacts(7)
    assert splits.shape == (120,) and len(fields["mode"]) == splits[-1] > 0
    impulse = cubes.read("step/impulse")[7, :, 0, :3]
    n, t, c, f = (fields[k] for k in ("normal", "tangent", "impulse_n", "impulse_t"))
    each = c[:, None] * n + f[:, :1] * t + f[:, 1:] * np.cross(n, t)        # on the table
    sums = np.array([each[a:b].sum(axis=0) for a, b in zip(splits[:-1], splits[1:])])
    assert np.abs(sums + impulse).max() < 1e-6
    contacts = cubes.contacts(7)
    assert np.abs(contacts.impulse_on("cube") - impulse).max() < 1e-6
    assert np.abs(contacts.impulse_on("table") + impulse).max() < 1e-6
    with pytest.raises(KeyError, match="cube"):
        contacts.impulse_on("cub")
    with pytest.raises(KeyError, match="step/impulse"):
        cubes.read("step/impuls")


def test_impulses_on_a_body_are_those_of_all_its_shapes(tmp_path):
    data = js.load(LIBRARY / "feeder.yaml").generate(tmp_path / "feeder", n=2)
    contacts, steps = data.contacts(1), data.read("trajectory/valid_steps")[1] + 1
    for body in ("bolt", "bracket"):
        impulse = data.read("step/impulse")[1, :steps, data.bodies.index(body), :3]
        assert np.abs(impulse).max() > 1e-4
        assert np.abs(contacts.impulse_on(body)[:steps] - impulse).max() < 1e-6 * np.abs(impulse).max()


def test_constants_have_a_row_for_each_sample(cubes):
    train, _ = cubes.split(0.9)
    mass, friction = train.read("param/mass"), train.read("param/friction")
    assert mass.shape == (len(train), 1) and (mass == np.float32(0.37)).all()
    assert friction.shape == (len(train), 1)
    for name, instead in (("contact/gap", "contacts"), ("contact/mode", "contacts")):
        with pytest.raises(js.UsageError, match=instead):
            train.read(name)
    with pytest.raises(KeyError, match="param/mass"):
        train.read("param/mas")


def test_a_folder_without_training_data_is_named(tmp_path):
    js.load(LIBRARY / "cube_toss.yaml").sweep(tmp_path, n=2)
    with pytest.raises(js.FileError, match="meta.json: No such file .*; is it a finished folder of jostle generate?"):
        js.TrainingData(tmp_path)


def test_lcps_are_read_one_by_one(tmp_path):
    sc = js.load(LIBRARY / "cube_toss.yaml")
    d = sc.generate(tmp_path / "lcps", n=20, lcp_every=10, dtype="f8")
    found = [lcp for sample in range(20) for lcp in d.lcps(sample)]
    assert len(found) > 20 and d.meta["lcp_times"] == 12
    for lcp in found:
        n = len(lcp.q)
        w = lcp.M @ lcp.z + lcp.q
        assert lcp.M.shape == (n, n) and all(len(values) == n for values in lcp.labels.values())
        assert 0 < lcp.time < 12 and np.abs(np.minimum(lcp.z, w)).max() < 1e-10
        assert np.array_equal(lcp.basis == 1, lcp.z > 0) and (lcp.labels["joint"] == -1).all()
    model = d.meta["model"]
    pair, feature = found[0].labels["pair"][0], found[0].labels["feature"][0]
    assert model["features"][model["pairs"][pair]["features"]][feature].startswith("corner")


def test_lcps_that_are_not_there_say_so(cubes):
    with pytest.raises(KeyError, match="record.lcp.every"):
        cubes.lcps(0)


def test_contacts_that_are_not_there_say_so(tmp_path):
    data = js.load(LIBRARY / "cube_toss.yaml").generate(tmp_path / "data", n=2, contacts=False)
    with pytest.raises(KeyError, match="this data has no contacts: generate it with contacts=True"):
        data.contacts(0)


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """Data of 20 samples, and of four of them."""
    program = os.environ.get("JOSTLE_PROGRAM")
    if not program:
        pytest.skip("JOSTLE_PROGRAM does not name the program")
    parent = tmp_path_factory.mktemp("some")
    for folder, chosen in (("all", "all"), ("four", "[3,7,9,12]")):
        subprocess.run([program, "generate", LIBRARY / "cube_toss.yaml", "-n", "20", "-o", parent / folder, "--set",
                        "record.lcp.every=10", "--set", f"record.trajectories={chosen}"], check=True, capture_output=True)
    return js.TrainingData(parent / "all"), js.TrainingData(parent / "four")


def test_samples_go_by_their_numbers_where_not_all_are_recorded(some):
    whole, d = some
    assert d.ids.tolist() == [3, 7, 9, 12] and len(d) == 4 and len(whole) == 20
    for name in ("trajectory/q", "trajectory/valid_steps", "step/impulse", "summary/status", "trajectory/sample"):
        assert np.array_equal(d.read(name), whole.read(name)[d.ids], equal_nan=True), name
    for sample in (3, 12):
        assert (d.contacts(sample).impulse_n == whole.contacts(sample).impulse_n).all()
        assert len(d.lcps(sample)) == len(whole.lcps(sample)) > 0
        assert all((a.M == b.M).all() for a, b in zip(d.lcps(sample), whole.lcps(sample)))
    one = js.TrainingData(d.folder, np.array([7]))
    assert (one.read("trajectory/q") == whole.read("trajectory/q")[[7]]).all()
    train, test = d.split(0.5)
    assert sorted([*train.ids, *test.ids]) == [3, 7, 9, 12]


@pytest.mark.parametrize("in_memory", [True, False])
def test_windows_go_by_the_numbers_of_samples(some, in_memory):
    whole, d = some
    all_q = whole.read("trajectory/q")
    for ids in (None, [12, 3], [9, 9]):
        w = js.TrainingData(d.folder, ids).windows(history=2, in_memory=in_memory)
        for index in (0, len(w) - 1, 150):
            sample, start = w.place(index)
            assert ids is None or sample in ids
            assert (w[index][0][:, :, :7] == all_q[sample, start:start + 2]).all()
    assert len(d.windows()) == 4 * 118


def test_samples_that_are_not_recorded_are_named(some):
    _, d = some
    for sample in (1, 4, 13, -1):
        with pytest.raises(KeyError, match=f"sample {sample} is not recorded .recorded: 3, 7, 9, 12."):
            d.contacts(sample)
        with pytest.raises(KeyError, match=f"sample {sample} is not recorded"):
            d.lcps(sample)
        with pytest.raises(KeyError, match=f"sample {sample} is not recorded .recorded: 3, 7, 9, 12."):
            js.TrainingData(d.folder, [3, sample, 5])
    with pytest.raises(js.UsageError, match="whole numbers"):
        js.TrainingData(d.folder, [0.5])


def test_axes_are_read_as_they_are(some):
    whole, d = some
    for name in ("trajectory/time", "step/time", "trajectory/body", "step/wrench"):
        assert np.array_equal(d.read(name), whole.read(name)), name
    assert d.read("trajectory/time").shape == (119,) and d.read("trajectory/body").tolist() == [b"cube"]
    with pytest.raises(KeyError, match="there is no 'trajectory'"):
        d.read("trajectory")


def test_listed_samples_may_be_set_by_either_name(tmp_path):
    for key in ("record.samples", "record.trajectories"):
        sc = js.load(LIBRARY / "rod.yaml", set={key: [3, 7], "world.duration": 0.02})
        assert sc.generate(tmp_path / key, n=20).ids.tolist() == [3, 7]


def test_numbers_of_samples_are_kept(cubes):
    ids = np.array([3, 1])
    d = js.TrainingData(cubes.folder, ids)
    ids[:] = 0
    assert (d.ids == [3, 1]).all()
    for numbers in (d.ids, cubes.ids):
        with pytest.raises(ValueError, match="read-only"):
            numbers[0] = 99


@pytest.mark.parametrize("in_memory", [False, True])
def test_no_windows_have_the_type_of_others(cubes, in_memory):
    w = cubes.windows(2, 1, in_memory=in_memory)
    assert w[[]][0].dtype == w[[0]][0].dtype and w[[]][0].shape == (0,) + w[0][0].shape


def test_bodies_of_windows_are_a_list(cubes):
    with pytest.raises(js.UsageError, match="list of names"):
        cubes.windows(1, 1, "cube")
