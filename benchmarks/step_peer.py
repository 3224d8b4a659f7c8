#!/usr/bin/env python3
"""Steps per second of `jostle sweep` and of MuJoCo's batches: the same scenes, one after the other, all threads.

MuJoCo is optional. Without `pip install 'mujoco>=4.0'`, the table has our columns only. Scenes of the library go to it by
`js.to_mujoco`, so that its columns of these rows need the Python package of jostle, too. benchmarks/README.md says what is
compared and what is not the same. Options that this program does not know go to `jostle sweep`.
"""
import argparse
import csv
import dataclasses
import json
import math
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
    import mujoco.rollout
    import numpy
    NO_PEER = None
except ImportError as error:
    NO_PEER = f"no peer: {error} (pip install 'mujoco>=4.0')"

try:
    import library_in_mujoco
except ImportError:
    library_in_mujoco = None  # then the peer does not get the scenes of the library

STEP = 0.005  # s
FRICTION = 0.5
EDGE = 0.1  # m, of a box; also the diameter of a sphere
MASS = 1.0  # kg, of each body
PEERS = {"pyramidal": ("pyramidal", False), "elliptic": ("elliptic", False), "sleep": ("elliptic", True)}  # cone, sleeping bodies
TOSS_SPEED, TOSS_SPIN = 2.0, 6.0  # m/s and rad/s, bounds of each component
INVALID_SAMPLES = 3  # exit status of `jostle sweep`: everything is written, but some samples are invalid


@dataclasses.dataclass
class Scene:
    name: str
    shape: str  # "box" or "sphere"
    positions: list  # m
    systems: int
    tossed: bool = False


@dataclasses.dataclass
class Mechanism:
    """Bodies tied by joints; the mapping of a scenario file, and the elements of the peer's file."""
    name: str
    parts: dict
    peer: str
    systems: int = 2048
    meshes: dict = dataclasses.field(default_factory=dict)  # file names -> OBJ texts, the same files for both
    tossed: bool = False  # b0, like the tossed box


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


LINK, RADIUS = 0.1, 0.02  # m, of a chain


def double_pendulum():
    arm = {"mass": MASS, "inertia": 0.1, "freedom": ["x", "z", "ry"]}
    link = "<joint type='hinge' axis='0 1 0'/><inertial pos='.5 0 0' mass='1' diaginertia='.1 .1 .1'/>"
    return Mechanism("double pendulum", {
        "bodies": {"b0": arm | {"position": [0.5, 0, 0]}, "b1": arm | {"position": [1.5, 0, 0]}},
        "joints": {"first": {"revolute": ["world", "b0"], "at": [0, 0, 0], "axis": [0, 1, 0]},
                   "second": {"revolute": ["b0", "b1"], "at": [1, 0, 0], "axis": [0, 1, 0]}},
    }, f"<body>{link}<body pos='1 0 0'>{link}</body></body>")


def four_bar():
    """Of scenarios/library/four_bar.yaml, free in space; the peer closes the loop with a soft equality."""
    def hinge(bodies, at):
        return {"revolute": bodies, "at": at, "axis": [0, 1, 0]}
    def link(start, centre, mass, inertia, more, name=""):
        return (f"<body pos='{start}' {name}><joint type='hinge' axis='0 1 0'/>"
                f"<inertial pos='{centre}' mass='{mass}' diaginertia='{inertia}'/>{more}</body>")
    rocker = link(".2 0 .5", ".05 0 -.25", .6, ".02 .01 .02", "", "name='rocker'")
    coupler = link(".2 0 0", ".1 0 .25", .5, ".01 .01 .01", rocker)
    return Mechanism("four-bar", {
        "bodies": {"b0": {"mass": 0.2, "inertia": [0.00001, 0.0007, 0.0007], "position": [0.1, 0, 0]},
                   "b1": {"mass": 0.5, "inertia": [0.01, 0.01, 0.01], "position": [0.3, 0, 0.25]},
                   "b2": {"mass": 0.6, "inertia": [0.02, 0.01, 0.02], "position": [0.45, 0, 0.25]}},
        "joints": {"a": hinge(["world", "b0"], [0, 0, 0]), "b": hinge(["b0", "b1"], [0.2, 0, 0]),
                   "c": hinge(["b1", "b2"], [0.4, 0, 0.5]), "d": hinge(["b2", "world"], [0.5, 0, 0])},
    }, link("0 0 0", ".1 0 0", .2, ".00001 .0007 .0007", coupler) +
        "</worldbody><equality><connect body1='rocker' anchor='.1 0 -.5'/></equality><worldbody>")


