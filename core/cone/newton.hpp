#pragma once
// From the answer with a friction polygon to that with Coulomb's circular cone [Anitescu, Potra, Stewart 1999], for an
// island: a damped semismooth Newton method [Alart, Curnier 1991] on docs/theory.md (43). It depends on no
// time-stepping method.
#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/schur.hpp"
#include "core/cone/cone_block.hpp"
#include "core/cone/least_norm.hpp"
#include "core/model/system.hpp"

namespace jostle {

inline constexpr int max_cone_steps = 30;
/// An answer whose residual is at most this is accepted...
inline constexpr double cone_tolerance = 1e-10;
/// ...but steps continue to this as long as each of them divides the residual by 4...
inline constexpr double fine_cone_tolerance = 1e-15;
/// ...which they need not do above this.
inline constexpr double good_cone_tolerance = 1e-12;
/// A step is halved until the defect shrinks, at most so many times.
inline constexpr int max_cone_halvings = 12;

/// What the Newton method has found.
struct ConeAnswer {
  double residual = infinity();
  int steps = 0;
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
    found.residual = measure();
    if (found.residual <= good_cone_tolerance) return found;
    if constexpr (!IsCoupled) form_delassus(team_, island_, work_);
    while (found.steps < max_cone_steps && found.residual > fine_cone_tolerance) {
      const double before = found.residual;
      compute_step(n);
      take(best_length());
      found.residual = measure();
      ++found.steps;
      if (is_nan(found.residual)) return found;
      if (found.residual <= good_cone_tolerance && !(found.residual < before / 4)) break;
    }
    project();
    found.residual = measure();
    return found;
  }

  /// The residual with the velocities in work.row_speed.
  JOSTLE_HD double measure() const {
    const double worst = largest_of_blocks(team_, island_, work_, [&](int c) {
      const ConePoint at = speeds_from_rows(c);
      double defect[most_cone_equations], largest = 0;
      cone_defect(work_.block(c), bound(c), at, defect);
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
        equation(c, slot) = {row, scale, work_.row_impulse(row) * inverse_power_of_two(scale), 0, 0, 0, 0};
      });
    });
    team_.sync();
  }

  JOSTLE_HD ConePoint speeds_from_rows(int c) const {
    ConePoint at;
    for_each_slot(c, [&](int slot) {
      const ConeEquation& own = equation(c, slot);
      at.impulse[slot] = own.impulse;
      at.speed[slot] = own.scale * work_.row_speed(own.row);
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

  JOSTLE_HD double scaled_delassus(const ConeEquation& a, const ConeEquation& b) const {
    return a.scale * b.scale * work_.delassus(a.row * work_.rows() + b.row);
  }

  /// Writes defects, the matrix of the linear system and its solution, the step.
  JOSTLE_HD void compute_step(int n) const {
    const LeastNormMemory system{n,
                                 work_.cone_matrix(),
                                 work_.cone_numbers(),
                                 work_.cone_numbers().from(n),
                                 work_.cone_numbers().from(2 * n),
                                 work_.cone_numbers().from(3 * n),
                                 work_.cone_order()};
    for_each_block(team_, island_, work_, [&](int c) {
      const ConePoint at = speeds_from_rows(c);
      double defect[most_cone_equations];
      cone_defect(work_.block(c), bound(c), at, defect);
      for_each_slot(c, [&](int slot) {
        equation(c, slot).speed = at.speed[slot];
        equation(c, slot).defect = defect[slot];
      });
    });
    team_.sync();
    for_each_block(team_, island_, work_, [&](int c) { write_rows(c, n, system); });
    team_.sync();
    solve_least_norm(team_, system, [&](int i, double x) { work_.cone_equation(i).step = x; });
    team_.for_each(n, [&](int i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum =
            std::fma(scaled_delassus(work_.cone_equation(i), work_.cone_equation(j)), work_.cone_equation(j).step, sum);
      work_.cone_equation(i).speed_step = sum;
    });
    team_.sync();
  }

  /// The rows of block c: of_speed s D s + of_impulse, and -F.
  JOSTLE_HD void write_rows(int c, int n, const auto& system) const {
    const Block& own = work_.block(c);
    const ConeSlopes slopes = cone_slopes(own, bound(c), speeds_from_rows(c));
    const int first = work_.cone_first(c), shift = first_slot(own), count = cone_equations(own);
    for (int e = 0; e < count; ++e) {
      const auto& of_speed = slopes.of_speed[e + shift];
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < count; ++l) {
          if (of_speed[l + shift] != 0)
            sum = std::fma(of_speed[l + shift], scaled_delassus(work_.cone_equation(first + l), work_.cone_equation(j)),
                           sum);
        }
        system.entry(first + e, j) = sum;
      }
      for (int l = 0; l < count; ++l) system.entry(first + e, first + l) += slopes.of_impulse[e + shift][l + shift];
      system.right[first + e] = -work_.cone_equation(first + e).defect;
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
    team_.sync();
    change_impulses([&](int c, ConePoint& at) {
      for_each_slot(c,
                    [&](int slot) { at.impulse[slot] = std::fma(length, equation(c, slot).step, at.impulse[slot]); });
    });
  }

  /// x := proj(x - w): impulses are then in the cone, and those of open contacts are 0.
  JOSTLE_HD void project() const {
    change_impulses([&](int c, ConePoint& at) {
      double defect[most_cone_equations];
      cone_defect(work_.block(c), bound(c), at, defect);
      for_each_slot(c, [&](int slot) { at.impulse[slot] -= defect[slot]; });
    });
  }

  JOSTLE_HD void change_impulses(auto change) const {
    for_each_block(team_, island_, work_, [&](int c) {
      ConePoint at = speeds_from_rows(c);
      change(c, at);
      for_each_slot(c, [&](int slot) {
        ConeEquation& own = equation(c, slot);
        own.impulse = at.impulse[slot];
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
