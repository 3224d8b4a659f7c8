"""Joints, quantities, impulses and modes of a batch, and derivatives."""
import pickle

import jostle as js
import numpy as np
import pytest
from conftest import library

SLIDE = """\
jostle: 1
variables:
  mu: {uniform: [0.2, 0.4]}
  speed: {uniform: [1, 2]}
world: {step: 0.001, duration: 0.3, friction_directions: 2}
bodies:
  table: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  block: {mass: 2, freedom: [x, z], shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.05], velocity: [$speed, 0, 0]}
contacts: [{between: any, friction: $mu}]
outcomes:
  rest_x: {at_end: block.position.x}
"""

ARM = """\
jostle: 1
world: {step: 0.001, duration: 2, gravity: [0, 0, 0]}
bodies:
  arm: {mass: 1, inertia: 0.1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0]}
  cart: {mass: 1, inertia: 0.1, shape: {sphere: {radius: 0.1}}, position: [5, 0, 0]}
joints:
  hinge: {revolute: [world, arm], at: [0, 0, 0], axis: [0, 0, 1], motor: {speed: 2*t, limit: 1000}}
  slide: {prismatic: [world, cart], axis: [1, 0, 0]}
  rope: {distance: [arm, cart]}
"""


def test_quantities_are_those_of_outcomes():
    sc = js.load(SLIDE)
    b = sc.batch(6, quantities=["block.position.x", "block.kinetic_energy + 0*time", "gap(block, table)", "block.contacts", "$mu"])
    assert (b.quantity("block.position.x") == 0).all() and (b.quantity("$mu") == b["mu"]).all()
    np.testing.assert_allclose(b.quantity("block.kinetic_energy + 0*time"), b["speed"] ** 2, rtol=1e-14)
    b.step(300)
    assert (b.quantity("block.position.x") == b.outcome("rest_x")).all()
    assert (b.quantity("block.position.x") == b.q[:, 0, 0]).all() and (b.quantity("block.contacts") == 4).all()
    assert abs(b.quantity("gap(block, table)")).max() < 1e-12
    with pytest.raises(KeyError, match=r"not made for the quantity 'block.spin.x'.*make it with quantities=\['block.spin.x'\]"):
        b.quantity("block.spin.x")
    with pytest.raises(js.ScenarioError, match="^quantities.0.: there is no body .blok. .did you mean .block.") as caught:
        sc.batch(1, quantities=["blok.position.x"])
    assert caught.value.hint == "did you mean 'block'?"
    with pytest.raises(js.UsageError, match="quantities is a list"):
        sc.batch(1, quantities="time")


def test_quantities_that_no_dataset_could_name_are_of_batches_alone(tmp_path):
    sc, half = js.load(SLIDE), "block.position.x/2"
    b = sc.batch(3, quantities=[half, "block.position.x"])
    b.step(100)
    assert (b.quantity(half) == b.quantity("block.position.x") / 2).all() and (b.quantity(half) > 0).all()
    again = sc.batch(3, quantities=[half, "block.position.x"])
    again.restore(pickle.loads(pickle.dumps(b.save())))
    assert (again.quantity(half) == b.quantity(half)).all()
    assert js.jacobian(sc, of=[half], wrt=["speed"]).value == js.jacobian(sc, of=["rest_x"], wrt=["speed"]).value / 2
    with pytest.raises(js.ScenarioError, match="a dataset cannot have '/' in its name"):
        sc.generate(tmp_path, n=1, quantities=[half])
    with pytest.raises(js.ScenarioError, match="a dataset cannot have '/' in its name"):
        js.load(SLIDE, set={"record": {"quantities": [half]}})


@pytest.mark.parametrize("quantities", ["block.kinetic_energy", [3], ["time", None]])
def test_quantities_are_a_list_of_texts(quantities, tmp_path):
    sc = js.load(SLIDE)
    for call in (lambda: sc.batch(1, quantities=quantities),
                 lambda: sc.generate(tmp_path / "data", n=1, quantities=quantities)):
        with pytest.raises(js.UsageError, match="^quantities is a list of expressions, such as .*, not "):
            call()
    assert not (tmp_path / "data").exists()
    assert sc.batch(1, quantities=(text for text in ["time"])).quantity("time") == 0


def test_quantities_change_no_bit():
    sc = js.load(SLIDE)
    plain, asked = sc.batch(4), sc.batch(4, quantities=["energy"])
    for _ in range(3):
        plain.step(50), asked.step(50)
        asked.quantity("energy")
    assert (plain.q == asked.q).all() and (plain.v == asked.v).all()


