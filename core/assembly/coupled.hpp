#pragma once
// The Delassus matrix if bodies are coupled by more than the rows of J: by joints, or by a full matrix A. All bodies
// then respond to every row:
//
//     P J_r' = A^-1 J_r' - A^-1 N (N' A^-1 N)^-1 N' A^-1 J_r'
//
// A full matrix A has its LU factors, and each lane computes columns of its own. With a diagonal A only the columns
// S N' A^-1 J' are solved for, six at a time, and all else is sparse; the matrix is symmetric.
#include "core/assembly/ldl.hpp"
#include "core/assembly/lu.hpp"
#include "core/assembly/rows.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

namespace detail {

/// Working memory of one lane.
template <AnyWorkspace Work>
struct LaneMemory {
  using Numbers = Span<double, Work::step>;
  JOSTLE_HD LaneMemory(const Dimensions& d, const Work& work, int lane)
      : right_side(work.lane_memory().from(lane * d.lane_numbers())),
        solution(right_side.from(d.velocities())),
        sums(solution.from(d.velocities())),
        defect(sums.from(d.velocities())),
        multiplier(defect.from(d.joint_rows)) {}
  Numbers right_side, solution, sums;  ///< velocities each
  Numbers defect, multiplier;          ///< joint_rows each
};

/// One number per velocity, seen body by body.
template <class Numbers>
struct ByBody {
  Numbers x;
  JOSTLE_HD Numbers operator[](int body) const { return x.from(6 * body); }
};

/// row . x, x being one number per velocity.
template <class Numbers>
JOSTLE_HD double product(const ConstraintRow& row, const Numbers& x) {
  return add_product(0, row, ByBody<Numbers>{x});
}

/// A row as one number per velocity.
template <class Numbers>
JOSTLE_HD void expand(const Dimensions& d, const ConstraintRow& row, const Numbers& x) {
  for (int i = 0; i < d.velocities(); ++i) x[i] = 0;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    for (int k = 0; k < 6; ++k) x[6 * row.body[side] + k] = row.entry[side][k];
  }
}

/// The halves of A^-1 row' for a diagonal A.
JOSTLE_HD inline void respond(AnyWorkspace auto work, const ConstraintRow& row, Vec6 (&response)[2]) {
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
    store(six(work.inv_mass(row.body[side])) * six(row.entry[side]), response[side]);
}

/// J_r A^-1 J_s' as shared_product() has it, six numbers at a time.
JOSTLE_HD inline double product_by_six(const ConstraintRow& row, const ConstraintRow& other,
                                       const Vec6 (&response)[2]) {
  double sum = 0;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
    if (const int shared = side_of(other, row.body[side]); shared >= 0)
      sum += dot(six(row.entry[side]), six(response[shared]));
  return sum;
}

/// x += factor * row.
template <class Numbers>
JOSTLE_HD void add_row(const ConstraintRow& row, double factor, const Numbers& x) {
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    for (int k = 0; k < 6; ++k) x[6 * row.body[side] + k] += factor * row.entry[side][k];
  }
}

/// x[body] += factor * row, six numbers at a time.
JOSTLE_HD void add_six(const ConstraintRow& row, double factor, const auto& x) {
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    const auto to = x[row.body[side]];
    store(fused(factor, six(row.entry[side]), six(to)), to);
  }
}

/// One lane factorises, every lane gets the rank. Begins and ends synced; `message` is memory that all lanes see.
template <class Team, int Step>
JOSTLE_HD int factorise_together(const Team& team, const LuFactors<Step>& lu, double& message) {
  team.once([&] { message = factorise(lu); });
  team.sync();
  const int rank = static_cast<int>(message);
  team.sync();
  return rank;
}

/// The factors of A and of N' A^-1 N, which is symmetric if A is diagonal, and what they solve. One lane per column.
template <AnyWorkspace Work>
class Elimination {
 public:
  using Numbers = Span<double, Work::step>;

  /// Of memory that has the factors, or will have them. `joints`: equations.
  JOSTLE_HD Elimination(const Dimensions& d, const Work& work, int joints) : d_(d), work_(work), joints_(joints) {}

  /// Factorises A. False if it is singular.
  template <class Team>
  JOSTLE_HD bool factorise_mass(const Team& team) const {
    const int nv = d_.velocities();
    team.for_each(nv * nv, [&](int i) { work_.mass_factors(i) = work_.mass_matrix(i); });
    team.sync();
    return factorise_together(team, mass(), work_.lane_memory(0)) == nv;
  }

