"""A Gymnasium environment of many systems of a scenario; needs the package gymnasium (`pip install .[gym]` in a clone).

    import jostle as js
    from jostle.gym import VectorEnv

    env = VectorEnv(js.load("cart.yaml"), 1000, observations=["cart.position.x", "cart.velocity.x"],
                    actions={"cart.force.x": (-15, 15)}, reward="-abs(cart.position.x - 1)", steps_per_action=2)
    observations, _ = env.reset(seed=1)
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
"""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as error:  # pragma: no cover
    raise ImportError("jostle.gym needs gymnasium: pip install gymnasium") from error

from . import _core
from ._batch import Batch
from ._errors import ScenarioError, UsageError
from ._names import suggestion, thread_count, whole
from ._scenario import Scenario, as_json

_AXES = {"x": 0, "y": 1, "z": 2}


class VectorEnv(gymnasium.vector.VectorEnv):
    """Systems of a scenario as one vectorised environment.

    Environment k begins with sample k; each time it begins again it takes the sample `num_envs` further on, so its random
    numbers are new, and the same in every run with the same seed. After the last row of a table, or the last sample of a
    Latin hypercube (which needs its `sample.count`), the first follows. An environment that has ended is reset by the next call
    of `step`, which ignores its action and gives it the reward 0 (AutoresetMode.NEXT_STEP).

    Args:
        scenario: its `duration` is where episodes are truncated; where its `stop_when` holds, they are terminated.
        num_envs: number of systems, 1 or more.
        observations: expressions, as in outcomes: "cart.position.x", "sin(arm.angle)", "gap(a, b)", "$mu".
        actions: what each number of an action sets, with its bounds: "BODY.force.x" (N; also y, z, and torque, N m),
            "JOINT.motor_speed" (rad/s or m/s), or the name of a variable. Actions are clipped to the bounds.
        reward: an expression in the state after the steps of an action.
        terminated: an expression that is true where an episode ends, besides the scenario's `duration` and `stop_when`.
        steps_per_action: time steps of the scenario for which an action holds.
        threads: at most 1,024; 0 for one per processor.
        render_mode: "html" keeps the poses of environment 0; then render() returns its motion since its last reset, as a page
            like that of `jostle view`.

    A system that fails is truncated; `infos["status"]` has the numbers of the statuses, of which jostle.STATUSES has names.
    """

    metadata: Dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": ["html"]}

    def __init__(self, scenario: Scenario, num_envs: int, *, observations: Sequence[str],
                 actions: Mapping[str, Tuple[float, float]], reward: str, terminated: Optional[str] = None,
                 steps_per_action: int = 1, threads: int = 0, render_mode: Optional[str] = None):
        if isinstance(observations, str) or not observations:
            raise UsageError('observations is a list of expressions, such as ["cart.position.x"]')
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UsageError(f"render_mode is 'html' or None, not {render_mode!r}")
        self.render_mode = render_mode
        self._seen: List[Tuple[float, np.ndarray]] = []
        self.scenario, self.num_envs = scenario, whole("num_envs", num_envs, 1)
        self.steps_per_action = whole("steps_per_action", steps_per_action, 1)
        self._observations, self._reward, self._terminated = list(observations), reward, terminated
        self._targets, self._threads = list(actions), thread_count(threads)
        for k, expression in enumerate(self._observations):
            _check_quantity(scenario, f"observations[{k}]", expression)
        _check_quantity(scenario, "reward", reward)
        if terminated is not None:
            _check_quantity(scenario, "terminated", terminated)
            _check_setting(scenario, "terminated", f"stop_when={as_json(terminated)}", "stop_when")
        _check_targets(scenario, self._targets)
        bounds = np.array([_bounds(name, actions[name]) for name in self._targets], dtype=np.float64).reshape(-1, 2)
        self._bounds = bounds
        self.single_action_space = gymnasium.spaces.Box(bounds[:, 0], bounds[:, 1], dtype=np.float64)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(self._observations),), np.float64)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._batch: Optional[Batch] = None
        self._seed: Optional[int] = None
        self._ended = np.zeros(self.num_envs, dtype=bool)
        self._count = scenario._core.count()
        self._samples = self._first_samples()

    @property
    def batch(self) -> Batch:
        """The systems, for what expressions do not say: `env.batch.q`, `env.batch.failures()`."""
        if self._batch is None:
            raise UsageError("the environment begins with reset()")
        return self._batch

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        """All environments begin with the first samples of the seed. Without a seed, the first call takes the scenario's, and
        later calls continue with new samples."""
        del options
        if seed is not None or self._batch is None:
            self._seed = self.scenario.seed if seed is None else whole("seed", seed, 0, 2**64 - 1)
            quantities = list(dict.fromkeys([*self._observations, self._reward, *([self._terminated] if self._terminated else [])]))
            self._samples = self._first_samples()
            self._batch = self.scenario.batch(ids=self._samples, seed=self._seed, threads=self._threads, quantities=quantities)
            self._drawn = self.scenario if seed is None else self.scenario._with_seed(self._seed)
        else:
            self._begin_again(np.arange(self.num_envs))
        self._ended[:] = False
        self._see(begins=True)
        return self._observe(), self._infos()

    def render(self) -> Optional[str]:
        """The motion of environment 0 since it began, as an HTML page; None without render_mode."""
        if self.render_mode is None:
            return None
        if not self._seen:
            raise UsageError("the environment begins with reset()")
        times, poses = zip(*self._seen)
        return self._drawn._core.page_of_poses(int(self._samples[0]), list(times), np.concatenate(poses).tolist())

    def _see(self, begins: bool) -> None:
        if self.render_mode is None:
            return
        if begins:
            self._seen.clear()
        q = self.batch.q[0]
        if np.isfinite(q).all():
            self._seen.append((float(self.batch.steps[0]) * self.scenario.step, q.ravel().copy()))

    def step(self, actions: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        """(observations, rewards, terminated, truncated, infos); NaN where a system has failed in its initial state."""
        batch = self.batch
        actions = np.asarray(actions, dtype=np.float64)
        if actions.shape != (self.num_envs, len(self._targets)):
            raise UsageError(f"actions must have the shape ({self.num_envs}, {len(self._targets)}), not {actions.shape}")
        begun = self._ended.copy()
        if begun.any():
            self._begin_again(np.flatnonzero(begun))
        self._act(np.clip(actions, self._bounds[:, 0], self._bounds[:, 1]), ~begun)
        batch.step(self.steps_per_action, where=~begun)
        terminated = batch._stopped()
        if self._terminated is not None:
            terminated |= batch.quantity(self._terminated) == 1
        failed = batch.status != 0
        terminated &= ~begun & ~failed
        truncated = ~terminated & ~begun & (failed | (batch.steps >= self.scenario.steps))
        self._ended = terminated | truncated
        self._see(begins=bool(begun[0]))
        rewards = np.where(begun, 0.0, batch.quantity(self._reward))
        return self._observe(), rewards, terminated, truncated, self._infos()

    def _observe(self) -> np.ndarray:
        return np.stack([self.batch.quantity(name) for name in self._observations], axis=-1)

    def _infos(self) -> Dict[str, Any]:
        return {"status": self.batch.status.copy(), "sample": self._samples.copy()}

    def _first_samples(self) -> np.ndarray:
        return np.arange(self.num_envs) % self._count

    def _begin_again(self, environments: np.ndarray) -> None:
        batch = self.batch
        self._samples[environments] = (self._samples[environments] + self.num_envs) % self._count
        drawn = [self._drawn.draw(int(sample)) for sample in self._samples[environments]]
        for name in self.scenario.variables:
            batch[name][environments] = [values[name] for values in drawn]
        for name in self._targets:
            if ".force." in name or ".torque." in name:
                _array(batch, name)[environments] = 0
        batch.reset(np.isin(np.arange(self.num_envs), environments))

    def _act(self, actions: np.ndarray, where: np.ndarray) -> None:
        for k, name in enumerate(self._targets):
            _array(self.batch, name)[where] = actions[where, k]


def _array(batch: Batch, target: str) -> np.ndarray:
    """The live array of what an action sets."""
    if target in batch._scenario.variables:
        return batch[target]
    if target.endswith(".motor_speed"):
        joint = batch.joint(target[:-len(".motor_speed")])
        return batch._core.motor_speed(joint._number)
    body, kind, axis = target.rsplit(".", 2)
    column: np.ndarray = getattr(batch.body(body), kind)[:, _AXES[axis]]
    return column


def _check_targets(scenario: Scenario, names: Sequence[str]) -> None:
    known: List[str] = [*scenario.variables, *(f"{joint}.motor_speed" for joint in scenario.joints)]
    known += [f"{body}.{kind}.{axis}" for body in scenario.bodies for kind in ("force", "torque") for axis in _AXES]
    one = scenario.batch(1, threads=1)
    for name in names:
        if name not in known:
            raise UsageError(f"an action cannot set '{name}'" + suggestion(name, known))
        try:
            _array(one, name)
        except UsageError as error:
            raise UsageError(f"an action cannot set '{name}': {error}") from None


def _bounds(name: str, given: Any) -> Tuple[float, float]:
    try:
        low, high = (float(number) for number in given)
        if low <= high:
            return low, high
    except (TypeError, ValueError):
        pass
    raise UsageError(f"the bounds of the action '{name}' must be (low, high), not {given!r}")


def _check_quantity(scenario: Scenario, argument: str, expression: Any) -> None:
    if not isinstance(expression, str):
        raise UsageError(f"{argument} must be an expression such as 'cart.position.x', not {expression!r}")
    setting = f"record={as_json({'trajectories': 'all', 'quantities': [expression]})}"
    _check_setting(scenario, argument, setting, "record.quantities[0]")


def _check_setting(scenario: Scenario, argument: str, setting: str, path: str) -> None:
    core = scenario._core
    try:
        _core.Scenario.parse(core.canonical, core.file, [setting], None, True)
    except ScenarioError as error:
        raise ScenarioError(error.message.replace(path, argument, 1), argument) from None
