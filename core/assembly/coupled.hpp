#pragma once
// The Delassus matrix if bodies are coupled by more than the rows of J: by joints, or by a full matrix A. All bodies
// then respond to every row:
//
//     P J_r' = A^-1 J_r' - A^-1 N (N' A^-1 N)^-1 N' A^-1 J_r'
//
// A full matrix A has its LU factors, and each lane computes columns of its own. With a diagonal A and
// S N' A^-1 N S = L D L' only Y = L^-1 S N' A^-1 J' is solved for, twelve columns at a time; all else is sparse:
//
//     J P J' = J A^-1 J' - Y' D^-1 Y
#include "core/assembly/coupled_rows.hpp"
#include "core/assembly/joint_matrix.hpp"
#include "core/linear/lu.hpp"

namespace jostle {

namespace detail {

/// Columns of the equations of joints that a lane solves for.
inline constexpr int columns_at_once = 12;
/// Equations of joints of which a lane lists those that count for a row.
inline constexpr int joints_at_once = 64;

/// Errors of joints turn a row by at most this many times the largest of them.
inline constexpr double errors_in_a_row = 4;

/// Six numbers of a row from place c on, of which those from `end` on are 0, or are not stored.
template <class Numbers>
JOSTLE_HD Six six_of_part(const Numbers& row, int c, int end) {
  if (c + 6 <= end) return six(row.from(c));
  double part[6] = {};
  for (int k = 0; c + k < end; ++k) part[k] = row[c + k];
  return six(part);
}
template <class Numbers>
JOSTLE_HD void store_part(const Six& numbers, const Numbers& row, int c, int end) {
  if (c + 6 <= end) return store(numbers, row.from(c));
  double part[6];
  store(numbers, part);
  for (int k = 0; c + k < end; ++k) row[c + k] = part[k];
}

/// The factors of A and of N' A^-1 N, which is symmetric if A is diagonal, and what they solve. One lane per column.
template <AnyWorkspace Work>
class Elimination {
 public:
  using Numbers = Span<double, Work::step>;

  /// Of memory that has the factors, or will have them.
  JOSTLE_HD Elimination(const Dimensions& d, const Work& work) : d_(d), work_(work), joints_(work.used_joint_rows()) {}

  /// Factorises A. False if it is singular.
  template <class Team>
  JOSTLE_HD bool factorise_mass(const Team& team) const {
    const int nv = d_.velocities();
    team.for_each(nv * nv, [&](int i) { work_.mass_factors(i) = work_.mass_matrix(i); });
    team.sync();
    return factorise_together(team, mass(), work_.factor_rank()) == nv;
  }

  /// Factorises N' A^-1 N; equations with pivots above problem.most_dependence are independent, and no more than
  /// problem.most_redundant depend on others because of errors of joints. Ends synced.
  template <class Team>
  JOSTLE_HD void factorise_joints(const Team& team, const MixedLcp& problem) const {
    const auto zero = [&] { return ZeroPivots{work_.joint_dependence(), problem.most_redundant}; };
    int rank = 0;
    if (d_.has_mass_matrix) {
      team.for_each(joints_, [&](int j) { write_column(j); });
      team.sync();
      soften(team, joints_);
      find_dependence(team, joints_, problem.most_dependence);
      rank = factorise_together(team, unsymmetric(), work_.factor_rank(), zero());
    } else {
      write_joint_matrix(team, work_.used_groups(), work_, symmetric());
      soften(team, symmetric().stride());
      find_dependence(team, symmetric().stride(), problem.most_dependence);
      rank = factorise(team, symmetric(), LaneMemory(d_, work_, 0).sums, zero());
    }
    team.once([&] { work_.joint_rank() = rank; });
    team.sync();
  }

  /// x = A^-1 b, b being the lane's right side.
  JOSTLE_HD void apply_inverse_mass(const LaneMemory<Work>& lane, const Numbers& x) const {
    if (d_.has_mass_matrix) return solve(mass(), d_.velocities(), lane.right_side, x, lane.sums);
    for (int i = 0; i < d_.velocities(); ++i) x[i] = work_.inv_mass(i / 6)[i % 6] * lane.right_side[i];
  }

