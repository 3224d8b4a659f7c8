#pragma once
// The certificate of a contact LCP, docs/theory.md (31), from velocities and impulses, not from the pivoted matrix:
//
//     max |min(z', w')| / |q'|inf,   z = S z',  w' = S w,  q' = S q        |q'|inf: LcpScale says what counts
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

/// sum |row_k| |y_k|, y = M^-1 r: where joints take y away, v0 is rounding errors of it.
JOSTLE_HD inline double momentum_along(AnyWorkspace auto work, const ConstraintRow& row) {
  double sum = 0;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    const Vec6 inverse = work.inv_mass(row.body[side]), momentum = work.momentum(row.body[side]);
    for (int k = 0; k < 6; ++k) sum += std::fabs(row.entry[side][k] * (inverse[k] * momentum[k]));
  }
  return sum;
}

/// Residuals are relative to at least this: what is smaller may have lost its last digits to denormal numbers, as the
/// speed of a body that is held, of which each step leaves a rounding error.
inline constexpr double least_size = 0x1p-900;

/// The largest size_of(row) of the rows of an island, equilibrated.
template <class Team>
JOSTLE_HD double largest_of_rows(const Team& team, const Island& island, AnyWorkspace auto work, auto size_of) {
  return largest_of_blocks(team, island, work, [&](int c) {
    double largest = 0;
    for_each_row(work.block(c), [&](int r) { largest = larger_magnitude(largest, size_of(work.row(r))); });
    return work.block_scale(c) * largest;
  });
}

/// The largest momentum_along the rows of an island, S y.
template <class Team>
JOSTLE_HD double size_of_momentum(const Team& team, const Island& island, AnyWorkspace auto work) {
  return largest_of_rows(team, island, work, [&](const ConstraintRow& row) { return momentum_along(work, row); });
}

/// sqrt(y'M y), y = M^-1 r of the movers of an island: no speed along a row, S |row| |v|, is larger. What joints leave
/// of a motion along other freedoms than those of a row is rounding errors of it.
template <class Team>
JOSTLE_HD double size_of_motion(const Team& team, const Island& island, AnyWorkspace auto work) {
  const double largest = largest_by_number(team, island.movers, [&](int i) {
    const int m = work.island_mover(island.first_mover + i);
    const Vec6 inverse = work.inv_mass(m), momentum = work.momentum(m);
    double twice_energy = 0;
    for (int k = 0; k < 6; ++k) twice_energy += momentum[k] * (inverse[k] * momentum[k]);
    return twice_energy;
  });
  return std::sqrt(largest * island.movers);
}

/// What residuals of the LCP of an island are relative to, equilibrated.
struct LcpScale {
  double q_size;         ///< |q'|inf, or Q of docs/theory.md in its place
  double most_constant;  ///< what constants count at most
};

/// How many times the speeds in play a constant that nothing need reach counts at most.
inline constexpr double most_beyond = 1024;
/// The size of an LCP is at least this part of the speeds in play, of which its constants may be what rounding left.
inline constexpr double least_part_of_speeds = 1.0 / 1024;

namespace detail {

struct BlockSize {
  double all;      ///< the largest of its constants
  double reached;  ///< of those that its impulses answer to
};

JOSTLE_HD inline BlockSize size_of_block(AnyWorkspace auto work, int c, bool with_speeds) {
  const Block block = work.block(c);
  const double scale = work.block_scale(c), bound = block.lambdas() > 0 ? block.bound / scale : 0.0;
  double constants = 0, beyond = 0, speeds = 0;
  for_each_row(block, [&](int r) {
    const double constant = scale * (add_product(0, work.row(r), work.free_velocity()) + work.row_bias(r));
    double& size = r == block.normal && constant > 0 ? beyond : constants;
    size = larger_magnitude(size, constant);
    if (with_speeds) speeds = larger_magnitude(speeds, scale * speeds_along(work, work.row(r)));
  });
  const double all = larger_magnitude(larger_magnitude(bound, speeds), larger_magnitude(constants, beyond));
  // A motor or brake changes speeds by no more than its bound, and by no more than it has to.
  const bool is_bounded = block.normal < 0 && !block.is_moment() && bound < constants;
  return {all, larger_magnitude(is_bounded ? bound : constants, speeds)};
}

/// Whether the speeds along some row may be so large that the size of the LCP is a part of them: by the energy of the
/// movers, S |row| |v0| <= 2 sqrt(v0' A v0) of each of its two.
template <class Team, AnyWorkspace Work>
JOSTLE_HD bool may_be_rounding(const Team& team, const Island& island, const Work& work, double size) {
  if constexpr (Work::is_coupled) return true;
  const double most = (island.movers == 1 ? 4 : 8) * least_part_of_speeds;
  return any_of(team, island.movers, [&](int i) {
    const int m = work.island_mover(island.first_mover + i);
    double twice_energy = 0;
    for (int k = 0; k < 6; ++k) twice_energy += work.momentum(m)[k] * work.free_velocity(m)[k];
    return most * most * twice_energy > size * size;
  });
}

}  // namespace detail

/// The size of the LCP of an island, with |q'|inf from work.free_velocity; `with_speeds`: at least the largest
/// speeds_along its rows, S s.
///
/// A gap, the limit of a speed, the bound of a motor or brake and the speed that a weak motor is told may be so large
/// that nothing in this step reaches them. They count at most most_beyond times what all else is: they would hide the
/// errors of all else. And where bodies move along all contacts, q is the rounding errors of large speeds.
template <class Team, AnyWorkspace Work>
JOSTLE_HD LcpScale size_of_lcp(const Team& team, const Island& island, const Work& work, bool with_speeds) {
  struct Largest {
    double size;
    bool is_reached;
  };
  const Largest largest = team.select(
      island.blocks,
      [&](int i) {
        const detail::BlockSize size =
            detail::size_of_block(work, work.island_block(island.first_block + i), with_speeds);
        return Largest{size.all, !(size.reached < size.all)};
      },
      [](const Largest& a, const Largest& b) {
        const std::int64_t of_a = magnitude_bits(a.size), of_b = magnitude_bits(b.size);
        return of_a != of_b ? of_a > of_b : a.is_reached && !b.is_reached;
      });
  const double size = larger_magnitude(largest.size, least_size);
  double most = infinity();
  if (!largest.is_reached) {
    most = most_beyond * largest_of_blocks(team, island, work,
                                           [&](int c) { return detail::size_of_block(work, c, with_speeds).reached; });
  }
  if (size <= most && !detail::may_be_rounding(team, island, work, size)) return {size, infinity()};
  const double in_play = largest_of_rows(team, island, work, [&](const ConstraintRow& row) {
    return speeds_along(work, row) + momentum_along(work, row);
  });
  most = larger_magnitude(larger_magnitude(most, most_beyond * in_play), least_size);
  if (most < size) return {most, most};
  return {larger_magnitude(size, least_part_of_speeds * in_play), infinity()};
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
    return largest == 0 ? of_turning : largest;
  };
  const double of_lightest = largest_by_number(team, count, [&](int i) { return inverse_mass(i, 0); });
  const double of_heaviest = from_magnitude_bits(team.select(
      count, [&](int i) { return magnitude_bits(inverse_mass(i, infinity())); },
      [](std::int64_t a, std::int64_t b) { return a < b; }));
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
