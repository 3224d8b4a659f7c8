#pragma once
// Motions of free and of tied bodies whose solution is known.
#include "tests/laws/orders.hpp"

namespace jostle::orders {

inline Seen xz(Simulation& s, const char* body) { return {s.position(body, 0), s.position(body, 2)}; }

// x'' = -w^2 x - 2 d x'
inline Motion spring_along_a_line() {
  constexpr double w = 7, d = 0.6, x0 = 0.2;
  const double n = std::sqrt(w * w - d * d);
  return {0.02,
          1.2,
          floats,
          "bodies: {b: {mass: 2, freedom: [x], position: [1.2, 0, 0]}}\nsprings: {s: {between: [world, b], at: "
          "[[0, 0, 0], [1.2, 0, 0]], stiffness: 98, damping: 2.4, rest: 1}}\n",
          [](Simulation& s) { return Seen{s.position("b", 0)}; },
          [=](double t) { return Seen{1 + x0 * std::exp(-d * t) * (std::cos(n * t) + d / n * std::sin(n * t))}; }};
}

// A spring of no length is an oscillator in the plane; with rest .5 its end precesses.
inline Motion spring_that_turns() {
  const std::array<double, 4> start = {1, 0, 0, 1.6};
  return {0.02,
          1.2,
          floats,
          "bodies: {b: {mass: 2, freedom: [x, z], position: [1, 0, 0], velocity: [0, 0, 1.6]}}\nsprings: {s: {between: "
          "[world, b], at: [[0, 0, 0], [1, 0, 0]], stiffness: 50, rest: 0.7}}\n",
          [](Simulation& s) { return xz(s, "b"); },
          solution_of(
              start,
              [](double, const std::array<double, 4>& s) {
                const double l = std::hypot(s[0], s[1]), a = -25 * (l - 0.7) / l;
                return std::array<double, 4>{s[2], s[3], a * s[0], a * s[1]};
              },
              [](double, const auto& y) {
                return Seen{y[0], y[1]};
              })};
}

inline Motion force_of_position_and_velocity() {
  const std::array<double, 4> start = {0.3, 0, 0, 1};
  return {0.02,
          1.2,
          floats,
          "bodies: {b: {mass: 0.5, freedom: [x, z], position: [0.3, 0, 0], velocity: [0, 0, 1]}}\nforces:\n  - {body: "
          "b, force: [\"-16*b.position.x - 0.4*b.velocity.x^3\", 0, \"-9*b.position.z - "
          "0.3*b.velocity.z + 0.5*b.velocity.x\"]}\n",
          [](Simulation& s) { return xz(s, "b"); },
          solution_of(
              start,
              [](double, const std::array<double, 4>& s) {
                return std::array<double, 4>{s[2], s[3], -32 * s[0] - 0.8 * std::pow(s[2], 3),
                                             -18 * s[1] - 0.6 * s[3] + s[2]};
              },
              [](double, const auto& y) {
                return Seen{y[0], y[1]};
              })};
}

inline Motion force_of_time() {
  constexpr double w = 8;
  return {0.02,
          1,
          floats,
          "bodies: {b: {mass: 2, freedom: [x]}}\nforces: [{body: b, force: [6*cos(8*t), 0, 0]}]\n",
          [](Simulation& s) { return Seen{s.position("b", 0)}; },
          [](double t) { return Seen{3 / (w * w) * (1 - std::cos(w * t))}; }};
}

// Euler's equations and p' = p (0, w)/2 without a torque.
inline Motion free_rotation() {
  const std::array<double, 7> start = {1, 0, 0, 0, 4, 2, 1};
  return {0.01,
          0.8,
          floats,
          "bodies: {b: {mass: 1, inertia: [0.01, 0.02, 0.025], spin: [4, 2, 1]}}\n",
          [](Simulation& s) {
            const double* p = s.state().orientation;
            const double sign = p[0] < 0 ? -1 : 1;
            return Seen{sign * p[0], sign * p[1], sign * p[2], sign * p[3]};
          },
          solution_of(
              start,
              [](double, const std::array<double, 7>& s) {
                const double p = s[0], a = s[1], b = s[2], c = s[3], u = s[4], v = s[5], w = s[6];
                return std::array<double, 7>{(-a * u - b * v - c * w) / 2,  (p * u + b * w - c * v) / 2,
                                             (p * v + c * u - a * w) / 2,   (p * w + a * v - b * u) / 2,
                                             (0.02 - 0.025) / 0.01 * v * w, (0.025 - 0.01) / 0.02 * w * u,
                                             (0.01 - 0.02) / 0.025 * u * v};
              },
              [](double, const auto& y) {
                const double sign = y[0] < 0 ? -1 : 1;
                return Seen{sign * y[0], sign * y[1], sign * y[2], sign * y[3]};
              })};
}

// Two bars of .5 m and 1 kg from 1 and .3 rad.
inline constexpr double bar = 0.5, bar_inertia = bar * bar / 12;
inline std::string two_bars(double first, double second, const char* drive) {
  const double sx = std::sin(first) * bar, sz = -std::cos(first) * bar, tx = std::sin(second) * bar / 2,
               tz = -std::cos(second) * bar / 2;
  constexpr double J = bar_inertia;
  return with_numbers(
             "bodies:\n  one: {mass: 1, inertia: [%g, %g, %g], position: [%g, 0, %g]}\n  two: {mass: 1, inertia: [%g, "
             "%g, %g], position: [%g, 0, %g]}\njoints:\n  b: {revolute: [one, two], at: [%g, 0, %g], axis: [0, 1, 0]}\n"
             "  a: {revolute: [world, one], at: [0, 0, 0], axis: [0, 1, 0]",
             J, J, J, sx / 2, sz / 2, J, J, J, sx + tx, sz + tz, sx, sz) +
         drive + "}\n";
}
inline Seen of_bars(double a, double b) {
  return {std::sin(a) * bar / 2, -std::cos(a) * bar / 2, std::sin(a) * bar + std::sin(b) * bar / 2,
          -std::cos(a) * bar - std::cos(b) * bar / 2};
}
inline Seen see_bars(Simulation& s) {
  return {s.position("one", 0), s.position("one", 2), s.position("two", 0), s.position("two", 2)};
}

inline Motion chain(const std::string& world) {
  const std::array<double, 4> start = {1, 0.3, 0, 0};
  return {0.00125,
          0.8,
          world,
          two_bars(1, 0.3, ""),
          see_bars,
          solution_of(
              start,
              [](double, const std::array<double, 4>& s) {
                const double l = bar, d = s[0] - s[1], c = l * l / 2 * std::cos(d), n = l * l / 2 * std::sin(d);
                const double A = bar_inertia + 1.25 * l * l, B = bar_inertia + l * l / 4;
                const double f = -n * s[3] * s[3] - 1.5 * g * l * std::sin(s[0]);
                const double k = n * s[2] * s[2] - 0.5 * g * l * std::sin(s[1]), det = A * B - c * c;
                return std::array<double, 4>{s[2], s[3], (B * f - c * k) / det, (A * k - c * f) / det};
              },
              [](double, const auto& y) { return of_bars(y[0], y[1]); }),
          8};
}

// The first bar is driven: a(t) = 1 + (2/5) (1 - cos 5t).
inline Motion motor_of_told_speed() {
  const std::array<double, 2> start = {0.3, 0};
  const auto first = [](double t) { return 1 + 0.4 * (1 - std::cos(5 * t)); };
  return {0.01,
          0.8,
          "",
          two_bars(1, 0.3, ", motor: {speed: \"-2*sin(5*t)\", limit: 1e4}"),
          see_bars,
          solution_of(
              start,
              [=](double s, const std::array<double, 2>& b) {
                const double l = bar, a = first(s), w = 2 * std::sin(5 * s), r = 10 * std::cos(5 * s);
                const double d = a - b[0], B = bar_inertia + l * l / 4;
                const double k = l * l / 2 * (std::sin(d) * w * w - std::cos(d) * r) - 0.5 * g * l * std::sin(b[0]);
                return std::array<double, 2>{b[1], k / B};
              },
              [=](double t, const auto& y) { return of_bars(first(t), y[0]); })};
}

/// Crank, coupler and rocker of .25, .7 and .45 m fall.
inline Motion closed_loop() {
  constexpr double a = 0.25, b = 0.7, c = 0.45, d = 0.6, t = 0.8;
  const double x1 = a * std::cos(t), y1 = a * std::sin(t), L = std::hypot(d - x1, y1);
  const double along = (b * b - c * c + L * L) / (2 * L), up = std::sqrt(b * b - along * along);
  const double x2 = x1 + (along * (d - x1) + up * y1) / L, y2 = y1 + (-along * y1 + up * (d - x1)) / L;
  const auto rod = [](double mass, double xa, double za, double xb, double zb) {
    const double J = mass * ((xb - xa) * (xb - xa) + (zb - za) * (zb - za)) / 12;
    return with_numbers(": {mass: %g, inertia: %g, freedom: [x, z, ry], position: [%g, 0, %g]}\n", mass, J,
                        (xa + xb) / 2, (za + zb) / 2);
  };
  return {
      0.0003125,
      0.3,
      "",
      "bodies:\n  crank" + rod(0.8, 0, 0, x1, y1) + "  coupler" + rod(1.6, x1, y1, x2, y2) + "  rocker" +
          rod(1.2, x2, y2, d, 0) +
          with_numbers("joints:\n  o: {revolute: [world, crank], at: [0, 0, 0], axis: [0, 1, 0]}\n  p: {revolute: "
                       "[crank, coupler], at: [%g, 0, %g], axis: [0, 1, 0]}\n  q: {revolute: [coupler, rocker], at: "
                       "[%g, 0, %g], axis: [0, 1, 0]}\n  r: {revolute: [rocker, world], at: [%g, 0, 0], axis: [0, "
                       "1, 0]}\n",
                       x1, y1, x2, y2, d),
      [](Simulation& s) {
        return Seen{s.position("crank", 0), s.position("crank", 2), s.position("rocker", 0), s.position("rocker", 2)};
      },
      {},
      16};
}

// A pendulum of 1.2 m on a pivot with x' = .5 sin 6t: a'' = -(g sin a + 3 cos 6t cos a)/1.2.
inline Motion told_motion() {
  const std::array<double, 2> start = {0.4, 0};
  return {0.02,
          1,
          "",
          with_numbers("bodies:\n  pivot: {prescribed: {velocity: [0.5*sin(6*t), 0, 0]}}\n  bob: {mass: 3, freedom: "
                       "[x, z], position: [%g, 0, %g]}\njoints: {rod: {distance: [pivot, bob], at: [[0, 0, 0], [%g, 0, "
                       "%g]]}}\n",
                       1.2 * std::sin(0.4), -1.2 * std::cos(0.4), 1.2 * std::sin(0.4), -1.2 * std::cos(0.4)),
          [](Simulation& s) { return xz(s, "bob"); },
          solution_of(
              start,
              [](double s, const std::array<double, 2>& a) {
                return std::array<double, 2>{a[1], -(g * std::sin(a[0]) + 3 * std::cos(6 * s) * std::cos(a[0])) / 1.2};
              },
              [](double t, const auto& y) {
                return Seen{0.5 / 6 * (1 - std::cos(6 * t)) + 1.2 * std::sin(y[0]), -1.2 * std::cos(y[0])};
              })};
}

/// How many motions that differ in the times of their events.
inline constexpr int phases = 8;

// A bar on a hinge swings from `start` onto its limit at 0, and back with e: a'' = -(3/2) (g/L) sin a.
inline std::vector<Motion> impacts_of_tied_bodies() {
  constexpr double L = 0.6, e = 0.7;
  std::vector<Motion> motions;
  for (int i = 0; i < phases; ++i) {
    const double start = 1 - 0.03 * i;
    const auto swing = [](double, const std::array<double, 2>& a) {
      return std::array<double, 2>{a[1], -1.5 * g / L * std::sin(a[0])};
    };
    motions.push_back(
        {0.01, 0.8, "",
         with_numbers("bodies: {b: {mass: 1, inertia: [0.03, 0.03, 0.03], position: [%g, 0, %g]}}\njoints: {j: "
                      "{revolute: [world, b], at: [0, 0, 0], axis: [0, -1, 0], limits: [%g, 9], restitution: 0.7}}\n",
                      L / 2 * std::sin(start), -L / 2 * std::cos(start), -start),
         [](Simulation& s) { return xz(s, "b"); },
         [=, y = std::array<double, 2>{start, 0}, now = 0.0](double t) mutable {
           auto next = integrated(y, now, t, 1e-3, swing);
           if (next[0] < 0) {
             double before = now, after = t;
             for (int halving = 0; halving < 60; ++halving) {
               const double middle = (before + after) / 2;
               (integrated(y, now, middle, 1e-3, swing)[0] < 0 ? after : before) = middle;
             }
             next = integrated(y, now, after, 1e-3, swing);
             next = integrated(std::array<double, 2>{0, -e * next[1]}, after, t, 1e-3, swing);
           }
           y = next, now = t;
           return Seen{L / 2 * std::sin(y[0]), -L / 2 * std::cos(y[0])};
         }});
  }
  return motions;
}

}  // namespace jostle::orders
