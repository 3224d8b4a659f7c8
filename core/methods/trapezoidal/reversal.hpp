#pragma once
// Where the second trapezoidal scheme would only reverse speeds.
#include "core/events/impact.hpp"

namespace jostle::trapezoidal {

/// What has become of a mover in a whole step.
enum class Change : int { none, reversal, motion };

JOSTLE_HD inline Change change_of(const System& system, AnyWorkspace auto work, int m, int contacts) {
  constexpr double rounding = 1e-9;
  bool has_speed = false;
  for (int k = 0; k < 6; k += 3) {
    double size = 0, sum = 0;
    for (int i = k; i < k + 3; ++i) {
      size = larger_magnitude(size, work.velocity(m)[i]);
      sum = larger_magnitude(sum, work.velocity(m)[i] + work.next_velocity(m)[i]);
    }
    has_speed = has_speed || size > 0;
    if (!(sum <= rounding * (size + rounding_speed))) return Change::motion;
  }
  if (!has_speed) return Change::none;
  for (int c = 0; c < contacts; ++c) {
    const PairModel& pair = system.model.pairs[work.contact(c).pair];
    const int body = system.model.movers[m];
    const bool is_on = system.model.shapes[pair.shape_a].body == body || system.model.shapes[pair.shape_b].body == body;
    if (!is_on || !(work.row_impulse(work.block(c).normal) > 0)) continue;
    bool is_moving = false;
    const auto look_at = [&](int r) {
      if (add_product(0, work.row(r), work.velocity()) != 0) is_moving = true;
    };
    for_each_row(work.block(c), look_at);
    const int end = system.model.dimensions.contact_rows_end(c + 1);
    for (int r = system.model.dimensions.contact_rows(c).spin; r < end; ++r) look_at(r);
    if (is_moving) return Change::reversal;
  }
  if constexpr (decltype(work)::is_coupled) {
    for (int j = 0; j < system.model.dimensions.joints; ++j) {
      const int lower = work.joint_block(j).lower, upper = work.joint_block(j).upper;
      for (const int r : {lower, upper})
        if (r >= 0 && work.row_impulse(r) > 0 && side_of(work.row(r), m) >= 0 &&
            add_product(0, work.row(r), work.velocity()) != 0)
          return Change::reversal;
    }
  }
  return Change::motion;
}

/// m/s and rad/s: what is left of sums of speeds whose answer is 0.
inline constexpr double speed_at_rest = 1e-13;

/// Whether no velocity of mover m was above this at the start of the step.
JOSTLE_HD inline bool is_slow(AnyWorkspace auto work, int m) {
  for (int k = 0; k < 6; ++k)
    if (std::fabs(work.velocity(m)[k]) > speed_at_rest) return false;
  return true;
}

/// Whether a step has done nothing but reverse the speeds of bodies on contacts and limits that open and close, or
/// contacts that stick at the mean of both: the second scheme would go on with that for ever.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool only_reverses(const Team& team, const System& system, AnyWorkspace auto work,
                                            const StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const int contacts = progress.result.contacts;
  const bool is_whole = progress.pieces == 0 && progress.left == 0;
  const bool has_bounds = d.joint_bounds + d.ball_frictions + d.speed_limits > 0;
  if (!is_whole || contacts + d.joint_limits == 0 || d.prescribed > 0 || d.springs > 0 || has_bounds) return false;
  const int most = team.select(
      d.movers, [&](int m) { return static_cast<int>(change_of(system, work, m, contacts)); },
      [](int a, int b) { return a > b; });
  return most == static_cast<int>(Change::reversal);
}

}  // namespace jostle::trapezoidal
