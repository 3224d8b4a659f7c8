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
    has_speed = has_speed || size > rounding_speed;
    if (!(sum <= rounding * (size + rounding_speed))) return Change::motion;
  }
  if (!has_speed) return Change::none;
  for (int c = 0; c < contacts; ++c) {
    const PairModel& pair = system.model.pairs[work.contact(c).pair];
    const int body = system.model.movers[m];
    const bool is_on = system.model.shapes[pair.shape_a].body == body || system.model.shapes[pair.shape_b].body == body;
    const int normal = work.block(c).normal;
    const double opening = is_on ? add_product(0, work.row(normal), work.velocity()) : 0.0;
    if (work.row_impulse(normal) > 0 && std::fabs(opening) > rounding_speed) return Change::reversal;
  }
  return Change::motion;
}

/// Whether a step has done nothing but reverse the speeds of bodies on contacts that open and close: the second
/// scheme would go on with that for ever.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool only_reverses(const Team& team, const System& system, AnyWorkspace auto work,
                                            const StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const int contacts = progress.result.contacts;
  const bool is_whole = progress.pieces == 0 && progress.left == 0;
  if (!is_whole || contacts == 0 || d.prescribed > 0 || (decltype(work)::is_coupled && d.is_coupled())) return false;
  const int most = team.select(
      d.movers, [&](int m) { return static_cast<int>(change_of(system, work, m, contacts)); },
      [](int a, int b) { return a > b; });
  return most == static_cast<int>(Change::reversal);
}

}  // namespace jostle::trapezoidal
