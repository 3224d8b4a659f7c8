import decimal
import fractions

import jostle as js
import numpy as np
import pytest
from conftest import LIBRARY, library

ROD = 0  # the only body of rod.yaml that moves


@pytest.mark.parametrize("name", ["rod", "tossed_box", "box_stack", "double_pendulum", "gripper", "carts"])
def test_a_batch_has_the_bits_of_a_sweep(name, tmp_path):
    sc = library(name, set={"world.duration": 0.2} if name in ("box_stack", "gripper") else None)
    s = sc.sweep(tmp_path, n=24)
    b = sc.batch(24)
    b.step(7)
    b.step(3, where=np.arange(24) % 2 == 0)
    while (b.steps < sc.steps)[b.status == 0].any():
        b.step(50)
    columns = s.columns()
    for outcome in sc.outcomes:
        same = (b.outcome(outcome) == columns[outcome]) | (np.isnan(b.outcome(outcome)) & np.isnan(columns[outcome]))
        assert same.all(), outcome
    assert (b.status == columns["status"]).all() and (b.steps == columns["steps"]).all()
    shown = [sc.bodies.index(body) for body in b.bodies]
    for sample in (0, 11, 23):
        replay = sc.replay(sample)
        assert (b.q[sample] == replay.q[b.steps[sample], shown]).all()
        assert (b.v[sample] == replay.v[b.steps[sample], shown]).all()


def test_samples_come_in_any_order_and_do_not_depend_on_the_batch(rod):
    all_, some = rod.batch(20), rod.batch(ids=[17, 3, 8], threads=1)
    all_.step(200)
    some.step(200)
    assert some.ids.tolist() == [17, 3, 8]
    assert (some.digests() == all_.digests()[[17, 3, 8]]).all()
    assert (some["mu"] == all_["mu"][[17, 3, 8]]).all()
    assert (rod.batch(3, seed=8)["mu"] == library("rod", seed=8).batch(3)["mu"]).all()
    assert some["mu"][1] == rod.draw(3)["mu"]


def test_views_are_live_and_without_copies(rod):
    b = rod.batch(5)
    q, v, body = b.q, b.v, b.body("rod")
    assert q.shape == (5, 1, 7) and v.shape == (5, 1, 6) and b.q is q
    assert np.shares_memory(body.position, q) and np.shares_memory(body.spin, v)
    height = body.position[:, 1]
    before = height.copy()
    b.step(20)
    assert (height < before).all() and (height == q[:, ROD, 1]).all() and (b.time == 20 * rod.step).all()
    assert np.shares_memory(np.from_dlpack(q), q)
    np.testing.assert_allclose(np.linalg.norm(q[:, 0, 3:], axis=1), 1, atol=1e-12)
    with pytest.raises(ValueError):
        b.status[0] = 1
    with pytest.raises(ValueError):
        b.ids[0] = 1


def test_free_flight_follows_what_was_written(rod):
    b = library("tossed_box").batch(3)
    box = b.body("brick")
    box.position = [0, 0, 5]
    box.velocity = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]
    box.spin = [0, 0, 2]
    box.orientation = [2, 0, 0, 0]  # normalised
    b.step(10)
    h, g = 0.005, 9.81
    np.testing.assert_allclose(box.velocity, [[1, 0, -10 * h * g], [0, 2, -10 * h * g], [0, 0, 3 - 10 * h * g]], rtol=1e-12)
    np.testing.assert_allclose(box.position[:, 0], [10 * h, 0, 0], atol=1e-12)
    np.testing.assert_allclose(box.position[:, 2], 5 + 10 * h * np.array([0, 0, 3]) - g * h * h * 55, rtol=1e-12)
    np.testing.assert_allclose(box.spin, [[0, 0, 2]] * 3, atol=1e-12)
    np.testing.assert_allclose(box.orientation, [[np.cos(0.1 / 2), 0, 0, np.sin(0.1 / 2)]] * 3, atol=1e-12)


def test_spins_are_those_of_the_world():
    h = 1e-5  # s: so short that the spin hardly changes
    b = library("tossed_box", set={"world.step": h, "world.duration": 10 * h}).batch(4)
    box = b.body("brick")
    spin = box.spin.copy()
    first = box.orientation.copy()
    b.step(1)
    w, x, y, z = box.orientation.T

    def product(a, b):
        return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])
    for i in range(4):
        turn = product(box.orientation[i], first[i] * [1, -1, -1, -1])  # in the world: left of the old one
        np.testing.assert_allclose(2 * turn[1:] / h, spin[i], rtol=1e-3, atol=1e-3)


