#pragma once
// The certificate of a contact LCP, docs/theory.md (31), from velocities and impulses, not from the pivoted matrix:
//
//     max |min(z', w')| / |q'|inf,   z = S z',  w' = S w,  q' = S q
//
// In SI units, garbage would pass for a body of 1e-9 kg; scaled by |z|, anything would pass.
#include "core/assembly/rows.hpp"
#include "core/lcp/certificate.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

/// work.row_speed: row . v + bias of every row at work.next_velocity. Ends synced.
template <class Team>
JOSTLE_HD void write_row_speeds(const Team& team, const MixedLcp& problem, AnyWorkspace auto work) {
  team.for_each(problem.rows,
                [&](int r) { work.row_speed(r) = add_product(work.row_bias(r), work.row(r), work.next_velocity()); });
  team.sync();
}

/// w_i: the slack of the row complementary to variable i, from work.row_speed.
JOSTLE_HD inline double contact_slack(AnyWorkspace auto work, int i) {
  using Kind = LcpVariable::Kind;
  const LcpVariable variable = work.variable(i);
  const BlockVariables first = work.block_variables(variable.block);
  if (variable.kind == Kind::lambda) {
    const Block block = work.block(variable.block);
    double slack = block.bound;
    for (int j = 0; j < block.betas(); ++j) slack -= work.z(first.beta + j);
    return block.normal < 0 ? slack : slack + block.friction * work.z(first.normal);
  }
  const double slack = variable.signed_value(work.row_speed(variable.row));
  return variable.kind == Kind::beta ? slack + work.z(first.lambda) : slack;
}

/// |q'|inf.
template <class Team>
JOSTLE_HD double constants_size(const Team& team, AnyWorkspace auto work, int n) {
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b; };
  const auto size = [&](int i) { return magnitude_bits(work.scale(i) * work.lcp_vector(i)); };
  return from_magnitude_bits(team.select(n, size, larger));
}

/// The natural residual of work.z with work.row_speed; NaN if any occurs. n: size of the LCP.
template <class Team>
JOSTLE_HD double certify_speeds(const Team& team, AnyWorkspace auto work, int n, double q_size) {
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b; };
  const auto residual = [&](int i) {
    const double scale = work.scale(i);
    return magnitude_bits(natural_residual(work.z(i) * inverse_power_of_two(scale), scale * contact_slack(work, i)));
  };
  const double worst = from_magnitude_bits(team.select(n, residual, larger));
  return worst == 0 ? 0.0 : worst / q_size;
}

/// The same with the velocities that work.z gives.
template <class Team>
JOSTLE_HD double certify_contacts(const Team& team, const MixedLcp& problem, AnyWorkspace auto work, int n) {
  write_row_speeds(team, problem, work);
  return certify_speeds(team, work, n, constants_size(team, work, n));
}

}  // namespace jostle
