#pragma once
// What a motion, an impact and a blow begin with: the state, told velocities, which speeds have an impact first, and
// the count of events.
#include "core/dynamics/masses.hpp"
#include "core/events/collision.hpp"
#include "core/prescribed/told_line.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// Contacts that touch at the start of a motion and approach faster have an impact first, m/s.
JOSTLE_HD inline double speed_of_impacts(const System& system) {
  const double threshold = system.parameters().impact_threshold();
  return threshold > rounding_speed ? threshold : rounding_speed;
}

/// The velocities of bodies with prescribed motion at the start of a piece, in the axes of q_l: those of the line of
/// the step or, of methods with stages, within a step those at that time. Methods without impacts have the velocity of
/// the end of the step in all motions, so after the first one. False, with status `not_finite`, if one is not finite.
/// Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool load_told(const Team& team, const System& system, AnyWorkspace auto work,
                                        StepProgress& progress) {
  if (system.model.dimensions.prescribed == 0) return true;
  bool finite = true;
  const double least_jump = system.model.dimensions.has_impacts ? speed_of_impacts(system) : infinity();
  const bool has_line = facts_of(system.model.method).has_impacts;
  if (progress.pieces == 0 || !has_line) finite = load_line(team, system, work, least_jump);
  if (system.model.dimensions.has_stages && progress.passed > 0) {
    finite = load_prescribed(team, system, work, progress.step.time, work.pose());
  } else {
    const double start = has_line ? told_parts(system.model, progress).start : progress.pieces == 0 ? 0.0 : 1.0;
    tell(team, system, work, start, work.pose(), work.prescribed_velocity());
    tell(team, system, work, start, work.pose(), work.prescribed_rate());
  }
  if (!finite) progress.result.status = Status::not_finite;
  return finite;
}

/// Masses, the state, told velocities, and q_l as the predicted positions. False as load_told(). Ends synced.
template <class Team>
JOSTLE_HD bool load_start(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
  load_masses(team, system, work);
  load_poses(team, system, work);
  if (!load_told(team, system, work, progress)) return false;
  predict(team, system, work, 0, work.velocity());
  return true;
}

/// One more event in this step: too many of them are a failure.
JOSTLE_HD inline void count_event(const ModelView& model, StepResult& result) {
  if (++result.events > model.events.limit) result.status = Status::too_many_events;
}

}  // namespace jostle
