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
#include "core/assembly/lu.hpp"
#include "core/assembly/mixed_lcp.hpp"
#include "core/lcp/equilibration.hpp"

namespace jostle {

namespace detail {

/// a . b over n, in ascending order.
JOSTLE_HD inline double inner(int n, const double* a, const double* b) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

/// A^-1 and P applied to columns. One lane per column.
struct Elimination {
  const MixedLcp& mixed;
  LuFactors mass;
  LuFactors joint;
  int joint_rank = 0;
  const double* joint_response;
  bool regular = true;  ///< A has an inverse

  JOSTLE_HD void apply_inverse_mass(const double* b, double* x, double* work) const {
    if (mixed.inv_mass) {
      for (int k = 0; k < mixed.velocities; ++k) x[k] = mixed.inv_mass[k] * b[k];
    } else {
      solve(mass, mixed.velocities, b, x, work);
    }
  }

  /// x = A^-1 b less the part that the joints take up: N'x = s, or N'x = 0 if s is null.
  JOSTLE_HD void apply(const double* b, const double* s, double* x, double* work) const {
    apply_inverse_mass(b, x, work);
    if (mixed.joints == 0) return;
    double* const defect = work + mixed.velocities;
    double* const multiplier = defect + mixed.joints;
    for (int j = 0; j < mixed.joints; ++j) {
      defect[j] = inner(mixed.velocities, mixed.joint_rows + j * mixed.velocities, x) - (s ? s[j] : 0.0);
    }
    solve(joint, joint_rank, defect, multiplier, work);
    for (int j = 0; j < mixed.joints; ++j) {
      for (int k = 0; k < mixed.velocities; ++k) x[k] -= joint_response[j * mixed.velocities + k] * multiplier[j];
    }
  }
};

/// One lane factorises, every lane gets the rank. Begins and ends synced; `message` is memory that all lanes see.
template <class Team>
JOSTLE_HD int factorise_together(const Team& team, const LuFactors& lu, double* message) {
  team.once([&] { *message = factorise(lu); });
  team.sync();
  const int rank = static_cast<int>(*message);
  team.sync();
  return rank;
}

template <class Team>
JOSTLE_HD Elimination eliminate(const Team& team, const MixedLcp& mixed, const SchurComplement& schur) {
  const int nv = mixed.velocities, m = mixed.joints;
  Elimination elimination{mixed, {}, {}, 0, schur.joint_response};
  if (!mixed.inv_mass) {
    elimination.mass = {nv, schur.factors, schur.lu_scale, schur.orders, schur.orders + nv};
    team.for_each(nv * nv, [&](int i) { schur.factors[i] = mixed.matrix[i]; });
    team.sync();
    elimination.regular = factorise_together(team, elimination.mass, schur.lane_memory) == nv;
  }
  if (m == 0 || !elimination.regular) return elimination;
  elimination.joint = {m, schur.joint_factors, schur.lu_scale + nv, schur.orders + 2 * nv, schur.orders + 2 * nv + m};
  const int work = nv + 2 * m;
  team.for_each(m, [&](int j) {
    elimination.apply_inverse_mass(mixed.joint_rows + j * nv, schur.joint_response + j * nv,
                                   schur.lane_memory + j * work);
  });
  team.sync();
  team.for_each(m * m, [&](int i) {
    schur.joint_factors[i] = inner(nv, mixed.joint_rows + i / m * nv, schur.joint_response + i % m * nv);
  });
  team.sync();
  elimination.joint_rank = factorise_together(team, elimination.joint, schur.lane_memory);
  return elimination;
}

/// Numbers the variables of the LCP; returns how many there are.
JOSTLE_HD inline int number_variables(const MixedLcp& mixed, LcpVariable* variables) {
  int n = 0;
  for (int c = 0; c < mixed.blocks; ++c) {
    const ContactBlock& block = mixed.contacts[c];
    for (int i = 0; i < block.betas(); ++i) {
      const bool first = i < block.tangents;
      variables[n++] = {LcpVariable::Kind::beta, c, block.tangent + (first ? i : i - block.tangents),
                        first ? 1.0 : -1.0};
    }
  }
  for (int c = 0; c < mixed.blocks; ++c) {
    if (mixed.contacts[c].normal >= 0) variables[n++] = {LcpVariable::Kind::normal, c, mixed.contacts[c].normal, 1};
  }
  for (int c = 0; c < mixed.blocks; ++c) {
    if (mixed.contacts[c].tangents > 0) variables[n++] = {LcpVariable::Kind::lambda, c, -1, 1};
  }
  return n;
}

JOSTLE_HD inline int lcp_size(const MixedLcp& mixed) {
  int n = 0;
  for (int c = 0; c < mixed.blocks; ++c) {
    const ContactBlock& block = mixed.contacts[c];
    n += block.betas() + (block.normal >= 0 ? 1 : 0) + (block.tangents > 0 ? 1 : 0);
  }
  return n;
}

/// M_ij of the LCP.
JOSTLE_HD inline double lcp_entry(const MixedLcp& mixed, const double* delassus, const LcpVariable& i,
                                  const LcpVariable& j) {
  using Kind = LcpVariable::Kind;
  if (i.row >= 0 && j.row >= 0) return i.sign * j.sign * delassus[i.row * mixed.rows + j.row];
  if (i.block != j.block) return 0;
  if (i.kind == Kind::beta && j.kind == Kind::lambda) return 1;
  if (i.kind == Kind::lambda && j.kind == Kind::beta) return -1;
  if (i.kind == Kind::lambda && j.kind == Kind::normal) return mixed.contacts[i.block].friction;
  return 0;
}

/// s = 2^round(log2(1 / sqrt(n' A^-1 n))) of a block, before the joints are eliminated, from the normal
/// row or, without one, from the first tangent.
JOSTLE_HD inline double block_scale(const Elimination& elimination, const ContactBlock& block, double* work) {
  const MixedLcp& mixed = elimination.mixed;
  const double* const row = mixed.contact_rows + (block.normal >= 0 ? block.normal : block.tangent) * mixed.velocities;
  double sum = 0;
  if (mixed.inv_mass) {
    for (int k = 0; k < mixed.velocities; ++k) sum += row[k] * (mixed.inv_mass[k] * row[k]);
  } else {
    double* const x = work;
    elimination.apply_inverse_mass(row, x, work + mixed.velocities);
    sum = inner(mixed.velocities, row, x);
  }
  return nearest_power_of_two(1 / std::sqrt(sum));
}

}  // namespace detail

/// Forms v0, the Delassus matrix and the LCP with its equilibration. Returns false, and forms nothing, if A is
/// singular. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool assemble_lcp(const Team& team, const MixedLcp& mixed, SchurComplement& schur) {
  const int nv = mixed.velocities, work = 2 * nv + 2 * mixed.joints;
  const detail::Elimination elimination = detail::eliminate(team, mixed, schur);
  if (!elimination.regular) return false;
  team.for_each(mixed.rows + 1, [&](int r) {
    double* const memory = schur.lane_memory + r * work;
    if (r < mixed.rows) {
      elimination.apply(mixed.contact_rows + r * nv, nullptr, schur.response + r * nv, memory);
    } else {
      elimination.apply(mixed.momentum, mixed.joint_bias, schur.free_velocity, memory);
    }
  });
  team.sync();
  team.for_each(mixed.blocks, [&](int c) {
    schur.block_scale[c] = detail::block_scale(elimination, mixed.contacts[c], schur.lane_memory + c * work);
  });
  team.once([&] { detail::number_variables(mixed, schur.variables); });
  schur.size = detail::lcp_size(mixed);
  const int n = schur.size;
  team.sync();
  team.for_each(mixed.rows, [&](int r) {
    for (int s = 0; s < mixed.rows; ++s) {
      schur.delassus[r * mixed.rows + s] = detail::inner(nv, mixed.contact_rows + r * nv, schur.response + s * nv);
    }
  });
  team.sync();
  team.for_each(n, [&](int i) {
    const LcpVariable& variable = schur.variables[i];
    for (int j = 0; j < n; ++j) {
      schur.lcp_matrix[i * n + j] = detail::lcp_entry(mixed, schur.delassus, variable, schur.variables[j]);
    }
    const ContactBlock& block = mixed.contacts[variable.block];
    schur.lcp_vector[i] =
        variable.row < 0
            ? block.bound
            : variable.sign * (detail::inner(nv, mixed.contact_rows + variable.row * nv, schur.free_velocity) +
                               mixed.row_bias[variable.row]);
    const double s = schur.block_scale[variable.block];
    schur.scale[i] = variable.row < 0 ? 1 / s : s;
  });
  team.sync();
  return true;
}

/// p of every row of J and v = v0 + P J' p from a solution z. Writes impulse (rows) and velocity.
template <class Team>
JOSTLE_HD void velocity_from_impulses(const Team& team, const MixedLcp& mixed, const SchurComplement& schur,
                                      const double* z, double* impulse, double* velocity) {
  team.for_each(mixed.rows, [&](int r) {
    double sum = 0;
    for (int i = 0; i < schur.size; ++i) {
      if (schur.variables[i].row == r) sum += schur.variables[i].sign * z[i];
    }
    impulse[r] = sum;
  });
  team.sync();
  team.for_each(mixed.velocities, [&](int k) {
    double sum = schur.free_velocity[k];
    for (int r = 0; r < mixed.rows; ++r) sum += schur.response[r * mixed.velocities + k] * impulse[r];
    velocity[k] = sum;
  });
  team.sync();
}

}  // namespace jostle