def test_a_planar_body_turns_to_the_nearest_angle(rod):
    b = rod.batch(1)
    body = b.body("rod")
    body.orientation = [np.cos(0.4), 0, 0, np.sin(0.4)]
    body.spin[0, 2] = 1.5
    b.step(1)
    np.testing.assert_allclose(body.spin[0], [0, 0, 1.5], atol=1e-12)
    np.testing.assert_allclose(2 * np.arctan2(body.orientation[0, 3], body.orientation[0, 0]), 0.8 + 1.5 * 0.0025, atol=1e-12)


@pytest.mark.parametrize("write, reason", [
    (lambda body: body.position.__setitem__((1, 0), np.nan), "not finite"),
    (lambda body: body.force.__setitem__((1, 0), np.nan), "a force or torque that is not finite"),
    (lambda body: body.torque.__setitem__((1, 2), -np.inf), "a force or torque that is not finite"),
    (lambda body: body.position.__setitem__((1, 2), 0.5), "cannot change its position along z"),
    (lambda body: body.velocity.__setitem__((1, 2), 0.5), "cannot change its velocity along z"),
    (lambda body: body.spin.__setitem__((1, 0), 0.5), "cannot spin about x"),
    (lambda body: body.orientation.__setitem__(1, 0.0), "quaternion without direction"),
    (lambda body: body.orientation.__setitem__(1, 0.5), "out of its plane"),
])
def test_what_cannot_be_written_fails_that_system_alone(rod, write, reason):
    b, untouched = rod.batch(3), rod.batch(3)
    b.step(5)
    untouched.step(5)
    state = b.q[1].copy()
    write(b.body("rod"))
    b.step(5)
    untouched.step(5)
    assert b.status.tolist() == [0, 8, 0] and b.steps.tolist() == [10, 5, 10]
    assert (b.q[1] == state).all(), "the last good state"
    failure, = b.failures()
    assert failure.id == 1 and failure.step == 5 and failure.status == "bad_parameters" and reason in failure.reason
    assert (b.digests()[[0, 2]] == untouched.digests()[[0, 2]]).all()
    b.reset(ids=[1])
    assert b.failures() == [] and b.steps.tolist() == [10, 0, 10]


def test_joints_stay_closed():
    b = library("double_pendulum").batch(2)
    b.step(3)
    b.q[1, 0, 0] += 0.1
    b.step(1)
    assert b.status.tolist() == [0, 8] and "would be open" in b.failures()[0].reason


def test_a_mask_steps_some(rod):
    b, all_ = rod.batch(6), rod.batch(6)
    mask = np.array([True, False] * 3)
    b.step(50, where=mask)
    assert b.steps.tolist() == [50, 0] * 3
    b.step(50, where=~mask)
    all_.step(50)
    assert (b.digests() == all_.digests()).all()
    for wrong in (mask[:2], np.ones(6), [1, 0, 1, 0, 1, 0], True):
        with pytest.raises(ValueError, match="a mask .*6 truth values, not "):
            b.step(1, where=wrong)
    for wrong in (-1, 1.5):
        with pytest.raises(ValueError, match="number of steps"):
            b.step(wrong)
    b.step(10**12)
    assert (b.steps == rod.steps).all(), "the end of the scenario"


def test_numbers_of_samples_step_some(rod):
    b, masked = rod.batch(ids=[3, 17, 4, 3]), rod.batch(ids=[3, 17, 4, 3])
    assert b.step(50, where=[3, 17]) == 50 and b.steps.tolist() == [50, 50, 0, 50]
    masked.step(50, where=np.array([True, True, False, True]))
    assert (b.digests() == masked.digests()).all()
    assert b.step(1, where=[]) == 0 and b.step(1, where=np.array([4], np.uint8)) == 1
    assert b.steps.tolist() == [50, 50, 1, 50]
    with pytest.raises(KeyError, match="sample 5 is not in this batch"):
        b.step(1, where=[4, 5])


def test_forces_act_as_those_of_a_scenario():
    text = (LIBRARY / "tossed_box.yaml").read_text()
    written = js.load(text + "\nforces: [{body: brick, force: [0.3, -0.2, 1.5], torque: [0.001, 0.002, -0.001]}]\n").batch(8)
    given = js.load(text).batch(8)
    given.body("brick").force = [0.3, -0.2, 1.5]
    given.body("brick").torque[:] = [0.001, 0.002, -0.001]
    for _ in range(40):
        written.step(5)
        given.step(5)
    assert (written.digests() == given.digests()).all() and (given.status == 0).all()


