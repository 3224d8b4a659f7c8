#pragma once
// From the answer with a friction polygon to that with Coulomb's circular cone [Anitescu, Potra, Stewart 1999], for an
// island: a damped semismooth Newton method [Alart, Curnier 1991] on docs/theory.md (46) to (48). It depends on no
// time-stepping method.
//
// Where contacts are redundant, its matrix is singular, and contacts that all seem to stick cannot do so: what is wrong
// then grows no smaller by any change of the velocities. So it solves proximal problems, with w + eps (x - x_k) in
// place of w: eps shrinks with the defect, and convergence stays fast. A flat body that lands may slip by a millionth
// of the speeds in play; then the projection of p - rho u, with rho u not far below p, tells its directions apart.
// Where contacts may either stick or slip, the defects have local minima; the answers of smoothed problems [Chen,
// Harker 1993], of ever smaller width, lead past them.
#include "core/cone/cone_problem.hpp"

namespace jostle {

/// Newton steps of an attempt.
inline constexpr int max_cone_steps = 40;
/// Bounds of eps; one attempt has a lower one.
inline constexpr double least_proximal_part = 1e-9, most_proximal_part = 1e-2;
/// What an attempt begins with, and how it chooses the problems that it solves. Often a few contacts slip by a
/// millionth of the speeds of the others; with a rho for each contact they have as much to go by as these.
struct ConeAttempt {
  double start = 1;          ///< it begins with this part of the impulses of the polygon...
  bool has_path = false;     ///< ...or at the end of a path from there: eps = 1, 1/4, 1/16 ...
  double weight_part = 0;    ///< the largest rho u is this part of the largest mu c_n; 0: rho = 1
  double own_part = 0;       ///< rho u is this part of the mu c_n of its contact; 0: all contacts have the same rho
  double eps_part = 0.1;     ///< eps is this times the largest defect over the largest impulse, within bounds
  double smooth_weight = 0;  ///< rho of smoothed problems that lead to where it begins; 0: there are none
  double narrower = 0.5;     ///< the width of each is this times that of the one before
  double least_eps = least_proximal_part;  ///< eps is at least this
};

/// In order, up to one that is good enough. If none is, the best stands.
inline constexpr int max_cone_attempts = 12;
JOSTLE_HD inline ConeAttempt cone_attempt(int number) {
  switch (number) {
    case 0: return {};
    case 1: return {.eps_part = 1e-3, .smooth_weight = 100};
    case 2: return {.start = 0, .eps_part = 1e-3, .smooth_weight = 1, .narrower = 0.25};
    case 3: return {.eps_part = 1e-3, .smooth_weight = 1000, .narrower = 0.25};
    case 4: return {.own_part = 0.1, .eps_part = 1e-3, .smooth_weight = 1e6, .narrower = 0.25, .least_eps = 1e-12};
    case 5: return {.weight_part = 0.1};
    case 6: return {.weight_part = 0.1, .eps_part = 1e-3};
    case 7: return {.start = 0, .has_path = true};
    case 8: return {.own_part = 0.1, .eps_part = 1e-3};
    case 9: return {.start = 0, .own_part = 0.1, .eps_part = 1e-3};
    case 10: return {.own_part = 1, .eps_part = 1e-3};
    default: return {.start = 0, .has_path = true, .own_part = 0.1, .eps_part = 1e-3};
  }
}
/// An answer whose residual is at most this needs no other attempt...
inline constexpr double cone_tolerance = 1e-10;
/// ...but steps continue to this as long as each proximal problem divides the residual by 4...
inline constexpr double fine_cone_tolerance = 1e-15;
/// ...which they need not do above this.
inline constexpr double good_cone_tolerance = 1e-12;
/// Newton steps of a proximal problem: at most so many, and none once its defect is this part of what it was.
inline constexpr int max_proximal_newton_steps = 10;
inline constexpr double proximal_newton_part = 0.1, path_newton_part = 1e-4;
/// The least width of smoothed problems, relative to |q'|inf, and the defect at which one is solved, to its width.
inline constexpr double least_width = 1e-9, smooth_newton_part = 0.1;
/// A step is halved until the defect shrinks, at most so many times.
inline constexpr int max_cone_halvings = 12;

/// What the Newton method has found.
struct ConeAnswer {
  double residual = infinity();
  int steps = 0;
};

template <class Team, AnyWorkspace Work>
class ConeNewton {
 public:
  /// `q_size`: |q'|inf of the problem's island.
  JOSTLE_HD ConeNewton(const ConeProblem<Team, Work>& problem, double q_size) : problem_(problem), q_size_(q_size) {}

  /// Writes work.row_impulse, which then has entries for n, t1 and t2 alone, and work.next_velocity, and leaves
  /// work.row_speed to match. Begins and ends synced.
  JOSTLE_HD ConeAnswer answer() const {
    ConeAnswer found;
    const int n = problem_.load();
    const double at_start = found.residual = problem_.residual();
    if (at_start <= good_cone_tolerance) return found;
    problem_.form_matrix();
    double best = finite_or_infinity(at_start);
    for (int number = 0; number < max_cone_attempts && (number == 0 || !(best <= cone_tolerance)); ++number) {
      const ConeAttempt how = cone_attempt(number);
      if (number > 0) return_to_start(how.start);
      if (how.has_path) found.steps += follow_path(n);
      if (how.smooth_weight > 0) found.steps += follow_smoothed(how, n);
      found.residual = how.start == 1 && how.smooth_weight == 0 ? at_start : problem_.residual();
      attempt(how, n, found);
      if (!(found.residual < best)) continue;
      best = found.residual;
      problem_.for_each_equation(n, [](ConeEquation& own) { own.best = own.impulse; });
    }
    const auto return_to_best = [&] { problem_.change_impulses([](const ConeEquation& own) { return own.best; }); };
    if (is_finite(best)) return_to_best();
    project();
    found.residual = problem_.residual();
    if (is_finite(best) && !(found.residual <= cone_tolerance) && !(found.residual <= best)) {
      return_to_best();
      found.residual = problem_.residual();
    }
    return found;
  }

