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
