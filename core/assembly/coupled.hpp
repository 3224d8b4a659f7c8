#pragma once
// The Delassus matrix if bodies are coupled by more than the rows of J: by joints, or by a full matrix A. All bodies
// then respond to every row:
//
//     P J_r' = A^-1 J_r' - A^-1 N (N' A^-1 N)^-1 N' A^-1 J_r'
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

/// A^-1 and P applied to columns. One lane per column.
template <AnyWorkspace Work>
struct Elimination {
  using Numbers = Span<double, Work::step>;
  const Dimensions& d;
  Work work;
  LuFactors<Work::step> mass, joint;
  int joint_rank = 0;
  int joints = 0;

  JOSTLE_HD void apply_inverse_mass(const LaneMemory<Work>& lane, const Numbers& x) const {
    if (d.has_mass_matrix) return solve(mass, d.velocities(), lane.right_side, x, lane.sums);
    for (int i = 0; i < d.velocities(); ++i) x[i] = work.inv_mass(i / 6)[i % 6] * lane.right_side[i];
  }

  /// x = A^-1 b minus the part that the joints absorb: N'x = s, or N'x = 0. b is the lane's right side.
  JOSTLE_HD void apply(const LaneMemory<Work>& lane, bool with_bias, const Numbers& x) const {
    apply_inverse_mass(lane, x);
    if (joints == 0) return;
    for (int j = 0; j < joints; ++j) {
      lane.defect[j] = product(work.joint_row(j), x) - (with_bias ? work.joint_bias(j) : 0.0);
    }
    solve(joint, joint_rank, lane.defect, lane.multiplier, lane.sums);
    for (int j = 0; j < joints; ++j) {
      const auto response = work.joint_response().from(j * d.velocities());
      for (int i = 0; i < d.velocities(); ++i) x[i] -= response[i] * lane.multiplier[j];
    }
  }
};

/// The places of the LU factors of A and of N' A^-1 N.
template <AnyWorkspace Work>
JOSTLE_HD LuFactors<Work::step> mass_factors_of(const Dimensions& d, const Work& work) {
  return {d.velocities(), work.mass_factors(), work.lu_scale(), work.orders(), work.orders().from(d.velocities())};
}
template <AnyWorkspace Work>
JOSTLE_HD LuFactors<Work::step> joint_factors_of(const Dimensions& d, const Work& work, int joints) {
  const auto orders = work.orders().from(2 * d.velocities());
  return {joints, work.joint_factors(), work.lu_scale().from(d.velocities()), orders, orders.from(joints)};
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

/// Factorises A. False if it is singular.
template <class Team, class Work>
JOSTLE_HD bool eliminate_mass(const Team& team, const Dimensions& d, const Work& work, Elimination<Work>& elimination) {
  const int nv = d.velocities();
  elimination.mass = mass_factors_of(d, work);
  team.for_each(nv * nv, [&](int i) { work.mass_factors(i) = work.mass_matrix(i); });
  team.sync();
  return factorise_together(team, elimination.mass, work.lane_memory(0)) == nv;
}

/// Factorises N' A^-1 N.
template <class Team, class Work>
JOSTLE_HD void eliminate_joints(const Team& team, const Dimensions& d, const Work& work,
                                Elimination<Work>& elimination) {
  const int nv = d.velocities(), m = elimination.joints;
  elimination.joint = joint_factors_of(d, work, m);
  team.for_each(m, [&](int j) {
    const LaneMemory lane(d, work, j);
    expand(d, work.joint_row(j), lane.right_side);
    elimination.apply_inverse_mass(lane, work.joint_response().from(j * nv));
  });
  team.sync();
  team.for_each(m * m, [&](int i) {
    work.joint_factors(i) = product(work.joint_row(i / m), work.joint_response().from(i % m * nv));
  });
  team.sync();
  elimination.joint_rank = factorise_together(team, elimination.joint, work.lane_memory(0));
  team.once([&] { work.joint_rank(0) = elimination.joint_rank; });
}

}  // namespace detail

/// v0, P J' and the Delassus matrix; scale_block(c, J_r A^-1 J_r') for every block, r being its scaling_row, before the
/// joints are eliminated. False, with nothing formed, if A is singular. Ends synced.
template <class Team, class ScaleBlock>
JOSTLE_HD bool form_coupled_delassus(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                     AnyWorkspace auto work, ScaleBlock scale_block) {
  const int nv = d.velocities();
  detail::Elimination<decltype(work)> elimination{d, work, {}, {}, 0, problem.joints};
  if (d.has_mass_matrix && !detail::eliminate_mass(team, d, work, elimination)) return false;
  if (problem.joints > 0) detail::eliminate_joints(team, d, work, elimination);
  team.for_each(problem.rows + 1, [&](int r) {
    const detail::LaneMemory lane(d, work, r);
    if (r < problem.rows) {
      detail::expand(d, work.row(r), lane.right_side);
      elimination.apply(lane, false, work.response().from(r * nv));
    } else {
      for (int i = 0; i < nv; ++i) lane.right_side[i] = work.momentum(i / 6)[i % 6];
      elimination.apply(lane, true, lane.solution);
      for (int i = 0; i < nv; ++i) work.free_velocity(i / 6)[i % 6] = lane.solution[i];
    }
  });
  team.sync();
  team.for_each(problem.blocks, [&](int c) {
    const detail::LaneMemory lane(d, work, c);
    const ConstraintRow& row = work.row(scaling_row(work.block(c)));
    detail::expand(d, row, lane.right_side);
    elimination.apply_inverse_mass(lane, lane.solution);
    scale_block(c, detail::product(row, lane.solution));
  });
  team.for_each(problem.rows, [&](int s) {
    for (int r = 0; r < problem.rows; ++r) {
      work.delassus(r * work.rows() + s) = detail::product(work.row(r), work.response().from(s * nv));
    }
  });
  team.sync();
  return true;
}

}  // namespace jostle
