#pragma once
// N' A^-1 N for a diagonal A. A joint has at most six rows in N'. A^-1 N_j of a joint is turned, number by number: its
// products with a row then take a fused operation on six numbers for every number of the row.
#include "core/assembly/rows.hpp"
#include "core/linear/ldl.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

namespace detail {

/// A^-1 N_j for body number `side` of joint j: those of number k of all rows begin at 6 k; zeros follow the last row.
template <AnyWorkspace Work>
JOSTLE_HD Span<double, Work::step> transposed_response(const Work& work, int j, int side) {
  return work.transposed_response().from(36 * (2 * j + side));
}

JOSTLE_HD inline void turn_responses(AnyWorkspace auto work, int j) {
  const JointRows own = work.rows_of_joint(j);
  const Vec6 none{};
  for (int side = 0; side < 2 && own.body[side] != no_body; ++side) {
    const auto row = [&](int i) -> const Vec6& {
      return i < own.count ? work.joint_row(own.first + i).entry[side] : none;
    };
    const Vec6 &a = row(0), &b = row(1), &c = row(2), &d = row(3), &e = row(4), &f = row(5);
    const Vec6& inv_mass = work.inv_mass(own.body[side]);
    const auto to = transposed_response(work, j, side);
    for (int k = 0; k < 6; ++k) store(inv_mass[k] * six(a[k], b[k], c[k], d[k], e[k], f[k]), to.from(6 * k));
  }
}

/// row' A^-1 N_j for body number `side` of joint j, whose half of the row this is. Two sums wait less for each other.
JOSTLE_HD inline Six half_products(AnyWorkspace auto work, int j, int side, const Vec6& row) {
  const auto response = transposed_response(work, j, side);
  Six linear = row[0] * six(response), angular = row[3] * six(response.from(18));
  for (int k = 1; k < 3; ++k) {
    linear = fused(row[k], six(response.from(6 * k)), linear);
    angular = fused(row[3 + k], six(response.from(18 + 6 * k)), angular);
  }
  return linear + angular;
}

/// The half of the rows of `other` that belongs to body number `side` of `own`; -1 if none does.
JOSTLE_HD inline int shared_half(const JointRows& own, int side, const JointRows& other) {
  return own.body[side] == no_body ? -1 : side_of(other, own.body[side]);
}

/// The rows of a joint, from its own columns on.
template <int Step>
JOSTLE_HD void write_joint_matrix_rows(int joints, AnyWorkspace auto work, int joint, const LdlFactors<Step>& matrix) {
  const JointRows own = work.rows_of_joint(joint);
  const auto meets = [&](const JointRows& other) {
    return shared_half(own, 0, other) >= 0 || shared_half(own, 1, other) >= 0;
  };
  int last = joints - 1;
  while (last > joint && !meets(work.rows_of_joint(last))) --last;
  const int end = round_up_to_six(work.rows_of_joint(last).first + work.rows_of_joint(last).count);
  for (int i = own.first; i < own.first + own.count; ++i) {
    matrix.end[i] = end;
    store(Six{}, matrix.row(i).from(end - 6));
  }
  for (int other = joint; other <= last; ++other) {
    const JointRows& columns = work.rows_of_joint(other);
    const int half[2] = {shared_half(own, 0, columns), shared_half(own, 1, columns)};
    for (int i = own.first; i < own.first + own.count; ++i) {
      Six sum{};
      for (int side = 0; side < 2; ++side)
        if (half[side] >= 0) sum = sum + half_products(work, other, half[side], work.joint_row(i).entry[side]);
      store(sum, matrix.row(i).from(columns.first));
    }
  }
}

}  // namespace detail

/// Writes the upper part of N' A^-1 N, and where its rows end. Ends synced.
template <class Team, int Step>
JOSTLE_HD void write_joint_matrix(const Team& team, int joints, AnyWorkspace auto work,
                                  const LdlFactors<Step>& matrix) {
  team.for_each(joints, [&](int j) { detail::turn_responses(work, j); });
  team.sync();
  team.for_each(joints, [&](int j) { detail::write_joint_matrix_rows(joints, work, j, matrix); });
  team.sync();
}

}  // namespace jostle
