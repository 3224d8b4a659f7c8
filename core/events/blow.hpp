#pragma once
// External impulses F at given times [Loetstedt 1982, (2.10)]; docs/theory.md (53d): velocities jump with the joints
// held, without motion and without other forces,
//
//     M (v+ - v-) = F + N c_nu,      N'v+ = s                                          N at q
//
// Contacts come after it: where the method has collisions, an impact follows at once, whose v- is this v+, with
// restitution where contacts now approach; else the rest of the step. The step is divided at the time of a blow.
#include "core/events/joints_alone.hpp"
#include "core/stages/prescribed_state.hpp"

namespace jostle {

/// The piece of a step that is a blow. The driver of a step calls it as it calls a method.
struct Blow : JointsAlone {
  /// Of a step: times that differ by less are the same.
  static constexpr double rounding = 1e-9;

  /// Makes it the current piece if a blow is due where a motion begins, or ends the motion where the next one is.
  JOSTLE_HD static void begin_if_due(const System& system, StepProgress& progress) {
    if (progress.piece != Piece::motion && progress.piece != Piece::rest) return;
    const double h = progress.step.h;
    const double next = next_time(system, progress.struck), after = next - progress.passed;
    if (after > rounding * system.model.step) {
      if (after < h - rounding * system.model.step) progress.left += h - after, progress.step.h = after;
      return;
    }
    progress.struck = next;
    const bool collides = system.model.dimensions.has_impacts && system.model.events.collisions;
    progress.next_piece = collides ? Piece::impact : progress.piece;
    if (collides) progress.collision = {0, no_pair, 0};
    progress.left += h, progress.step.h = 0;
    progress.piece = Piece::blow;
  }

  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    progress.result.contacts = progress.result.resting = 0;
    if (!load_start(team, system, work, progress)) return;
    write_without_forces(team, system, work);
    team.for_each(system.model.dimensions.movers, [&](int m) {
      const Vec6 sum = impulse_on(system, work, m, progress.struck);
      for (int k = 0; k < 6; ++k) work.applied(m)[k] = sum[k], work.momentum(m)[k] += sum[k];
    });
    team.sync();
  }

  /// The new velocities are part of the state, and what joints and bodies that move as told give to it. Ends synced.
  template <class Team>
  JOSTLE_HD static void accept(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    const StateView state = system.state();
    const PieceFacts piece = facts_of(progress, false);
    accept_velocities(team, system, work);
    if (piece.first) {
      team.for_each(d.tallied_bodies(),
                    [&](int b) { state.normal_impulse[b] = state.friction_impulse[b] = 0, state.contacts[b] = 0; });
    }
    team.for_each(piece.first ? d.pushes() : 0, [&](int i) { state.contact_wrench[i] = 0; });
    if (piece.first && d.has_impact_shares) {
      team.for_each(d.tallied_bodies(), [&](int b) { state.normal_impact[b] = 0; });
      team.for_each(d.pushes(), [&](int i) { state.contact_impact[i] = 0; });
    }
    team.once([&] { state.resting() = 0; });
    team.sync();
    if (d.prescribed > 0) accept_prescribed(team, system, work, 0, piece);
    accept_struck_joints(team, system, work, piece);
    progress.jumped = true;
    ++progress.pieces;
  }

 private:
  /// s, from the start of the step: when the first blow after `struck` acts in it; infinity if none does. One where the
  /// step ends is of the next step.
  JOSTLE_HD static double next_time(const System& system, double struck) {
    double first = infinity();
    for (int i = 0; i < system.model.dimensions.blows; ++i) {
      const double time = time_of(system, i);
      if (time > struck + rounding * system.model.step && time < first) first = time;
    }
    return first;
  }

  /// s, of blow i: from the start of the step; negative if it acts in another one. By its time in steps, whose rounding
  /// errors grow with it, a blow is of exactly one step.
  JOSTLE_HD static double time_of(const System& system, int i) {
    const double h = system.model.step, time = system.parameters().blow_time[i], in_steps = time / h;
    const double step = system.state().steps(), near = larger_magnitude(rounding, in_steps * power_of_two(-50));
    const auto is_from = [&](double number) { return in_steps - number >= -near; };
    if (!is_from(step) || is_from(step + 1)) return -infinity();
    const double passed = time - step * h, last = (1 - 2 * rounding) * h;
    if (passed < near * h) return 0;
    return passed < last ? passed : last;
  }

  /// N s, and N m s in the axes of mover m, of all blows on it at the time `struck` of the step, the first of those
  /// that count as one.
  JOSTLE_HD static Vec6 impulse_on(const System& system, AnyWorkspace auto work, int m, double struck) {
    const ParameterView parameters = system.parameters();
    const int body = system.model.movers[m];
    const Pose pose = work.pose(body);
    Vec3 push = Vec3::Zero(), moment = Vec3::Zero();
    for (int i = 0; i < system.model.dimensions.blows; ++i) {
      const double after = time_of(system, i) - struck;
      if (system.model.blows[i].body != body || !(after >= 0 && after <= rounding * system.model.step)) continue;
      const Vec3 P = vector_at(parameters.blow_impulse, i);
      push += P;
      moment += vector_at(parameters.blow_moment, i) + cross(rotate(pose.axes, vector_at(parameters.blow_point, i)), P);
    }
    const Vec3 turned = rotate_back(pose.axes, moment);
    Vec6 sum;
    for (int k = 0; k < 6; ++k) sum[k] = system.model.bodies[body].is_free(k) ? (k < 3 ? push : turned)[k % 3] : 0.0;
    return sum;
  }
};

}  // namespace jostle