def test_forces_of_zero_change_no_bit_and_a_force_wakes(rod):
    b, plain = rod.batch(8), rod.batch(8)
    b.body("rod").force  # asks for them
    b.step(300)
    plain.step(300)
    assert (b.digests() == plain.digests()).all()
    at_rest = b.body("rod").velocity.copy()
    assert (at_rest == 0).all(), "the rods lie"
    b.body("rod").force[:, 1] = 30
    b.step(20)
    assert (b.body("rod").velocity[:, 1] > 0.5).all()


def test_reading_a_mass_leaves_it_to_its_variable():
    text = (LIBRARY / "tossed_box.yaml").read_text().replace("mass: 0.5", "mass: $m").replace("variables:", "variables:\n  m: 0.5", 1)
    b = js.load(text).batch(2)
    assert (b.body("brick").mass == 0.5).all() and not b.body("brick").mass.flags.writeable
    b["m"] = 1.5
    assert (b.body("brick").mass == 1.5).all()
    b.body("brick").mass = 2
    b["m"] = 1
    assert (b.body("brick").mass == 2).all() and b.body("brick").mass.flags.writeable


def test_no_force_moves_a_body_with_prescribed_motion():
    plate = library("shaker").batch(2).body("plate")
    for read in (lambda: plate.force, lambda: plate.torque, lambda: plate.mass):
        with pytest.raises(js.UsageError, match="body 'plate' has no mass: no force moves it"):
            read()
    for name in ("force", "torque", "mass"):
        with pytest.raises(js.UsageError, match="no force moves it"):
            setattr(plate, name, 5)


def test_masses_can_be_given_and_what_follows_follows():
    sc = library("tossed_box")
    b = sc.batch(4)
    body = b.body("brick")
    assert (body.mass == 0.5).all()
    inertia = body.inertia.copy()
    b.body("brick").mass = [0.5, 1, 1.5, 2]
    np.testing.assert_allclose(body.inertia, inertia * np.array([[1], [2], [3], [4]]), rtol=1e-14)
    heavy = js.load(LIBRARY / "tossed_box.yaml", set={"bodies.brick.mass": 1.5}).batch(4)
    b.step(200)
    heavy.step(200)
    assert b.digests()[2] == heavy.digests()[2] and b.digests()[0] == _digests(sc, 4, 200)[0]
    body.mass = 1.5  # while they move
    b.step(1)
    assert (body.mass == 1.5).all()
    with pytest.raises(js.UsageError, match="mass must be greater than 0"):
        body.mass = -1
    assert (body.mass == 1.5).all()
    with pytest.raises(ValueError, match="needs one number, or 4"):
        body.mass = [1, 2]


def _digests(sc, n, steps):
    b = sc.batch(n)
    b.step(steps)
    return b.digests()


def test_variables_can_be_given_before_and_between_steps(rod):
    b = rod.batch(4)
    b["mu"] = 0.5
    b["omega0"] = [1, 2, 3, 4]
    np.testing.assert_allclose(b.body("rod").spin[:, 2], [1, 2, 3, 4])
    told = js.load(LIBRARY / "rod.yaml", set={"variables.mu": 0.5, "variables.omega0": 3}).batch(4)
    b.step(200)
    told.step(200)
    assert b.digests()[2] == told.digests()[2]
    kept = rod.batch(1)
    kept.body("rod").velocity[0, 0] = 2
    kept["mu"] = 0.3  # keeps what was written, and is still before the first step
    kept.step(1)
    assert kept.v[0, 0, 0] == 2
    b["mu"][1] = 0.1  # a live array: taken over at the next step
    b.step(1)
    with pytest.raises(js.UsageError, match="start_spin, which only the start"):
        b["omega0"] = 2
    assert b["omega0"].tolist() == [1, 2, 3, 4]
    with pytest.raises(js.UsageError, match="friction must not be negative"):
        b["mu"] = -1
    b.step(1)
    assert b["mu"].tolist() == [0.5, 0.1, 0.5, 0.5] and (b.status == 0).all()
    b["mu"][2] = -1
    b.step(1)
    assert b.status.tolist() == [0, 0, 8, 0] and "must not be negative" in b.failures()[0].reason
    b["mu"] = 0.4
    b.reset(ids=[2])
    assert (b.status == 0).all()


