#pragma once
// Modes from sweeps of projected Gauss-Seidel: each contact in turn takes the impulse that stops its own velocity,
// within its bounds; friction takes the nearest point of the polygon of mu c_n. What some sweeps leave is no answer,
// but its modes are often those of one, or near them, where corrections of other modes go round in circles [Morales,
// Nocedal & Smelyanskiy 2008, of LCPs with bounds; Silcowitz, Niebe & Erleben 2010, of contacts].
#include "core/guess/mode_answer.hpp"

namespace jostle {

inline constexpr int gauss_seidel_sweeps = 30;
/// Islands of fewer blocks cost Lemke's method less than sweeps and the corrections after them.
inline constexpr int least_gauss_seidel_blocks = 8;

/// From how much of the impulses in work.z, and in which order of the blocks.
struct GaussSeidelStart {
  double share;  ///< 1
  bool backwards;
};
inline constexpr GaussSeidelStart without_impulses{0, false}, with_too_large_impulses{4, true};

namespace detail {

/// The friction impulse (x, y) goes to the nearest point of the polygon of `bound`. Returns the mode that is there.
JOSTLE_HD inline Mode take_to_polygon(const ModelView& model, double bound, double& x, double& y) {
  using Kind = Mode::Kind;
  const Corner corner = corner_of(model, x, y);
  if (!(corner.first + corner.second > bound)) return {Kind::stick, 0};
  const Mode mode = mode_at_bound(model, corner, bound, x, y);
  const ModeFrame frame = frame_of(model, mode);
  const bool is_corner = mode.kind == Kind::slip;
  const double along = is_corner ? bound : x * frame.first.x + y * frame.first.y;
  const double across = is_corner ? 0.0 : bound * polygon_side(model).distance;
  x = along * frame.first.x + across * frame.second.x, y = along * frame.first.y + across * frame.second.y;
  return mode;
}

/// A friction impulse along one tangent.
JOSTLE_HD inline Mode take_to_bound(double bound, double& x) {
  if (std::fabs(x) <= bound) return {Mode::Kind::stick, 0};
  const bool backwards = x < 0;
  x = backwards ? -bound : bound;
  return Mode::slip(backwards ? 1 : 0);
}

/// The impulse of an equation that stops its velocity, all others as they are; without a response, as it is.
JOSTLE_HD inline double stopping_impulse(AnyWorkspace auto work, const ModeEquations& own, int e) {
  double response = 0;
  for (int side = 0; side < 2 && own.body[side] != no_body; ++side)
    response += dot(six(own.row[e][side]), six(own.row[e][side]));
  if (!(response > 0)) return own.impulse[e];
  return own.impulse[e] - (own.bias[e] + equation_product(own, e, work.mode_velocity())) / response;
}

/// Gives an equation an impulse; keeps the velocities.
JOSTLE_HD inline void take_impulse(AnyWorkspace auto work, ModeEquations& own, int e, double impulse) {
  const double change = impulse - own.impulse[e];
  if (change == 0) return;
  own.impulse[e] = impulse;
  for (int side = 0; side < 2 && own.body[side] != no_body; ++side) {
    const auto u = work.mode_velocity().from(6 * own.body[side]);
    store(fused(change, six(own.row[e][side]), six(u)), u);
  }
}

/// Changes the impulses of contact c, whose equations are those of a contact that sticks. Returns the mode that they
/// show.
JOSTLE_HD inline Mode relax_contact(const ModelView& model, AnyWorkspace auto work, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  ModeEquations& own = work.mode_equations(c);
  const double normal = stopping_impulse(work, own, 0);
  const bool acts = own.acting > 0 && normal > 0;
  take_impulse(work, own, 0, acts ? normal : 0.0);
  if (!acts) {
    for (int e = 1; e < own.count; ++e) take_impulse(work, own, e, 0);
    return {own.acting > 0 ? Kind::open : Kind::stick, 0};
  }
  if (block.tangents == 0) return {Kind::stick, 0};
  const double bound = block.friction * own.impulse[0];
  double x = stopping_impulse(work, own, 1), y = own.count > 2 ? stopping_impulse(work, own, 2) : 0.0;
  const Mode mode = own.count > 2 ? take_to_polygon(model, bound, x, y) : take_to_bound(bound, x);
  take_impulse(work, own, 1, x);
  if (own.count > 2) take_impulse(work, own, 2, y);
  return mode;
}

}  // namespace detail

/// Writes work.mode() from sweeps over the contacts of an island, by one lane. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE void write_modes_of_gauss_seidel(const Team& team, const Island& island,
                                                          const ModelView& model, const Work& work, double eps,
                                                          GaussSeidelStart start) {
  const auto set_mode = [&](int c, Mode mode) {
    work.mode(c).kind = mode.kind, work.mode(c).direction = mode.direction;  // not `held`
  };
  for_each_block(team, island, work, [&](int c) {
    set_mode(c, {Mode::Kind::stick, 0});
    write_mode_equations(model, work, c, eps, 0);
    if (start.share > 0) work.mode_equations(c).impulse[0] = start.share * work.z(work.block_variables(c).normal);
  });
  team.sync();
  detail::write_mode_velocities(team, island, work);
  team.once([&] {
    for (int sweep = 0; sweep < gauss_seidel_sweeps; ++sweep) {
      for (int i = 0; i < island.blocks; ++i) {
        const int c = work.island_block(island.first_block + (start.backwards ? island.blocks - 1 - i : i));
        set_mode(c, detail::relax_contact(model, work, c));
      }
    }
  });
  team.sync();
}

}  // namespace jostle
