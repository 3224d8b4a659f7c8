#pragma once
// The problem of an island with Coulomb's circular cone, docs/theory.md (46), as a Newton method sees it: equations,
// defects, linear systems, and velocities that follow from impulses.
#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/schur.hpp"
#include "core/assembly/tangents.hpp"
#include "core/cone/cone_block.hpp"
#include "core/linear/elimination.hpp"

namespace jostle {

/// The proximal problem: w + eps (x - centre), and the weight rho of the projection: `weight`, or of each block that
/// with which rho |u| is `own_part` of the radius of its disc, if that is not 0. `width`: of the smoothing.
struct ConeProximity {
  double eps = 0, weight = 1, own_part = 0, width = 0;
};

inline constexpr double most_cone_weight = 1e8;

JOSTLE_HD inline double bounded_weight(double weight) {
  return !(weight < most_cone_weight) ? most_cone_weight : weight > 1 ? weight : 1.0;
}

/// The island's blocks must have equilibration and an answer with polygons.
template <class Team, AnyWorkspace Work>
class ConeProblem {
 public:
  /// `q_size`: |q'|inf.
  JOSTLE_HD ConeProblem(const Team& team, const Island& island, const ModelView& model, const Work& work, double q_size)
      : team_(team), island_(island), model_(model), work_(work), q_size_(q_size) {}

  /// Numbers and loads the equations, from work.row_impulse and work.next_velocity; returns how many there are. Begins
  /// and ends synced.
  JOSTLE_HD int load() const {
    const int n = number_equations();
    load_impulses();
    write_row_speeds(team_, island_, work_);
    return n;
  }

  /// Forms the Delassus matrix. Ends synced.
  JOSTLE_HD void form_matrix() const { form_delassus(team_, model_.dimensions, island_, work_); }

  /// f(equation) for all n. Ends synced.
  JOSTLE_HD void for_each_equation(int n, auto f) const {
    team_.for_each(n, [&](int i) { f(work_.cone_equation(i)); });
    team_.sync();
  }

  /// The residual with the velocities in work.row_speed.
  JOSTLE_HD double residual() const {
    const double worst = largest_of_blocks(team_, island_, work_, [&](int c) {
      double defect[most_cone_equations], largest = 0;
      cone_defect(work_.block(c), bound(c), point(c), 0, defect);
      for (const double each : defect) largest = larger_magnitude(largest, each);
      return largest;
    });
    team_.sync();
    return worst == 0 ? 0.0 : worst / q_size_;
  }

  /// The centre of the proximal problem is where the impulses are. Begins and ends synced.
  JOSTLE_HD void take_centre(int n) const {
    team_.sync();
    team_.for_each(n, [&](int i) { work_.cone_equation(i).centre = work_.cone_equation(i).impulse; });
    team_.sync();
  }

  /// The weights of the blocks where the impulses are. Begins and ends synced.
  JOSTLE_HD void take_weights(const ConeProximity& proximity) const {
    for_each_block(team_, island_, work_, [&](int c) {
      double weight = proximity.weight;
      if (proximity.own_part > 0) {
        const ConePoint at = point(c);
        const double slip = std::sqrt(at.speed[1] * at.speed[1] + at.speed[2] * at.speed[2]);
        if (radius(c, at) > 0) weight = bounded_weight(proximity.own_part * radius(c, at) / slip);
      }
      for_each_slot(c, [&](int slot) { equation(c, slot).weight = weight; });
    });
    team_.sync();
  }

  /// Speeds and defects of the equations of the proximal problem, with the weights of its blocks; their steps are 0.
  /// Ends synced.
  JOSTLE_HD void write_points(const ConeProximity& proximity) const {
    for_each_block(team_, island_, work_, [&](int c) {
      const ConePoint at = point(c, proximity.eps);
      double defect[most_cone_equations];
      cone_defect(work_.block(c), bound(c), at, proximity.width, defect);
      for_each_slot(c, [&](int slot) {
        ConeEquation& own = equation(c, slot);
        own.speed = at.speed[slot], own.defect = defect[slot], own.step = own.speed_step = 0;
      });
    });
    team_.sync();
  }

  /// The sum of the squares of the defects after a step of this length; every lane computes it. Ends synced.
  JOSTLE_HD double merit(double length, double width) const {
    double sum = 0;
    for (int i = 0; i < island_.blocks; ++i) {
      const int c = block(i);
      double defect[most_cone_equations];
      cone_defect(work_.block(c), bound(c), point_after(c, length), width, defect);
      for (const double each : defect) sum = std::fma(each, each, sum);
    }
    team_.sync();
    return sum;
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
    write_velocities(team_, model_.dimensions, island_, work_);
    write_row_speeds(team_, island_, work_);
  }