  /// x = A^-1 (b - N c), b being the lane's right side, with the c of joints that make N'x = s, or N'x = 0.
  JOSTLE_HD void apply(const LaneMemory<Work>& lane, bool with_bias, const Numbers& x) const {
    apply_inverse_mass(lane, x);
    if (joints_ == 0) return;
    for (int j = 0; j < joints_; ++j)
      lane.defect[j] = product(work_.joint_row(j), x) - (with_bias ? work_.joint_bias(j) : 0.0);
    solve_joints(lane.defect, lane.multiplier, lane.sums);
    for (int j = 0; j < joints_; ++j) add_row(work_.joint_row(j), -lane.multiplier[j], lane.right_side);
    apply_inverse_mass(lane, x);
  }

  /// (N' A^-1 N) x = b.
  JOSTLE_HD void solve_joints(const Numbers& b, const Numbers& x, const Numbers& sums) const {
    const int rank = work_.joint_rank();
    if (d_.has_mass_matrix)
      solve(unsymmetric(), rank, b, x, sums);
    else
      solve(symmetric(), rank, b, x, sums);
  }

  /// P J_r' of row r, and v0, with lanes of their own for each.
  template <class Team>
  JOSTLE_HD void respond_by_lanes(const Team& team, int rows) const {
    const int nv = d_.velocities();
    team.for_each(rows + 1, [&](int r) {
      const LaneMemory lane(d_, work_, r);
      if (r < rows) {
        expand(d_, work_.row(r), lane.right_side);
        apply(lane, false, work_.response().from(r * nv));
      } else {
        for (int i = 0; i < nv; ++i) lane.right_side[i] = work_.momentum(i / 6)[i % 6];
        apply(lane, true, lane.solution);
        for (int i = 0; i < nv; ++i) work_.free_velocity(i / 6)[i % 6] = lane.solution[i];
      }
    });
    team.sync();
  }

  /// Y and D^-1 Y for a diagonal A, a column for each place of `rows`. Ends synced.
  template <class Team>
  JOSTLE_HD void eliminate_joints(const Team& team, const auto& rows) const {
    if (joints_ == 0) return;
    const int stride = d_.joint_columns(), rank = work_.joint_rank();
    const int parts = (rows.places + columns_at_once - 1) / columns_at_once;
    const LdlFactors<Work::step> ldl = symmetric();
    team.for_each(rank, [&](int k) {
      write_right_sides(ldl, ldl.order[k], rows, columns_at_once * parts, work_.joint_column().from(k * stride));
    });
    team.sync();
    team.for_each(parts, [&](int part) {
      const auto y = work_.joint_column().from(columns_at_once * part);
      const auto quotient = work_.joint_quotient().from(columns_at_once * part);
      solve_forward(ldl, rank, y, stride);
      for (int k = 0; k < rank; ++k) {
        const double pivot = ldl.pivot[ldl.order[k]];
        for (int c = 0; c < columns_at_once; c += 6)
          store(six(y.from(k * stride + c)) / pivot, quotient.from(k * stride + c));
      }
    });
    team.sync();
  }

