#pragma once
// Motions whose solution is known, to measure the order of a method with.
#include <array>

#include "tests/laws/tied_bodies.hpp"

namespace jostle::orders {

/// Text with the numbers in place of %g, every digit.
template <class... Numbers>
std::string with_numbers(const char* format, Numbers... numbers) {
  std::string text;
  const double values[] = {numbers..., 0.0};
  int next = 0;
  for (const char* c = format; *c != 0; ++c) {
    if (c[0] == '%' && c[1] == 'g') {
      char number[32];
      std::snprintf(number, sizeof number, "%.17g", values[next++]);
      text += number, ++c;
    } else {
      text += *c;
    }
  }
  return text;
}

/// The classical Runge-Kutta method for y' = f(t, y), in steps of at most `step`.
template <std::size_t n, class Rate>
std::array<double, n> integrated(std::array<double, n> y, double from, double to, double step, Rate f) {
  const int count = std::max(1, static_cast<int>(std::ceil((to - from) / step - 1e-9)));
  const double h = (to - from) / count;
  const auto along = [&](const std::array<double, n>& k, double s) {
    std::array<double, n> moved = y;
    for (std::size_t i = 0; i < n; ++i) moved[i] += s * k[i];
    return moved;
  };
  for (int l = 0; l < count; ++l) {
    const double t = from + l * h;
    const auto k1 = f(t, y), k2 = f(t + h / 2, along(k1, h / 2)), k3 = f(t + h / 2, along(k2, h / 2));
    const auto k4 = f(t + h, along(k3, h));
    for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

/// What a body does, as numbers that are compared with the solution.
using Seen = std::vector<double>;

/// The solution of y' = rate(t, y) from `start`, seen by `see` at growing times.
template <std::size_t n, class Rate, class See>
std::function<Seen(double t)> solution_of(std::array<double, n> start, Rate rate, See see) {
  return [=, y = start, now = 0.0](double t) mutable {
    y = integrated(y, now, t, 1e-3, rate), now = t;
    return see(t, y);
  };
}

/// x(t) of x'' = -w^2 (x - centre(direction of motion)) with Coulomb friction F/m = w^2 `shift`, from rest at x0.
inline double braked_oscillation(double w, double shift, double x0, double t) {
  double x = x0;
  for (; std::fabs(x) > shift; t -= pi / w) {
    const double centre = x > 0 ? shift : -shift;
    if (t < pi / w) return centre + (x - centre) * std::cos(w * t);
    x = 2 * centre - x;
  }
  return x;
}

/// x(t) >= 0 of x'' = -w^2 (x - centre), thrown back with e at 0.
inline double bouncing_oscillation(double w, double centre, double e, double x0, double v0, double t) {
  for (;;) {
    const auto at = [&](double s) { return centre + (x0 - centre) * std::cos(w * s) + v0 / w * std::sin(w * s); };
    // the first root: amplitude A and phase p with x = centre + A cos(w s - p)
    const double A = std::hypot(x0 - centre, v0 / w), p = std::atan2(v0 / w, x0 - centre);
    if (A <= -centre || A <= centre) return at(t);
    double hit = (p + std::acos(-centre / A)) / w;
    while (hit < 1e-12) hit += 2 * pi / w;
    if (t <= hit) return at(t);
    v0 = e * A * w * std::sin(w * hit - p);
    x0 = 0, t -= hit;
  }
}

/// A motion: its scenario without `world`'s step, and its solution.
struct Motion {
  double step, duration;    ///< the largest, s; a whole number of steps
  std::string world, text;  ///< more keys of `world`; bodies and the rest
  std::function<Seen(Simulation&)> see;
  std::function<Seen(double t)> solution;  ///< asked for growing times; none: that of `loetstedt` with small steps
  int coarser = 1;                         ///< `loetstedt` has so many times the step: its errors are not rounding
};

/// The largest deviation at any of the times that all steps have in common; 0 if the sample does not end well.
inline double largest_error(const Motion& motion, const std::string& method, int refinement,
                            const std::vector<Seen>& solution) {
  const int finer = 1 << refinement, count = static_cast<int>(solution.size()) - 1;
  Simulation simulation(tied_scenario(motion.step / finer, motion.duration,
                                      "method: " + method + (motion.world.empty() ? "" : ", ") + motion.world,
                                      motion.text));
  double largest = 0;
  for (int i = 1; i <= count; ++i) {
    simulation.run_to(i * finer);
    const Seen seen = motion.see(simulation);
    for (std::size_t k = 0; k < seen.size(); ++k) largest = std::max(largest, std::fabs(seen[k] - solution[i][k]));
  }
  EXPECT_EQ(simulation.status(), Status::ok) << method << ", step " << motion.step / finer;
  return simulation.status() == Status::ok ? largest : 0;
}

inline std::vector<Seen> at_steps(const Motion& motion) {
  std::vector<Seen> solution;
  const int count = static_cast<int>(std::lround(motion.duration / motion.step));
  if (auto at = motion.solution) {  // a copy, which integrates from the start
    for (int i = 0; i <= count; ++i) solution.push_back(at(i * motion.step));
    return solution;
  }
  constexpr int finer = 32;
  Simulation fine(tied_scenario(motion.step / finer, motion.duration,
                                "method: loetstedt" + std::string(motion.world.empty() ? "" : ", ") + motion.world,
                                motion.text));
  for (int i = 0; i <= count; ++i) fine.run_to(i * finer), solution.push_back(motion.see(fine));
  return solution;
}

struct MeasuredOrder {
  double order = 0;
  std::string errors = "log2 of the errors:";
};

/// The slope of log(error) over log(h) for h, h/2, h/4 and h/8: error ~ h^order. The errors of several motions that
/// differ in a phase are the largest of all, so that the place of an event in its step does not matter.
inline MeasuredOrder measured_order(const std::vector<Motion>& motions, const std::string& method) {
  constexpr int sizes = 4;
  double errors[sizes] = {};
  for (Motion motion : motions) {
    if (method == "loetstedt") motion.step *= motion.coarser;
    const std::vector<Seen> solution = at_steps(motion);
    for (int i = 0; i < sizes; ++i) errors[i] = std::max(errors[i], largest_error(motion, method, i, solution));
  }
  MeasuredOrder measured;
  for (int i = 0; i < sizes; ++i) {
    measured.order -= (2.0 * i - 3) / 10 * std::log2(errors[i]);  // least squares
    measured.errors += " " + std::to_string(std::log2(errors[i]));
  }
  return measured;
}

}  // namespace jostle::orders
