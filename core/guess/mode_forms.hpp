#pragma once
// The linear system of the modes in two forms: with the matrix of velocities, or with that of impulses. C has a row for
// every impulse.
#include "core/assembly/islands.hpp"
#include "core/guess/mode_equations.hpp"
#include "core/linear/block_matrix.hpp"

namespace jostle {

namespace detail {

/// R u of one equation; u[6 m ..] is that of mover m.
template <class Numbers>
JOSTLE_HD double equation_product(const ModeEquations& own, int equation, Numbers u) {
  const double first = dot(six(own.row[equation][0]), six(u.from(6 * own.body[0])));
  return own.body[1] == no_body ? first : first + dot(six(own.row[equation][1]), six(u.from(6 * own.body[1])));
}

/// visit(own, side) for the equations of all blocks of mover m.
JOSTLE_HD void for_each_touching(AnyWorkspace auto work, int m, auto visit) {
  const MoverBlocks list = work.mover_blocks(m);
  for (int i = list.first; i < list.first + list.count; ++i) {
    const ModeEquations& own = work.mode_equations(work.mover_block(i));
    visit(own, own.body[0] == m ? 0 : 1);
  }
}

/// Adds the components of mover m in C' x, x(own, equation) being the factors.
JOSTLE_HD void add_columns(AnyWorkspace auto work, int m, Six& sum, auto x) {
  for_each_touching(work, m, [&](const ModeEquations& own, int side) {
    for (int e = 0; e < own.acting; ++e) sum = fused(x(own, e), six(own.column(e, side)), sum);
  });
}

/// The bands of the matrix in velocities.
JOSTLE_HD inline void find_bands(const Island& island, AnyWorkspace auto work) {
  for (int i = 0; i < island.movers; ++i) work.band(i) = {i, i};
  for (int b = 0; b < island.blocks; ++b) {
    const ConstraintRow& row = work.row(work.block(work.island_block(island.first_block + b)).normal);
    if (row.body[1] == no_body) continue;
    const int first = work.local_mover(row.body[0]), last = work.local_mover(row.body[1]);
    if (work.band(first).last < last) work.band(first).last = last;
  }
  for (int i = 1; i < island.movers; ++i) {
    MatrixBand& own = work.band(i);
    const MatrixBand before = work.band(i - 1);
    own.last = before.last > own.last ? before.last : own.last;
    for (own.first = before.first; work.band(own.first).last < i;) ++own.first;
  }
}

/// The matrix in velocities, 1 + C' (eps G)^-1 R.
template <AnyWorkspace Work>
class VelocityForm {
 public:
  static constexpr int size = 6;
  static constexpr bool is_coupled = false, is_one_body = false;
  JOSTLE_HD VelocityForm(const Island& island, const Work& work) : island_(island), work_(work) {}

  template <class Team>
  JOSTLE_HD void prepare(const Team& team) const {
    team.once([&] { find_bands(island_, work_); });
    team.sync();
  }
  JOSTLE_HD int blocks() const { return island_.movers; }
  JOSTLE_HD MatrixBand band(int i) const { return work_.band(i); }

  JOSTLE_HD void write_rows(int i, int first, auto to) const {
    const MatrixBand own_band = band(i);
    for (int j = own_band.first; j <= own_band.last; ++j) {
      for (int r = first; r < first + 3; ++r) {
        for (int k = 0; k < 6; ++k) to(j)[6 * r + k] = j == i && k == r ? 1.0 : 0.0;
      }
    }
    for_each_touching(work_, mover(i), [&](const ModeEquations& own, int side) {
      for (int other = 0; other < 2 && own.acting > 0 && own.body[other] != no_body; ++other) {
        const auto block = to(work_.local_mover(own.body[other]));
        for (int r = first; r < first + 3; ++r) {
          Six sum = fused(own.weight * own.push[side][r], six(own.row[0][other]), six(block.from(6 * r)));
          for (int e = 1; e < own.acting; ++e)
            sum = fused(own.weight * own.row[e][side][r], six(own.row[e][other]), sum);
          store(sum, block.from(6 * r));
        }
      }
    });
  }

  /// What is left, and the change of the impulses for the solution.
  template <class Team>
  JOSTLE_HD void write_right_side(const Team& team) const {
    team.for_each(island_.movers, [&](int i) {
      Six sum{};
      add_columns(work_, mover(i), sum, [](const ModeEquations& own, int e) { return -own.defect[e] * own.weight; });
      store(sum, work_.mode_change().from(6 * i));
    });
    team.sync();
  }
  JOSTLE_HD void change_impulses(int, ModeEquations& own) const {
    for (int e = 0; e < own.acting; ++e) {
      double product = own.defect[e];
      for (int side = 0; side < 2 && own.body[side] != no_body; ++side)
        product += dot(six(own.row[e][side]), six(work_.mode_change().from(6 * work_.local_mover(own.body[side]))));
      own.impulse[e] -= product * own.weight;
    }
  }

 private:
  JOSTLE_HD int mover(int i) const { return work_.island_mover(island_.first_mover + i); }
  const Island& island_;
  const Work& work_;
};

/// The matrix in impulses, eps G + R C'.
template <AnyWorkspace Work>
class ImpulseForm {
 public:
  static constexpr int size = most_mode_equations;
  static constexpr bool is_coupled = false, is_one_body = false;
  JOSTLE_HD ImpulseForm(const Island& island, const Work& work) : island_(island), work_(work) {}

  template <class Team>
  JOSTLE_HD void prepare(const Team&) const {}
  JOSTLE_HD int blocks() const { return island_.blocks; }
  JOSTLE_HD MatrixBand band(int) const { return {0, island_.blocks - 1}; }

  JOSTLE_HD void write_rows(int i, int, auto to) const {
    const ModeEquations& own = equations(i);
    for (int j = 0; j < island_.blocks; ++j) {
      const ModeEquations& other = equations(j);
      for (int r = 0; r < size; ++r) {
        for (int e = 0; e < size; ++e) {
          const bool acts = r < own.acting && e < other.acting;
          const double proximal = i != j || r != e ? 0.0 : acts ? 1 / own.weight : 1.0;
          to(j)[size * r + e] = acts ? proximal + response(own, r, other, e) : proximal;
        }
      }
    }
  }

  template <class Team>
  JOSTLE_HD void write_right_side(const Team& team) const {
    team.for_each(island_.blocks, [&](int i) {
      const ModeEquations& own = equations(i);
      for (int e = 0; e < size; ++e) work_.mode_change(size * i + e) = e < own.acting ? own.defect[e] : 0.0;
    });
    team.sync();
  }
  JOSTLE_HD void change_impulses(int i, ModeEquations& own) const {
    for (int e = 0; e < own.acting; ++e) own.impulse[e] -= work_.mode_change(size * i + e);
  }

 private:
  JOSTLE_HD const ModeEquations& equations(int i) const {
    return work_.mode_equations(work_.island_block(island_.first_block + i));
  }
  JOSTLE_HD static double response(const ModeEquations& own, int r, const ModeEquations& other, int e) {
    double sum = 0;
    for (int side = 0; side < 2 && own.body[side] != no_body; ++side)
      for (int shared = 0; shared < 2; ++shared)
        if (other.body[shared] == own.body[side]) sum += dot(six(own.row[r][side]), six(other.column(e, shared)));
    return sum;
  }
  const Island& island_;
  const Work& work_;
};

}  // namespace detail

}  // namespace jostle