  /// J_r P J_s' for a diagonal A, in rows.to(p), where zeros are: of the row at place p and those at all places up to
  /// it. What stands behind them is lost, but for zeros where there is no row.
  JOSTLE_HD void write_interactions(const auto& rows, int p) const {
    const auto to = rows.to(p);
    const int end = smaller(columns_at_once * (p / columns_at_once + 1), rows.room);
    RowResponse(work_, rows.all[rows.row(p)]).for_each_product(rows, p + 1, [&](int s, double value) {
      to[s] = value;
    });
    const int stride = d_.joint_columns(), rank = joints_ == 0 ? 0 : work_.joint_rank();
    const auto y = work_.joint_column().from(p), quotients = work_.joint_quotient();
    std::uint8_t acting[joints_at_once];  // those whose y is not 0, few of them
    for (int first = 0; first < rank; first += joints_at_once) {
      int count = 0;
      const int last = smaller(joints_at_once, rank - first);
      for (int k = 0; k < last; ++k)
        if (y[(first + k) * stride] != 0) acting[count++] = static_cast<std::uint8_t>(k);
      for (int c = 0; c < end && count > 0; c += columns_at_once) {
        Six low = six_of_part(to, c, end), high = six_of_part(to, c + 6, end);
        for (int i = 0; i < count; ++i) {
          const int row = (first + acting[i]) * stride;
          const auto quotient = quotients.from(row + c);
          low = fused(-y[row], six(quotient), low), high = fused(-y[row], six(quotient.from(6)), high);
        }
        store_part(low, to, c, end), store_part(high, to, c + 6, end);
      }
    }
  }

  /// Whether equation j depends on others.
  JOSTLE_HD bool is_left_out(int j) const {
    const int rank = work_.joint_rank();
    if (rank == joints_) return false;
    return d_.has_mass_matrix ? unsymmetric().is_left_out(j, rank) : symmetric().is_left_out(j, rank);
  }

  /// The pivot of an equation that depends on others: the length of its own part, squared.
  JOSTLE_HD double own_part(int j) const {
    return d_.has_mass_matrix ? unsymmetric().largest_left(j, work_.joint_rank()) : symmetric().diagonal(j);
  }

  /// S of the equations: powers of two, about 1 / sqrt(N_j' A^-1 N_j).
  JOSTLE_HD Numbers joint_scale() const { return work_.lu_scale().from(d_.velocities()); }

 private:
  static_assert(LuFactors<Work::step>::orders == Dimensions::lu_orders);
  JOSTLE_HD LuFactors<Work::step> mass() const {
    return {d_.velocities(), work_.mass_factors(), work_.lu_scale(), work_.orders()};
  }
  JOSTLE_HD LuFactors<Work::step> unsymmetric() const {
    const auto orders = work_.orders().from(LuFactors<Work::step>::orders * d_.velocities());
    return {joints_, work_.joint_factors(), joint_scale(), orders};
  }
  JOSTLE_HD LdlFactors<Work::step> symmetric() const {
    const auto ints = work_.orders();
    return {joints_, work_.joint_factors(), work_.joint_pivot(),    joint_scale(),
            ints,    ints.from(joints_),    ints.from(2 * joints_), ints.from(3 * joints_)};
  }

  /// S N' A^-1 J' of equation j, then zeros.
  JOSTLE_HD void write_right_sides(const LdlFactors<Work::step>& ldl, int j, const auto& rows, int columns,
                                   const Numbers& to) const {
    for (int c = 0; c < columns; c += 6) store(Six{}, to.from(c));
    const double scale = ldl.scale[j];
    RowResponse(work_, work_.joint_row(j)).for_each_product(rows, rows.places, [&](int s, double value) {
      to[s] = scale * value;
    });
  }

  /// Adds D^-1 of directions that are stiff to the diagonal, whose rows have `stride` numbers. Ends synced.
  template <class Team>
  JOSTLE_HD void soften(const Team& team, int stride) const {
    if (joints_ <= d_.joint_rows) return;
    team.for_each(joints_ - d_.joint_rows, [&](int i) {
      const int j = d_.joint_rows + i;
      work_.joint_factors(j * (stride + 1)) += work_.softness(i);
    });
    team.sync();
  }

