import jostle as js
import numpy as np
import pytest
from conftest import library


def test_contacts_are_those_of_a_dataset(tmp_path):
    pytest.importorskip("h5py")
    sc = library("cube_toss")
    d = sc.generate(tmp_path, n=12, dtype="f8")
    plain, b = sc.batch(12), sc.batch(12, contacts=True)
    assert (b.contacts.splits == 0).all() and b.pairs == ["cube table"]
    for steps in (30, 1, 9, 20, 58):                 # the last ones: at rest
        b.step(steps)
        plain.step(steps)
        now, fields = b.contacts
        for i in range(12):
            splits, expected = d.contacts(i)
            at = slice(splits[b.steps[i]], splits[b.steps[i] + 1])
            for name, values in fields.items():
                assert np.array_equal(values[now[i]:now[i + 1]], expected[name][at]), (name, i)
    assert (b.steps == 118).all() and len(b.contacts.impulse_n) == b.contacts.splits[-1] > 12
    assert (b.digests() == plain.digests()).all()


def test_contacts_carry_the_change_of_momentum():
    b = library("cube_toss").batch(200, contacts=True)
    cube = b.body("cube")
    b.step(40)
    cube.force[:, 0] = 0.5
    before = cube.velocity.copy()
    cube.mass = 0.5                                  # the batch continues in a wider model
    b.step(1)
    c = b.contacts
    P = c.impulse_n[:, None] * c.normal + c.impulse_t[:, :1] * c.tangent + c.impulse_t[:, 1:] * np.cross(c.normal, c.tangent)
    sums = np.array([P[i:j].sum(axis=0) for i, j in zip(c.splits[:-1], c.splits[1:])])
    change = 0.5 * (cube.velocity - before) - np.array([0.5, 0, -0.5 * 9.81]) / 148
    assert (np.diff(c.splits) > 0).sum() > 50
    np.testing.assert_allclose(-sums, change, atol=1e-12)      # impulses act on the second shape, the table


def test_contacts_stay_where_no_step_is_taken_and_go_with_the_state():
    b = library("cube_toss").batch(6, contacts=True)
    b.step(100)
    splits = b.contacts.splits
    assert (np.diff(splits) > 0).all()
    snapshot = b.save()
    b.step(0)
    b.step(5, where=np.arange(6) > 2)
    assert (b.contacts.splits[:4] == splits[:4]).all()
    b.reset(ids=[0])
    assert np.diff(b.contacts.splits)[0] == 0 and (np.diff(b.contacts.splits)[1:] > 0).all()
    b.restore(snapshot)
    assert (b.contacts.splits == 0).all()
    b.step(50)
    assert (np.diff(b.contacts.splits) > 0).all()


def test_contacts_must_be_asked_for():
    with pytest.raises(js.UsageError, match="contacts"):
        library("rod").batch(2).contacts
    b = library("rod").batch(2, contacts=True)
    with pytest.raises(AttributeError, match="did you mean 'impulse_n'"):
        b.contacts.impuls_n


def test_a_first_step_made_again_for_its_joints_has_the_bits_of_one_without_records():
    # The light link between two stiff rods has the first step made again; its 40 contacts need a larger record.
    names = [f"b{i}" for i in range(10)]
    free = ["x", "y", "z"]
    boxes = {name: {"mass": 1, "shape": {"box": {"size": [.1, .1, .1]}}, "position": [1 + .2 * i, 0, .05], "freedom": free}
             for i, name in enumerate(names)}
    sc = js.load({
        "jostle": 1, "world": {"step": .002, "duration": .002},
        "bodies": {"floor": {"fixed": True, "shape": {"half_space": {"normal": [0, 0, 1]}}},
                   "link": {"mass": .001, "position": [.14142, 0, 1.85858], "freedom": free},
                   "load": {"mass": 10, "position": [.28284, 0, 1.71716], "freedom": free}, **boxes},
        "contacts": [{"between": "any", "friction": .3}],
        "joints": {"p": {"distance": ["world", "link"], "at": [[0, 0, 2], [.14142, 0, 1.85858]]},
                   "q": {"distance": ["link", "load"], "at": [[.14142, 0, 1.85858], [.28284, 0, 1.71716]]}}})
    plain, recorded = sc.batch(1), sc.batch(1, contacts=True)
    plain.step(1)
    recorded.step(1)
    assert recorded.contacts.splits[-1] == 40
    assert (plain.v == recorded.v).all()


@pytest.mark.parametrize("device", ["cpu", "emulated"])
@pytest.mark.parametrize("steps", [1, 7, 400])
def test_contacts_of_what_a_condition_has_ended_are_those_of_its_last_step(device, steps):
    # A system ends in the step in which it first touches the floor; others go on.
    sc = library("tossed_box", set={"stop_when": "brick.contacts > 0"})
    b = sc.batch(4, contacts=True, device=device, threads=1)
    for _ in range(0, 400, steps):
        b.step(steps)
    assert len(set(b.steps)) > 1 and b.ended.all()
    assert (np.diff(b.contacts.splits) > 0).all() and (b.contacts.impulse_n > 0).any()
    weight = b.contacts.impulse_on("brick")
    assert np.allclose(weight, b.impulse[:, 0, :3]) and (weight[:, 1:] != 0).any(axis=1).all()
    plain = sc.batch(4, threads=1)
    plain.step(400)
    assert (b.digests() == plain.digests()).all()
