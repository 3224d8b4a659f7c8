import copy
import pickle

import jostle as js
import numpy as np
import pytest
from conftest import library


def test_save_and_restore_continue_with_the_same_bits(rod):
    b = rod.batch(5)
    b.step(100)
    saved = b.save()
    q = b.q.copy()
    b.step(100)
    expected = b.digests()
    b.restore(saved)
    assert (b.q == q).all() and (b.steps == 100).all()
    b.step(100)
    assert (b.digests() == expected).all()
    b.restore(saved)  # before anybody asked for forces and masses
    b.body("rod").force[:] = [0, 0.5, 0]
    b.body("rod").mass = 2
    b["mu"] = 0.9
    loaded = b.save()
    b.step(100)
    changed = b.digests()
    b.restore(loaded)
    assert (b.body("rod").force[:, 1] == 0.5).all() and (b.body("rod").mass == 2).all()
    b.step(100)
    assert (b.digests() == changed).all() and (changed != expected).all()
    b.restore(saved)
    assert (b.body("rod").force == 0).all() and (b.body("rod").mass == 1).all() and (b["mu"] != 0.9).all()
    b.step(100)
    assert (b.digests() == expected).all()
    with pytest.raises(js.UsageError, match="other samples"):
        rod.batch(4).restore(saved)
    with pytest.raises(js.UsageError, match="another scenario"):
        library("rod", set={"world.gravity[2]": -9.8}).batch(5).restore(saved)
    with pytest.raises(js.UsageError, match="another scenario"):
        library("rod", seed=8).batch(5).restore(saved)
    other = library("rod").batch(5)
    other.restore(saved)
    other.step(100)
    assert (other.digests() == expected).all()


def test_a_snapshot_is_bytes_that_another_batch_continues_from(rod, tmp_path):
    b = rod.batch(5)
    b.body("rod").force[:] = [0.1, 0.5, 0]
    b.body("rod").mass = 2
    b.step(50)
    b["mu"][3] = 0.9                      # written, and not yet taken over
    (tmp_path / "checkpoint").write_bytes(pickle.dumps((rod, b.save())))
    b.step(50)
    expected, q = b.digests(), b.q.copy()
    sc, saved = pickle.loads((tmp_path / "checkpoint").read_bytes())
    for snapshot in (saved, copy.deepcopy(saved)):
        other = sc.batch(5)               # has asked for no force, mass or variable
        other.restore(snapshot)
        assert (other.steps == 50).all()
        other.step(50)
        assert (other.q == q).all()
        assert (other.body("rod").force == [0.1, 0.5, 0]).all() and (other.body("rod").mass == 2).all() and other["mu"][3] == 0.9
    assert (b.digests() == expected).all(), "each batch has systems of its own"
    state = saved._core.__getstate__()
    for bytes_, message in [(b"", "no snapshot"), (state[:-1], "damaged"), (state.replace(b"version ", b"version 9"), "results version 9")]:
        with pytest.raises(js.UsageError, match=message):
            js._core.Snapshot.__new__(js._core.Snapshot).__setstate__(bytes_)


def test_a_snapshot_of_a_batch_that_was_made_otherwise_says_how():
    sc = library("rod", set={"sample": None})
    saved = sc.batch(4, contacts=True).save()
    for options, message in [(dict(n=4), "contacts=True, this one with contacts=False$"),
                             (dict(n=3, contacts=True), "n=4, this one with n=3$"),
                             (dict(n=4, contacts=True, quantities=["rod.position.z"]),
                              r"quantities=\[\], this one with quantities=\['rod.position.z'\]$")]:
        with pytest.raises(js.UsageError, match="other samples or settings: that one was made with " + message):
            sc.batch(**options).restore(saved)
    with pytest.raises(js.UsageError, match="restore takes what save has returned, not 3"):
        sc.batch(1).restore(3)


def test_the_hash_of_modes_goes_on_after_a_snapshot():
    sc = library("sliding_block")
    b, kept = sc.batch(3, modes=True), sc.batch(3, contacts=True)
    b.step(30)
    kept.step(30)
    saved, digest = pickle.loads(pickle.dumps(b.save())), b.modes_digest
    b.step(30)
    expected = b.modes_digest
    for batch in (b, sc.batch(3, modes=True)):
        batch.restore(saved)
        assert (batch.modes_digest == digest).all() and digest.all()
        batch.step(30)
        assert (batch.modes_digest == expected).all() and (expected != digest).all()
    kept.restore(saved)
    kept.step(30)
    assert (kept.digests() == b.digests()).all()
    b.restore(kept.save())
    assert (b.modes_digest == 0).all(), "nothing is known of the steps before"
    assert (saved._modes == digest).all()


def test_reset_is_the_start(rod):
    b = rod.batch(ids=[4, 9, 2])
    start = b.q.copy()
    b.step(100)
    moved = b.q.copy()
    b.reset(ids=[2, 4])
    assert (b.q[[0, 2]] == start[[0, 2]]).all() and (b.q[1] == moved[1]).all() and b.steps.tolist() == [0, 100, 0]
    b.reset(np.array([False, True, False]))
    assert (b.q == start).all()
    b.step(100)
    assert (b.q == moved).all()
    b.reset()
    b.reset(ids=[])
    with pytest.raises(KeyError, match="sample 5 is not in this batch"):
        b.reset(ids=[5])


def test_reset_of_a_sample_means_all_its_systems(rod):
    b = rod.batch(ids=[3, 5, 3, 4, 3])
    b.step(5)
    b.reset(ids=[3])
    assert b.steps.tolist() == [0, 5, 0, 5, 0]
    b.step(5)
    b.reset(ids=np.array([4, 4, 5], dtype=np.uint8))
    assert b.steps.tolist() == [5, 0, 5, 0, 5]
    for wrong in (2**63, 2**64 - 1):
        with pytest.raises(KeyError, match=f"sample {wrong} is not in this batch"):
            b.reset(ids=np.array([wrong], dtype=np.uint64))


@pytest.mark.parametrize("call", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_batch_itself_is_not_pickled(rod, call):
    with pytest.raises(TypeError, match="^a batch cannot be pickled or copied; pickle its scenario and what save.. returns"):
        call(rod.batch(2))
