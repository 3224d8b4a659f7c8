#pragma once
// A part as a closed surface of triangles: what a CAD program exports.
#include <array>
#include <string>
#include <vector>

#include "core/math/vector.hpp"

namespace jostle {

struct TriangleMesh {
  std::vector<Vec3> points;                   ///< m; no two are equal
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// Reads STL, binary or ASCII, or OBJ: the name decides whether it is OBJ, the content which STL. Coordinates are
/// multiplied by `scale`. Equal points are welded, and triangles with two equal corners are left out. All triangles are
/// turned round together if they face inwards.
///
/// Throws ScenarioError, with the line of a text or the number of a triangle, for a file that is damaged or not finite,
/// and for a surface that is not closed, has an edge of more than two triangles or triangles of mixed orientation, or
/// encloses nothing.
TriangleMesh read_mesh(const std::string& path, double scale);

/// m^3, of a closed mesh.
double volume_of(const TriangleMesh& mesh);

/// m: of the smallest box along the axes.
Vec3 size_of(const TriangleMesh& mesh);

}  // namespace jostle
