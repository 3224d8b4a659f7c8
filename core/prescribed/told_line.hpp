#pragma once
// How bodies with prescribed motion move in a step of Anitescu & Potra's method and of the trapezoidal ones: as these
// move the others, so that what they carry stays on them, docs/theory.md (43a). Their velocity is a straight line over
// the whole step,
//
//     w(s) = (1 - s) w(t_l) + s w(t_l + h),   s in 0 .. 1
//
// and all sub-steps and pieces follow it: the way of such a body never depends on what happens to others. At the time s
// of the step it is where its mean velocity up to then has taken it, from where it was at t_l.
#include "core/dynamics/motion.hpp"
#include "core/model/method.hpp"
#include "core/prescribed/prescribed_motion.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// s: the time from the start of the step to s after that of the piece.
JOSTLE_HD inline double time_in_step(const ModelView& model, const StepProgress& progress, double s) {
  const bool ends_part = s == progress.step.h && progress.left == 0;
  return ends_part ? (progress.part + 1) * (model.step / power_of_two(progress.halvings)) : progress.passed + s;
}

/// The parts of the line at which a piece begins, has its mean velocity, and ends.
struct ToldParts {
  double start, mean, end;
};

/// Under Anitescu & Potra's method a told body keeps the velocity of the start until the step ends, as the others do.
JOSTLE_HD inline ToldParts told_parts(const ModelView& model, const StepProgress& progress) {
  if (facts_of(model.method).end_weight == 0) {
    const bool ends_step = progress.step.h > 0 && progress.left == 0 && progress.is_last_part();
    return {0, 0, ends_step ? 1.0 : 0.0};
  }
  const double start = progress.passed / model.step;
  const double end = time_in_step(model, progress, progress.step.h) / model.step;
  return {start, 0.5 * (start + end), end};
}

/// w at `part` of the step, the spin in the axes of `pose`.
JOSTLE_HD JOSTLE_OUTLINE inline Vec6 told_velocity(AnyWorkspace auto work, int p, double part, const Pose& pose) {
  const Vec6 first = work.prescribed_first(p), last = work.prescribed_last(p);
  Vec6 w;
  for (int k = 0; k < 6; ++k)
    w[k] = part == 0 ? first[k] : part == 1 ? last[k] : (1 - part) * first[k] + part * last[k];
  const Vec3 spin = rotate_back(pose.axes, w.angular());
  return {w[0], w[1], w[2], spin[0], spin[1], spin[2]};
}

/// J_w w of a row at `part` of the step, m/s or rad/s.
JOSTLE_HD inline double told_speed(const System& system, AnyWorkspace auto work, const PrescribedHalf& half,
                                   double part) {
  const Pose& turned = work.predicted_pose(system.model.prescribed[half.number].body);
  return dot(six(half.entry), six(told_velocity(work, half.number, part, turned)));
}

/// velocities[p] = w at `part` of the step, in the axes of `poses`. Begins and ends synced.
template <class Team>
JOSTLE_HD void tell(const Team& team, const System& system, AnyWorkspace auto work, double part, const auto& poses,
                    const auto& velocities) {
  const int count = system.model.dimensions.prescribed;
  if (count == 0) return;
  team.for_each(count,
                [&](int p) { velocities[p] = told_velocity(work, p, part, poses[system.model.prescribed[p].body]); });
  team.sync();
}

/// Where body number p is at `time` of the step, s.
JOSTLE_HD inline Pose told_pose(const System& system, AnyWorkspace auto work, int p, double time) {
  const ModelView& model = system.model;
  const Pose start = work.prescribed_pose(p);
  const double mean = facts_of(model.method).end_weight == 0 ? 0.0 : 0.5 * time / model.step;
  return moved(model, model.prescribed[p].body, start, time, told_velocity(work, p, mean, start));
}

/// Writes these poses. Begins and ends synced.
template <class Team>
JOSTLE_HD void place_told(const Team& team, const System& system, AnyWorkspace auto work, double time,
                          const auto& poses) {
  const int count = system.model.dimensions.prescribed;
  if (count == 0) return;
  team.for_each(count, [&](int p) { poses[system.model.prescribed[p].body] = told_pose(system, work, p, time); });
  team.sync();
}

namespace detail {

/// Velocity and spin of body number p at time t, in the world.
JOSTLE_HD inline Vec6 told_at(const System& system, AnyWorkspace auto work, int p, double time) {
  Pose world{};
  world.axes = Mat3::Identity();
  return prescribed_velocity_at(system, work, p, time, world);
}

/// A jump is at least this part of what a component of a velocity changes in a step, within the step's
/// 2^-jump_halvings.
inline constexpr double jump_part = 0.9;
inline constexpr int jump_halvings = 10;

/// Moves a jump of component k within the step to its nearer end: the step begins with the velocity after it, or ends
/// with that before it. `least`: smaller changes are none, m/s or rad/s.
JOSTLE_HD JOSTLE_OUTLINE inline void move_jump(const System& system, AnyWorkspace auto work, int p, int k, double time,
                                               double h, double least) {
  double before = work.prescribed_first(p)[k], after = work.prescribed_last(p)[k];
  const double whole = std::fabs(after - before);
  if (!(whole > least)) return;
  double from = 0, length = 1;
  for (int i = 0; i < jump_halvings; ++i) {
    length *= 0.5;
    const double middle = told_at(system, work, p, time + (from + length) * h)[k];
    if (std::fabs(after - middle) >= jump_part * whole)
      before = middle, from += length;
    else if (std::fabs(middle - before) >= jump_part * whole)
      after = middle;
    else
      return;
  }
  if (from < 0.5)
    work.prescribed_first(p)[k] = after;
  else
    work.prescribed_last(p)[k] = before;
}

}  // namespace detail

/// Keeps the line of a step with impacts. `least_jump`: smaller jumps are none, m/s or rad/s. False if it
/// is not finite. Begins and ends synced.
template <class Team>
JOSTLE_HD bool load_line(const Team& team, const System& system, AnyWorkspace auto work, double least_jump) {
  const double h = system.model.step, time = system.state().steps() * h;
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    work.prescribed_pose(p) = work.pose(system.model.prescribed[p].body);
    work.prescribed_first(p) = detail::told_at(system, work, p, time);
    work.prescribed_last(p) = detail::told_at(system, work, p, time + h);
    for (int k = 0; k < 6; ++k) detail::move_jump(system, work, p, k, time, h, least_jump);
  });
  team.sync();
  const bool any = any_of(team, 6 * system.model.dimensions.prescribed, [&](int i) {
    return !is_finite(work.prescribed_first(i / 6)[i % 6]) || !is_finite(work.prescribed_last(i / 6)[i % 6]);
  });
  team.sync();
  return !any;
}

}  // namespace jostle