def chain(joints):
    """A chain of capsules that lies on a box."""
    height = 0.1 + RADIUS
    parts = {"bodies": {"slab": {"fixed": True, "shape": {"box": {"size": [1, 1, 0.2]}}}}, "joints": {}}
    peer = ""
    for i in reversed(range(joints + 1)):
        tie = "<freejoint/>" if i == 0 else "<joint type='hinge' axis='0 1 0'/>"
        start = f"{-LINK * joints / 2} 0 {height}" if i == 0 else f"{LINK} 0 0"
        peer = (f"<body pos='{start}'>{tie}<geom type='capsule' size='{RADIUS}' fromto='0 0 0 {LINK} 0 0' mass='{MASS}' "
                f"contype='0' conaffinity='1'/>{peer}</body>")
    for i in range(joints + 1):
        start = LINK * (i - joints / 2)
        parts["bodies"][f"b{i}"] = {
            "mass": MASS, "position": [start + LINK / 2, 0, height],
            "shape": {"capsule": {"length": LINK, "radius": RADIUS, "axis": "x"}}}
        if i > 0:
            parts["joints"][f"j{i}"] = {"revolute": [f"b{i - 1}", f"b{i}"], "at": [start, 0, height], "axis": [0, 1, 0]}
    parts["contacts"] = [{"between": "any", "contact": False}, {"between": ["slab", "any"], "friction": FRICTION}]
    return Mechanism(f"chain of {joints} on a box", parts, "<geom type='box' size='.5 .5 .1'/>" + peer, 256)


def obj(points, faces):
    return "".join("v %.9g %.9g %.9g\n" % tuple(point) for point in points) + \
        "".join("f %d %d %d\n" % tuple(corner + 1 for corner in face) for face in faces)


def nut():
    """A hexagon with a hexagonal hole, 24 corners; the peer takes its convex hull."""
    points = [(radius * math.cos(math.pi * k / 3), radius * math.sin(math.pi * k / 3), z)
              for radius in (EDGE / 2, EDGE / 4) for z in (-EDGE / 5, EDGE / 5) for k in range(6)]
    faces = []
    for k in range(6):
        here, there = k, (k + 1) % 6  # of the outer ring below; 6 more: above, 12 more: the hole
        for a, b, c, d in ((here, there, there + 6, here + 6), (there + 12, here + 12, here + 18, there + 18),
                           (here + 6, there + 6, there + 18, here + 18), (there, here, here + 12, there + 12)):
            faces += [(a, b, c), (a, c, d)]
    return obj(points, faces)


def box(size, at=(0, 0, 0)):
    points = [[at[k] + size[k] / 2 * (1 if i >> k & 1 else -1) for k in range(3)] for i in range(8)]
    faces = []
    for a, b, c, d in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
        faces += [(a, b, c), (a, c, d)]
    return obj(points, faces)


TOSS = {"rotation": "uniform", "velocity": [{"uniform": [-TOSS_SPEED, TOSS_SPEED]}] * 3,
        "spin": [{"uniform": [-TOSS_SPIN, TOSS_SPIN]}] * 3}


def meshes(name, files, form, positions, inertia, systems, tossed):
    """Bodies of these meshes above the floor; `inertia`: about the centre, for both."""
    shapes = [{"mesh": {"file": file, "scale": 1, "as": form}} for file in files]
    geoms = "".join(f"<geom type='mesh' mesh='{file[:-4]}' mass='0'/>" for file in files)
    bodies, peer = {"floor": {"fixed": True, "shape": {"half_space": {"normal": [0, 0, 1]}}}}, ""
    for i, position in enumerate(positions):
        bodies[f"b{i}"] = {"mass": MASS, "centre_of_mass": [0, 0, 0], "inertia": inertia, "shapes": shapes,
                           "position": position} | (TOSS if tossed else {})
        peer += (f"<body pos='{position[0]} {position[1]} {position[2]}'><freejoint/><inertial pos='0 0 0' mass='{MASS}' "
                 f"diaginertia='{inertia[0]} {inertia[1]} {inertia[2]}'/>{geoms}</body>")
    return Mechanism(name, {"bodies": bodies, "contacts": [{"between": "any", "friction": FRICTION}]},
                     "<geom type='plane' size='20 20 .1'/>" + peer, systems, files, tossed)


