#pragma once
// Mixed LCP to LCP by the Schur complement (Stewart & Trinkle 1996, (17), (29); docs/theory.md (14) to (17)):
//
//     P  = A^-1 - A^-1 N (N' A^-1 N)^-1 N' A^-1
//     v0 = A^-1 r - A^-1 N (N' A^-1 N)^-1 (N' A^-1 r - s)
//     v  = v0 + P (n c_n + D beta)
//
//     M = [ D'PD  D'Pn  E ]      q = [ D'v0 + b_t ]      z = (beta, c_n, lambda)
//         [ n'PD  n'Pn  0 ]          [ n'v0 + b_n ]
//         [ -E'   mu    0 ]          [ b_c        ]
//
// M is not stored: assembled_lcp.hpp reads it from the Delassus matrix J P J'. `IsCoupled`: A is a full matrix or there
// are joints (coupled.hpp); else P is diagonal, and two rows interact only if they share a body.
#include "core/assembly/coupled.hpp"
#include "core/assembly/rows.hpp"
#include "core/lcp/equilibration.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

/// The sizes of the LCP of a problem.
struct LcpSizes {
  int betas = 0, normals = 0, lambdas = 0;
  JOSTLE_HD int all() const { return betas + normals + lambdas; }
};

namespace detail {

/// Of the first `blocks` blocks.
JOSTLE_HD inline LcpSizes sizes_of(AnyWorkspace auto work, int blocks) {
  LcpSizes sizes;
  const auto all = work.block();
  for (int c = 0; c < blocks; ++c) {
    const Block& block = all[c];
    sizes.betas += block.betas(), sizes.normals += block.normals(), sizes.lambdas += block.lambdas();
  }
  return sizes;
}

/// Numbers the variables of block c.
JOSTLE_HD inline void number_variables(AnyWorkspace auto work, const LcpSizes& all, int c) {
  using Kind = LcpVariable::Kind;
  const Block block = work.block(c);
  const LcpSizes before = sizes_of(work, c);
  const BlockVariables first{before.betas, all.betas + before.normals, all.betas + all.normals + before.lambdas};
  const auto variables = work.variable();
  const auto set = [=](int i, Kind kind, int sign, int row) {
    variables[i] = {kind, static_cast<std::int8_t>(sign), static_cast<std::int16_t>(row), static_cast<std::int16_t>(c)};
  };
  work.block_variables(c) = first;
  for (int i = 0; i < block.tangents; ++i) {
    set(first.beta + i, Kind::beta, 1, block.tangent + i);
    if (block.opposites) set(first.beta + block.tangents + i, Kind::beta, -1, block.tangent + i);
  }
  if (block.normals() > 0) set(first.normal, Kind::normal, 1, block.normal);
  if (block.lambdas() > 0) set(first.lambda, Kind::lambda, 1, -1);
}

/// J_r A^-1 J_s' for a diagonal A^-1, `response` being the halves of A^-1 J_s'.
JOSTLE_HD inline double shared_product(const ConstraintRow& row, const ConstraintRow& other,
                                       const Vec6 (&response)[2]) {
  double sum = 0;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    const int shared = side_of(other, row.body[side]);
    if (shared < 0) continue;
    for (int k = 0; k < 6; ++k) sum += row.entry[side][k] * response[shared][k];
  }
  return sum;
}

/// A^-1 r for a diagonal A.
template <class Team>
JOSTLE_HD void write_free_velocity(const Team& team, const Dimensions& d, AnyWorkspace auto work,
                                   const auto& velocity) {
  const auto inv_mass = work.inv_mass();
  const auto momentum = work.momentum();
  team.for_each(d.velocities(),
                [=](int i) { velocity[i / 6][i % 6] = inv_mass[i / 6][i % 6] * momentum[i / 6][i % 6]; });
}

/// The halves of A^-1 row' for a diagonal A.
JOSTLE_HD inline void respond(AnyWorkspace auto work, const ConstraintRow& row, Vec6 (&response)[2]) {
  const auto inv_mass = work.inv_mass();
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    for (int k = 0; k < 6; ++k) response[side][k] = inv_mass[row.body[side]][k] * row.entry[side][k];
  }
}

/// s = 2^round(log2(1 / sqrt(n' A^-1 n))) of a block, before the joints are eliminated, from the normal row or,
/// without one, from the first tangent.
JOSTLE_HD inline double scale_of_block(double own_response) {
  return nearest_power_of_two(1 / std::sqrt(own_response));
}
JOSTLE_HD inline int scaling_row(const Block& block) { return block.normal >= 0 ? block.normal : block.tangent; }

/// S and q of an LCP of size n. Ends synced.
template <class Team>
JOSTLE_HD void write_scale_and_vector(const Team& team, AnyWorkspace auto work, int n) {
  team.for_each(n, [&](int i) {
    const LcpVariable variable = work.variable(i);
    const double s = work.block_scale(variable.block);
    work.scale(i) = variable.row < 0 ? inverse_power_of_two(s) : s;
    work.lcp_vector(i) = variable.row < 0
                             ? work.block(variable.block).bound
                             : variable.signed_value(add_product(0, work.row(variable.row), work.free_velocity()) +
                                                     work.row_bias(variable.row));
  });
  team.sync();
}

}  // namespace detail

