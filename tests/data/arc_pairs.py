"""Gap, normal and row of feature pairs of polygons with arcs, with 60 digits: writes arc_pairs.json beside this file.

Numbers of the shapes are doubles, taken as they are. The polygons need not be simple, as a feature pair has its gap at
any pose; their bulges are any, nearly straight, or nearly whole circles.
"""
import json
import math
import os
import random
from decimal import Decimal as D
from decimal import getcontext

getcontext().prec = 60


def rotation(rng):
    t = rng.uniform(-1, 1)
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    for _ in range(rng.randrange(4)):
        c, s = -s, c
    return c, s


def polygon(rng, kind):
    n = rng.randrange(2, 6)
    angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(n))
    least, most = {"any": (0.05, 1.5), "flat": (1e-3, 1e-2), "round": (5, 10)}[kind]
    def bulge():
        return rng.choice((-1, 1)) * rng.uniform(least, most) if rng.random() < 0.7 else 0.0
    return [[rng.uniform(0.3, 1) * math.cos(a), rng.uniform(0.3, 1) * math.sin(a), bulge()] for a in angles]


class Placed:
    def __init__(self, points, pose):
        (c, s), (x, z) = pose
        # The axes are doubles: a scale that differs from 1 by rounding errors is left out, as the law is to 1e-13.
        norm = (D(c) ** 2 + D(s) ** 2).sqrt()
        c, s = D(c) / norm, D(s) / norm
        self.corners = [(D(x) + c * D(p) - s * D(q), D(z) + s * D(p) + c * D(q)) for p, q, _ in points]
        self.bulges = [D(b) for _, _, b in points]
        self.centre = (D(x), D(z))
        self.n = len(points)

    def arc(self, j):
        (px, pz), (qx, qz), b = self.corners[j], self.corners[(j + 1) % self.n], self.bulges[j]
        side = (1 - b * b) / (4 * b)
        dx, dz = qx - px, qz - pz
        return (px + qx) / 2 - side * dz, (pz + qz) / 2 + side * dx, (dx * dx + dz * dz).sqrt() * (1 + b * b) / (4 * abs(b))

    def height(self, j, p):
        """Of a point above edge j, and the outward normal there."""
        if self.bulges[j] == 0:
            (px, pz), (qx, qz) = self.corners[j], self.corners[(j + 1) % self.n]
            dx, dz = qx - px, qz - pz
            length = (dx * dx + dz * dz).sqrt()
            mx, mz = dz / length, -dx / length
            return mx * (p[0] - px) + mz * (p[1] - pz), mx, mz
        x, z, r = self.arc(j)
        dx, dz = p[0] - x, p[1] - z
        far = (dx * dx + dz * dz).sqrt()
        sense = 1 if self.bulges[j] > 0 else -1
        return sense * (far - r), sense * dx / far, sense * dz / far


def contact(p, radius, b, j, swapped):
    """Gap, normal from a to b, and the point that it goes through."""
    height, mx, mz = b.height(j, p)
    sign = 1 if swapped else -1
    return height - radius, (sign * mx, sign * mz), p


def moment(normal, p, centre):
    """About y of n at p: z n_x - x n_z."""
    return (p[1] - centre[1]) * normal[0] - (p[0] - centre[0]) * normal[1]


def main():
    rng = random.Random(45)
    cases = []
    for number in range(24):
        kind = ("any", "flat", "round")[number % 3]
        points_a, points_b = polygon(rng, "any"), polygon(rng, kind)
        pose_a = (rotation(rng), (rng.uniform(-1, 1), rng.uniform(-1, 1)))
        pose_b = (rotation(rng), (rng.uniform(-1, 1), rng.uniform(-1, 1)))
        a, b = Placed(points_a, pose_a), Placed(points_b, pose_b)
        block = a.n * b.n
        pairs = []
        for f in range(4 * block):
            rest = f % block
            if f < block:
                found = contact(a.corners[rest // b.n], D(0), b, rest % b.n, False)
            elif f < 2 * block:
                found = contact(b.corners[rest // a.n], D(0), a, rest % a.n, True)
            elif f >= 3 * block and a.bulges[rest // b.n] > 0:
                x, z, r = a.arc(rest // b.n)
                found = contact((x, z), r, b, rest % b.n, False)
            elif f >= 3 * block and b.bulges[rest % b.n] > 0:
                x, z, r = b.arc(rest % b.n)
                found = contact((x, z), r, a, rest // b.n, True)
            else:
                continue
            gap, normal, p = found
            pairs.append([f, *(float(x) for x in (gap, *normal, -moment(normal, p, a.centre), moment(normal, p, b.centre)))])
        cases.append({"kind": kind, "a": points_a, "b": points_b, "pose_a": [*pose_a[0], *pose_a[1]],
                      "pose_b": [*pose_b[0], *pose_b[1]], "pairs": pairs})
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "arc_pairs.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"about": "number, gap, normal x and z, moments about y of the normal on a and b; arc_pairs.py", "cases": [\n')
        file.write(",\n".join(json.dumps(case) for case in cases))
        file.write("\n]}\n")


if __name__ == "__main__":
    main()
