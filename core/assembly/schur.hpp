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
// M is not stored: assembled_lcp.hpp reads it from the Delassus matrix J P J'. If A is a full matrix or there
// are joints, see coupled.hpp; else P is diagonal, and two rows interact only if they share a body.
#include "core/assembly/coupled.hpp"
#include "core/assembly/islands.hpp"
#include "core/assembly/rows.hpp"
#include "core/lcp/equilibration.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

namespace detail {

/// Writes the origin of the variables of block c.
JOSTLE_HD inline void write_variables(AnyWorkspace auto work, int c) {
  using Kind = LcpVariable::Kind;
  const Block block = work.block(c);
  const BlockVariables first = work.block_variables(c);
  const auto variables = work.variable();
  const auto set = [=](int i, Kind kind, int sign, int row) {
    variables[i] = {kind, static_cast<std::int8_t>(sign), static_cast<std::int16_t>(row), static_cast<std::int16_t>(c)};
  };
  for (int i = 0; i < block.tangents; ++i) {
    set(first.beta + i, Kind::beta, 1, block.tangent + i);
    if (block.opposites) set(first.beta + block.tangents + i, Kind::beta, -1, block.tangent + i);
  }
  if (block.normals() > 0) set(first.normal, Kind::normal, 1, block.normal);
  if (block.lambdas() > 0) set(first.lambda, Kind::lambda, 1, -1);
}

/// A^-1 r for a diagonal A.
template <class Team>
JOSTLE_HD void write_free_velocity(const Team& team, const Dimensions& d, AnyWorkspace auto work,
                                   const auto& velocity) {
  const auto inv_mass = work.inv_mass();
  const auto momentum = work.momentum();
  for_each_part(team, d.movers, 6,
                [=](int m) { return [=](int k) { velocity[m][k] = inv_mass[m][k] * momentum[m][k]; }; });
}

/// s = 2^round(log2(1 / sqrt(n' A^-1 n))) of a block, before the joints are eliminated, from the normal row or,
/// without one, from the first tangent.
JOSTLE_HD inline double scale_of_block(double own_response) {
  return nearest_power_of_two(1 / std::sqrt(own_response));
}

/// S and q of the LCP of an island. Ends synced.
template <class Team>
JOSTLE_HD void write_scale_and_vector(const Team& team, const Island& island, AnyWorkspace auto work) {
  team.for_each(island.variables, [&](int own) {
    const int i = island.first_variable + own;
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

/// What the answer of an uncoupled problem starts from: v0, scale and response of every block, and impulses 0, which
/// stay 0 for tangents without friction. Begins and ends synced.
template <class Team>
JOSTLE_HD void write_free_motion(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                 AnyWorkspace auto work) {
  team.for_each(problem.blocks, [&](int c) {
    const ConstraintRow& row = work.row(scaling_row(work.block(c)));
    Vec6 response[2];
    detail::respond(work, row, response);
    work.block_response(c) = detail::shared_product(row, row, response);
    work.block_scale(c) = detail::scale_of_block(work.block_response(c));
  });
  team.for_each(problem.rows, [&](int r) { work.row_impulse(r) = 0; });
  detail::write_free_velocity(team, d, work, work.free_velocity());
  team.sync();
}

/// The entries of the Delassus matrix that the LCP of an island has, if A is diagonal and there are no joints. Ends
/// synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void form_delassus(const Team& team, const Island& island, AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) {
    for_each_row(work.block(c), [&](int s) {
      const ConstraintRow& column = work.row(s);
      Vec6 response[2];
      detail::respond(work, column, response);
      for (int i = 0; i < island.blocks; ++i) {
        for_each_row(work.block(work.island_block(island.first_block + i)), [&](int r) {
          work.delassus(r * work.rows() + s) = detail::shared_product(work.row(r), column, response);
        });
      }
    });
  });
  team.sync();
}

/// Variables, equilibration and q of the LCP of an island; its matrix is left to form_delassus. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void number_lcp(const Team& team, const Island& island, AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) { detail::write_variables(work, c); });
  team.sync();
  detail::write_scale_and_vector(team, island, work);
}

/// A row that gives itself at most this part of what its bodies would alone cannot move: joints hold them, and what is
/// left are rounding errors.
inline constexpr double immobile_part = 1e-9;

