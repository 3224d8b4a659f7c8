#pragma once
// A part of a CAD program, an STL or OBJ file, as a scenario with one body; and as a shape of an imported robot.
#include <string>
#include <vector>

#include "scenarios/import/ledger.hpp"
#include "scenarios/parts/convex_hull.hpp"
#include "scenarios/parts/mass_properties.hpp"

namespace jostle {

/// A file of triangles as read, and the hull that stands for it.
struct ImportedPart {
  std::string file;
  double scale = 1;  ///< m per unit of the file
  TriangleMesh mesh;
  MeshRemarks remarks;
  MassProperties solid;  ///< of the surface, not of its hull
  ConvexHull hull;
  double hull_volume = 0;  ///< m^3
  bool has_usual_size = true;
};

/// Throws ScenarioError for a file that is no closed surface, or whose hull has more corners than a scenario can have.
ImportedPart read_part(const std::string& path, double scale);

/// What became of the file, under `item` at a line of the file that names it; 0: the line in `part` itself. What a hull
/// cannot say is refused: "concave", and "size" for what looks like another unit.
void note_part(const ImportedPart& part, int line, const std::string& item, std::vector<ImportNote>& notes);

/// `mesh: {...}`, its file relative to the folder in which the scenario will lie.
std::string mesh_text(const ImportedPart& part, const std::string& folder);

/// One body with the mass, centre and inertia that the surface encloses at `density` (kg/m^3), in the frame of the
/// file.
Import import_part(const std::string& path, double scale, double density, const std::string& folder);

}  // namespace jostle