def with_meshes():
    cube, round_part = [MASS * EDGE**2 / 6] * 3, [0.0007, 0.0007, 0.001]
    arms = {"one.obj": box([EDGE, EDGE / 4, EDGE / 4], [EDGE / 4, 0, -EDGE / 8]),
            "other.obj": box([EDGE / 4, EDGE / 4, EDGE], [-EDGE / 8, 0, EDGE / 2])}
    return [
        meshes("tossed box as a mesh", {"box.obj": box([EDGE] * 3)}, "surface", [(0, 0, 0.2)], cube, 2048, True),
        meshes("tossed nut", {"nut.obj": nut()}, "surface", [(0, 0, 0.2)], round_part, 2048, True),
        meshes("nut on a nut", {"nut.obj": nut()}, "surface", [(0, 0, EDGE / 5), (0, 0, 3 * EDGE / 5)], round_part, 512,
               False),
        meshes("tossed bracket", arms, "hull", [(0, 0, 0.2)], [0.002, 0.002, 0.001], 2048, True),
    ]


@dataclasses.dataclass(frozen=True)
class Library:
    """Samples of a scenario of the library, with its own step and duration; the peer gets a model for each of them."""
    name: str
    systems: int

    @property
    def file(self):
        return pathlib.Path(__file__).parents[1] / "scenarios" / "library" / f"{self.name}.yaml"


SCENES += [double_pendulum(), four_bar(), chain(5), *with_meshes(), Library("peg_in_hole", 256), Library("rover", 64),
           Library("gripper", 256), Library("v_groove", 512), Library("elbow_toss", 512), Library("door", 128),
           Library("feeder", 64)]


def scenario(scene, steps, directions):
    """The scene as a scenario file (JSON is YAML)."""
    if isinstance(scene, Library):
        return scene.file.read_text()
    if isinstance(scene, Mechanism):
        world = {"step": STEP, "duration": STEP * steps}
        if "contacts" in scene.parts:
            world["friction_directions"] = directions
        return json.dumps({
            "jostle": 1,
            "world": world,
            "outcomes": {"height": {"at_end": "b0.position.z"}},
            "sample": {"method": "random", "count": scene.systems, "seed": 1},
        } | scene.parts, indent=1)
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
        for name, text in getattr(scene, "meshes", {}).items():
            pathlib.Path(scratch, name).write_text(text)
        words = [options.program, "sweep", file, "-n", str(scene.systems), "-o", file.with_suffix(".out"), "--json",
                 *options.passed_on]
        if "--device" not in options.passed_on:
            words += ["--device", "cpu"]
        start = time.perf_counter()
        done = subprocess.run(words, capture_output=True, text=True)
        seconds = time.perf_counter() - start
        if done.returncode not in (0, INVALID_SAMPLES):
            sys.exit(f"{scene.name}: jostle ended with {done.returncode}\n{done.stderr.strip()}")
        with open(file.with_suffix(".out") / "summary.csv", newline="") as summary:
            steps = sum(int(sample["steps"]) for sample in csv.DictReader(summary))
    invalid = scene.systems - json.loads(done.stdout)["statuses"].get("ok", 0)
    return steps / seconds, invalid


