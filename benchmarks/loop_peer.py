#!/usr/bin/env python3
"""The loop of a learner or controller in Python: 118 steps of 10,000 tossed cubes, with state read and forces written in
every step, in jostle and in MuJoCo's batches.

MuJoCo is optional: without `pip install 'mujoco>=4.0'` the table has our row only. benchmarks/README.md says what the
columns are and what is not the same.
"""
import argparse
import pathlib
import statistics
import time

import numpy as np

import jostle as js

try:
    from jostle.gym import VectorEnv
except ImportError:
    VectorEnv = None
try:
    import mujoco
    import mujoco.batch
    NO_PEER = None
except ImportError as error:
    NO_PEER = f"no peer: {error} (pip install 'mujoco>=4.0')"

CUBES = pathlib.Path(__file__).resolve().parents[1] / "scenarios/library/cube_toss.yaml"
DRAG = 0.1  # N s/m: the policy brakes each cube


class OurLoop:
    def __init__(self, scenario, cubes, threads):
        self.batch = scenario.batch(cubes, threads=threads)
        self.velocity = self.batch.body("cube").velocity
        self.force = self.batch.body("cube").force
        self.start = self.batch.save()

    def reset(self):
        self.batch.restore(self.start)

    def step(self):
        self.force[:] = -DRAG * self.velocity
        self.batch.step()

    def failed(self):
        return len(self.batch.failures())


class GymLoop:
    """The same through jostle.gym: observations, actions and rewards are arrays of expressions."""
    def __init__(self, scenario, cubes, threads):
        self.env = VectorEnv(scenario, cubes, observations=[f"cube.velocity.{axis}" for axis in "xyz"],
                             actions={f"cube.force.{axis}": (-1, 1) for axis in "xyz"}, reward="cube.position.z", threads=threads)

    def reset(self):
        self.velocity, _ = self.env.reset(seed=self.env.scenario.seed)

    def step(self):
        self.velocity, *_ = self.env.step(-DRAG * self.velocity)

    def failed(self):
        return len(self.env.batch.failures())


class PeerLoop:
    def __init__(self, scenario, cubes, threads, ours, sleeps):
        spec = mujoco.MjSpec.from_string(js.to_mujoco(scenario).xml)
        if sleeps:
            spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        self.batch = mujoco.batch.Batch(spec.compile(), nsim=cubes, nthread=threads, persistent=sleeps)
        self.qpos, self.qvel = self.batch.bind("qpos"), self.batch.bind("qvel")
        self.force = self.batch.bind("xfrc_applied")[:, -1, :3]  # of the cube: the last body
        self.start = (ours.q[:, 0].copy(), self.local_motion(ours.q[:, 0], ours.v[:, 0]))

    @staticmethod
    def local_motion(q, v):
        """The peer has the spin of a free body in its axes."""
        w, axis = q[:, 3:4], -q[:, 4:7]
        across = np.cross(axis, v[:, 3:])
        return np.hstack([v[:, :3], v[:, 3:] + 2 * (w * across + np.cross(axis, across))])

    def reset(self):
        self.qpos[:], self.qvel[:] = self.start

    def step(self):
        self.force[:] = -DRAG * self.qvel[:, :3]
        self.batch.step()

    def failed(self):
        return int((~np.isfinite(self.qpos).all(axis=1)).sum())


def seconds(loop, steps):
    loop.reset()
    before = time.perf_counter()
    for _ in range(steps):
        loop.step()
    return time.perf_counter() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cubes", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=118)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="0: one per processor")
    options = parser.parse_args()
    scenario = js.load(CUBES)
    ours = OurLoop(scenario, options.cubes, options.threads)
    loops = {"jostle": ours}
    if VectorEnv is not None:
        loops["jostle.gym"] = GymLoop(scenario, options.cubes, options.threads)
    if NO_PEER:
        print(NO_PEER)
    else:
        loops["MuJoCo"] = PeerLoop(scenario, options.cubes, options.threads, ours.batch, False)
        loops["MuJoCo, sleep"] = PeerLoop(scenario, options.cubes, options.threads, ours.batch, True)
    times = {name: [] for name in loops}
    for _ in range(options.repeats):  # in turns, so that a busy machine slows both
        for name, loop in loops.items():
            times[name].append(seconds(loop, options.steps))
    print(f"| {options.steps} steps of {options.cubes:,} cubes | s | thousand steps/s | failed |\n|---|---|---|---|")
    for name, loop in loops.items():
        median = statistics.median(times[name])
        rate = options.cubes * options.steps / median / 1000
        print(f"| {name} | {median:.3f} | {rate:,.0f} | {loop.failed()} |")
    if not NO_PEER:
        for name in ("MuJoCo", "MuJoCo, sleep"):
            print(f"{name}: ratio {statistics.median(times[name]) / statistics.median(times['jostle']):.2f}")


if __name__ == "__main__":
    main()
