#pragma once
// Where the second trapezoidal scheme would only reverse speeds.
#include "core/assembly/islands.hpp"
#include "core/events/impact.hpp"

namespace jostle::trapezoidal {

/// m/s and rad/s: what is left of sums of speeds whose answer is 0.
inline constexpr double speed_at_rest = 1e-13;

/// What has become of a mover in a whole step.
enum class Change : int { none, reversal, motion };

/// Whether springs, told motion, or friction, motors and limits of speeds of joints act on mover m: what they do to a
/// speed may go on.
JOSTLE_HD inline bool is_driven(const System& system, AnyWorkspace auto work, int m, int contacts) {
  const ModelView& model = system.model;
  const Dimensions& d = model.dimensions;
  const int body = model.movers[m];
  const auto drives = [&](int a, int b) {
    const int other = a == body ? b : b == body ? a : world_body;
    return other != world_body && model.bodies[other].is_prescribed();
  };
  for (int c = 0; d.prescribed > 0 && c < contacts; ++c) {
    const PairModel& pair = model.pairs[work.contact(c).pair];
    if (drives(model.shapes[pair.shape_a].body, model.shapes[pair.shape_b].body)) return true;
  }
  for (int i = 0; i < d.springs; ++i)
    if (model.springs[i].body_a == body || model.springs[i].body_b == body) return true;
  if constexpr (decltype(work)::is_coupled) {
    for (int j = 0; j < d.joints; ++j) {
      const JointModel& joint = model.joints[j];
      if (joint.body_a != body && joint.body_b != body) continue;
      const JointBlockRows& rows = work.joint_block(j);
      for (const int r : {rows.friction, rows.motor, rows.slowest, rows.fastest, rows.ball})
        if (r >= 0) return true;
      if (drives(joint.body_a, joint.body_b)) return true;
    }
  }
  return false;
}

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
    if (!(sum <= rounding * size + speed_at_rest)) return Change::motion;
  }
  if (is_driven(system, work, m, contacts)) return Change::motion;
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

/// Whether no velocity of mover m was above this at the start of the step.
JOSTLE_HD inline bool is_slow(AnyWorkspace auto work, int m) {
  for (int k = 0; k < 6; ++k)
    if (std::fabs(work.velocity(m)[k]) > speed_at_rest) return false;
  return true;
}

/// Ties the movers that contacts, joints and springs tie, in work.tied_to(). By one lane.
JOSTLE_HD inline void tie_all(const System& system, AnyWorkspace auto work, int contacts) {
  const ModelView& model = system.model;
  for (int m = 0; m < model.dimensions.movers; ++m) work.tied_to(m) = m;
  const auto tie_bodies = [&](int a, int b) {
    const int m = mover_of(model, a), n = mover_of(model, b);
    if (m != no_body && n != no_body) jostle::detail::tie(work, m, n);
  };
  for (int c = 0; c < contacts; ++c) {
    const PairModel& pair = model.pairs[work.contact(c).pair];
    tie_bodies(model.shapes[pair.shape_a].body, model.shapes[pair.shape_b].body);
  }
  for (int j = 0; j < model.dimensions.joints; ++j) tie_bodies(model.joints[j].body_a, model.joints[j].body_b);
  for (int i = 0; i < model.dimensions.springs; ++i) tie_bodies(model.springs[i].body_a, model.springs[i].body_b);
}

/// Marks the movers of islands in which a step has done nothing but reverse the speeds of bodies on contacts and limits
/// that open and close, or contacts that stick at the mean of both: the second scheme would go on with that for ever.
/// Whether there are any. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool mark_reversals(const Team& team, const System& system, AnyWorkspace auto work,
                                             const StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const int contacts = progress.result.contacts;
  const bool is_whole = progress.pieces == 0 && progress.left == 0;
  if (!is_whole || d.movers == 0 || contacts + d.joint_limits == 0) return false;
  constexpr int reversal = static_cast<int>(Change::reversal);
  team.for_each(d.movers, [&](int m) { work.stands(m) = static_cast<int>(change_of(system, work, m, contacts)); });
  const bool any = any_of(team, d.movers, [&](int m) { return work.stands(m) == reversal; });
  team.sync();
  team.once([&] {
    if (any) tie_all(system, work, contacts);
    for (int m = 0; any && m < d.movers; ++m) {
      int& most = work.stands(jostle::detail::lowest_tied(work, m));
      if (work.stands(m) > most) most = work.stands(m);
    }
    for (int m = d.movers - 1; m >= 0; --m)  // the lowest of an island is the last one
      work.stands(m) = any && work.stands(jostle::detail::lowest_tied(work, m)) == reversal ? 1 : 0;
  });
  team.sync();
  const bool stands = any && any_of(team, d.movers, [&](int m) { return work.stands(m) != 0; });
  team.sync();
  return stands;
}

}  // namespace jostle::trapezoidal
