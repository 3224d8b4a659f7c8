#pragma once
// A root of a function of one variable by Brent's method (Brent, Algorithms for Minimization without Derivatives, 1973,
// chapter 4): inverse quadratic interpolation and secants, bisection where they converge slowly.
#include "core/math/bits.hpp"

namespace jostle {

/// f(s), for functions of which device code should have one copy, however often they are called.
template <class F>
JOSTLE_HD JOSTLE_OUTLINE double outlined(const F& f, double s) {
  return f(s);
}

/// Where f changes its sign between a and b, to a few last places of the root; f(a) = value_a and f(b) = value_b have
/// opposite signs. A value of at most `zero` is one. If f has no number somewhere, the end of the bracket before it.
template <class F>
JOSTLE_HD double root_between(F f, double a, double value_a, double b, double value_b, double zero = 0) {
  constexpr double precision = 0x1p-52;
  constexpr int most_steps = 200;
  double c = a, value_c = value_a;  // the other end of the bracket of b; a is the guess before b
  double step = b - a, step_before = step;
  for (int i = 0; i < most_steps && !(std::fabs(value_b) <= zero); ++i) {
    if ((value_b > 0) == (value_c > 0)) c = a, value_c = value_a, step = step_before = b - a;
    if (std::fabs(value_c) < std::fabs(value_b)) {
      a = b, b = c, c = a;
      value_a = value_b, value_b = value_c, value_c = value_a;
    }
    const double tolerance = 2 * precision * std::fabs(b), half = 0.5 * (c - b);
    if (!(std::fabs(half) > tolerance)) break;
    bool interpolates = std::fabs(step_before) >= tolerance && std::fabs(value_a) > std::fabs(value_b);
    if (interpolates) {
      const double s = value_b / value_a;
      double p = 2 * half * s, q = 1 - s;
      if (a != c) {
        const double r = value_b / value_c, t = value_a / value_c;
        p = s * (2 * half * t * (t - r) - (b - a) * (r - 1));
        q = (t - 1) * (r - 1) * (s - 1);
      }
      if (p > 0)
        q = -q;
      else
        p = -p;
      const double least = 3 * half * q - std::fabs(tolerance * q), before = std::fabs(step_before * q);
      interpolates = 2 * p < (least < before ? least : before);
      if (interpolates) step_before = step, step = p / q;
    }
    if (!interpolates) step = step_before = half;
    a = b, value_a = value_b;
    b += std::fabs(step) > tolerance ? step : half > 0 ? tolerance : -tolerance;
    value_b = f(b);
  }
  return b;
}

}  // namespace jostle
