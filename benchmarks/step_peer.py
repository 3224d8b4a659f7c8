#!/usr/bin/env python3
"""Steps per second of `jostle sweep` and of MuJoCo's batches: the same scenes, one after the other, all threads.

MuJoCo is optional. Without `pip install 'mujoco>=4.0'`, the table has our columns only. benchmarks/README.md says what
is compared and what is not the same. Options that this program does not know go to `jostle sweep`.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import mujoco
    import mujoco.batch
    import numpy
    NO_PEER = None
except ImportError as error:
    NO_PEER = f"no peer: {error} (pip install 'mujoco>=4.0')"

STEP = 0.005  # s
FRICTION = 0.5
EDGE = 0.1  # m, of a box; also the diameter of a sphere
MASS = 1.0  # kg, of each body
CONES = ("pyramidal", "elliptic")
TOSS_SPEED, TOSS_SPIN = 2.0, 6.0  # m/s and rad/s, bounds of each component
INVALID_SAMPLES = 3  # exit status of `jostle sweep`: everything is written, but some samples are invalid


@dataclasses.dataclass
class Scene:
    name: str
    shape: str  # "box" or "sphere"
    positions: list  # m
    systems: int
    tossed: bool = False


def stack(count):
    return [(0, 0, EDGE * (level + 0.5)) for level in range(count)]


def two_layers_of_spheres(count):
    """3 x 2 spheres with gaps of 0.1 mm, the first layer on the floor, the next 2 cm above it."""
    return [(0.1001 * (i % 3), 0.1001 * (i // 3 % 2), EDGE / 2 + 0.12 * (i // 6)) for i in range(count)]


SCENES = [
    Scene("sphere at rest", "sphere", stack(1), 2048),
    Scene("box at rest", "box", stack(1), 2048),
    Scene("tossed box", "box", [(0, 0, 0.2)], 2048, tossed=True),
    Scene("2-box stack", "box", stack(2), 512),
    Scene("5-box stack", "box", stack(5), 128),
    Scene("10 spheres falling", "sphere", two_layers_of_spheres(10), 128),
]


def scenario(scene, steps, directions):
    """The scene as a scenario file (JSON is YAML)."""
    shape = {"box": {"size": [EDGE] * 3}} if scene.shape == "box" else {"sphere": {"radius": EDGE / 2}}
    bodies = {"floor": {"fixed": True, "shape": {"half_space": {"normal": [0, 0, 1]}}}}
    for i, position in enumerate(scene.positions):
        bodies[f"b{i}"] = {"mass": MASS, "shape": shape, "position": position}
    if scene.tossed:
        bodies["b0"] |= {"rotation": "uniform", "velocity": [{"uniform": [-TOSS_SPEED, TOSS_SPEED]}] * 3,
                         "spin": [{"uniform": [-TOSS_SPIN, TOSS_SPIN]}] * 3}
    return json.dumps({
        "jostle": 1,
        "world": {"step": STEP, "duration": STEP * steps, "friction_directions": directions},
        "bodies": bodies,
        "contacts": [{"between": "any", "friction": FRICTION}],
        "outcomes": {"height": {"at_end": "b0.position.z"}},
        "sample": {"method": "random", "count": scene.systems, "seed": 1},
    }, indent=1)


def jostle_rate(scene, options):
    """Steps per second of a whole sweep, start of the program included, and the number of invalid samples."""
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch, "scene.yaml")
        file.write_text(scenario(scene, options.steps, options.directions))
        words = [options.program, "sweep", file, "-o", file.with_suffix(".out"), "--json", *options.passed_on]
        if "--device" not in options.passed_on:
            words += ["--device", "cpu"]
        start = time.perf_counter()
        done = subprocess.run(words, capture_output=True, text=True)
        seconds = time.perf_counter() - start
    if done.returncode not in (0, INVALID_SAMPLES):
        sys.exit(f"{scene.name}: jostle ended with {done.returncode}\n{done.stderr.strip()}")
    invalid = scene.systems - json.loads(done.stdout)["statuses"].get("ok", 0)
    return scene.systems * options.steps / seconds, invalid


def peer_model(scene, cone):
    size = " ".join([str(EDGE / 2)] * (3 if scene.shape == "box" else 1))
    bodies = "".join(
        f"<body pos='{x} {y} {z}'><freejoint/><geom type='{scene.shape}' size='{size}' mass='{MASS}'/></body>"
        for x, y, z in scene.positions)
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><option timestep='{STEP}' cone='{cone}'/><default><geom friction='{FRICTION} .005 .0001'/></default>"
        f"<worldbody><geom type='plane' size='20 20 .1'/>{bodies}</worldbody></mujoco>")


def toss(batch, count):
    random = numpy.random.default_rng(1)
    quaternions = random.normal(size=(count, 4))
    batch.qpos[:, 3:7] = quaternions / numpy.linalg.norm(quaternions, axis=1, keepdims=True)
    batch.qvel[:, :3] = random.uniform(-TOSS_SPEED, TOSS_SPEED, (count, 3))
    batch.qvel[:, 3:] = random.uniform(-TOSS_SPIN, TOSS_SPIN, (count, 3))


def peer_rate(scene, cone, steps):
    """Steps per second of the call that makes the steps; models and states are ready before."""
    batch = mujoco.batch.Batch(peer_model(scene, cone), scene.systems)
    if scene.tossed:
        toss(batch, scene.systems)
    start = time.perf_counter()
    batch.step(nstep=steps)
    return scene.systems * steps / (time.perf_counter() - start)


def measure(scene, options):
    """A row of the table: medians of steps per second, jostle's first, and the most invalid samples of a sweep."""
    columns, invalid = [[] for _ in range(1 if NO_PEER else 1 + len(CONES))], 0
    for _ in range(options.repeats):
        rate, failed = jostle_rate(scene, options)
        columns[0].append(rate)
        invalid = max(invalid, failed)
        for column, cone in zip(columns[1:], CONES):
            column.append(peer_rate(scene, cone, options.steps))
    return [statistics.median(column) for column in columns], invalid


def print_row(name, rates, invalid):
    row = f"{name:<20}" + "".join(f"{rate:>12.0f}" for rate in rates)
    if not NO_PEER:
        row += f"{rates[0] / max(rates[1:]):>8.2f}"
    print(row + f"{invalid:>9}", flush=True)


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def parse():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="%(prog)s [options] [options of jostle sweep]")
    parser.add_argument("--program", default="build/release/jostle", metavar="FILE", help="default: %(default)s")
    parser.add_argument("--repeats", type=positive, default=3, metavar="N", help="default: 3; medians are printed")
    parser.add_argument("--steps", type=positive, default=400, metavar="N", help="of each system (default: 400)")
    parser.add_argument("--directions", type=int, default=4, metavar="K",
                        help="friction directions of jostle (default: 4, the sides of the peer's pyramid)")
    options, options.passed_on = parser.parse_known_args()
    if not os.access(options.program, os.X_OK):
        parser.error(f"there is no program {options.program}; build it, or name it with --program")
    return options


def main():
    options = parse()
    if NO_PEER:
        print(NO_PEER)
    peer = "" if NO_PEER else f", MuJoCo {mujoco.__version__}"
    print(f"{os.cpu_count()} threads, h = {STEP} s, {options.steps} steps, medians of {options.repeats}{peer}")
    peer_heads = "" if NO_PEER else "".join(f"{cone:>12}" for cone in CONES) + f"{'ratio':>8}"
    print(f"{'scene':<20}{'jostle':>12}{peer_heads}{'invalid':>9}")
    for scene in SCENES:
        print_row(scene.name, *measure(scene, options))


main()