 private:
  /// Solves proximal problems from the impulses as they are.
  JOSTLE_HD void attempt(const ConeAttempt& how, int n, ConeAnswer& found) const {
    for (int steps = 0; steps < max_cone_steps && found.residual > fine_cone_tolerance;) {
      const double before = found.residual;
      problem_.take_centre(n);
      const int taken =
          solve_proximal_problem(n, proximity(how, before * q_size_), proximal_newton_part, max_cone_steps - steps);
      steps += taken, found.steps += taken;
      found.residual = problem_.residual();
      if (is_nan(found.residual)) return;
      if (found.residual <= good_cone_tolerance && !(found.residual < before / 4)) return;
    }
  }

  /// From no impulses to the problem with the least eps; returns the number of Newton steps.
  JOSTLE_HD int follow_path(int n) const {
    int steps = 0;
    problem_.take_centre(n);
    for (double eps = 1; eps > least_proximal_part; eps /= 4)
      steps += solve_proximal_problem(n, {eps, 1}, path_newton_part, max_proximal_newton_steps);
    return steps;
  }

  /// From where the impulses are to the smoothed problem with the least width; returns the number of Newton steps.
  JOSTLE_HD int follow_smoothed(const ConeAttempt& how, int n) const {
    int steps = 0;
    for (double width = q_size_; width > least_width * q_size_; width *= how.narrower) {
      problem_.take_centre(n);
      const ConeProximity proximity{how.least_eps, how.smooth_weight, 0, width};
      problem_.take_weights(proximity);
      problem_.write_points(proximity);
      const double enough = smooth_newton_part * width;
      for (int step = 0; step < max_proximal_newton_steps && problem_.merit(0, width) > enough * enough;
           ++step, ++steps)
        take_step(n, proximity);
    }
    return steps;
  }

  JOSTLE_HD ConeProximity proximity(const ConeAttempt& how, double defect) const {
    const double largest = problem_.largest([](int, const ConePoint& at) {
      return larger_magnitude(at.impulse[0], larger_magnitude(at.impulse[1], at.impulse[2]));
    });
    const double part = largest > 0 ? how.eps_part * defect / largest : most_proximal_part;
    const double eps = part < how.least_eps ? how.least_eps : part < most_proximal_part ? part : most_proximal_part;
    if (how.weight_part == 0) return {eps, 1, how.own_part};
    const double radius = problem_.largest([&](int c, const ConePoint& at) { return problem_.radius(c, at); });
    const double slip =
        problem_.largest([](int, const ConePoint& at) { return larger_magnitude(at.speed[1], at.speed[2]); });
    return {eps, bounded_weight(how.weight_part * radius / slip)};
  }

  /// Newton steps for a proximal problem, until its defect is this part of what it was; returns how many.
  JOSTLE_HD int solve_proximal_problem(int n, const ConeProximity& proximity, double part, int most_steps) const {
    problem_.take_weights(proximity);
    problem_.write_points(proximity);
    const double finest = fine_cone_tolerance * proximity.weight * q_size_;
    double enough = part * part * problem_.merit(0, 0);
    if (!(enough > finest * finest)) enough = finest * finest;
    int steps = 0;
    do {
      take_step(n, proximity);
      ++steps;
    } while (steps < max_proximal_newton_steps && steps < most_steps && problem_.merit(0, 0) > enough);
    return steps;
  }

  JOSTLE_HD void take_step(int n, const ConeProximity& proximity) const {
    problem_.compute_step(n, proximity);
    take(best_length(proximity.width));
    problem_.write_points(proximity);
  }

  /// Of the lengths 1, 1/2, 1/4 ... the first with less defect, else that with the least.
  JOSTLE_HD double best_length(double width) const {
    const double before = problem_.merit(0, width);
    double best = 1, least = infinity(), length = 1;
    for (int halving = 0; halving <= max_cone_halvings; ++halving, length /= 2) {
      const double after = problem_.merit(length, width);
      if (after < least) best = length, least = after;
      if (after < before * (1 - 1e-3 * length)) break;
    }
    return best;
  }

  /// Takes a step and computes the velocities that follow.
  JOSTLE_HD void take(double length) const {
    problem_.change_impulses([&](const ConeEquation& own) { return std::fma(length, own.step, own.impulse); });
  }

  /// To a part of the impulses of the polygon.
  JOSTLE_HD void return_to_start(double part) const {
    problem_.change_impulses([&](const ConeEquation& own) { return part * own.start; });
  }

  /// x := proj(x - w): impulses are then in the cone, and those of open contacts are 0. Where the matrix is badly
  /// scaled it may lead away from the answer, and is not taken then.
  JOSTLE_HD void project() const {
    problem_.take_weights({});
    problem_.write_points({});
    problem_.change_impulses([](const ConeEquation& own) { return own.impulse - own.defect; });
  }

  const ConeProblem<Team, Work>& problem_;
  const double q_size_;
};

}  // namespace jostle