/// Column s of the Delassus matrix for every row s, if A is diagonal and there are no joints. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void form_delassus(const Team& team, const MixedLcp& problem, AnyWorkspace auto work) {
  const auto rows = work.row();
  const auto delassus = work.delassus();
  const int row_step = work.rows();
  team.for_each(problem.rows, [=](int s) {
    const ConstraintRow& column = rows[s];
    Vec6 response[2];
    detail::respond(work, column, response);
    for (int r = 0; r < problem.rows; ++r)
      delassus[r * row_step + s] = detail::shared_product(rows[r], column, response);
  });
  team.sync();
}

/// Numbers the variables of the LCP, and forms v0, the equilibration and q; returns the size n. For a diagonal A
/// without joints; the matrix is left to form_delassus. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE int number_lcp(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                        AnyWorkspace auto work) {
  const LcpSizes sizes = detail::sizes_of(work, problem.blocks);
  team.for_each(problem.blocks, [&](int c) {
    detail::number_variables(work, sizes, c);
    const ConstraintRow& row = work.row(detail::scaling_row(work.block(c)));
    Vec6 response[2];
    detail::respond(work, row, response);
    work.block_response(c) = detail::shared_product(row, row, response);
    work.block_scale(c) = detail::scale_of_block(work.block_response(c));
  });
  team.for_each(problem.rows, [&](int r) { work.row_impulse(r) = 0; });  // stays 0 for tangents without friction
  detail::write_free_velocity(team, d, work, work.free_velocity());
  team.sync();
  detail::write_scale_and_vector(team, work, sizes.all());
  return sizes.all();
}

/// Forms v0, the Delassus matrix and the LCP with its equilibration; returns the size n of the LCP. If A is singular,
/// returns -1 and forms nothing. Begins and ends synced.
template <bool IsCoupled, class Team>
JOSTLE_HD JOSTLE_OUTLINE int assemble_lcp(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                          AnyWorkspace auto work) {
  if constexpr (!IsCoupled) {
    const int n = number_lcp(team, d, problem, work);
    form_delassus(team, problem, work);
    return n;
  } else {
    const LcpSizes sizes = detail::sizes_of(work, problem.blocks);
    team.for_each(problem.blocks, [&](int c) { detail::number_variables(work, sizes, c); });
    team.for_each(problem.rows, [&](int r) { work.row_impulse(r) = 0; });
    const auto scale_block = [&](int c, double own_response) {
      work.block_scale(c) = detail::scale_of_block(own_response);
    };
    const auto scaling_row = [&](int c) { return detail::scaling_row(work.block(c)); };
    if (!form_coupled_delassus(team, d, problem, work, scaling_row, scale_block)) return -1;
    detail::write_scale_and_vector(team, work, sizes.all());
    return sizes.all();
  }
}

/// p of every row of J and v = v0 + P J' p from work.z. Writes work.row_impulse and work.next_velocity. Ends synced.
template <bool IsCoupled, class Team>
JOSTLE_HD void velocity_from_impulses(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                      AnyWorkspace auto work) {
  team.for_each(problem.blocks, [&](int c) {
    const Block block = work.block(c);
    const BlockVariables first = work.block_variables(c);
    const auto impulse = work.row_impulse();
    const double* const z = work.z();
    for (int i = 0; i < block.tangents; ++i) {
      const double opposite = block.opposites ? z[first.beta + block.tangents + i] : 0.0;
      impulse[block.tangent + i] = z[first.beta + i] - opposite;
    }
    if (block.normal >= 0) impulse[block.normal] = z[first.normal];
  });
  team.sync();
  const auto rows = work.row();
  const auto impulses = work.row_impulse();
  team.for_each(2 * d.movers, [=](int half) {
    const int body = half / 2, first = 3 * (half % 2);
    const Vec6& inv_mass = work.inv_mass(body);
    Vec3 sum;
    for (int k = 0; k < 3; ++k) sum[k] = work.free_velocity(body)[first + k];
    for (int r = 0; r < problem.rows; ++r) {
      const int side = side_of(rows[r], body);
      if (!IsCoupled && side < 0) {
        sum += Vec3::Zero();  // the effect of such a row: a -0 becomes 0
        continue;
      }
      const double impulse = impulses[r];
      for (int k = 0; k < 3; ++k) {
        const double response = IsCoupled ? work.response(r * d.velocities() + 6 * body + first + k)
                                          : inv_mass[first + k] * rows[r].entry[side][first + k];
        sum[k] += response * impulse;
      }
    }
    for (int k = 0; k < 3; ++k) work.next_velocity(body)[first + k] = sum[k];
  });
  team.sync();
}

}  // namespace jostle
