#pragma once
// Planar scenes: keep the normals of all contacts in the plane in which the bodies move. A normal out of it has no unit
// tangent n x e (docs/theory.md, equation 6), and friction would be too small.
#include <optional>
#include <vector>

#include "scenarios/model/scenario.hpp"
#include "scenarios/parameters/requirements.hpp"

namespace jostle {

/// Sine of the largest angle out of the plane; relative to the lengths at hand.
inline constexpr double plane_rounding = 1e-12;

/// Whether it has an extent.
inline bool is_solid(const ShapeSpec& shape) { return shape.type != ShapeType::half_space; }

/// The plane that all moving bodies share.
struct Plane {
  int axis = 2;                      ///< its normal e: x, y or z
  double height = 0;                 ///< of the moving bodies along e, m
  std::vector<bool> touches_solids;  ///< per body: whether it may touch another shape than a half-space
};

/// None if the scene is spatial. The scenario's contact rules must have been checked.
std::optional<Plane> plane_of(const Scenario& scenario);

/// Whether the position and orientation of the shape are the same in all samples.
bool is_placed_constantly(const BodySpec& body, const ShapeSpec& shape);

/// The normal of a half-space lies in the plane. Any other shape that may touch such a shape is its own mirror image in
/// the plane: its centre lies there, and the axes of a box or of a capsule lie there or across.
void require_in_plane(const Scenario& scenario, const Plane& plane, int body, int shape, Draw draw,
                      Requirements& require);

}  // namespace jostle
