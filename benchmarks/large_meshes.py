#!/usr/bin/env python3
"""What a step of a mesh of 200 and of 20,000 triangles takes beside other shapes, and the ratio of the two.

    benchmarks/large_meshes.py [--only mesh,half_space] [--program build/release/jostle] [--steps 400] [--instructions]

A ball with dents, 4 cm wide, falls by a fraction of a millimetre onto each shape, turning at (0.5, 0.3, 1) rad/s. What
its steps take in touch is the difference of two runs, so that reading, the fall and the landing do not count: in
microseconds of processor time, the least of three runs each, or with --instructions in thousands of them, by valgrind's
callgrind, which takes minutes for each mesh of 20,000 triangles, but does not count what else the machine does.
"""
import argparse
import math
import pathlib
import re
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LANDED = 0.05  # s
# what the ball is beside, and how high above its middle the ball begins, m
OTHERS = {
    "half_space": ("half_space: {normal: [0, 0, 1]}", 0.0),
    "box": ("box: {size: [0.1, 0.1, 0.02]}", 0.01),
    "sphere": ("sphere: {radius: 0.02}", 0.02),
    "capsule": ("capsule: {length: 0.06, radius: 0.01, axis: x}", 0.01),
    "hull": ("hull: {points: [[-0.05, -0.05, 0], [0.05, -0.05, 0], [0.05, 0.05, 0], [-0.05, 0.05, 0], [0, 0, -0.05]]}",
             0.0),
    "mesh": (None, 0.02),
}


def bumpy_ball(path, n):
    """2 n^2 triangles: tests/support/round_meshes.hpp has the same."""

    def point(t, p):
        x = (math.sin(t) * math.cos(p), math.sin(t) * math.sin(p), -math.cos(t))
        along, from_pole = math.atan2(x[1], x[0]), math.acos(max(-1.0, min(1.0, x[2])))
        r = 0.02 * (1 + 0.02 * math.cos(6 * along) * math.sin(from_pole)**3 + 0.02 * math.cos(6 * from_pole))
        return [r * c for c in x]

    m = n + 1
    points = [point(0, 0)]
    points += [point(math.pi * j / m, 2 * math.pi * i / n) for j in range(1, m) for i in range(n)]
    points.append(point(math.pi, 0))
    last = len(points) - 1
    at = lambda j, i: 1 + (j - 1) * n + i % n
    triangles = []
    for i in range(n):
        triangles += [(0, at(1, i + 1), at(1, i)), (at(m - 1, i), at(m - 1, i + 1), last)]
        for j in range(1, m - 1):
            triangles += [(at(j, i), at(j, i + 1), at(j + 1, i + 1)), (at(j, i), at(j + 1, i + 1), at(j + 1, i))]
    path.write_text("".join("v %.17g %.17g %.17g\n" % tuple(x) for x in points) +
                    "".join("f %d %d %d\n" % tuple(k + 1 for k in t) for t in triangles))


def run(words, what):
    done = subprocess.run(words, capture_output=True, text=True)
    if "status: ok" not in done.stdout:
        raise SystemExit(f"{what}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done


def cost(options, folder, other, mesh, duration):
    """Microseconds, or thousands of instructions."""
    shape, height = OTHERS[other]
    ball = f"mesh: {{file: {mesh}, scale: 1, as: surface}}"
    scene = folder / "scene.yaml"
    scene.write_text(f"""jostle: 1
world: {{method: stewart_trinkle, step: 0.001, duration: {duration}}}
bodies:
  low: {{fixed: true, shape: {{{shape or ball}}}, rotation: {{axis: [0, 0, 1], degrees: 17}}}}
  ball: {{density: 1000, shape: {{{ball}}}, position: [0.001, 0.0005, {height + 0.0206}],
         rotation: {{axis: [1, 0.4, 0.2], degrees: 75}}, spin: [0.5, 0.3, 1]}}
contacts:
  - {{between: any, friction: 0.3}}
""")
    words, what = [options.program, "run", str(scene), "--threads", "1"], f"{other}, {mesh.name}"
    if options.instructions:
        done = run(["valgrind", "--tool=callgrind", "--toggle-collect=jostle::run_system_by*",
                    f"--callgrind-out-file={folder / 'callgrind.out'}"] + words, what)
        return int(re.search(r"Collected : (\d+)", done.stderr)[1]) / 1e3
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        run(words, what)
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return min(times) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(OTHERS))
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "jostle"))
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    print(f"{'beside':12} {'200':>10} {'20,000':>10} {'ratio':>6}   " +
          ("thousand instructions of a step" if options.instructions else "us of a step"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        meshes = []
        for n in (10, 100):
            meshes.append(folder / f"ball_{2 * n * n}.obj")
            bumpy_ball(meshes[-1], n)
        for other in options.only.split(","):
            each = []
            for mesh in meshes:
                before, after = (cost(options, folder, other, mesh, duration) for duration in (LANDED, LANDED + 1e-3 * options.steps))
                each.append((after - before) / options.steps)
            print(f"{other:12} {each[0]:10.1f} {each[1]:10.1f} {each[1] / each[0]:6.2f}", flush=True)


if __name__ == "__main__":
    main()
