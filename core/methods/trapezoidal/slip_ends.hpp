#pragma once
// Slips that end in a step of the second trapezoidal scheme. It applies friction to the mean of both velocities, so
// what is left of a slip when its contact begins to stick would change its sign in every step from then on, and
// friction with it. In the step in which a slip ends or turns round, friction is therefore applied to its end,
//
//     d'(v_l + v_{l+1}) - s_l,    s_l = d'(slip at q_l with v_l)
//
// which is the slip at q_{l+1} with v_{l+1} up to O(h^2), also where contacts roll on what is curved or turns: there
// d'v_l is not the slip at the start, as d turns by O(h) until the middle of the step.
#include "core/contacts/at_start.hpp"
#include "core/contacts/closing_speed.hpp"
#include "core/events/transition.hpp"
#include "core/prescribed/told_line.hpp"

namespace jostle::trapezoidal {

/// The slip of contact c where the piece begins, m/s, world.
JOSTLE_HD JOSTLE_OUTLINE inline Vec3 first_slip(const System& system, AnyWorkspace auto work, int c) {
  const Contact& contact = work.contact(c);
  const PairModel& pair = system.model.pairs[contact.pair];
  const ContactGeometry at = geometry_at(system, pair, contact.feature, work.pose());
  return slip_velocity(system, work, pair, at, work.pose(), work.velocity());
}

/// Row r with v_l and what is told at `start`.
JOSTLE_HD inline double speed_of_start(const System& system, AnyWorkspace auto work, int r, double start) {
  const Dimensions& d = system.model.dimensions;
  const bool is_told = d.prescribed > 0 && work.prescribed_half(r).number >= 0;
  const double told = is_told ? told_speed(system, work, work.prescribed_half(r), start) : 0.0;
  return add_product(told, work.row(r), work.velocity());
}

/// m/s: what is left of slips that have ended.
inline constexpr double least_slip = 1e-12;

/// m/s: how much of the slip at the start has turned round at the end, all of it or, if the contact slips between two
/// directions, what is across them; 0: nothing has.
JOSTLE_HD inline double slip_that_turns(const ModelView& model, Mode mode, Direction first, Direction last) {
  if (dot(first, last) < 0) return std::sqrt(dot(first, first));
  if (mode.kind != Mode::Kind::between) return 0;
  const Direction one = direction(model, mode.direction);
  const Direction other = direction(model, direction_after(model, mode.direction));
  const Direction across{other.x - one.x, other.y - one.y};
  return dot(across, first) * dot(across, last) < 0 ? std::fabs(dot(across, first)) : 0.0;
}

/// m/s: what may look like the rest of a slip at the start of contact c, which slips by `first`: rounding errors and,
/// if it has not slipped so far, or between the same two directions, what its tangents turn in half a piece. A contact
/// that is new may have been elsewhere on its shapes at the start; then this is its slip there.
JOSTLE_HD inline double slip_of_no_end(const System& system, AnyWorkspace auto work, int c, Direction first,
                                       bool is_across, double start) {
  const int tangent = work.block(c).tangent;
  const double rounding = least_slip + slip_rounding * speeds_along(work, work.row(tangent));
  const Mode before = mode_in_state(system, work.contact(c).pair, work.contact(c).feature);
  if (before.slips() && !(is_across && before.kind == Mode::Kind::between)) return rounding;
  const Direction in_middle =
      slip_of_rows(system.model, tangent, [&](int r) { return speed_of_start(system, work, r, start); });
  const Direction turned{in_middle.x - first.x, in_middle.y - first.y};
  return rounding + std::sqrt(dot(turned, turned));
}

/// Whether contact c, whose answer is v_l + v_{l+1}, slips at the end the other way, or as much as it must if it sticks
/// at the mean; or whether one that slips between two directions does so across them.
JOSTLE_HD inline bool ends_slip(const System& system, AnyWorkspace auto work, int c, double start) {
  const ModelView& model = system.model;
  const int tangent = work.block(c).tangent;
  if (work.block(c).tangents == 0) return false;
  const Vec3 slip = first_slip(system, work, c);
  const auto of_start = [&](int r) { return dot(world_direction(model, work.contact(c), r - tangent), slip); };
  const auto of_end = [&](int r) {
    return add_product(work.row_bias(r), work.row(r), work.next_velocity()) - of_start(r);
  };
  const Direction first = slip_of_rows(model, tangent, of_start), last = slip_of_rows(model, tangent, of_end);
  const double turns = slip_that_turns(model, work.mode(c), first, last);
  return turns > 0 && turns > slip_of_no_end(system, work, c, first, !(dot(first, last) < 0), start);
}

/// Marks such contacts in work.ends_slip(). Whether friction acts at any of them; without transitions slips end as they
/// do in the method as it is printed. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool mark_slip_ends(const Team& team, const System& system, AnyWorkspace auto work,
                                             const StepProgress& progress) {
  const int contacts = progress.result.contacts;
  if (contacts == 0 || !system.model.events.transitions) return false;
  if (system.model.dimensions.has_rolling_friction) return false;  // then all friction is applied to the end
  const double start = told_parts(system.model, progress).start;
  team.sync();
  team.for_each(contacts, [&](int c) { work.ends_slip(c) = ends_slip(system, work, c, start) ? 1 : 0; });
  const auto acts = [&](int c) {
    if (work.ends_slip(c) == 0) return false;
    const Block block = work.block(c);
    for (int i = 0; i < block.tangents; ++i)
      if (work.row_impulse(block.tangent + i) != 0) return true;
    return false;
  };
  const bool any = any_of(team, contacts, acts);
  team.sync();
  return any;
}

/// Asks of the end what the problem asks of v_l + v_{l+1} along the tangents of these contacts, but for those of
/// islands that stand. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void ask_of_slip_ends(const Team& team, const System& system, AnyWorkspace auto work,
                                               int contacts) {
  team.for_each(contacts, [&](int c) {
    const Block block = work.block(c);
    if (work.ends_slip(c) == 0 || block.tangents == 0) return;
    const ConstraintRow& row = work.row(block.tangent);
    if (row.body[0] != no_body && work.stands(row.body[0]) != 0) return;
    const Vec3 slip = first_slip(system, work, c);
    for (int i = 0; i < block.tangents; ++i)
      work.row_bias(block.tangent + i) -= dot(world_direction(system.model, work.contact(c), i), slip);
  });
  team.sync();
}

}  // namespace jostle::trapezoidal
