"""The Gymnasium environment."""
import jostle as js
import numpy as np
import pytest
from conftest import library

try:
    from jostle.gym import VectorEnv
except ImportError:
    VectorEnv = None
pytestmark = pytest.mark.skipif(VectorEnv is None, reason="needs gymnasium")

CART = """\
jostle: 1
variables:
  mass: {uniform: [0.5, 2.0]}
  start: {uniform: [-1, 0.5]}
world: {step: 0.01, duration: 0.5, friction_directions: 2}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  cart: {mass: $mass, freedom: [x, z], shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [$start, 0, 0.05]}
contacts: [{between: any, friction: 0}]
"""


def make(n=4, scenario=CART, **changes):
    scenario = js.load(scenario) if isinstance(scenario, str) else scenario
    how = dict(observations=["cart.position.x", "cart.velocity.x"], actions={"cart.force.x": (-15, 15)},
               reward="-abs(cart.position.x - 1)", steps_per_action=2)
    return VectorEnv(scenario, n, **{**how, **changes})


def test_an_action_is_a_force_and_observations_are_states():
    env = make()
    observations, infos = env.reset(seed=3)
    assert observations.shape == (4, 2) and env.observation_space.contains(observations)
    assert (observations[:, 0] == js.load(CART, seed=3).batch(4)["start"]).all() and infos["sample"].tolist() == [0, 1, 2, 3]
    action = np.array([[1.0], [2], [0], [99]])  # the last is clipped to 15
    mass = env.batch["mass"]
    observations, rewards, terminated, truncated, infos = env.step(action)
    np.testing.assert_allclose(observations[:, 1], np.minimum(action[:, 0], 15) * 0.02 / mass, rtol=1e-12)
    np.testing.assert_allclose(rewards, -abs(observations[:, 0] - 1), rtol=1e-14)
    assert not terminated.any() and not truncated.any() and (infos["status"] == 0).all()


def test_expressions_may_divide():
    env = make(observations=["cart.position.x/2"], reward="1/4", terminated="cart.position.x/2 > -5")
    observations, _ = env.reset(seed=3)
    assert (observations[:, 0] == js.load(CART, seed=3).batch(4)["start"] / 2).all()
    _, rewards, terminated, _, _ = env.step(np.zeros((4, 1)))
    assert terminated.all() and (rewards == 0.25).all()
    with pytest.raises(js.ScenarioError, match="^terminated"):
        make(terminated="cart.position.x/2")


def test_episodes_end_and_begin_again_with_new_draws():
    env = make(terminated="cart.position.x > 0.6")
    first, _ = env.reset(seed=1)
    push = np.array([[15.0], [0], [0], [0]])
    ends = [env.step(push)[2:4] for _ in range(24)]
    assert any(terminated[0] for terminated, _ in ends) and not any(terminated[1] for terminated, _ in ends)
    env.reset(seed=1)
    for k in range(25):
        _, _, terminated, truncated, _ = env.step(np.zeros((4, 1)))
        assert truncated.tolist() == [k == 24] * 4 and not terminated.any()
    observations, rewards, terminated, truncated, infos = env.step(push)  # ignored: they begin again
    assert infos["sample"].tolist() == [4, 5, 6, 7] and (rewards == 0).all() and not truncated.any()
    drawn = js.load(CART, seed=1).batch(ids=[4, 5, 6, 7])
    assert (observations[:, 0] == drawn["start"]).all() and (observations[:, 1] == 0).all()
    assert (env.batch["mass"] == drawn["mass"]).all() and (env.batch.body("cart").force == 0).all()
    observations, *_ = env.step(push)
    drawn.body("cart").force[0, 0] = 15
    drawn.step(2)
    assert (observations[:, 0] == drawn.q[:, 0, 0]).all()  # the same bits


def test_an_action_that_is_no_number_ends_that_episode_alone():
    env = make(2, actions={"cart.force.x": (-15, 15), "mass": (0.1, 9)})
    env.reset(seed=1)
    for wrong in ([np.nan, 1], [1, np.nan]):
        _, _, _, truncated, infos = env.step([wrong, [1, 1]])
        assert truncated.tolist() == [True, False]
        assert [js.STATUSES[status] for status in infos["status"]] == ["bad_parameters", "ok"]
        assert "finite" in env.batch.failures()[0].reason
        for _ in range(2):
            _, _, _, truncated, infos = env.step(np.ones((2, 2)))
            assert not truncated.any() and (infos["status"] == 0).all()


def test_a_seed_gives_the_same_episodes():
    random = np.random.default_rng(0)
    actions = random.uniform(-15, 15, size=(60, 4, 1))
    runs = []
    for _ in range(2):
        env = make()
        env.reset(seed=5)
        runs.append(np.array([env.step(action)[0] for action in actions]))
    assert (runs[0] == runs[1]).all()
    other = make()
    other.reset(seed=6)
    assert (np.array([other.step(action)[0] for action in actions]) != runs[0]).any()