def peer_model(scene, cone, sleeps):
    flag = "<flag sleep='enable'/>" if sleeps else ""
    options = f"<option timestep='{STEP}' cone='{cone}'>{flag}</option>"
    if isinstance(scene, Mechanism):
        assets = "".join(f"<mesh name='{name[:-4]}' file='{name}'/>" for name in scene.meshes)
        return mujoco.MjModel.from_xml_string(
            f"<mujoco>{options}<default><geom friction='{FRICTION} .005 .0001'/></default><asset>{assets}</asset>"
            f"<worldbody>{scene.peer}</worldbody></mujoco>",
            {name: text.encode() for name, text in scene.meshes.items()})
    size = " ".join([str(EDGE / 2)] * (3 if scene.shape == "box" else 1))
    bodies = "".join(
        f"<body pos='{x} {y} {z}'><freejoint/><geom type='{scene.shape}' size='{size}' mass='{MASS}'/></body>"
        for x, y, z in scene.positions)
    return mujoco.MjModel.from_xml_string(
        f"<mujoco>{options}<default><geom friction='{FRICTION} .005 .0001'/></default>"
        f"<worldbody><geom type='plane' size='20 20 .1'/>{bodies}</worldbody></mujoco>")


def toss(batch, count):
    random = numpy.random.default_rng(1)
    quaternions = random.normal(size=(count, 4))
    batch.qpos[:, 3:7] = quaternions / numpy.linalg.norm(quaternions, axis=1, keepdims=True)
    batch.qvel[:, :3] = random.uniform(-TOSS_SPEED, TOSS_SPEED, (count, 3))
    batch.qvel[:, 3:] = random.uniform(-TOSS_SPIN, TOSS_SPIN, (count, 3))


def peer_rate_of_samples(scene, cone, sleeps):
    """As `peer_rate`, with a model for each sample."""
    models, start, controls, steps = library_in_mujoco.samples(scene.file, scene.systems)
    for model in models:
        model.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC if cone == "elliptic" else mujoco.mjtCone.mjCONE_PYRAMIDAL
        model.opt.enableflags = mujoco.mjtEnableBit.mjENBL_SLEEP if sleeps else 0
    data = [mujoco.MjData(models[0]) for _ in range(os.cpu_count())]
    begin = time.perf_counter()
    mujoco.rollout.rollout(models, data, start, controls, nstep=steps)
    return scene.systems * steps / (time.perf_counter() - begin)


def peer_rate(scene, cone, sleeps, steps):
    """Steps per second of the call that makes the steps; models and states are ready before."""
    if isinstance(scene, Library):
        return peer_rate_of_samples(scene, cone, sleeps)
    batch = mujoco.batch.Batch(peer_model(scene, cone, sleeps), scene.systems, persistent=sleeps)
    if getattr(scene, "tossed", False):
        toss(batch, scene.systems)
    start = time.perf_counter()
    batch.step(nstep=steps)
    return scene.systems * steps / (time.perf_counter() - start)


def measure(scene, options):
    """A row of the table: medians of steps per second, jostle's first, and the most invalid samples of a sweep."""
    columns, invalid = [[] for _ in range(1 if NO_PEER else 1 + len(PEERS))], 0
    for _ in range(options.repeats):
        rate, failed = jostle_rate(scene, options)
        columns[0].append(rate)
        invalid = max(invalid, failed)
        for column, (cone, sleeps) in zip(columns[1:], PEERS.values()):
            column.append(peer_rate(scene, cone, sleeps, options.steps))
    return [statistics.median(column) for column in columns], invalid


def print_row(name, rates, invalid):
    row = f"{name:<22}" + "".join(f"{rate:>12.0f}" for rate in rates)
    if not NO_PEER:
        row += f"{rates[0] / max(rates[1:3]):>8.2f}{rates[0] / max(rates[1:]):>9.2f}"
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
    parser.add_argument("--only", default="", metavar="WORD", help="scenes with this word in their names")
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
    print(f"{os.cpu_count()} threads, h = {STEP} s, {options.steps} steps (of the library: its own), medians of "
          f"{options.repeats}{peer}")
    peer_heads = "" if NO_PEER else "".join(f"{peer:>12}" for peer in PEERS) + f"{'ratio':>8}{'to best':>9}"
    print(f"{'scene':<22}{'jostle':>12}{peer_heads}{'invalid':>9}")
    for scene in [scene for scene in SCENES if options.only in scene.name]:
        if isinstance(scene, Library) and not library_in_mujoco and not NO_PEER:
            print(f"{scene.name:<22}left out: the peer needs jostle's Python package for it (pip install .)")
            continue
        print_row(scene.name, *measure(scene, options))


main()
