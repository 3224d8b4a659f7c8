#pragma once
// The certificate of a contact LCP, docs/theory.md (31), from velocities and impulses, not the matrix pivoted:
//
//     max |min(z', w')| / |q'|inf,   z = S z',  w' = S w,  q' = S q
//
// In SI units a body of 1e-9 kg would pass with garbage; scaled by |z| anything would.
#include "core/assembly/mixed_lcp.hpp"
#include "core/lcp/certificate.hpp"

namespace jostle {

/// w_i at given velocities: the slack of the row that variable i is complementary to.
JOSTLE_HD inline double contact_slack(const MixedLcp& mixed, const SchurComplement& schur, const double* velocity,
                                      const double* z, int i) {
  const LcpVariable& variable = schur.variables[i];
  const ContactBlock& block = mixed.contacts[variable.block];
  double slack = block.bound;
  if (variable.row >= 0) {
    slack = mixed.row_bias[variable.row];
    const double* const row = mixed.contact_rows + variable.row * mixed.velocities;
    for (int k = 0; k < mixed.velocities; ++k) slack += row[k] * velocity[k];
    slack *= variable.sign;
  }
  for (int j = 0; j < schur.size; ++j) {
    const LcpVariable& other = schur.variables[j];
    if (other.block != variable.block) continue;
    if (variable.kind == LcpVariable::Kind::beta && other.kind == LcpVariable::Kind::lambda) slack += z[j];
    if (variable.kind == LcpVariable::Kind::lambda && other.kind == LcpVariable::Kind::beta) slack -= z[j];
    if (variable.kind == LcpVariable::Kind::lambda && other.kind == LcpVariable::Kind::normal)
      slack += block.friction * z[j];
  }
  return slack;
}

/// The natural residual of z with the velocities that it gives; NaN if there is one.
template <class Team>
JOSTLE_HD double certify_contacts(const Team& team, const MixedLcp& mixed, const SchurComplement& schur,
                                  const double* velocity, const double* z) {
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b; };
  const auto residual = [&](int i) {
    const double w = contact_slack(mixed, schur, velocity, z, i);
    return magnitude_bits(natural_residual(z[i] / schur.scale[i], schur.scale[i] * w));
  };
  const auto size = [&](int i) { return magnitude_bits(schur.scale[i] * schur.lcp_vector[i]); };
  const double worst = from_magnitude_bits(team.select(schur.size, residual, larger));
  const double q_size = from_magnitude_bits(team.select(schur.size, size, larger));
  return worst == 0 ? 0.0 : worst / q_size;
}

}  // namespace jostle
