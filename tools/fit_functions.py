#!/usr/bin/env python3
"""Coefficients of core/math: polynomials through Chebyshev points, fitted with 300 bits (needs mpmath).

Without arguments, prints every table with its relative error as a power of two. With --check, tests whether every
coefficient is in the headers of core/math, and exits 1 if one is missing.
"""
import functools
import pathlib
import re
import sys

from mpmath import atan, atanh, cos, erf, erfc, exp, log, lu_solve, matrix, mp, mpf, pi, sin, sqrt, tan

mp.prec = 300
TINY = mpf(10) ** -30  # below it, the limits at 0 are taken; the nodes are never as near
SLACK = mpf("1.0001")  # arguments leave their interval by rounding


def chebyshev_nodes(low, high, count):
    return [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]


def interpolate(function, nodes):
    """Coefficients, lowest first, of the polynomial through the function at the nodes."""
    rows = matrix([[node**power for power in range(len(nodes))] for node in nodes])
    return list(lu_solve(rows, matrix([function(node) for node in nodes])))


def fit(function, low, high, degree):
    return interpolate(function, chebyshev_nodes(mpf(low), mpf(high), degree + 1))


def fit_from_zero(function, high, degree):
    """Chebyshev points of z times the polynomial, the least of them moved to z = 0 and left out."""
    nodes = chebyshev_nodes(mpf(-1), mpf(1), degree + 2)
    least = min(nodes)
    moved = [high * (node - least) / (1 - least) for node in nodes if node != least]
    return interpolate(function, moved)


def horner(coefficients, x):
    value = mpf(0)
    for c in reversed(coefficients):
        value = value * x + mpf(float(c))
    return value


def mills(x):
    """The Mills ratio of the normal distribution."""
    return sqrt(pi / 2) * exp(x * x / 2) * erfc(x / sqrt(mpf(2)))


@functools.lru_cache(None)
def tail_quantile(s):
    """x with log Phi(-x) = -s^2/2, by Newton's method."""
    x = s - mpf("0.7") if s < 4 else s
    for _ in range(60):
        step = (log(erfc(x / sqrt(mpf(2))) / 2) + s * s / 2) * mills(x)
        x += step
        if abs(step) < mpf(2) ** -280:
            break
    return x


def central_quantile(q):
    """x with Phi(x) = 1/2 + q, by Newton's method."""
    x = q * sqrt(2 * pi)
    for _ in range(60):
        step = (erf(x / sqrt(mpf(2))) / 2 - q) * sqrt(2 * pi) * exp(x * x / 2)
        x -= step
        if abs(step) < mpf(2) ** -280:
            break
    return x


def from_fraction(a):
    """x as a function of t = (x - a) / (x + a)."""
    return lambda t: a * (1 + t) / (1 - t)


def root(z):
    return sqrt(z)


def tables():
    """(name, coefficients, function, low, high, weight of an error in the result)"""

    def table(name, function, low, high, degree, weight):
        return name, fit(function, low, high, degree), function, mpf(low), mpf(high), weight

    z = (pi / 4) ** 2
    sine = lambda z: (sin(root(z)) / root(z) - 1) / z
    high = z * mpf("1.00001")
    yield "sine_tail", fit_from_zero(sine, high, 5), sine, mpf(0), high, lambda z: z
    cosine = lambda z: (cos(root(z)) - 1 + z / 2) / z**2
    yield table("cosine_tail", cosine, 0, z * SLACK, 5, lambda z: z**2)

    r = log(mpf(2)) / 2 * SLACK
    exponential = lambda r: (exp(r) - 1 - r) / r**2 if abs(r) > TINY else mpf(1) / 2 + r / 6
    yield table("exponential_of_sum", exponential, -r, r, 10, lambda r: r**2)

    s = (sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)
    logarithm = lambda z: (atanh(root(z)) / root(z) - 1 - z / 3) / z**2
    yield table("logarithm", logarithm, 0, s**2 * SLACK, 7, lambda z: z**2)

    arc_tangent = lambda z: (atan(root(z)) / root(z) - 1) / z
    yield table("arc_tangent_of_quotient", arc_tangent, 0, tan(pi / 8) ** 2 * SLACK, 11, lambda z: z)

    x = from_fraction(4)
    upper_tail = lambda t: mills(x(t)) * (x(t) + 1) / sqrt(2 * pi)
    yield table("normal_upper_tail", upper_tail, -1, mpf("0.82"), 24, lambda t: 1 / upper_tail(t))

    median = lambda z: central_quantile(root(z)) / root(z)
    yield table("normal_quantile_near_median", median, 0, mpf("0.3") ** 2 * SLACK, 16, lambda z: 1 / median(z))

    pieces = (("near", "2.6875", "1.78", 4, 17), ("middle", "6.9375", 4, 12, 18), ("far", "21.5", 12, "38.7", 17))
    for piece, a, low, high, degree in pieces:
        a = mpf(a)
        s = from_fraction(a)
        end = max((a - mpf(low)) / (a + mpf(low)), (mpf(high) - a) / (mpf(high) + a))
        correction = lambda t, s=s: s(t) - tail_quantile(s(t))
        weight = lambda t, s=s: 1 / tail_quantile(s(t))
        yield table(f"normal_tail_correction, {piece}", correction, -end, end, degree, weight)


def worst_error(coefficients, function, low, high, weight, points=97):
    """Relative error of the result because of the fit and of the rounding of the coefficients, as log2."""
    worst = mpf(0)
    for k in range(1, points):
        x = low + (high - low) * mpf(k) / points
        worst = max(worst, abs((horner(coefficients, x) - function(x)) * weight(x)))
    return float(log(worst, 2))


def main():
    check = "--check" in sys.argv[1:]
    folder = pathlib.Path(__file__).resolve().parent.parent / "core" / "math"
    numbers = set()
    for header in folder.glob("*.hpp"):
        numbers.update(float.fromhex(word) for word in re.findall(r"-?0x1[.0-9a-f]*p[-+]?\d+", header.read_text()))
    missing = 0
    for name, coefficients, function, low, high, weight in tables():
        error = worst_error(coefficients, function, low, high, weight)
        print(f"{name}: degree {len(coefficients) - 1}, relative error 2^{error:.1f}")
        if check:
            absent = [c for c in coefficients if float(c) not in numbers]
            missing += len(absent)
            for c in absent:
                print(f"  not in core/math: {float(c).hex()}")
        else:
            print("  " + ",\n  ".join(float(c).hex() for c in coefficients))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
