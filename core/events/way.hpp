#pragma once
// The way of the bodies in a piece of a step, and how fast two shapes can come closer on it.
#include "core/dynamics/motion.hpp"
#include "core/geometry/shape_points.hpp"

namespace jostle {

/// way(body, s): the pose of a body s after the start. way.speed(body, i), i from 0 to 2: velocities of a body that can
/// move, of which that at any time is a mean with weights of 0 or more; the angular ones are rates of the rotation
/// vector.
template <class PoseAt, class SpeedAt>
struct Way {
  PoseAt pose;
  SpeedAt speed;
  JOSTLE_HD Pose operator()(int body, double s) const { return pose(body, s); }
};
template <class PoseAt, class SpeedAt>
Way(PoseAt, SpeedAt) -> Way<PoseAt, SpeedAt>;

/// Any way, called through pointers; it outlives this.
struct AnyWay {
  const void* own;
  Pose (*pose_at)(const void* own, int body, double s);
  Vec6 (*speed_at)(const void* own, int body, int i);

  template <class PoseAt, class SpeedAt>
  explicit AnyWay(const Way<PoseAt, SpeedAt>& way)
      : own(&way),
        pose_at([](const void* any, int body, double s) {
          return static_cast<const Way<PoseAt, SpeedAt>*>(any)->pose(body, s);
        }),
        speed_at([](const void* any, int body, int i) {
          return static_cast<const Way<PoseAt, SpeedAt>*>(any)->speed(body, i);
        }) {}
  Pose operator()(int body, double s) const { return pose_at(own, body, s); }
  Vec6 speed(int body, int i) const { return speed_at(own, body, i); }
};

/// m/s: the distance of the shapes of a pair changes at most so fast on a way of length `end`.
JOSTLE_HD double most_closing_speed(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                    const auto& way, double end) {
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