def test_wrong_arguments_are_named():
    with pytest.raises(js.UsageError, match=r"an action cannot set 'cart.force.w' .*cart.force"):
        make(actions={"cart.force.w": (-1, 1)})
    with pytest.raises(js.UsageError, match="observations is a list of expressions"):
        make(observations="cart.position.x")
    with pytest.raises(js.UsageError, match="begins with reset"):
        make().step(np.zeros((4, 1)))
    env = make()
    env.reset()
    with pytest.raises(js.UsageError, match=r"shape \(4, 1\), not \(4,\)"):
        env.step(np.zeros(4))
    with pytest.raises(js.ScenarioError, match="^reward: .*did you mean 'position'"):
        make(reward="cart.positon.x")
    with pytest.raises(js.ScenarioError, match=r"^observations\[1\]: .*did you mean 'velocity'"):
        make(observations=["cart.position.x", "cart.velocty.x"])
    with pytest.raises(js.UsageError, match="^reward must be an expression such as .*, not 0$"):
        make(reward=0)
    for wrong in (3, (1, -1), (1, 2, 3), "ab", (0, float("nan"))):
        with pytest.raises(js.UsageError, match="^the bounds of the action 'cart.force.x' must be .low, high., not "):
            make(actions={"cart.force.x": wrong})
    with pytest.raises(js.UsageError, match="threads must be a whole number, 0 to 1024, not 2000"):
        make(threads=2000)
    for wrong in (0, 1.5, "2"):
        with pytest.raises(js.UsageError, match="num_envs must be a whole number, 1 or more, not "):
            make(wrong)
        with pytest.raises(js.UsageError, match="steps_per_action must be a whole number, 1 or more, not "):
            make(steps_per_action=wrong)
    with pytest.raises(js.ScenarioError, match="^terminated needs a truth value such as 'x < 1', not a number"):
        make(terminated="cart.position.x")
    with pytest.raises(js.ScenarioError, match="did you mean 'cart'"):
        make(terminated="car.position.x > 1")


def test_actions_set_what_moves():
    how = dict(observations=["time"], reward="0")
    for name, actions, why in [("shaker", "plate.force.x", "no force moves it"),
                               ("shaker", "plate.torque.x", "no force moves it"),
                               ("rod", "table.force.x", "'table' is fixed"), ("double_pendulum", None, "has no motor")]:
        sc = library(name)
        actions = actions or f"{sc.joints[0]}.motor_speed"
        with pytest.raises(js.UsageError, match=f"an action cannot set '{actions}': .*{why}"):
            VectorEnv(sc, 2, actions={actions: (-1, 1)}, **how)
    VectorEnv(library("shaker"), 2, actions={"flat.force.x": (-1, 1)}, **how)


def test_render_is_a_page_of_the_motion_of_the_first_environment():
    import base64
    import json
    import re
    env = make(render_mode="html")
    with pytest.raises(js.UsageError, match="begins with reset"):
        env.render()
    env.reset(seed=2)
    places = [env.batch.q[0, 0, :3].copy()]
    for _ in range(5):
        env.step(np.array([[3.0], [0], [0], [0]]))
        places.append(env.batch.q[0, 0, :3].copy())
    page = env.render()
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.DOTALL).group(1))
    motion = data["motions"][0]
    np.testing.assert_allclose(motion["time"], np.arange(6) * 0.02, atol=1e-12)
    poses = np.frombuffer(base64.b64decode(motion["poses"]), dtype=np.float32).reshape(6, 2, 7)
    np.testing.assert_allclose(poses[:, 1, :3], places, rtol=1e-6)
    assert (poses[:, 0, 3] == 1).all()
    assert make().render() is None
    with pytest.raises(js.UsageError, match="render_mode is 'html' or None"):
        make(render_mode="human")


def test_where_the_scenario_stops_an_episode_is_terminated():
    env = make(reward="cart.position.x", scenario=CART + "stop_when: cart.position.x > 0.6\n", steps_per_action=5)
    env.reset(seed=1)
    answers = [env.step(np.full((4, 1), 15.0)) for _ in range(40)]
    place, terminated, truncated = (np.array([answer[k] for answer in answers]) for k in (0, 2, 3))
    assert (terminated == (place[:, :, 0] > 0.6)).all() and (terminated.sum(axis=0) >= 1).all()
    assert not (terminated & truncated).any() and not (terminated[1:] & terminated[:-1]).any()


def test_after_the_last_sample_the_first_follows(tmp_path):
    (tmp_path / "starts.csv").write_text("start\n" + "".join(f"{x}\n" for x in (-0.5, -0.25, 0, 0.25, 0.5)))
    (tmp_path / "cart.yaml").write_text(CART + "sample: {table: starts.csv}\n")
    table = js.load(tmp_path / "cart.yaml")
    for num_envs, steps in [(3, 5), (7, 3)]:
        env = make(num_envs, scenario=table, steps_per_action=50)
        observations, infos = env.reset()
        seen = [infos["sample"]]
        for _ in range(steps):
            assert (observations[:, 0] == table.batch(5)["start"][infos["sample"]]).all()
            assert env.step(np.zeros((num_envs, 1)))[3].all()
            observations, _, _, _, infos = env.step(np.zeros((num_envs, 1)))
            seen.append(infos["sample"])
        assert (np.concatenate(seen) == np.arange((steps + 1) * num_envs) % 5).all()
