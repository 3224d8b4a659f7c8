"""Gap, normal and row of feature pairs of polygons in exact arithmetic: writes polygon_pairs.json beside this file.

Numbers of the shapes are doubles, taken as they are. Sums and products are exact (fractions), square roots have 60
digits. Two polygons, one perhaps a box, or a polygon and a half-space lie in the plane of x and z, near each other, in
general and in nearly degenerate poses (edges almost parallel, almost of no length).
"""
import json
import os
import random
from decimal import Decimal, getcontext
from fractions import Fraction as F

getcontext().prec = 60


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def rotation(rng, small):
    """Columns x and z of a rotation in the plane, as doubles."""
    t = F(rng.uniform(-1, 1) * (1e-9 if small else 1))
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    turns = rng.randrange(4)
    for _ in range(turns):
        c, s = -s, c
    return float(c), float(s)


def polygon(rng, kind):
    n = rng.randrange(3, 9)
    if kind == "short":
        n = 4
        return [[0.0, 0.0], [1.0, 0.0], [1.0 + 1e-7, 1e-7], [0.2, 0.9]]
    import math
    angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(n))
    return [[rng.uniform(0.3, 1) * math.cos(a), rng.uniform(0.3, 1) * math.sin(a)] for a in angles]


def world(pose, p):
    (c, s), (x, z) = pose
    c, s, x, z = F(c), F(s), F(x), F(z)
    return (x + c * F(p[0]) - s * F(p[1]), z + s * F(p[0]) + c * F(p[1]))


def corner_on_edge(a, pose_a, i, b, pose_b, j):
    """Exact: gap without radii, normal from a to b, both as decimals, and the corner."""
    p = world(pose_a, a[i])
    (c, s) = pose_b[0]
    dx, dz = F(b[(j + 1) % len(b)][0]) - F(b[j][0]), F(b[(j + 1) % len(b)][1]) - F(b[j][1])
    mx, mz = F(c) * dz - F(s) * -dx, F(s) * dz + F(c) * -dx  # outwards, turned
    q = world(pose_b, b[j])
    # the axes are doubles, not quite orthonormal: heights are those in the axes of b, as the program has them
    length = decimal(dx * dx + dz * dz).sqrt()
    height = decimal(mx * (p[0] - q[0]) + mz * (p[1] - q[1])) / length
    norm = decimal(mx * mx + mz * mz).sqrt()
    return height, (-decimal(mx) / norm, -decimal(mz) / norm), p


def row(normal, p, centre, sign):
    """Of a planar body: n and the moment about y of n at p, r x n = (z n_x - x n_z) along y."""
    rx, rz = decimal(p[0] - F(centre[0])), decimal(p[1] - F(centre[1]))
    return [sign * normal[0], sign * normal[1], sign * (rz * normal[0] - rx * normal[1])]


def main():
    rng = random.Random(45)
    cases = []
    for number in range(24):
        kind = ("any", "parallel", "short")[number % 3]
        a, b = polygon(rng, "any"), polygon(rng, kind)
        pose_a = (rotation(rng, kind == "parallel"), (rng.uniform(-1, 1), rng.uniform(-1, 1)))
        pose_b = (rotation(rng, kind == "parallel"), (rng.uniform(-1, 1), rng.uniform(-1, 1)))
        n_a, n_b = len(a), len(b)
        pairs = []
        for f in range(2 * n_a * n_b):
            if f < n_a * n_b:
                gap, normal, p = corner_on_edge(a, pose_a, f // n_b, b, pose_b, f % n_b)
            else:
                g = f - n_a * n_b
                gap, normal, p = corner_on_edge(b, pose_b, g // n_a, a, pose_a, g % n_a)
                normal = (-normal[0], -normal[1])
            # The moment about y of the normal is the same at both ends of the gap.
            pairs.append([float(x) for x in (gap, *normal, row(normal, p, pose_a[1], -1)[2], row(normal, p, pose_b[1], 1)[2])])
        cases.append({"kind": kind, "a": a, "b": b, "pose_a": [*pose_a[0], *pose_a[1]], "pose_b": [*pose_b[0], *pose_b[1]],
                      "pairs": pairs})
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "polygon_pairs.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"about": "gap, normal x and z, moments about y of the normal on a and b; polygon_pairs.py", "cases": [\n')
        file.write(",\n".join(json.dumps(case) for case in cases))
        file.write("\n]}\n")


if __name__ == "__main__":
    main()
