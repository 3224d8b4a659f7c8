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

/// w_i at work.next_velocity: the slack of the row complementary to variable i.
JOSTLE_HD inline double contact_slack(AnyWorkspace auto work, int i) {
  using Kind = LcpVariable::Kind;
  const LcpVariable variable = work.variable(i);
  const Block block = work.block(variable.block);
  const BlockVariables first = work.block_variables(variable.block);
  if (variable.kind == Kind::lambda) {
    double slack = block.bound;
    for (int j = 0; j < block.betas(); ++j) slack -= work.z(first.beta + j);
    return block.normal < 0 ? slack : slack + block.friction * work.z(first.normal);
  }
  const double slack =
      variable.signed_value(add_product(work.row_bias(variable.row), work.row(variable.row), work.next_velocity()));
  return variable.kind == Kind::beta ? slack + work.z(first.lambda) : slack;
}

/// The natural residual of work.z with the velocities that it gives; NaN if any occurs. n: size of the LCP.
template <class Team>
JOSTLE_HD double certify_contacts(const Team& team, AnyWorkspace auto work, int n) {
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b; };
  const auto residual = [&](int i) {
    const double scale = work.scale(i);
    return magnitude_bits(natural_residual(work.z(i) * inverse_power_of_two(scale), scale * contact_slack(work, i)));
  };
  const auto size = [&](int i) { return magnitude_bits(work.scale(i) * work.lcp_vector(i)); };
  const double worst = from_magnitude_bits(team.select(n, residual, larger));
  const double q_size = from_magnitude_bits(team.select(n, size, larger));
  return worst == 0 ? 0.0 : worst / q_size;
}

}  // namespace jostle