  /// Writes (42f), the pivot up to which an equation depends on others: that of an own part which errors of joints
  /// may have made, but no more than `most`; 0 if `most` is at most zero_pivot. `stride`: numbers of a row of the
  /// matrix. Ends synced.
  template <class Team>
  JOSTLE_HD void find_dependence(const Team& team, int stride, double most) const {
    double largest = 0;
    if (d_.has_joint_loops && most > zero_pivot) {
      const auto turn = [&](int joint) {  // of rows of length 1, squared
        const JointRows& own = work_.rows_of_joint(joint);
        double yielding = 0, most_opening = 0;
        for (int side = 0; side < 2 && own.body[side] != no_body; ++side)
          for (int k = 3; k < 6; ++k) yielding = larger_magnitude(yielding, work_.inv_mass(own.body[side])[k]);
        for (int j = own.first; j < own.first + own.count; ++j) {
          const double size = work_.joint_factors(j * (stride + 1)), opening = work_.joint_opening(j);
          if (size > 0) most_opening = larger_magnitude(most_opening, opening * opening / size);
        }
        return most_opening * yielding;
      };
      largest = errors_in_a_row * errors_in_a_row * largest_by_number(team, d_.joints, turn);
      team.sync();
    }
    const double dependence = largest < most ? largest : most;
    team.once([&] { work_.joint_dependence() = dependence; });
    team.sync();
  }

  /// Column j of N' A^-1 N for a full matrix A.
  JOSTLE_HD void write_column(int j) const {
    const LaneMemory lane(d_, work_, j);
    expand(d_, work_.joint_row(j), lane.right_side);
    apply_inverse_mass(lane, lane.solution);
    for (int i = 0; i < joints_; ++i) work_.joint_factors(i * joints_ + j) = product(work_.joint_row(i), lane.solution);
  }

  const Dimensions& d_;
  Work work_;
  int joints_;
};

/// All rows of J, in their order. `room`: numbers of a row of their matrix; `group`: rows that are known to have the
/// same bodies.
template <AnyWorkspace Work>
struct AllRows {
  static constexpr int group = 1;
  Span<ConstraintRow, Work::step> all;
  Span<double, Work::step> matrix;
  int places, room;
  JOSTLE_HD explicit AllRows(const Work& work)
      : all(work.row()), matrix(work.delassus()), places(work.used_rows()), room(work.rows()) {}

  /// The row of J at place i; -1: none.
  JOSTLE_HD int row(int i) const { return i; }
  JOSTLE_HD auto to(int i) const { return matrix.from(i * room); }
};

/// rows.to(i)[j] = J_r P J_s' for the rows r and s at places i and j, 0 where there is none. The matrix is symmetric to
/// the bit if A is diagonal. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void form_interactions(const Team& team, const Dimensions& d, AnyWorkspace auto work,
                                                const auto& rows) {
  const Elimination elimination(d, work);
  const auto for_each_row_there = [&](auto f) {
    team.for_each(rows.places, [&](int i) {
      if (rows.row(i) >= 0) f(i);
    });
    team.sync();
  };
  team.for_each(rows.places, [&](int i) {
    const int end = smaller(round_up_to_six(rows.places), rows.room);
    for (int c = 0; c < end; c += 6) store_part(Six{}, rows.to(i), c, end);
  });
  team.sync();
  if (d.has_mass_matrix)
    return for_each_row_there([&](int i) {
      for (int j = 0; j < rows.places; ++j) {
        const int s = rows.row(j);
        if (s >= 0) rows.to(i)[j] = product(rows.all[rows.row(i)], work.response().from(s * d.velocities()));
      }
    });
  elimination.eliminate_joints(team, rows);
  for_each_row_there([&](int i) { elimination.write_interactions(rows, i); });
  for_each_row_there([&](int i) {
    const auto own = rows.to(i);
    for (int j = 0; j < i; ++j) rows.to(j)[i] = own[j];
  });
}

/// v = A^-1 (r + J'p + N c) with the impulses c of joints that make N'v = s, for a diagonal A and the p of the first
/// `rows` rows; c is 0 for redundant equations, whose impulses are not determined. Writes velocity[m],
/// work.joint_impulse and work.velocity_without_joints. Begins and ends synced.
template <class Team>
JOSTLE_HD void write_tied_velocity(const Team& team, const Dimensions& d, int rows, AnyWorkspace auto work,
                                   const auto& velocity) {
  const LaneMemory lane(d, work, 0);
  const int equations = work.used_joint_rows();
  const auto momentum = ByBody<Span<double, decltype(work)::step>>{lane.right_side};
  const auto add = [&](const ConstraintRow& row, double impulse) {
    for (int side = 0; side < 2 && row.body[side] != no_body && impulse != 0; ++side) {
      const auto to = momentum[row.body[side]];
      store(fused(impulse, six(row.entry[side]), six(to)), to);
    }
  };
  team.for_each(d.movers, [&](int m) { store(six(work.momentum(m)), momentum[m]); });
  team.sync();
  team.once([&] {  // row after row: few rows have an impulse, and most bodies few rows
    for (int r = 0; r < rows; ++r) add(work.row(r), work.row_impulse(r));
  });
  team.sync();
  team.for_each(d.movers, [&](int m) {
    store(six(momentum[m]) * six(work.inv_mass(m)), work.velocity_without_joints().from(6 * m));
  });
  team.sync();
  team.for_each(equations, [&](int i) {
    lane.defect[i] = work.joint_bias(i) - product(work.joint_row(i), work.velocity_without_joints());
  });
  team.sync();
  team.once([&] {
    if (equations > 0) Elimination(d, work).solve_joints(lane.defect, work.joint_impulse(), lane.sums);
    for (int i = 0; i < equations; ++i) add(work.joint_row(i), work.joint_impulse(i));
  });
  team.sync();
  team.for_each(d.movers, [&](int m) { store(six(momentum[m]) * six(work.inv_mass(m)), velocity[m]); });
  team.sync();
}

}  // namespace detail

