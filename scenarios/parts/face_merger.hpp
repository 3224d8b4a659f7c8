#pragma once
// The faces of a closed surface of triangles.
#include <stdexcept>
#include <vector>

#include "scenarios/parts/closed_surface.hpp"

namespace jostle {

struct PartBelowTolerance : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Triangles that lie within `near` (m) of the plane of a larger one beside them are one face with it. Every edge has
/// two triangles. Throws PartBelowTolerance for a closed part without a face.
std::vector<SurfaceFace> merged_faces(const TriangleMesh& mesh, double near);

/// Twice the area that a loop encloses, m^2, along its normal.
Vec3 double_area(const std::vector<Vec3>& points, const std::vector<int>& loop);

}  // namespace jostle
