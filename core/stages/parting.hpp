#pragma once
// Whether the shapes of a pair part so surely that no speed can take them through each other.
#include <cmath>

#include "core/geometry/shape_points.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// m: how far a shape extends from its position along the unit vector n, at most.
JOSTLE_HD inline double extent_along(const PlacedShape& shape, const Vec3& n) {
  const double along = std::fabs(dot(shape.axes.col(2), n));
  switch (shape.type) {
    case ShapeType::capsule: return shape.size[0] + shape.size[1] * along;
    case ShapeType::box:
      return shape.size[0] * std::fabs(dot(shape.axes.col(0), n)) +
             shape.size[1] * std::fabs(dot(shape.axes.col(1), n)) + shape.size[2] * along;
    case ShapeType::cylinder:
      return shape.size[1] * along + shape.size[0] * std::sqrt(along < 1 ? 1 - along * along : 0.0);
    default: return bounding_radius(shape);
  }
}

/// Whether a plane between the shapes, across the line between their positions in the state, separates them, and all
/// points of one leave it on their side at least as fast as those of the other follow, with `velocity`(body). Not for a
/// half-space.
JOSTLE_HD inline bool parts(const System& system, const PairModel& pair, const auto& velocity) {
  const ModelView& model = system.model;
  PlacedShape placed[2];
  Vec3 linear[2] = {Vec3::Zero(), Vec3::Zero()};
  double turning = 0;
  for (int side = 0; side < 2; ++side) {
    const int shape = side == 0 ? pair.shape_a : pair.shape_b, body = model.shapes[shape].body;
    placed[side] = place_shape(system, shape, pose_of(system, body));
    if (model.bodies[body].fixed) continue;
    const Vec6 v = velocity(body);
    const Vec3 w = v.angular(), position = vector_at(system.parameters().shape_position, shape);
    linear[side] = v.linear();
    turning += (std::sqrt(dot(position, position)) + turning_radius(placed[side].type, placed[side].size)) *
               std::sqrt(dot(w, w));
  }
  const Vec3 n = unit_or(placed[1].position - placed[0].position, Vec3::Zero());
  const double extent = extent_along(placed[0], n) + extent_along(placed[1], n);
  constexpr double rounding = 1e-9;  // shapes that touch are separated, too
  const bool is_separated = dot(placed[1].position - placed[0].position, n) >= (1 - rounding) * extent;
  return is_separated && dot(linear[1] - linear[0], n) >= turning;
}

}  // namespace jostle
