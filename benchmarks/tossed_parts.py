#!/usr/bin/env python3
"""What becomes of random scenes of tossed parts: a table of statuses, gains of energy, depths and falls through the floor.

    benchmarks/tossed_parts.py [--scenes N] [--methods A,B] [--step H] [--program build/release/jostle] [--keep FOLDER]

One to four parts of 2 to 5 cm (polygons in a plane; hulls, prisms with and without dents, pyramids with a dent in space)
are thrown onto a plane or a table and onto each other, with friction and, by half, restitution where the method has it.
A scene fails if its status is not ok. It gains if energy_gained is above 1e-3 of m g 0.3 m. It is deep if gap() of two
bodies falls below -2 mm, and deeper than a step if that is more than anything that falls moves in one. A part has fallen
through if all of it is below the floor at the end. A scene is made of its number alone. --keep keeps the scenes that
stand out, as files of their number.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
KINDS = ["polygons", "hulls", "prisms", "surfaces"]
METHODS = ["stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"]
GRAVITY, FALL, DURATION = 9.81, 0.3, 0.5  # m/s^2, m, s


def text_of(numbers):
    return "[" + ", ".join(text_of(x) if isinstance(x, (list, tuple)) else f"{x:.6g}" for x in numbers) + "]"


class Scene:
    def __init__(self, number, kind, method, step):
        self.random = random.Random(f"{kind} {number}")
        self.kind, self.planar = kind, kind == "polygons"
        self.sizes = []
        bodies = self.ground()
        height = 0.12
        for i in range(self.random.randint(1, 4)):
            size = self.number(0.02, 0.05)
            room = (1.7 if kind == "surfaces" else 1.1) * size
            height += room
            bodies += self.part(i, size, height)
            height += room
            self.sizes.append(size)
        self.height = height
        mu = 0 if self.one_of(4) else self.number(0.1, 1)
        restitution = self.number(0, 0.8) if self.one_of(2) else 0
        friction = 0 if method == "loetstedt" else mu
        contact = f"friction: {friction:.6g}"
        if method != "stewart_trinkle" and restitution > 0:
            contact += f", restitution: {restitution:.6g}"
        names = [f"b{i}" for i in range(len(self.sizes))]
        grounds = ["floor"] if self.floor == 0 else ["floor", "table"]
        self.pairs = list(itertools.combinations(names, 2)) + list(itertools.product(names, grounds))
        self.text = (f"jostle: 1\nworld: {{method: {method}, step: {step}, duration: {DURATION}, gravity: [0, 0, -{GRAVITY}]}}\n"
                     f"bodies:\n{bodies}contacts:\n  - {{between: any, {contact}}}\noutcomes:\n" +
                     "".join(f"  gap_{a}_{b}: {{minimum: 'gap({a}, {b})'}}\n" for a, b in self.pairs) +
                     "".join(f"  z_{name}: {{at_end: {name}.position.z}}\n" for name in names))

    def number(self, low, high):
        return self.random.uniform(low, high)

    def one_of(self, n):
        return self.random.randrange(n) == 0

    def vector(self, size):
        return text_of([self.number(-size, size) for _ in range(3)])

    def ground(self):
        self.floor = 0
        plane = "shape: {half_space: {normal: [0, 0, 1]}}"
        if self.planar or not self.one_of(3):
            return f"  floor: {{fixed: true, {plane}}}\n"
        self.floor = -0.1
        return (f"  table: {{fixed: true, shape: {{box: {{size: [0.3, 0.3, 0.2]}}}}, position: [0, 0, -0.1]}}\n"
                f"  floor: {{fixed: true, {plane}, position: [0, 0, -0.1]}}\n")

    def part(self, i, size, height):
        axis = "[0, 1, 0]" if self.planar else self.vector(1)
        speed = [self.number(-0.8, 0.8), 0 if self.planar else self.number(-0.8, 0.8), self.number(-1, 0.3)]
        spin = text_of([0, self.number(-8, 8), 0]) if self.planar else self.vector(8)
        freedom = "freedom: [x, z, ry], " if self.planar else ""
        return (f"  b{i}: {{density: 1000, {freedom}shape: {{{self.shape(size)}}}, "
                f"position: {text_of([self.number(-0.03, 0.03), 0, height])}, "
                f"rotation: {{axis: {axis}, degrees: {self.number(0, 180):.6g}}}, velocity: {text_of(speed)}, "
                f"spin: {spin}}}\n")

    def shape(self, size):
        is_convex = self.one_of(2)
        if self.planar:
            return f"polygon: {{points: {self.outline(size, is_convex)}{self.rounding(size)}}}"
        if self.kind == "hulls" or (self.kind == "surfaces" and self.one_of(4)):
            points = []
            for _ in range(self.random.randint(4, 11)):
                z, angle = self.number(-1, 1), self.number(0, 2 * math.pi)
                r = math.sqrt(1 - z * z)
                points.append([size * r * math.cos(angle), size * r * math.sin(angle), size * z])
            return f"hull: {{points: {text_of(points)}{self.rounding(size)}}}"
        if self.kind == "prisms" or self.one_of(3):
            rounding = self.rounding(size) if is_convex else ""
            return f"prism: {{points: {self.outline(size, is_convex)}, height: {size:.6g}{rounding}}}"
        return self.pyramid_with_a_dent(size)

    def rounding(self, size):
        return f", radius: {0.05 * size:.6g}" if self.one_of(4) else ""

    def outline(self, size, is_convex):
        """Points on a circle, or some of them nearer to its centre."""
        corners, first, points = self.random.randint(3, 7 if is_convex else 8), self.number(0, 6.28), []
        for i in range(corners):
            angle = first + 2 * math.pi * (i + self.number(-0.2, 0.2)) / corners
            r = size * (1 if is_convex else self.number(0.35, 0.6) if self.one_of(2) else self.number(0.8, 1))
            points.append([r * math.cos(angle), r * math.sin(angle)])
        return text_of(points)

    def pyramid_with_a_dent(self, size):
        a, b, top = size * self.number(0.8, 1.2), size * self.number(0.8, 1.2), size * self.number(0.8, 1.4)
        points = [[0, 0, 0], [a, 0, 0], [a, b, 0], [0, b, 0], [a / 2, b / 2, top * self.number(0.1, 0.5)],
                  [a / 2, b / 2, top]]
        faces = "[[0, 1, 5], [1, 2, 5], [2, 3, 5], [3, 0, 5], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]"
        return f"surface: {{points: {text_of(points)}, faces: {faces}}}"


def run(program, number, kind, method, step, keep):
    """What stands out in a scene, as a set of words, with its gain of m g 0.3 m and its depth in m."""
    scene = Scene(number, kind, method, step)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.yaml"
        path.write_text(scene.text)
        done = subprocess.run([program, "run", str(path), "--json", "--threads", "1"], capture_output=True, text=True)
    found, gain, deep = [], 0.0, 0.0
    if done.returncode not in (0, 3):
        found.append("refused" if "refused" in done.stderr or done.returncode == 2 else "no result")
    else:
        result = json.loads(done.stdout)
        if result["status"] != "ok":
            found.append(result["status"])
        weight = GRAVITY * sum(body["mass"] for body in result["bodies"].values())
        trace, outcomes = result["trace"], result["outcomes"]
        numbers = [step["energy"] for step in trace] + [step["energy_gained"] for step in trace]
        if any(not math.isfinite(x) for x in numbers if x is not None):
            found.append("not a number")
        gain = trace[-1]["energy_gained"] / (FALL * weight) if trace else 0.0
        if gain > 1e-3:
            found.append("gains")
        deep = max([0.0] + [-outcomes[f"gap_{a}_{b}"] for a, b in scene.pairs if outcomes.get(f"gap_{a}_{b}")])
        if deep > 2e-3:
            found.append("deep")
        # all parts fall less than this
        fastest = math.sqrt(2 * GRAVITY * (scene.height - scene.floor) + 4)
        if deep > fastest * step:
            found.append("deeper than a step")
        if any((outcomes.get(f"z_b{i}") or 0.0) < scene.floor - size for i, size in enumerate(scene.sizes)):
            found.append("through the floor")
    if keep and found:
        (keep / f"{kind}_{number}_{method}.yaml").write_text(scene.text)
    return kind, number, method, found, gain, deep


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=2000, help="of each method (default 2000)")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--step", type=float, default=0.004, help="s (default 0.004)")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "jostle"))
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the scenes that stand out")
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    for method in options.methods.split(","):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(
                lambda i: run(options.program, i // len(KINDS), KINDS[i % len(KINDS)], method, options.step,
                              options.keep), range(options.scenes)))
        for kind in KINDS:
            own = [result for result in results if result[0] == kind]
            counts = collections.Counter(word for result in own for word in result[3])
            gain, deep = max(result[4] for result in own), max(result[5] for result in own)
            print(f"{method:22} {kind:10} {len(own):5} scenes, largest gain {gain:.1e}, deepest {1e3 * deep:.2f} mm; "
                  + (", ".join(f"{word} {count}" for word, count in sorted(counts.items())) or "nothing stands out"),
                  flush=True)


if __name__ == "__main__":
    main()