/// Sets to 0 what rows that cannot move give each other and others, which pivoting would take for motion, and their
/// speeds in the LCP's vector up to `least`. Returns whether there are any. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool snap_immobile_rows(const Team& team, const Island& island, double least,
                                                 AnyWorkspace auto work) {
  const auto is_immobile = [&](int c, int r) {
    const double scale = work.block_scale(c);
    return scale * work.delassus(r * work.rows() + r) * scale <= immobile_part;
  };
  const auto for_each_immobile_row = [&](int i, auto f) {
    const int c = work.island_block(island.first_block + i);
    for_each_row(work.block(c), [&](int r) {
      if (is_immobile(c, r)) f(r);
    });
  };
  const bool any = any_of(team, island.blocks, [&](int i) {
    bool found = false;
    for_each_immobile_row(i, [&](int) { found = true; });
    return found;
  });
  team.sync();
  if (!any) return false;
  team.for_each(work.used_rows(), [&](int s) {  // row s of the matrix, its diagonal stays for the moment
    for (int i = 0; i < island.blocks; ++i)
      for_each_immobile_row(i, [&](int r) {
        if (r != s) work.delassus(s * work.rows() + r) = 0;
      });
  });
  team.sync();
  team.for_each(island.blocks, [&](int i) {
    for_each_immobile_row(i, [&](int r) {
      for (int s = 0; s < work.used_rows(); ++s) work.delassus(r * work.rows() + s) = 0;
    });
  });
  team.sync();
  team.for_each(island.variables, [&](int i) {
    const LcpVariable variable = work.variable(island.first_variable + i);
    double& q = work.lcp_vector(island.first_variable + i);
    if (variable.row >= 0 && is_immobile(variable.block, variable.row) &&
        work.scale(island.first_variable + i) * std::fabs(q) <= least)
      q = 0;
  });
  team.sync();
  return true;
}

/// The same matrix of bodies that are coupled, or are not.
template <class Team>
JOSTLE_HD void form_delassus(const Team& team, const Dimensions& d, const Island& island, AnyWorkspace auto work) {
  if constexpr (decltype(work)::is_coupled)
    form_coupled_delassus(team, d, work);
  else
    form_delassus(team, island, work);
}

/// v0, impulses 0, scales and factors of a coupled problem; its matrix is left to form_delassus. False, with nothing
/// written, if A is singular. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool assemble_coupled(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                               AnyWorkspace auto work) {
  team.for_each(problem.rows, [&](int r) { work.row_impulse(r) = 0; });
  return factorise_coupled(team, d, problem, work, [&](int c, double own_response) {
    work.block_response(c) = own_response;
    work.block_scale(c) = detail::scale_of_block(own_response);
  });
}

namespace detail {

/// p of the rows of block c, from work.z.
JOSTLE_HD inline void write_row_impulses(AnyWorkspace auto work, int c) {
  const Block block = work.block(c);
  const BlockVariables first = work.block_variables(c);
  const auto impulse = work.row_impulse();
  const double* const z = work.z();
  for (int i = 0; i < block.tangents; ++i) {
    const double opposite = block.opposites ? z[first.beta + block.tangents + i] : 0.0;
    impulse[block.tangent + i] = z[first.beta + i] - opposite;
  }
  if (block.normal >= 0) impulse[block.normal] = z[first.normal];
}

/// v = v0 + A^-1 J' p of the movers of an island.
template <class Team>
JOSTLE_HD void write_velocity(const Team& team, const Island& island, AnyWorkspace auto work) {
  team.for_each(island.movers, [&](int i) {
    const int m = work.island_mover(island.first_mover + i);
    const MoverBlocks list = work.mover_blocks(m);
    Six momentum{};
    for (int b = list.first; b < list.first + list.count; ++b) {
      const Block& block = work.block(work.mover_block(b));
      const int side = work.row(scaling_row(block)).body[0] == m ? 0 : 1;
      for_each_row(block, [&](int r) {
        const double impulse = work.row_impulse(r);
        if (impulse != 0) momentum = fused(impulse, six(work.row(r).entry[side]), momentum);
      });
    }
    store(fused(1, momentum * six(work.inv_mass(m)), six(work.free_velocity(m))), work.next_velocity(m));
  });
  team.sync();
}

/// v = v0 + P J' p of all movers.
template <class Team>
JOSTLE_HD void write_coupled_velocity(const Team& team, const Dimensions& d, AnyWorkspace auto work) {
  const int rows = work.used_rows();
  if (!d.has_mass_matrix) return write_tied_velocity(team, d, rows, work, work.next_velocity());
  team.for_each(d.velocities(), [&](int i) {
    double sum = work.free_velocity(i / 6)[i % 6];
    for (int r = 0; r < rows; ++r) sum += work.response(r * d.velocities() + i) * work.row_impulse(r);
    work.next_velocity(i / 6)[i % 6] = sum;
  });
  team.sync();
}

}  // namespace detail

/// The velocities that work.row_impulse gives an island. Writes work.next_velocity. Ends synced.
template <class Team>
JOSTLE_HD void write_velocities(const Team& team, const Dimensions& d, const Island& island, AnyWorkspace auto work) {
  if constexpr (decltype(work)::is_coupled)
    detail::write_coupled_velocity(team, d, work);
  else
    detail::write_velocity(team, island, work);
}

/// p of every row of an island and the velocities that they give, from work.z. Writes work.row_impulse and
/// work.next_velocity. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void velocity_from_impulses(const Team& team, const Dimensions& d, const Island& island,
                                                     AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) { detail::write_row_impulses(work, c); });
  team.sync();
  write_velocities(team, d, island, work);
}

}  // namespace jostle
