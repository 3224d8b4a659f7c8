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
  const auto placed = [&](int shape) { return place_shape(system, shape, pose_of(system, model.shapes[shape].body)); };
  const PlacedShape a = placed(pair.shape_a), b = placed(pair.shape_b);
  const Vec3 n = unit_or(b.position - a.position, Vec3::Zero());
  const double extent = extent_along(a, n) + extent_along(b, n);
  constexpr double rounding = 1e-9;  // shapes that touch are separated, too
  if (!(dot(b.position - a.position, n) >= (1 - rounding) * extent)) return false;
  double leaving = 0, turning = 0;
  for (const int shape : {pair.shape_a, pair.shape_b}) {
    const int body = model.shapes[shape].body;
    if (model.bodies[body].fixed) continue;
    const Vec6 v = velocity(body);
    const Vec3 w = v.angular(), position = vector_at(system.parameters().shape_position, shape);
    const Vec3 size = vector_at(system.parameters().shape_size, shape);
    leaving += (shape == pair.shape_a ? -1 : 1) * dot(v.linear(), n);
    turning +=
        (std::sqrt(dot(position, position)) + turning_radius(model.shapes[shape].type, size)) * std::sqrt(dot(w, w));
  }
  return leaving >= turning;
}

}  // namespace jostle
