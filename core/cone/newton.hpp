#pragma once
// From the answer with a friction polygon to that with Coulomb's circular cone [Anitescu, Potra, Stewart 1999], for an
// island: a damped semismooth Newton method [Alart, Curnier 1991] on docs/theory.md (43) to (45). It depends on no
// time-stepping method.
//
// Where contacts are redundant, its matrix is singular, and contacts that all seem to stick cannot do so: what is wrong
// then grows no smaller by any change of the velocities. So it solves proximal problems, with w + eps (x - x_k) in
// place of w: eps shrinks with the defect, and convergence stays fast. A flat body that lands slips by a millionth of
// the speeds in play; then the projection of p - rho u, with rho u as large as p, tells its directions apart.
#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/schur.hpp"
#include "core/cone/cone_block.hpp"
#include "core/cone/linear_system.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// Newton steps of an attempt.
inline constexpr int max_cone_steps = 40;
/// Attempts 0 to 2 begin with the impulses of the polygon, 3 with half of them, 4 with none. In attempts 1 and 2 rho
/// makes the largest rho u a tenth of the largest mu c_n; attempt 2 has a smaller eps. If none is good enough, the best
/// stands.
inline constexpr int max_cone_attempts = 5;
inline constexpr double weight_part = 0.1, most_cone_weight = 1e8;
/// An answer whose residual is at most this needs no other attempt...
inline constexpr double cone_tolerance = 1e-10;
/// ...but steps continue to this as long as each proximal problem divides the residual by 4...
inline constexpr double fine_cone_tolerance = 1e-15;
/// ...which they need not do above this.
inline constexpr double good_cone_tolerance = 1e-12;
/// eps is this times the largest defect over the largest impulse, within bounds; in attempt 2 less.
inline constexpr double proximal_part = 0.1, low_proximal_part = 1e-3;
inline constexpr double least_proximal_part = 1e-9, most_proximal_part = 1e-2;
/// Newton steps of a proximal problem: at most so many, and none once its defect is this part of what it was.
inline constexpr int max_proximal_newton_steps = 10;
inline constexpr double proximal_newton_part = 0.1;
/// A step is halved until the defect shrinks, at most so many times.
inline constexpr int max_cone_halvings = 12;

/// What the Newton method has found.
struct ConeAnswer {
  double residual = infinity();
  int steps = 0;
};

/// The proximal problem: w + eps (x - centre), and the weight rho of the projection.
struct ConeProximity {
  double eps = 0, weight = 1;
};

/// The island's blocks must have equilibration and an answer with polygons. `IsCoupled`: as for `solve`.
template <bool IsCoupled, class Team, AnyWorkspace Work>
class ConeNewton {
 public:
  /// `rows`: of the problem; `q_size`: |q'|inf.
  JOSTLE_HD ConeNewton(const Team& team, const Island& island, const ModelView& model, const Work& work, int rows,
                       double q_size)
      : team_(team), island_(island), model_(model), work_(work), rows_(rows), q_size_(q_size) {}

  /// Writes work.row_impulse, which then has entries for n, t1 and t2 alone, and work.next_velocity, and leaves
  /// work.row_speed to match. Begins and ends synced.
  JOSTLE_HD ConeAnswer answer() const {
    ConeAnswer found;
    const int n = number_equations();
    load_impulses();
    write_row_speeds(team_, island_, work_);
    const double at_start = found.residual = measure();
    if (at_start <= good_cone_tolerance) return found;
    if constexpr (!IsCoupled) form_delassus(team_, island_, work_);
    double best = infinity();
    for (int number = 0; number < max_cone_attempts && !(best <= cone_tolerance); ++number) {
      if (number > 0) return_to_start(number == 3 ? 0.5 : number == 4 ? 0.0 : 1.0);
      found.residual = number < 3 ? at_start : measure();
      attempt(number, n, found);
      if (!(found.residual < best)) continue;
      best = found.residual;
      team_.for_each(n, [&](int i) { work_.cone_equation(i).best = work_.cone_equation(i).impulse; });
    }
    if (is_finite(best)) change_impulses([](const ConeEquation& own) { return own.best; });
    project();
    found.residual = measure();
    return found;
  }

