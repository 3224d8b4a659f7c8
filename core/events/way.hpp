#pragma once
// The way of the bodies in a piece of a step, and how fast two shapes can come closer on it.
#include "core/dynamics/motion.hpp"
#include "core/geometry/shape_points.hpp"
#include "core/prescribed/told_line.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// The rate of the displacement y of a stage, whose rotation vector is f (accelerations/runge_kutta.hpp): its velocity,
/// with f' in place of the spin.
JOSTLE_HD inline Vec6 stage_rate_of(const Vec3& f, const Vec6& velocity) {
  const Vec3 v = velocity.linear(), w = velocity.angular(), across = cross(f, w);
  const Vec3 turn = w + 0.5 * across + cross(f, across) / 12;
  return {v[0], v[1], v[2], turn[0], turn[1], turn[2]};
}

/// The number of a body that moves in work.stage_rate() and work.way().
JOSTLE_HD inline int stage_number(const ModelView& model, const BodyModel& body) {
  return body.mover != no_body ? body.mover : model.dimensions.movers + body.prescribed;
}

/// The whole displacement of a body that moves in a step that has been made, and the velocities at both ends of it.
struct WholeWay {
  Vec6 whole, start, end;
};
JOSTLE_HD inline WholeWay whole_way(const ModelView& model, AnyWorkspace auto work, const BodyModel& body) {
  const Vec6 whole = work.way(stage_number(model, body)), v = velocity_of(body, work, work.next_velocity());
  const Vec6 start = body.mover != no_body ? work.velocity(body.mover) : work.prescribed_start(body.prescribed);
  return {whole, start, stage_rate_of(whole.angular(), v)};
}

/// The displacement of a body that moves, at a part (0 to 1) of a step of length h that has been made: the cubic
/// through both ends and their velocities.
JOSTLE_HD inline Vec6 way_at(const ModelView& model, AnyWorkspace auto work, const BodyModel& body, double part,
                             double h) {
  const auto& [whole, start, end] = whole_way(model, work, body);
  const double rest = 1 - part;
  Vec6 way;
  for (int k = 0; k < 6; ++k)
    way[k] = part * part * (3 - 2 * part) * whole[k] + h * (part * rest * rest * start[k]) -
             h * (part * part * rest * end[k]);
  return way;
}

/// The velocities of which that on this way is always a mean: at the start, of the middle and at the end (i = 0 to 2).
JOSTLE_HD inline Vec6 way_speed(const ModelView& model, AnyWorkspace auto work, const BodyModel& body, int i,
                                double h) {
  const auto& [whole, start, end] = whole_way(model, work, body);
  if (i != 1) return i == 0 ? start : end;
  Vec6 middle;
  for (int k = 0; k < 6; ++k) middle[k] = 3 / h * whole[k] - start[k] - end[k];
  return middle;
}

/// The mean of the velocities from the start of a piece to `part` of it, where they are linear in time; 0 where the
/// piece does not move the body.
JOSTLE_HD inline Vec6 mean_velocity(AnyWorkspace auto work, int mover, double part) {
  if (work.stands(mover) != 0) return {};
  Vec6 mean;
  for (int k = 0; k < 6; ++k) {
    const double before = work.velocity(mover)[k];
    mean[k] = before + 0.5 * part * (work.next_velocity(mover)[k] - before);
  }
  return mean;
}

/// The velocities on a way: those of the start all the time; linear in time; those of a motion in stages.
enum class WayKind { straight, parabola, stages };

/// The way of the bodies in a piece. That of any method has this type, so that the search for collisions exists once.
template <AnyWorkspace Work>
struct Way {
  const System& system;
  Work work;
  const StepProgress& progress;
  WayKind kind;

  /// The pose of a body s after the start.
  JOSTLE_HD JOSTLE_OUTLINE Pose operator()(int body, double s) const {
    const BodyModel& own = system.model.bodies[body];
    if (own.fixed) return work.pose(body);
    if (kind == WayKind::stages) return moved(system.model, body, work.pose(body), 1, displacement(own, s));
    if (own.is_prescribed()) return told_pose(system, work, own.prescribed, progress.passed + s);
    return moved(system.model, body, work.pose(body), s, speed_of(body, s / progress.step.h));
  }

  /// i from 0 to 2: velocities of a body that can move, of which that at any time is a mean with weights of 0 or more;
  /// the angular ones are rates of the rotation vector.
  JOSTLE_HD JOSTLE_OUTLINE Vec6 speed(int body, int i) const {
    if (kind == WayKind::stages) return way_speed(system.model, work, system.model.bodies[body], i, progress.step.h);
    return speed_of(body, i);  // of a parabola i up to 2, where it is the velocity at the end
  }

 private:
  JOSTLE_HD Vec6 displacement(const BodyModel& own, double s) const {
    return way_at(system.model, work, own, s / progress.step.h, progress.step.h);
  }

  /// The mean up to `part` of the piece.
  JOSTLE_HD Vec6 speed_of(int body, double part) const {
    const BodyModel& own = system.model.bodies[body];
    if (kind == WayKind::straight) return velocity_of(own, work, work.velocity());
    if (own.mover != no_body) return mean_velocity(work, own.mover, part);
    const double middle = progress.passed + 0.5 * part * progress.step.h;
    return told_velocity(work, own.prescribed, middle / system.model.step, work.pose(body));
  }
};
template <AnyWorkspace Work>
Way(const System&, Work, const StepProgress&, WayKind) -> Way<Work>;

/// m/s: the distance of the shapes of a pair changes at most so fast on a way of length `end`.
template <AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE double most_closing_speed(const System& system, Work work, const PairModel& pair,
                                                   const Way<Work>& way, double end) {
  const ModelView& model = system.model;
  const int a = model.shapes[pair.shape_a].body, b = model.shapes[pair.shape_b].body;
  double linear = 0, spin_a = 0, spin_b = 0;
  const auto raise = [](double& to, const Vec3& v) {
    const double squared = dot(v, v);
    if (!(squared <= to)) to = squared;
  };
  for (int i = 0; i < 3; ++i) {
    const Vec6 of_a = model.bodies[a].fixed ? Vec6{} : way.speed(a, i);
    const Vec6 of_b = model.bodies[b].fixed ? Vec6{} : way.speed(b, i);
    raise(linear, of_b.linear() - of_a.linear());
    raise(spin_a, of_a.angular());
    raise(spin_b, of_b.angular());
  }
  linear = std::sqrt(linear);
  const auto offset = [&](int shape) {
    const Vec3 position = vector_at(system.parameters().shape_position, shape);
    return std::sqrt(dot(position, position));
  };
  const auto reach = [&](int shape) {
    return offset(shape) + turning_radius(model.shapes[shape].type, vector_at(system.parameters().shape_size, shape));
  };
  double reach_b = spin_b > 0 ? reach(pair.shape_b) : 0.0;
  if (spin_b > 0 && model.shapes[pair.shape_b].type == ShapeType::half_space) {  // the other shape is where it turns
    const Vec3 between = work.pose(b).position - work.pose(a).position;
    reach_b = std::sqrt(dot(between, between)) + linear * end + offset(pair.shape_a) +
              bounding_radius(work.next_placed(pair.shape_a));
  }
  return linear + (spin_a > 0 ? std::sqrt(spin_a) * reach(pair.shape_a) : 0.0) + std::sqrt(spin_b) * reach_b;
}

}  // namespace jostle