/// How many equations of joints were left out as they depend on others.
JOSTLE_HD inline int redundant_equations(AnyWorkspace auto work) { return work.used_joint_rows() - work.joint_rank(); }

/// The Delassus matrix J P J' of the last assemble_coupled(). Ends synced.
template <class Team>
JOSTLE_HD void form_coupled_delassus(const Team& team, const Dimensions& d, AnyWorkspace auto work) {
  detail::form_interactions(team, d, work, detail::AllRows(work));
}

/// v0 and what P J' is computed from; scale_block(c, J_r A^-1 J_r') for every block, r being its scaling_row, before
/// the joints are eliminated. False, with nothing written, if A is singular. Ends synced.
template <class Team, class ScaleBlock>
JOSTLE_HD bool factorise_coupled(const Team& team, const Dimensions& d, const MixedLcp& problem, AnyWorkspace auto work,
                                 ScaleBlock scale_block) {
  team.once([&] {
    work.used_rows() = problem.rows, work.used_joint_rows() = problem.joints;
    work.used_groups() = problem.joints == 0 ? 0 : d.joints + problem.stiff_groups;
  });
  team.sync();
  const detail::Elimination elimination(d, work);
  if (d.has_mass_matrix && !elimination.factorise_mass(team)) return false;
  if (problem.joints > 0) elimination.factorise_joints(team, problem);
  if (d.has_mass_matrix)
    elimination.respond_by_lanes(team, problem.rows);
  else
    detail::write_tied_velocity(team, d, 0, work, work.free_velocity());
  team.for_each(problem.blocks, [&](int c) {
    const ConstraintRow& row = work.row(scaling_row(work.block(c)));
    if (!d.has_mass_matrix) {
      detail::RowResponse own(work, row);
      return scale_block(c, own.meets(row) ? own.product(row) : 0.0);
    }
    if (problem.joints == 0)  // its response is A^-1 J_r'
      return scale_block(c, detail::product(row, work.response().from(scaling_row(work.block(c)) * d.velocities())));
    const detail::LaneMemory lane(d, work, c);
    detail::expand(d, row, lane.right_side);
    elimination.apply_inverse_mass(lane, lane.solution);
    scale_block(c, detail::product(row, lane.solution));
  });
  team.sync();
  return true;
}

}  // namespace jostle
