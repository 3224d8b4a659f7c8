#pragma once
// The certificate of a contact LCP, docs/theory.md (31), from velocities and impulses, not from the pivoted matrix:
//
//     max |min(z', w')| / |q'|inf,   z = S z',  w' = S w,  q' = S q
//
// In SI units, garbage would pass for a body of 1e-9 kg; scaled by |z|, anything would pass.
#include "core/assembly/islands.hpp"
#include "core/assembly/rows.hpp"
#include "core/lcp/certificate.hpp"

namespace jostle {

/// work.row_speed: row . v + bias of the rows of block c at work.next_velocity.
JOSTLE_HD inline void write_block_speeds(AnyWorkspace auto work, int c) {
  for_each_row(work.block(c),
               [&](int r) { work.row_speed(r) = add_product(work.row_bias(r), work.row(r), work.next_velocity()); });
}

/// Those of all blocks of an island. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void write_row_speeds(const Team& team, const Island& island, AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) { write_block_speeds(work, c); });
  team.sync();
}

/// sum |row_k| |v0_k|: what rounding errors of row . v0 are relative to.
JOSTLE_HD inline double speeds_along(AnyWorkspace auto work, const ConstraintRow& row) {
  double sum = 0;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
    for (int k = 0; k < 6; ++k) sum += std::fabs(row.entry[side][k] * work.free_velocity(row.body[side])[k]);
  return sum;
}

/// Residuals are relative to at least this: what is smaller may have lost its last digits to denormal numbers, as the
/// speed of a body that is held, of which each step leaves a rounding error.
inline constexpr double least_size = 0x1p-900;

/// |q'|inf of the LCP of an island, from work.free_velocity, at least least_size; `with_speeds`: at least the largest
/// speeds_along its rows, S s.
template <class Team>
JOSTLE_HD double constants_size(const Team& team, const Island& island, AnyWorkspace auto work, bool with_speeds) {
  const double size = largest_of_blocks(team, island, work, [&](int c) {
    const Block block = work.block(c);
    const double scale = work.block_scale(c);
    double largest = block.lambdas() > 0 ? block.bound / scale : 0.0;
    for_each_row(block, [&](int r) {
      const double constant = add_product(0, work.row(r), work.free_velocity()) + work.row_bias(r);
      largest = larger_magnitude(largest, scale * constant);
      if (with_speeds) largest = larger_magnitude(largest, scale * speeds_along(work, work.row(r)));
    });
    return largest;
  });
  return larger_magnitude(size, least_size);
}

/// The largest sum |row_k| |y_k| of an island, S y, with y = M^-1 r: where joints take it away, v0 is rounding errors
/// of it.
template <class Team>
JOSTLE_HD double size_of_momentum(const Team& team, const Island& island, AnyWorkspace auto work) {
  return largest_of_blocks(team, island, work, [&](int c) {
    double largest = 0;
    for_each_row(work.block(c), [&](int r) {
      const ConstraintRow& row = work.row(r);
      double sum = 0;
      for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
        const Vec6 inverse = work.inv_mass(row.body[side]), momentum = work.momentum(row.body[side]);
        for (int k = 0; k < 6; ++k) sum += std::fabs(row.entry[side][k] * (inverse[k] * momentum[k]));
      }
      largest = larger_magnitude(largest, work.block_scale(c) * sum);
    });
    return largest;
  });
}

/// The largest |min(z', w')| of the variables of block c; NaN if any occurs.
JOSTLE_HD inline double block_residual(AnyWorkspace auto work, int c) {
  const Block block = work.block(c);
  const BlockVariables first = work.block_variables(c);
  const double scale = work.block_scale(c), inverse = inverse_power_of_two(scale);
  const double* const z = work.z();
  double largest = 0;
  if (block.normal >= 0) largest = natural_residual(z[first.normal] * inverse, scale * work.row_speed(block.normal));
  if (block.tangents == 0) return largest;
  // A slip speed that is a NaN makes all speeds NaNs, and an impulse that is one, what is left of the bound.
  const auto judge = [&](double impulse, double speed) {  // or a slip speed and what is left of a bound
    largest = larger_magnitude(largest, impulse < speed ? impulse : speed);
  };
  const double slip = z[first.lambda];
  double slack = block.normal < 0 ? block.bound : block.bound + block.friction * z[first.normal];
  if (block.is_moment()) slack += block.friction * z[work.block_variables(block.partner).normal];
  for (int i = 0; i < block.tangents; ++i) {
    const double speed = work.row_speed(block.tangent + i), beta = z[first.beta + i];
    judge(beta * inverse, scale * (slip + speed));
    slack -= beta;
    if (!block.opposites) continue;
    const double opposite = z[first.beta + block.tangents + i];
    judge(opposite * inverse, scale * (slip - speed));
    slack -= opposite;
  }
  judge(slip * scale, slack * inverse);
  return largest;
}

/// How many times as heavy as the lightest one the heaviest of `count` movers is, of which mover_of(i) are the numbers.
/// Those that only turn do not count.
template <class Team>
JOSTLE_HD double mass_ratio(const Team& team, int count, AnyWorkspace auto work, auto mover_of) {
  if (count < 2) return 1;
  const auto inverse_mass = [&](int i, double of_turning) {
    const Vec6& inverse = work.inv_mass(mover_of(i));
    double largest = 0;
    for (int k = 0; k < 3; ++k) largest = larger_magnitude(largest, inverse[k]);
    return magnitude_bits(largest == 0 ? of_turning : largest);
  };
  const double of_lightest = from_magnitude_bits(team.select(
      count, [&](int i) { return inverse_mass(i, 0); }, [](std::int64_t a, std::int64_t b) { return a > b; }));
  const double of_heaviest = from_magnitude_bits(team.select(
      count, [&](int i) { return inverse_mass(i, infinity()); }, [](std::int64_t a, std::int64_t b) { return a < b; }));
  return of_lightest > 0 ? of_lightest / of_heaviest : 1.0;
}
template <class Team>
JOSTLE_HD double mass_ratio(const Team& team, const Island& island, AnyWorkspace auto work) {
  return mass_ratio(team, island.movers, work, [&](int i) { return work.island_mover(island.first_mover + i); });
}

/// Residuals cannot be smaller than so many rounding errors of M'z', whose M' has a diagonal of 1.
inline constexpr double least_rounding = 8 * 0x1p-52;

/// What the tolerances of exact answers are multiplied by: |z'|inf is up to about mass_ratio() times |q'|inf. At most
/// up to the tolerance of every certificate.
JOSTLE_HD inline double allowance_of(const LemkeOptions& options, double mass_ratio) {
  const double rounding = mass_ratio * (least_rounding / options.exact_tolerance);
  const double most = options.certificate_tolerance / options.exact_tolerance;
  return rounding > most ? most : rounding > 1 ? rounding : 1;
}

/// The natural residual of work.z with work.row_speed; NaN if any occurs.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE double certify_speeds(const Team& team, const Island& island, AnyWorkspace auto work,
                                               double q_size) {
  const double worst = largest_of_blocks(team, island, work, [&](int c) { return block_residual(work, c); });
  return worst == 0 ? 0.0 : worst / q_size;
}

}  // namespace jostle