PENDING = """\
jostle: 1
variables: {mu: {uniform: [0.1, 0.8]}, z: {uniform: [1, 2]}, drive: {uniform: [1, 2]}}
world: {step: 0.01, duration: 1, gravity: [0, 0, 0]}
bodies:
  belt: {prescribed: {velocity: [$drive, 0, 0]}, shape: {box: {size: [1, 1, 0.1]}}, position: [0, 0, -1]}
  ball: {mass: 1, inertia: 0.01, shape: {sphere: {radius: 0.1}}, position: [0, 0, $z], spin: [0, 0, $mu]}
contacts: [{between: any, friction: $mu}]
"""


@pytest.mark.parametrize("device", ["cpu", "emulated"])
@pytest.mark.parametrize("again", [False, True])
def test_what_is_written_before_the_first_step_stays_whatever_variables_change(device, again):
    change = {
        "mu, live": lambda b: b["mu"].__setitem__(slice(None), 0.3),
        "mu, assigned": lambda b: b.__setitem__("mu", 0.3),
        "z, live": lambda b: b["z"].__setitem__(slice(None), 1.25),
        "z, assigned": lambda b: b.__setitem__("z", 1.25),
        "drive, live": lambda b: b["drive"].__setitem__(slice(None), 1.5),
        "drive, assigned": lambda b: b.__setitem__("drive", 1.5),
        "mass, live": lambda b: b.body("ball").mass.__setitem__(slice(None), 2),
    }
    for name, act in change.items():
        for is_first in (True, False):
            b = js.load(PENDING).batch(3, device=device)
            ball, turn = b.body("ball"), [0.5, 0.5, 0.5, 0.5]
            ball.mass = 1  # live from now on
            if again:
                ball.velocity = 7
                b.step(5)
                b.reset()
            drawn, z = b["mu"].copy(), b["z"].copy()
            if is_first:
                act(b)
            ball.velocity[:, :2] = [2, -1]
            ball.orientation[1] = turn
            if not is_first:
                act(b)
            b.step(1)
            assert (b.status == 0).all() and (ball.velocity == [2, -1, 0]).all(), (name, is_first, b.failures())
            assert (ball.orientation[1] != [1, 0, 0, 0]).all() and (abs(ball.orientation[1] - turn) < 0.01).all()
            assert (ball.position[:, 2] == (1.25 if name.startswith("z") else z)).all(), name
            assert (ball.spin[0, 2] == (0.3 if name.startswith("mu") else drawn[0])), name
            assert (b.body("belt").velocity[:, 0] == (1.5 if name.startswith("drive") else b["drive"])).all()


def test_a_number_that_is_written_wins_over_its_variable_and_a_reset_forgets_it():
    b = js.load(PENDING).batch(2)
    b.body("ball").position[0, 2] = 3
    b["z"] = 1.5
    b["z"][:] = 1.75
    b.step(1)
    assert b.body("ball").position[:, 2].tolist() == [3, 1.75]
    b.reset()
    assert b.body("ball").position[:, 2].tolist() == [1.75, 1.75]
    b.body("ball").velocity[:, 0] = 1
    b["z"] = [-1, 1]  # the first one begins in the belt
    assert [js.STATUSES[status] for status in b.status] == ["overlap", "ok"]
    b["z"] = 2
    b.step(1)
    assert (b.status == 0).all() and b.body("ball").velocity[:, 0].tolist() == [1, 1]
    assert b.body("ball").position[:, 2].tolist() == [2, 2]


def test_friction_that_changes_between_steps_acts():
    b = library("sliding_block").batch(4)
    for mu in (0.3, 0.1):  # a block that slides loses mu g a second
        before = b.v[:, 0, 0].copy()
        b["mu"] = mu
        b.step(5)
        assert np.allclose(before - b.v[:, 0, 0], mu * 9.81 * 0.05, rtol=1e-9)
    assert (b.status == 0).all()


def test_samples_that_cannot_start_say_why():
    text = (LIBRARY / "tossed_box.yaml").read_text().replace("mass: 0.5", "mass: {choice: {values: [0.5, -1]}}")
    b = js.load(text).batch(16)
    assert set(b.status) == {0, 8} and len(b.failures()) == (b.status == 8).sum()
    failure = b.failures()[0]
    assert failure.step == 0 and failure.status == "bad_parameters" and "mass must be greater than 0" in failure.reason
    assert np.isnan(b.q[b.status == 8]).all() and np.isfinite(b.q[b.status == 0]).all()
    b.step(10)
    assert (b.steps == np.where(b.status == 0, 10, 0)).all()
    b["bodies.brick.mass"] = 1.0
    b.reset(b.status != 0)
    assert (b.status == 0).all() and np.isfinite(b.q).all()