  /// The residual with the velocities in work.row_speed.
  JOSTLE_HD double measure() const {
    const double worst = largest_of_blocks(team_, island_, work_, [&](int c) {
      double defect[most_cone_equations], largest = 0;
      cone_defect(work_.block(c), bound(c), point(c, {}), defect);
      for (const double each : defect) largest = larger_magnitude(largest, each);
      return largest;
    });
    team_.sync();
    return worst == 0 ? 0.0 : worst / q_size_;
  }

 private:
  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }
  JOSTLE_HD double bound(int c) const { return work_.block(c).bound * inverse_power_of_two(work_.block_scale(c)); }
  JOSTLE_HD ConeEquation& equation(int c, int slot) const {
    return work_.cone_equation(work_.cone_first(c) + slot - first_slot(work_.block(c)));
  }
  /// visit(slot) for the equations of block c.
  JOSTLE_HD void for_each_slot(int c, auto visit) const {
    const Block& own = work_.block(c);
    const int first = first_slot(own);
    for (int e = 0; e < cone_equations(own); ++e) visit(first + e);
  }

  /// Returns how many there are.
  JOSTLE_HD int number_equations() const {
    team_.once([&] {
      int next = 0;
      for (int i = 0; i < island_.blocks; ++i) {
        work_.cone_first(block(i)) = next;
        next += cone_equations(work_.block(block(i)));
      }
      work_.cone_count(0) = next;
    });
    team_.sync();
    return work_.cone_count(0);
  }

  /// From the impulses along all directions to those along t1 and t2.
  JOSTLE_HD void load_impulses() const {
    for_each_block(team_, island_, work_, [&](int c) {
      const Block& own = work_.block(c);
      const double scale = work_.block_scale(c);
      double along[2] = {0, 0};
      for (int i = 0; i < own.tangents; ++i) {
        const double impulse = work_.row_impulse(own.tangent + i);
        along[0] += own.tangents == 1 ? impulse : model_.direction_cosine[i] * impulse;
        along[1] += own.tangents == 1 ? 0.0 : model_.direction_sine[i] * impulse;
        work_.row_impulse(own.tangent + i) = 0;
      }
      for_each_slot(c, [&](int slot) {
        const int row = slot == 0 ? own.normal : slot == 1 ? own.tangent : second_tangent_row(own);
        if (slot > 0) work_.row_impulse(row) = along[slot - 1];
        const double impulse = work_.row_impulse(row) * inverse_power_of_two(scale);
        equation(c, slot) = {row, scale, impulse, impulse, impulse, impulse, 0, 0, 0, 0};
      });
    });
    team_.sync();
  }

  /// Impulses of block c, and the speeds of the proximal problem, times its weight.
  JOSTLE_HD ConePoint point(int c, const ConeProximity& proximity) const {
    ConePoint at;
    for_each_slot(c, [&](int slot) {
      const ConeEquation& own = equation(c, slot);
      const double speed = own.scale * work_.row_speed(own.row);
      at.impulse[slot] = own.impulse;
      at.speed[slot] = proximity.weight * std::fma(proximity.eps, own.impulse - own.centre, speed);
    });
    return at;
  }

  /// The point after a step of this length.
  JOSTLE_HD ConePoint point_after(int c, double length) const {
    ConePoint at;
    for_each_slot(c, [&](int slot) {
      const ConeEquation& own = equation(c, slot);
      at.impulse[slot] = std::fma(length, own.step, own.impulse);
      at.speed[slot] = std::fma(length, own.speed_step, own.speed);
    });
    return at;
  }

  /// Solves proximal problems from the impulses as they are.
  JOSTLE_HD void attempt(int number, int n, ConeAnswer& found) const {
    for (int steps = 0; steps < max_cone_steps && found.residual > fine_cone_tolerance;) {
      const double before = found.residual;
      const int taken = solve_proximal_problem(n, proximity(number, before * q_size_), max_cone_steps - steps);
      steps += taken, found.steps += taken;
      found.residual = measure();
      if (is_nan(found.residual)) return;
      if (found.residual <= good_cone_tolerance && !(found.residual < before / 4)) return;
    }
  }

  JOSTLE_HD ConeProximity proximity(int number, double defect) const {
    const double largest = largest_of_blocks(team_, island_, work_, [&](int c) {
      double impulse = 0;
      for_each_slot(c, [&](int slot) { impulse = larger_magnitude(impulse, equation(c, slot).impulse); });
      return impulse;
    });
    const double of_defect = number == 2 ? low_proximal_part : proximal_part;
    const double part = largest > 0 ? of_defect * defect / largest : most_proximal_part;
    const double eps = part < least_proximal_part  ? least_proximal_part
                       : part < most_proximal_part ? part
                                                   : most_proximal_part;
    if (number != 1 && number != 2) return {eps, 1};
    const double radius = largest_of_blocks(team_, island_, work_, [&](int c) {
      const double normal = point(c, {}).impulse[0];
      return bound(c) + work_.block(c).friction * (normal > 0 ? normal : 0.0);
    });
    const double slip = largest_of_blocks(team_, island_, work_, [&](int c) {
      const ConePoint at = point(c, {});
      return larger_magnitude(at.speed[1], at.speed[2]);
    });
    const double weight = weight_part * radius / slip;
    return {eps, !(weight < most_cone_weight) ? most_cone_weight : weight > 1 ? weight : 1.0};
  }

  /// Newton steps for the proximal problem whose centre is where it begins; returns how many.
  JOSTLE_HD int solve_proximal_problem(int n, const ConeProximity& proximity, int most_steps) const {
    team_.sync();
    team_.for_each(n, [&](int i) { work_.cone_equation(i).centre = work_.cone_equation(i).impulse; });
    team_.sync();
    write_points(proximity);
    const double finest = fine_cone_tolerance * proximity.weight * q_size_;
    double enough = proximal_newton_part * proximal_newton_part * merit(0);
    if (!(enough > finest * finest)) enough = finest * finest;
    int steps = 0;
    do {
      compute_step(n, proximity);
      take(best_length());
      write_points(proximity);
      ++steps;
    } while (steps < max_proximal_newton_steps && steps < most_steps && merit(0) > enough);
    return steps;
  }

  /// Speeds and defects of the equations; their steps are 0.
  JOSTLE_HD void write_points(const ConeProximity& proximity) const {
    for_each_block(team_, island_, work_, [&](int c) {
      const ConePoint at = point(c, proximity);
      double defect[most_cone_equations];
      cone_defect(work_.block(c), bound(c), at, defect);
      for_each_slot(c, [&](int slot) {
        ConeEquation& own = equation(c, slot);
        own.speed = at.speed[slot], own.defect = defect[slot], own.step = own.speed_step = 0;
      });
    });
    team_.sync();
  }

  JOSTLE_HD double scaled_delassus(const ConeEquation& a, const ConeEquation& b) const {
    return a.scale * b.scale * work_.delassus(a.row * work_.rows() + b.row);
  }

  /// The step, from a linear system.
  JOSTLE_HD void compute_step(int n, const ConeProximity& proximity) const {
    for_each_block(team_, island_, work_, [&](int c) { write_rows(c, n, proximity); });
    team_.sync();
    solve_dense_system(team_, n, work_.cone_matrix(), [&](int i, double x) { work_.cone_equation(i).step = x; });
    team_.for_each(n, [&](int i) {
      double sum = proximity.eps * work_.cone_equation(i).step;
      for (int j = 0; j < n; ++j)
        sum =
            std::fma(scaled_delassus(work_.cone_equation(i), work_.cone_equation(j)), work_.cone_equation(j).step, sum);
      work_.cone_equation(i).speed_step = proximity.weight * sum;
    });
    team_.sync();
  }

  /// The rows of block c: of_speed rho (s D s + eps) + of_impulse.
  JOSTLE_HD void write_rows(int c, int n, const ConeProximity& proximity) const {
    const Block& own = work_.block(c);
    const ConeSlopes slopes = cone_slopes(own, bound(c), point_after(c, 0));
    const int first = work_.cone_first(c), shift = first_slot(own), count = cone_equations(own);
    const auto matrix = work_.cone_matrix();
    for (int e = 0; e < count; ++e) {
      const auto& of_speed = slopes.of_speed[e + shift];
      const auto row = matrix.from((first + e) * (n + 1));
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < count; ++l) {
          const ConeEquation& other = work_.cone_equation(first + l);
          if (of_speed[l + shift] != 0)
            sum = std::fma(of_speed[l + shift], scaled_delassus(other, work_.cone_equation(j)), sum);
        }
        row[j] = proximity.weight * sum;
      }
      for (int l = 0; l < count; ++l) {
        const double of_eps = proximity.weight * proximity.eps * of_speed[l + shift];
        row[first + l] += of_eps + slopes.of_impulse[e + shift][l + shift];
      }
      row[n] = -work_.cone_equation(first + e).defect;
    }
  }

  /// Of the lengths 1, 1/2, 1/4 ... the first with less defect, else that with the least.
  JOSTLE_HD double best_length() const {
    const double before = merit(0);
    double best = 1, least = infinity(), length = 1;
    for (int halving = 0; halving <= max_cone_halvings; ++halving, length /= 2) {
      const double after = merit(length);
      if (after < least) best = length, least = after;
      if (after < before * (1 - 1e-3 * length)) break;
    }
    return best;
  }

  /// The sum of the squares of the defects after a step of this length; every lane computes it.
  JOSTLE_HD double merit(double length) const {
    double sum = 0;
    for (int i = 0; i < island_.blocks; ++i) {
      const int c = block(i);
      double defect[most_cone_equations];
      cone_defect(work_.block(c), bound(c), point_after(c, length), defect);
      for (const double each : defect) sum = std::fma(each, each, sum);
    }
    return sum;
  }

  /// Takes a step and computes the velocities that follow.
  JOSTLE_HD void take(double length) const {
    change_impulses([&](const ConeEquation& own) { return std::fma(length, own.step, own.impulse); });
  }

  /// To a part of the impulses of the polygon.
  JOSTLE_HD void return_to_start(double part) const {
    change_impulses([&](const ConeEquation& own) { return part * own.start; });
  }

  /// x := proj(x - w): impulses are then in the cone, and those of open contacts are 0.
  JOSTLE_HD void project() const {
    write_points({});
    change_impulses([](const ConeEquation& own) { return own.impulse - own.defect; });
  }

  /// x := changed(equation), with the velocities that follow. Begins with a sync().
  JOSTLE_HD void change_impulses(auto changed) const {
    team_.sync();
    for_each_block(team_, island_, work_, [&](int c) {
      for_each_slot(c, [&](int slot) {
        ConeEquation& own = equation(c, slot);
        own.impulse = changed(own);
        work_.row_impulse(own.row) = own.scale * own.impulse;
      });
    });
    team_.sync();
    write_velocities<IsCoupled>(team_, model_.dimensions, rows_, island_, work_);
    write_row_speeds(team_, island_, work_);
  }

  const Team& team_;
  const Island& island_;
  const ModelView& model_;
  const Work& work_;
  const int rows_;
  const double q_size_;
};

}  // namespace jostle
