#pragma once
// A part of a CAD program, an STL or OBJ file, as a scenario with one body; and as a shape of an imported robot.
#include <optional>
#include <string>
#include <vector>

#include "scenarios/import/ledger.hpp"
#include "scenarios/model/scenario.hpp"
#include "scenarios/parts/mass_properties.hpp"

namespace jostle {

/// A file of triangles as read, and what a scenario has of it.
struct ImportedPart {
  std::string file;
  double scale = 1;                     ///< m per unit of the file
  std::optional<MeshForm> wanted_form;  ///< none: the hull, which must be the part
  TriangleMesh mesh;
  MeshRemarks remarks;
  MassProperties solid;     ///< of the surface, not of its hull
  std::string fault;        ///< why the surface encloses no certain volume, where only its hull is wanted
  std::size_t corners = 0;  ///< of the surface or of its hull
  double hull_volume = 0;   ///< m^3, unless the surface is wanted
  bool has_usual_size = true;
};

/// Throws ScenarioError for a file that is no closed surface, or which has more corners than a scenario can have, and
/// unless the hull is wanted for one that goes through itself.
ImportedPart read_part(const std::string& path, double scale, std::optional<MeshForm> wanted_form = {});

/// What became of the file, under `item` at a line of the file that names it; 0: the line in `part` itself. What looks
/// like another unit is refused, "size", and so is "concave", what a hull cannot say, unless a form is wanted.
void note_part(const ImportedPart& part, int line, const std::string& item, std::vector<ImportNote>& notes);

/// `mesh: {...}`, its file relative to the folder in which the scenario will lie.
std::string mesh_text(const ImportedPart& part, const std::string& folder);

/// One body with the mass, centre and inertia that the surface encloses at `density` (kg/m^3), in the frame of the
/// file. Throws ScenarioError, also for a surface that goes through itself.
Import import_part(const std::string& path, double scale, double density, const std::string& folder,
                   std::optional<MeshForm> wanted_form = {});

}  // namespace jostle
