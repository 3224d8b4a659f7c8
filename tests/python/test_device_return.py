"""How a batch has its systems back that were on a device (a mock of a GPU), and what it says until then."""
import gc

import jostle as js
import pytest
from conftest import library


def test_a_batch_whose_systems_are_away_says_so():
    b = library("four_bar").batch(3, device="emulated", contacts=True)
    joint, body = b.joint(library("four_bar").joints[0]), b.body(b.bodies[0])
    outcome = library("four_bar").outcomes[0]
    reads = [lambda: b.contacts, lambda: b.impulse, lambda: b.outcome(outcome), b.digests, b.failures, b.save, b.step,
             lambda: joint.angle, lambda: joint.speed, lambda: joint.impulse, lambda: body.inertia,
             lambda: b.restore(saved)]
    saved = b.save()
    with b.on_device() as d:
        d.step(5)
        for read in reads:
            with pytest.raises(js.UsageError, match="^the systems are on the device; bring them back first$"):
                read()
        assert (b.steps == 0).all()
    expected = library("four_bar").batch(3, contacts=True)
    expected.step(5)
    assert (b.steps == 5).all() and (b.digests() == expected.digests()).all() and (joint.angle != 0).all()
    for read in reads:
        read()


def test_systems_come_back_without_with():
    b, expected = library("rod").batch(3, device="emulated"), library("rod").batch(3)
    d = b.on_device()
    d.step(5)
    d.bring_back()
    d.bring_back()
    expected.step(5)
    assert (b.q == expected.q).all()
    b.step(5)
    with pytest.raises(js.UsageError, match="not on the device"):
        d.step()
    second = b.on_device()
    del d
    gc.collect()
    second.step(5)
    with pytest.raises(js.UsageError, match="bring them back first"):
        b.on_device()
    with pytest.raises(js.UsageError, match="bring them back first"):
        b.digests()
    second.bring_back()
    expected.step(10)
    assert (b.digests() == expected.digests()).all()


def test_systems_come_back_when_nobody_has_them():
    b, expected = library("rod").batch(3, device="emulated"), library("rod").batch(3)
    b.on_device().step(5)
    expected.step(5)
    gc.collect()
    assert (b.digests() == expected.digests()).all() and (b.steps == 5).all()
    with pytest.raises(js.UsageError, match="on the CPU"):
        expected.on_device()
    expected.step(5)
