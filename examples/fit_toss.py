"""Friction and mass of a brick from one measured motion, with the cross-entropy method: no derivatives, whole batches.

    python examples/fit_toss.py

The brick is tossed onto a table and slides against a spring of known stiffness. Its measured positions (made here with
a sample of known friction and mass, and noise) are compared with those of a batch of candidates.
"""
import numpy as np

import jostle as js

TOSS = """\
jostle: 1
title: A brick tossed onto a table, against a spring
variables:
  mu: {uniform: [0.05, 0.8]}
  mass: {uniform: [0.2, 2.0]}                 # kg
world: {step: 0.005, duration: 1.0, friction_directions: 2}
bodies:
  table: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  brick: {mass: $mass, freedom: [x, z], shape: {box: {size: [0.2, 0.1, 0.06]}}, position: [0, 0, 0.08], velocity: [2, 0, 0]}
contacts:
  - {between: any, friction: $mu}
springs:
  buffer: {between: [brick, world], at: [[0, 0, 0.08], [-1, 0, 0.03]], stiffness: 12, rest: 1.0}
"""
STEPS, STRIDE = 200, 5


def positions(batch):
    """(n, time) m: x of the bricks at every STRIDE-th step from the start."""
    batch.reset()
    x = batch.body("brick").position[:, 0]
    seen = []
    for _ in range(STEPS // STRIDE):
        batch.step(STRIDE)
        seen.append(x.copy())
    return np.array(seen).T


def fit(scenario, measured, candidates=64, rounds=15, seed=0):
    """(mu, mass) whose motion is nearest to the measured one."""
    random = np.random.default_rng(seed)
    batch = scenario.batch(candidates)
    mean, deviation = np.array([0.4, 1.0]), np.array([0.3, 0.6])
    for _ in range(rounds):
        tried = np.clip(random.normal(mean, deviation, (candidates, 2)), [0.01, 0.1], [1.0, 3.0])
        batch.reset()
        batch["mu"], batch["mass"] = tried[:, 0], tried[:, 1]
        misfit = np.nan_to_num(((positions(batch) - measured) ** 2).sum(axis=1), nan=np.inf)
        best = tried[np.argsort(misfit)[: candidates // 5]]
        mean, deviation = best.mean(axis=0), best.std(axis=0) + 1e-6
    return mean


def main():
    scenario = js.load(TOSS)
    truth = scenario.batch(1)
    truth["mu"], truth["mass"] = 0.35, 0.8
    measured = positions(truth)[0] + np.random.default_rng(1).normal(0, 0.001, STEPS // STRIDE)  # 1 mm of noise
    mu, mass = fit(scenario, measured)
    print(f"friction {mu:.3f} (true 0.350), mass {mass:.3f} kg (true 0.800 kg)")
    return mu, mass


if __name__ == "__main__":
    main()
