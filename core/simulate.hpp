#pragma once
// One team takes one system through its steps: collide -> assemble -> pivot -> integrate -> record.
#include "core/methods/stewart_trinkle.hpp"
#include "core/stages/integrate.hpp"
#include "core/stages/record.hpp"

namespace jostle {

/// Bodies may touch at the start, not overlap by more than this, m.
inline constexpr Real start_overlap = 1e-9;

/// State from parameters; status not_run becomes ok, overlap or not_finite.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void initialise(const Team& team, const System& system, const Workspace& work) {
  const ModelView& model = system.model;
  const StateView& s = system.state;
  team.for_each(model.dimensions.bodies, [&](int b) {
    set_vector(s.position, b, vector_at(system.parameters.start_position, b));
    set_quaternion(s.orientation, b, quaternion_at(system.parameters.start_orientation, b));
    s.angle[b] = system.parameters.start_angle[b];
    set_vector(s.velocity, b, vector_at(system.parameters.start_velocity, b));
    const Pose pose = work.pose[b] = pose_of(system, b);
    set_vector(s.spin, b, rotate_back(pose.axes, vector_at(system.parameters.start_spin, b)));
    const RotationKind rotation = model.bodies[b].rotation;
    for (int k = 0; k < 3; ++k) {
      if (rotation != RotationKind::free && static_cast<int>(rotation) != k) s.spin[3 * b + k] = 0;
    }
  });
  team.for_each(model.dimensions.outcomes, [&](int o) { s.outcomes[o] = canonical_nan(); });
  team.sync();
  team.for_each(model.dimensions.shapes,
                [&](int i) { work.placed[i] = place_shape(system, i, work.pose[model.shapes[i].body]); });
  team.sync();
  const int pairs = model.dimensions.pairs;
  const bool overlap =
      pairs > 0 && team.select(
                       pairs,
                       [&](int p) {
                         const PairModel& pair = model.pairs[p];
                         return signed_distance(work.placed[pair.shape_a], work.placed[pair.shape_b]) < -start_overlap;
                       },
                       [](bool a, bool b) { return a && !b; });
  team.sync();
  team.once([&] {
    s.start_energy[0] = total_energy(system);
    s.status[0] = static_cast<int>(overlap ? Status::overlap : Status::ok);
  });
  team.sync();
  if (!overlap) record_outcomes(team, system);
  record_trajectory(team, system);
  team.sync();
}

/// Whether the system has a step to take up to `last_step`. Initialises one that has not run.
template <class Team>
JOSTLE_HD bool has_step(const Team& team, const System& system, const Workspace& work, int last_step) {
  if (system.state.status[0] == static_cast<int>(Status::not_run)) {
    team.sync();
    initialise(team, system, work);
  }
  return system.state.status[0] == static_cast<int>(Status::ok) && system.state.steps[0] < last_step;
}

// A step is begin_step, solve_step, and unless that says `capacity` finish_step.

template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void begin_step(const Team& team, const System& system, const Workspace& work,
                                         const Clock& clock) {
  stewart_trinkle_collide(team, system, work, system.state.steps[0] * system.model.step, clock);
}

template <class Team, class Clock>
JOSTLE_HD StepResult solve_step(const Team& team, const System& system, const Workspace& work, const Clock& clock) {
  return stewart_trinkle_solve(team, system, work, clock);
}

/// Takes over the new state, or the status of a failure.
template <class Team, class Clock>
JOSTLE_HD void finish_step(const Team& team, const System& system, const Workspace& work, StepResult& result,
                           const Clock& clock) {
  if (result.status == Status::ok && !next_is_finite(team, system, work)) result.status = Status::not_finite;
  team.sync();
  if (result.status == Status::ok) {
    accept_step(team, system, work, result.contacts);
    clock(Stage::integrate);
    record_step(team, system, work, result);
    clock(Stage::record);
  } else {
    team.once([&] { system.state.status[0] = static_cast<int>(result.status); });
    team.sync();
  }
}

/// What ended a call of `simulate`.
enum class Pause { finished, outgrown };

/// Takes the system up to step `last_step`, or to the step that fails. `outgrown`: the next step needs a
/// workspace of more contacts than `work.contacts`; calling again with a larger one goes on with the
/// same bits. `observe(StepResult)` is called after every step, by every lane; `clock(Stage)`
/// when a stage has ended.
template <class Team, class Observe, class Clock = NoClock>
JOSTLE_HD Pause simulate(const Team& team, const System& system, const Workspace& work, int last_step, Observe observe,
                         const Clock& clock = {}) {
  while (has_step(team, system, work, last_step)) {
    begin_step(team, system, work, clock);
    StepResult result = solve_step(team, system, work, clock);
    if (result.status == Status::capacity) return Pause::outgrown;
    finish_step(team, system, work, result, clock);
    observe(result);
  }
  return Pause::finished;
}

}  // namespace jostle