def test_joints_have_their_state_and_motors_follow():
    b = js.load(ARM).batch(3)
    hinge, slide = b.joint("hinge"), b.joint("slide")
    b.step(100)
    # A strong motor has its speed 2 t at the end of each step; the angle is the sum of h 2 t_k.
    np.testing.assert_allclose(hinge.speed, 0.2, atol=1e-12)
    np.testing.assert_allclose(hinge.angle, 0.001 * 2 * sum(0.001 * k for k in range(1, 101)), atol=1e-12)
    np.testing.assert_allclose(hinge.impulse, 0.1 * 0.002, atol=1e-12)  # J dw of the last step
    assert (slide.position == 0).all() and (slide.speed == 0).all()
    np.testing.assert_allclose(hinge.motor_speed, 0.2, atol=1e-15)
    with pytest.raises(ValueError, match="read-only"):
        hinge.motor_speed[:] = 1  # it follows the scenario until it is set
    b.step(10)
    np.testing.assert_allclose(hinge.speed, 0.22, atol=1e-12)  # asking changes nothing
    hinge.motor_speed = hinge.motor_speed
    speeds = hinge.motor_speed
    speeds[:] = [0.2, -1, 3]
    b.step(10)
    np.testing.assert_allclose(hinge.speed, [0.2, -1, 3], atol=1e-12)
    hinge.motor_speed = 0
    b.step()
    np.testing.assert_allclose(hinge.speed, 0, atol=1e-12)
    for name, what in [("rope", "speed"), ("rope", "angle")]:
        with pytest.raises(js.UsageError, match="only revolute and prismatic joints have an axis"):
            getattr(b.joint(name), what)
    with pytest.raises(js.UsageError, match="has a position, not an angle"):
        slide.angle
    with pytest.raises(js.UsageError, match="joint 'slide' has no motor"):
        slide.motor_speed
    with pytest.raises(KeyError, match="there is no joint 'hing' .*hinge"):
        b.joint("hing")
    with pytest.raises(AttributeError, match="a joint has no 'velocity'"):
        hinge.velocity = 3


def test_the_impulse_of_contacts_explains_the_change_of_momentum():
    sc = js.load(SLIDE)
    b = sc.batch(5, contacts=True)
    assert b.impulse.shape == (5, 1, 6) and (b.impulse == 0).all()
    before = b.v.copy()
    b.step(7)
    before = b.v.copy()
    b.step()
    change = 2 * (b.v - before)[:, 0, :3]
    np.testing.assert_allclose(b.impulse[:, 0, :3], change + [0, 0, 2 * 9.81 * 0.001], atol=1e-14)
    np.testing.assert_allclose(b.impulse[:, 0, :3], b.contacts.impulse_on("block"), atol=1e-15)
    np.testing.assert_allclose(-b.impulse[:, 0, 0], b["mu"] * b.impulse[:, 0, 2], rtol=1e-12)
    with pytest.raises(js.UsageError, match="contacts=True"):
        sc.batch(1).impulse


def test_a_digest_of_modes_tells_whether_a_block_slides_or_sticks():
    sc = js.load(SLIDE)
    b = sc.batch(4, modes=True)
    b["mu"], b["speed"] = 0.3, [0.5, 0.5001, 1.5, 0.5]
    assert (b.modes_digest == 0).all()
    assert b.step(100) == 100  # all slide
    assert len(set(b.modes_digest)) == 1
    b.step(150)  # at .3 g the first two and the last stop after .17 s, the third slides on
    digests = b.modes_digest
    assert digests[0] == digests[3] and digests[0] != digests[2]
    again = sc.batch(4, modes=True)
    again["mu"], again["speed"] = 0.3, [0.5, 0.5001, 1.5, 0.5]
    for _ in range(25):
        again.step(10)
    assert (again.modes_digest == digests).all()
    again.reset(ids=[1])
    assert again.modes_digest[1] == 0 and (again.modes_digest[[0, 2, 3]] == digests[[0, 2, 3]]).all()
    with pytest.raises(js.UsageError, match="modes=True"):
        sc.batch(1).modes_digest


def test_a_jacobian_is_exact_where_modes_stay_and_flagged_where_not():
    """The block slides all the time: n steps from speed v with friction mu end at h sum(v - k mu g h), so that the
    derivatives by v and mu are n h and -g h^2 n (n + 1) / 2."""
    sc = js.load(SLIDE)
    n, h = 300, 0.001
    j = js.jacobian(sc, of=["rest_x", "block.velocity.x"], wrt=["speed", "mu"], at={"speed": 1.9, "mu": 0.25})
    np.testing.assert_allclose(j.jacobian, [[n * h, -9.81 * h * h * n * (n + 1) / 2], [1, -9.81 * n * h]], rtol=1e-7)
    assert j.same_modes.all() and j.at == {"speed": 1.9, "mu": 0.25}
    np.testing.assert_allclose(j.value[1], 1.9 - 0.25 * 9.81 * n * h, rtol=1e-12)
    # It stops in the last step but for the smaller friction: one side slides on.
    stops = 0.25 * 9.81 * n * h
    edge = js.jacobian(sc, of=["rest_x"], wrt=["speed", "mu"], at={"speed": stops, "mu": 0.25}, delta={"speed": 1e-9, "mu": 1e-3})
    assert not edge.same_modes[1]
    with pytest.raises(js.UsageError, match="there is no variable 'sped' .*speed"):
        js.jacobian(sc, of=["rest_x"], wrt=["sped"])
    with pytest.raises(js.UsageError, match="of is a list of names"):
        js.jacobian(sc, of="rest_x", wrt=["mu"])
    with pytest.raises(js.UsageError, match="wrt has 'mu' more than once"):
        js.jacobian(sc, of=["rest_x"], wrt=["mu", "speed", "mu"])
    with pytest.raises(js.UsageError, match="'rest_x' has no value after 3 of [0-9]+ steps"):
        js.jacobian(sc, of=["block.velocity.x", "rest_x"], wrt=["mu"], steps=3)
    for delta in (0, 1e-30, {"mu": 0}):
        with pytest.raises(js.UsageError, match="delta of 'mu' changes nothing"):
            js.jacobian(sc, of=["rest_x"], wrt=["mu"], delta=delta)
    for delta in (-1e-6, np.nan, np.inf, {"mu": -1e-6}):
        with pytest.raises(js.UsageError, match="delta of 'mu' must be finite and greater than 0, not"):
            js.jacobian(sc, of=["rest_x"], wrt=["mu"], delta=delta)