def test_names_are_suggested(rod):
    b = rod.batch(2)
    with pytest.raises(KeyError, match="did you mean 'rod'"):
        b.body("rode")
    with pytest.raises(js.UsageError, match="is fixed"):
        b.body("table")
    with pytest.raises(KeyError, match="did you mean 'omega0'"):
        b["omega"]
    with pytest.raises(KeyError, match="did you mean 'lies'"):
        b.outcome("lie")
    with pytest.raises(AttributeError, match="did you mean 'velocity'"):
        b.body("rod").velocty
    with pytest.raises(AttributeError, match="did you mean 'position'"):
        b.body("rod").positon = 1
    with pytest.raises(AttributeError, match="a batch has no 'mu' that can be set; write b\\['mu'\\] for the variable"):
        b.mu = 0.5
    with pytest.raises(AttributeError, match="a batch has no 'force' that can be set$"):
        b.force = 0.5
    for wrong in ({}, {"n": 3, "ids": [1]}, {"n": 0}, {"ids": []}, {"ids": [1.5]}, {"ids": [-1]}, {"n": 2, "device": "gpu"}):
        with pytest.raises(js.UsageError):
            rod.batch(**wrong)


def test_a_batch_is_indexed_by_names_alone(rod):
    b = rod.batch(2)
    for call in (lambda: list(b), lambda: "mu" in b, lambda: b[0], lambda: np.asarray(b)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError, match="indexed by the name of a variable"):
        list(b)


def test_complex_numbers_are_refused(rod):
    b = rod.batch(3)
    body, before = b.body("rod"), b.q.copy()
    values = np.ones(3) + 1j
    for assign in (lambda: b.__setitem__("mu", values), lambda: b.__setitem__("mu", np.complex64(1j)),
                   lambda: b.__setitem__("mu", [1j, 2, 3]), lambda: b.__setitem__("mu", list(values)),
                   lambda: setattr(body, "mass", values), lambda: setattr(body, "force", values),
                   lambda: setattr(body, "velocity", values), lambda: setattr(b, "q", b.q + 1j),
                   lambda: setattr(b, "v", b.v + 1j)):
        with pytest.raises(js.UsageError, match="must be real numbers, not complex"):
            assign()
    assert (b.q == before).all() and (body.force == 0).all() and (body.mass == 1).all()


def test_a_planar_body_with_a_frame_of_its_own_is_shown_as_it_is_recorded():
    sc = js.load(
        "jostle: 1\nworld: {gravity: [0, 0, 0], step: 0.01, duration: 1}\nbodies:\n  b: {mass: 1, inertia: 0.1, "
        "centre_of_mass: [0.1, 0, 0.05], freedom: [x, z, ry], velocity: [0.1, 0, 0], spin: [0, 3, 0]}\n"
    )
    b, replay = sc.batch(1, quantities=["b.position.x"]), sc.replay(0)
    for step in range(1, 101):
        b.step(1)
        assert (b.q[0] == replay.q[step]).all() and (b.v[0] == replay.v[step]).all(), step
        assert b.quantity("b.position.x")[0] == b.q[0, 0, 0]


@pytest.mark.parametrize("name, steps", [("painleve_rod", 20), ("gears", 140), ("swinging_chain", 60), ("rod", 60)])
def test_zeros_have_the_signs_of_a_replay(name, steps):
    sc = library(name)
    b, replay = sc.batch(ids=[2]), sc.replay(2)
    shown = [sc.bodies.index(body) for body in b.bodies]
    for step in range(steps + 1):
        for of_batch, recorded in ((b.q, replay.q), (b.v, replay.v)):
            assert of_batch[0].tobytes() == recorded[step][shown].tobytes(), step
        b.step(1)
    resting = sc.batch(ids=[2])
    resting.step(steps + 1)
    assert b.digests()[0] == resting.digests()[0]  # the sign of a zero is not taken for something written


FALLING = """\
jostle: 1
variables: {low: {uniform: [-1, -0.5]}, more: {uniform: [0, 0.7]}}
world: {step: 0.01, duration: 1}
bodies: {ball: {mass: $low + $more, inertia: 1, velocity: [1, 0, 0]}}
forces: [{body: ball, force: [1, 0, 0]}]
outcomes: {x: {at_end: ball.position.x}}
"""


