#pragma once
// The linear system of the modes of an island that is one body, by a thread: what mode_forms.hpp and block_matrix.hpp
// make of it, operation by operation, without lists of movers, bands and second halves of rows.
#include "core/guess/mode_equations.hpp"
#include "core/linear/block_matrix.hpp"

namespace jostle {

namespace detail {

/// `Size`: 3: of one contact, in impulses; 6: in velocities.
template <AnyWorkspace Work, int Size>
class OneBody {
 public:
  static constexpr bool is_coupled = false, is_one_body = true;
  JOSTLE_HD OneBody(const Island& island, const Work& work)
      : island_(island), work_(work), mover_(work.island_mover(island.first_mover)), matrix_(work.mode_matrix()) {}

  /// From impulses so far; writes and factorises the matrix.
  JOSTLE_HD void take_first_step() const {
    const Six u = velocity();
    write_matrix();
    factorise_square<Size>(matrix_);
    write_defects(u, false);
    take_step();
    write_defects(true);
  }
  JOSTLE_HD void take_further_step() const {
    take_step();
    write_defects(false);
  }

  /// R v + b of the equations that act, or of all.
  JOSTLE_HD void write_defects(bool all) const { write_defects(velocity(), all); }

 private:
  JOSTLE_HD ModeEquations& equations(int i) const {
    return work_.mode_equations(work_.island_block(island_.first_block + i));
  }
  /// visit(own, e, column) for the equations that act, in their order.
  JOSTLE_HD void for_each_acting(auto visit) const {
    for (int i = 0; i < island_.blocks; ++i) {
      ModeEquations& own = equations(i);
      if (own.acting == 0) continue;
      visit(own, 0, own.push[0]);
      for (int e = 1; e < own.acting; ++e) visit(own, e, own.row[e][0]);
    }
  }

  /// u = sqrt(A) v with the impulses so far.
  JOSTLE_HD Six velocity() const {
    Six u = six(work_.root_inv_mass(mover_)) * six(work_.momentum(mover_));
    for_each_acting(
        [&](const ModeEquations& own, int e, const Vec6& column) { u = fused(own.impulse[e], six(column), u); });
    return u;
  }

  JOSTLE_HD void write_defects(const Six& u, bool all) const {
    for (int i = 0; i < island_.blocks; ++i) {
      ModeEquations& own = equations(i);
      const int count = all ? own.count : own.acting;
      for (int e = 0; e < count; ++e) own.defect[e] = own.bias[e] + dot(six(own.row[e][0]), u);
    }
  }

  JOSTLE_HD void write_matrix() const {
    if constexpr (Size == 3)
      write_matrix_of_impulses();
    else
      write_matrix_of_velocities();
  }

  /// eps G + R C'.
  JOSTLE_HD void write_matrix_of_impulses() const {
    const ModeEquations& own = equations(0);
    for (int r = 0; r < Size; ++r) {
      for (int e = 0; e < Size; ++e) {
        const bool acts = r < own.acting && e < own.acting;
        const double proximal = r != e ? 0.0 : acts ? 1 / own.weight : 1.0;
        matrix_[Size * r + e] = acts ? proximal + dot(six(own.row[r][0]), six(own.column(e, 0))) : proximal;
      }
    }
  }

  /// 1 + C' (eps G)^-1 R, all six rows at once.
  JOSTLE_HD void write_matrix_of_velocities() const {
    Six row[Size] = {six(1, 0, 0, 0, 0, 0), six(0, 1, 0, 0, 0, 0), six(0, 0, 1, 0, 0, 0),
                     six(0, 0, 0, 1, 0, 0), six(0, 0, 0, 0, 1, 0), six(0, 0, 0, 0, 0, 1)};
    for_each_acting([&](const ModeEquations& own, int e, const Vec6& column) {
      const Six of_equation = six(own.row[e][0]);
      unrolled<Size>([&](auto r) { row[r] = fused(own.weight * column[r], of_equation, row[r]); });
    });
    unrolled<Size>([&](auto r) { store(row[r], matrix_.from(Size * r)); });
  }

  /// One proximal step, with the factors, for the defects of the impulses so far.
  JOSTLE_HD void take_step() const {
    double x[Size];
    if constexpr (Size == 3) {
      ModeEquations& own = equations(0);
      for (int e = 0; e < Size; ++e) x[e] = e < own.acting ? own.defect[e] : 0.0;
      solve_square<Size>(matrix_, x);
      for (int e = 0; e < own.acting; ++e) own.impulse[e] -= x[e];
    } else {
      Six sum{};
      for_each_acting([&](const ModeEquations& own, int e, const Vec6& column) {
        sum = fused(-own.defect[e] * own.weight, six(column), sum);
      });
      store(sum, x);
      solve_square<Size>(matrix_, x);
      const Six change = six(x);
      for_each_acting([&](ModeEquations& own, int e, const Vec6&) {
        own.impulse[e] -= (own.defect[e] + dot(six(own.row[e][0]), change)) * own.weight;
      });
    }
  }

  const Island& island_;
  const Work& work_;
  const int mover_;
  const Span<double, Work::step> matrix_;
};

}  // namespace detail

}  // namespace jostle