def test_a_jacobian_takes_names_in_any_row_and_says_which_is_wrong():
    sc = js.load(SLIDE)
    once = js.jacobian(sc, of=["time", "rest_x"], wrt=["mu"])
    for of in (np.array(["time", "rest_x"]), (name for name in ("time", "rest_x")), ("time", "rest_x")):
        j = js.jacobian(sc, of=of, wrt=np.array(["mu"]))
        assert (j.value == once.value).all() and (j.jacobian == once.jacobian).all() and j.at == once.at
    assert (js.jacobian(sc, of=["time", "rest_x", "time"], wrt=["mu"]).value == once.value[[0, 1, 0]]).all()
    for message, wrong in ((r"at: there is no variable 'muu' .did you mean 'mu'\?.", dict(at={"muu": 1})),
                           (r"delta: there is no variable 'muu' .did you mean 'mu'\?.", dict(delta={"mu": 1e-6, "muu": 1})),
                           ("delta has no 'mu'", dict(delta={"speed": 1e-6})),
                           (r"of.1.: there is no body 'blok' .did you mean 'block'\?.", dict(of=["time", "blok.spin.x"])),
                           ("of is a list of names, such as .*, not 3", dict(of=3)),
                           ("of is a list of names, such as .*, not array.*", dict(of=np.array([1])))):
        with pytest.raises(js.UsageError, match=f"^{message}$"):
            js.jacobian(sc, **{**dict(of=["rest_x"], wrt=["mu"]), **wrong})


def test_steps_beyond_the_end_and_numbers_that_are_none_are_told():
    b = js.load(SLIDE).batch(3)
    assert b.step(100) == 100 and b.step(400) == 200 and b.step() == 0
    b = js.load(SLIDE).batch(3)
    b.step(5)
    with pytest.raises(js.UsageError, match="the variable 'mu' is not a finite number"):
        b["mu"] = np.nan
    b["mu"][1] = np.inf
    b.step()
    (failure,) = b.failures()
    assert failure.id == 1 and failure.status == "bad_parameters" and failure.reason == "the variable 'mu' is not a finite number"


def test_every_failure_has_a_reason():
    failures = library("painleve_rod").batch(64)
    failures.step(10_000)
    assert all(failure.reason for failure in failures.failures())
    overlap = js.load(SLIDE.replace("0, 0, 0.05]", "0, 0, 0.02 + 0*$mu]")).batch(2)
    assert [f.status for f in overlap.failures()] == ["overlap"] * 2
    assert all("overlap at the start" in f.reason for f in overlap.failures())


def test_a_pose_in_another_body_is_overlap_as_at_the_start():
    b = js.load(SLIDE).batch(3)
    before = b.q.copy()
    b.body("block").position[1, 2] -= 0.003
    b.body("block").position[2, 2] += 0.003
    b.step()
    (failure,) = b.failures()
    assert failure.id == 1 and failure.status == "overlap" and "would overlap by 0.003 m" in failure.reason
    assert b.steps.tolist() == [1, 0, 1] and (b.q[1] == before[1]).all()


@pytest.mark.parametrize("options, message", [
    ({"at": {"mu": "a"}}, "must be a number"), ({"at": [1]}, "at is a dict"), ({"delta": "x"}, "delta must be a number"),
    ({"delta": [1e-6]}, "delta must be a number"), ({"sample": 1.5}, "sample must be a whole number")])
def test_numbers_of_a_jacobian_are_asked_for_in_one_line(rod, options, message):
    with pytest.raises(js.UsageError, match=message):
        js.jacobian(rod, ["rest_x"], ["mu"], **options)
    one, other = (js.jacobian(rod, ["rest_x"], ["mu"], sample=sample) for sample in (1, 1.0))
    assert one.at == other.at