  /// Factorises N' A^-1 N. Ends synced.
  template <class Team>
  JOSTLE_HD void factorise_joints(const Team& team) const {
    team.for_each(joints_, [&](int j) { write_column(j); });
    team.sync();
    const int rank = d_.has_mass_matrix ? factorise_together(team, unsymmetric(), work_.lane_memory(0))
                                        : factorise(team, symmetric());
    team.once([&] { work_.joint_rank(0) = rank; });
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
    const int rank = work_.joint_rank(0);
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

  /// The same for a diagonal A.
  template <class Team>
  JOSTLE_HD void respond_together(const Team& team, int rows) const {
    const int nv = d_.velocities(), stride = d_.joint_columns(), columns = rows == 0 ? 1 : round_up_to_six(rows + 1);
    const int rank = joints_ > 0 ? work_.joint_rank(0) : 0;
    const LdlFactors<Work::step> ldl = symmetric();
    team.for_each(d_.movers,
                  [&](int m) { store(six(work_.inv_mass(m)) * six(work_.momentum(m)), work_.free_velocity(m)); });
    team.sync();
    team.for_each(rank,
                  [&](int k) { write_right_sides(ldl, k, rows, columns, work_.joint_column().from(k * stride)); });
    team.sync();
    if (columns == 1) {
      team.once([&] { solve_in_order<double>(ldl, rank, work_.joint_column(), stride); });
    } else {
      team.for_each(columns / 6, [&](int six_columns) {
        solve_in_order<Six>(ldl, rank, work_.joint_column().from(6 * six_columns), stride);
      });
    }
    team.sync();
    const auto subtract_joints = [&](int column, const Numbers& x) {
      for (int k = 0; k < rank; ++k)
        add_six(work_.joint_row(ldl.order[k]), -work_.joint_column(k * stride + column), ByBody<Numbers>{x});
      for (int m = 0; m < d_.movers; ++m) store(six(work_.inv_mass(m)) * six(x.from(6 * m)), x.from(6 * m));
    };
    team.for_each(rows + 1, [&](int r) {
      const Numbers x = r < rows ? work_.response().from(r * nv) : work_.lane_memory();
      if (r < rows) {
        expand(d_, work_.row(r), x);
      } else {
        for (int m = 0; m < d_.movers; ++m) store(six(work_.momentum(m)), x.from(6 * m));
      }
      subtract_joints(r, x);
      if (r < rows) return;
      for (int m = 0; m < d_.movers; ++m) store(six(x.from(6 * m)), work_.free_velocity(m));
    });
    team.sync();
  }

  /// S of the equations: powers of two, about 1 / sqrt(N_j' A^-1 N_j).
  JOSTLE_HD Numbers joint_scale() const { return work_.lu_scale().from(d_.velocities()); }

 private:
  JOSTLE_HD LuFactors<Work::step> mass() const {
    return {d_.velocities(), work_.mass_factors(), work_.lu_scale(), work_.orders(),
            work_.orders().from(d_.velocities())};
  }
  JOSTLE_HD LuFactors<Work::step> unsymmetric() const {
    const auto orders = work_.orders().from(2 * d_.velocities());
    return {joints_, work_.joint_factors(), joint_scale(), orders, orders.from(joints_)};
  }
  JOSTLE_HD LdlFactors<Work::step> symmetric() const {
    return {joints_, work_.joint_factors(), joint_scale(), work_.orders()};
  }

  /// S N' A^-1 J' and S (N' A^-1 r - s) of the k-th equation in the order of the factors, then zeros.
  JOSTLE_HD void write_right_sides(const LdlFactors<Work::step>& ldl, int k, int rows, int columns,
                                   const Numbers& to) const {
    const int j = ldl.order[k];
    const ConstraintRow& joint = work_.joint_row(j);
    const double scale = ldl.scale[j];
    Vec6 response[2];
    respond(work_, joint, response);
    for (int r = 0; r < rows; ++r) to[r] = scale * product_by_six(work_.row(r), joint, response);
    to[rows] = scale * add_product(-work_.joint_bias(j), joint, work_.free_velocity());
    for (int c = rows + 1; c < columns; ++c) to[c] = 0;
  }

  /// Column j of N' A^-1 N; down to the diagonal if that is symmetric.
  JOSTLE_HD void write_column(int j) const {
    const ConstraintRow& column = work_.joint_row(j);
    if (d_.has_mass_matrix) {
      const LaneMemory lane(d_, work_, j);
      expand(d_, column, lane.right_side);
      apply_inverse_mass(lane, lane.solution);
      for (int i = 0; i < joints_; ++i)
        work_.joint_factors(i * joints_ + j) = product(work_.joint_row(i), lane.solution);
    } else {
      Vec6 response[2];
      respond(work_, column, response);
      for (int i = 0; i <= j; ++i)
        work_.joint_factors(i * joints_ + j) = product_by_six(work_.joint_row(i), column, response);
    }
  }

  const Dimensions& d_;
  Work work_;
  int joints_;
};

}  // namespace detail

/// The Delassus matrix J P J', from P J'. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void form_delassus_of_responses(const Team& team, const Dimensions& d, int rows,
                                                         AnyWorkspace auto work) {
  team.for_each(rows, [&](int s) {
    const int last = d.has_mass_matrix ? rows : s + 1;
    for (int r = 0; r < last; ++r) {
      const double entry = detail::product(work.row(r), work.response().from(s * d.velocities()));
      work.delassus(r * work.rows() + s) = entry;
      if (!d.has_mass_matrix) work.delassus(s * work.rows() + r) = entry;
    }
  });
  team.sync();
}

/// v0, P J' and the Delassus matrix; scale_block(c, J_r A^-1 J_r') for every block, r being its scaling_row, before the
/// joints are eliminated. False, with nothing formed, if A is singular. Ends synced.
template <class Team, class ScaleBlock>
JOSTLE_HD bool form_coupled_delassus(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                     AnyWorkspace auto work, ScaleBlock scale_block) {
  const detail::Elimination elimination(d, work, problem.joints);
  if (d.has_mass_matrix && !elimination.factorise_mass(team)) return false;
  if (problem.joints > 0) elimination.factorise_joints(team);
  if (d.has_mass_matrix)
    elimination.respond_by_lanes(team, problem.rows);
  else
    elimination.respond_together(team, problem.rows);
  team.for_each(problem.blocks, [&](int c) {
    const ConstraintRow& row = work.row(scaling_row(work.block(c)));
    if (!d.has_mass_matrix) {
      Vec6 response[2];
      detail::respond(work, row, response);
      return scale_block(c, detail::shared_product(row, row, response));
    }
    const detail::LaneMemory lane(d, work, c);
    detail::expand(d, row, lane.right_side);
    elimination.apply_inverse_mass(lane, lane.solution);
    scale_block(c, detail::product(row, lane.solution));
  });
  form_delassus_of_responses(team, d, problem.rows, work);
  return true;
}

}  // namespace jostle
