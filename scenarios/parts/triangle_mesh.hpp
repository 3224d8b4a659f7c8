#pragma once
// A part as a closed surface of triangles: what a CAD program exports.
#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/math/vector.hpp"

namespace jostle {

struct TriangleMesh {
  std::vector<Vec3> points;                   ///< m; no two are equal
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
  std::vector<int> lines = {};                ///< of each triangle in its file, which is a text
  std::vector<int> numbers = {};              ///< of each triangle in its file, from 1, if it is binary
};

/// What a file has besides its surface.
struct MeshRemarks {
  struct Lines {
    int first = 0;
    std::size_t count = 0;
  };
  std::map<std::string, Lines> ignored;  ///< of an OBJ file, by their first word: "vn", "usemtl"
  std::size_t without_area = 0;          ///< triangles with two equal corners
  bool is_turned = false;                ///< the triangles faced inwards
};

/// Reads STL, binary or ASCII, or OBJ: the name decides whether it is OBJ, the content which STL. Coordinates are
/// multiplied by `scale`. Equal points are welded, and triangles with two equal corners are left out. All triangles are
/// turned round together if they face inwards.
///
/// Throws ScenarioError, with the line of a text or the number of a triangle, for a file that is damaged or not finite,
/// and for a surface that is not closed, has an edge of more than two triangles or triangles of mixed orientation, or
/// encloses nothing.
TriangleMesh read_mesh(const std::string& path, double scale, MeshRemarks* remarks = nullptr);
/// The same of the content of a file.
TriangleMesh read_mesh_text(std::string content, const std::string& path, double scale, MeshRemarks* remarks = nullptr);

/// Whether the part is between 0.1 mm and 10 m long: others are read in the wrong unit more often than they are so
/// small or large.
bool has_usual_size(const TriangleMesh& mesh);

/// m^3, of a closed mesh.
double volume_of(const TriangleMesh& mesh);

/// m: of the smallest box along the axes.
Vec3 size_of(const TriangleMesh& mesh);

}  // namespace jostle