def test_a_start_that_has_failed_is_made_again_with_other_values():
    sc = js.load(FALLING)
    b = sc.batch(40)
    bad = b.status != 0
    assert bad.any() and not bad.all() and (b.steps == 0).all()
    b["more"] = 2.0
    assert (b.status == 0).all() and b.failures() == []
    b.step(100)
    assert np.isfinite(b.outcome("x")).all()
    b = sc.batch(40)
    b["more"] = np.where(np.arange(40) % 2, 2.0, 0)
    assert ((b.status == 0) == (np.arange(40) % 2 == 1) | ((b.status == 0) & ~bad)).all()
    sample = int(np.flatnonzero(bad)[0])
    j = js.jacobian(sc, of=["x"], wrt=["low"], at={"low": 0.5}, sample=sample)
    mass = 0.5 + sc.draw(sample)["more"]
    np.testing.assert_allclose(j.jacobian, [[-0.505 / mass**2]], rtol=1e-6)


def test_ended_says_which_systems_take_no_more_steps():
    sc = js.load(FALLING + "stop_when: ball.position.x > 0.5\n", set={"variables.low": {"uniform": [-0.5, 3]}})
    b = sc.batch(40)
    failed = b.status != 0
    assert failed.any() and (b.ended == failed).all()
    while not b.ended.all():
        assert b.step(7) > 0
    assert (b.steps[~failed] < sc.steps).all() and (b.body("ball").position[~failed, 0] > 0.5).all()
    steps = b.steps.copy()
    b.step(7)
    assert (b.steps == steps).all()
    b.reset()
    assert (b.ended == failed).all()
    whole = js.load(FALLING, set={"variables.low": 1}).batch(3)
    whole.step(99)
    assert not whole.ended.any()
    whole.step(1)
    assert whole.ended.all()


def test_velocities_can_be_written_where_joints_have_drifted():
    text = """
jostle: 1
world: {step: 0.01, duration: 4}
bodies:
  arm: {mass: 1, inertia: 0.02, position: [0.25, 0, 0], freedom: [x, z, ry]}
  ball: {mass: 1, inertia: 0.001, position: [5, 0, 0], freedom: [x, z, ry]}
joints: {h: {revolute: [world, arm], at: [0, 0, 0], axis: [0, 1, 0]}}
"""
    for method in ["stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"]:
        b = js.load(text, set={"world.method": method}).batch(1)
        b.step(50)
        b.body("ball").velocity[0, 0] = 1
        b.body("arm").position[0, 0] += 1e-8
        b.step(1)
        assert b.status[0] == 0, (method, b.failures())
        b.body("arm").position[0, 0] += 1e-2
        b.step(1)
        assert "joint 'h' would be open by" in b.failures()[0].reason


def test_masses_may_change_in_a_run():
    text = """
jostle: 1
variables: {m: 0.1}
world: {step: 0.01, duration: 4, gravity: [0, 0, 0]}
bodies: {k: {mass: $m, inertia: 1, freedom: [x], velocity: [1, 0, 0]}}
springs: {s: {between: [k, world], at: [[0, 0, 0], [1, 0, 0]], stiffness: 1, rest: 1}}
"""
    for method in ["stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"]:
        b = js.load(text, set={"world.method": method}).batch(1)
        b.step(100)
        b["m"] = 20
        b.step(100)
        assert b.status[0] == 0, (method, b.failures())


@pytest.mark.parametrize("value", ["0.4", b"0.4", None, np.timedelta64(3), [0.1, None, 0.3], ["a", "b", "c"], {},
                                   np.ma.masked_less([0.1, 0.2, 0.3], 0.15)])
def test_what_is_no_number_is_refused(rod, value):
    b = rod.batch(3, threads=1)
    before = b.q.copy(), b["mu"].copy()
    body = b.body("rod")
    for write in (lambda: b.__setitem__("mu", value), lambda: setattr(b, "q", value), lambda: setattr(body, "force", value)):
        with pytest.raises(js.UsageError, match="must be real numbers"):
            write()
    assert (b.q == before[0]).all() and (b["mu"] == before[1]).all()
    b["mu"] = [fractions.Fraction(1, 4), decimal.Decimal("0.5"), True]
    assert (b["mu"] == [0.25, 0.5, 1]).all()