  /// Writes the step, from a linear system. Ends synced.
  JOSTLE_HD void compute_step(int n, const ConeProximity& proximity) const {
    for_each_block(team_, island_, work_, [&](int c) { write_rows(c, n, proximity); });
    team_.sync();
    solve_dense_system(team_, n, work_.cone_matrix(), [&](int i, double x) { work_.cone_equation(i).step = x; });
    team_.for_each(n, [&](int i) {
      double sum = proximity.eps * work_.cone_equation(i).step;
      for (int j = 0; j < n; ++j)
        sum =
            std::fma(scaled_delassus(work_.cone_equation(i), work_.cone_equation(j)), work_.cone_equation(j).step, sum);
      work_.cone_equation(i).speed_step = work_.cone_equation(i).weight * sum;
    });
    team_.sync();
  }

  /// The largest of magnitude(point) of the blocks, without proximity. Begins with a sync().
  JOSTLE_HD double largest(auto magnitude) const {
    return largest_of_blocks(team_, island_, work_, [&](int c) { return magnitude(c, point(c)); });
  }
  /// Of the disc that the tangential impulse of block c is projected onto.
  JOSTLE_HD double radius(int c, const ConePoint& at) const {
    return bound(c) + work_.block(c).friction * (at.impulse[0] > 0 ? at.impulse[0] : 0.0);
  }

 private:
  JOSTLE_HD double bound(int c) const { return work_.block(c).bound * inverse_power_of_two(work_.block_scale(c)); }
  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }
  JOSTLE_HD ConeEquation& equation(int c, int slot) const {
    return work_.cone_equation(work_.cone_first(c) + slot - first_slot(work_.block(c)));
  }
  /// visit(slot) for the equations of block c.
  JOSTLE_HD void for_each_slot(int c, auto visit) const {
    const Block& own = work_.block(c);
    const int first = first_slot(own);
    for (int e = 0; e < cone_equations(own); ++e) visit(first + e);
  }

  /// Numbers the equations; returns how many there are. Ends synced.
  JOSTLE_HD int number_equations() const {
    team_.once([&] {
      int next = 0;
      for (int i = 0; i < island_.blocks; ++i) {
        work_.cone_first(block(i)) = next;
        next += cone_equations(work_.block(block(i)));
      }
      work_.cone_count() = next;
    });
    team_.sync();
    return work_.cone_count();
  }

  /// From the impulses along all directions to those along t1 and t2. Ends synced.
  JOSTLE_HD void load_impulses() const {
    for_each_block(team_, island_, work_, [&](int c) {
      const Block& own = work_.block(c);
      const double scale = work_.block_scale(c);
      const Direction along = tangential_impulse(model_, work_, own);
      for (int i = 0; i < own.tangents; ++i) work_.row_impulse(own.tangent + i) = 0;
      for_each_slot(c, [&](int slot) {
        const int row = slot == 0 ? own.normal : slot == 1 ? own.tangent : own.second_tangent();
        if (slot > 0) work_.row_impulse(row) = slot == 1 ? along.x : along.y;
        const double impulse = work_.row_impulse(row) * inverse_power_of_two(scale);
        equation(c, slot) = {row, scale, impulse, impulse, impulse, 1, impulse, 0, 0, 0, 0};
      });
    });
    team_.sync();
  }

  /// Impulses and speeds of block c.
  JOSTLE_HD ConePoint point(int c) const {
    ConePoint at;
    for_each_slot(c, [&](int slot) {
      const ConeEquation& own = equation(c, slot);
      at.impulse[slot] = own.impulse, at.speed[slot] = own.scale * work_.row_speed(own.row);
    });
    return at;
  }

  /// Impulses of block c, and the speeds of the proximal problem, times its weight.
  JOSTLE_HD ConePoint point(int c, double eps) const {
    ConePoint at;
    for_each_slot(c, [&](int slot) {
      const ConeEquation& own = equation(c, slot);
      const double speed = own.scale * work_.row_speed(own.row);
      at.impulse[slot] = own.impulse;
      at.speed[slot] = own.weight * std::fma(eps, own.impulse - own.centre, speed);
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

  /// The rows of block c: of_speed rho (s D s + eps) + of_impulse.
  JOSTLE_HD void write_rows(int c, int n, const ConeProximity& proximity) const {
    const Block& own = work_.block(c);
    const ConeSlopes slopes = cone_slopes(own, bound(c), point_after(c, 0), proximity.width);
    const int first = work_.cone_first(c), shift = first_slot(own), count = cone_equations(own);
    const auto matrix = work_.cone_matrix();
    for (int e = 0; e < count; ++e) {
      const auto& of_speed = slopes.of_speed[e + shift];
      const double weight = work_.cone_equation(first + e).weight;
      const auto row = matrix.from((first + e) * (n + 1));
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < count; ++l) {
          const ConeEquation& other = work_.cone_equation(first + l);
          if (of_speed[l + shift] != 0)
            sum = std::fma(of_speed[l + shift], scaled_delassus(other, work_.cone_equation(j)), sum);
        }
        row[j] = weight * sum;
      }
      for (int l = 0; l < count; ++l) {
        const double of_eps = weight * proximity.eps * of_speed[l + shift];
        row[first + l] += of_eps + slopes.of_impulse[e + shift][l + shift];
      }
      row[n] = -work_.cone_equation(first + e).defect;
    }
  }

  const Team& team_;
  const Island& island_;
  const ModelView& model_;
  const Work& work_;
  const double q_size_;
};

}  // namespace jostle
