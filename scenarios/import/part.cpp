#include "scenarios/import/part.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <stdexcept>

#include "scenarios/format/words.hpp"
#include "scenarios/import/yaml_text.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/parts/closed_surface.hpp"
#include "scenarios/parts/convex_hull.hpp"
#include "scenarios/text/error.hpp"

namespace jostle {
namespace {

TriangleMesh mesh_of(const ConvexHull& hull) {
  TriangleMesh mesh;
  mesh.points = hull.points;
  for (const HullFace& face : hull.faces)
    for (std::size_t k = 2; k < face.corners.size(); ++k)
      mesh.triangles.push_back({face.corners[0], face.corners[k - 1], face.corners[k]});
  return mesh;
}

double area_of(const TriangleMesh& mesh) {
  double area = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int p) { return mesh.points[static_cast<std::size_t>(p)]; };
    area += (at(b) - at(a)).cross(at(c) - at(a)).norm() / 2;
  }
  return area;
}

/// m^3 that a hull adds, of dents, holes and gaps; 0 where corners within the tolerance of a hull make them.
double missing_volume(const ImportedPart& part) {
  if (part.wanted_form == MeshForm::surface) return 0;
  const double missing = part.hull_volume - part.solid.volume;
  const double rounding = hull_tolerance * size_of(part.mesh).norm() * area_of(part.mesh);
  return missing > rounding ? missing : 0;
}

/// The word of a scenario file.
std::string_view form_of(const ImportedPart& part) {
  return words<MeshForm>()[static_cast<std::size_t>(part.wanted_form.value_or(MeshForm::hull))];
}

/// As ImportedPart has it.
std::string fault_of(const TriangleMesh& mesh) {
  try {
    check_closed_surface(mesh, hull_tolerance);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

void refuse_fault(const ImportedPart& part) {
  if (!part.fault.empty()) throw ScenarioError(part.file, 0, 0, part.fault);
}

std::string size_text(const Vec3& size) { return fmt::format("{:.5g} x {:.5g} x {:.5g} m", size[0], size[1], size[2]); }

}  // namespace

ImportedPart read_part(const std::string& path, double scale, std::optional<MeshForm> wanted_form) {
  ImportedPart part;
  part.file = path, part.scale = scale, part.wanted_form = wanted_form;
  part.mesh = read_mesh(path, scale, &part.remarks);
  part.has_usual_size = has_usual_size(part.mesh);
  part.solid = mass_properties_of(part.mesh);
  const bool is_surface = wanted_form == MeshForm::surface;
  try {
    if (is_surface) {
      part.corners = closed_surface(part.mesh, hull_tolerance).points.size();
    } else {
      const ConvexHull hull = convex_hull(part.mesh.points, hull_tolerance);
      part.corners = hull.points.size(), part.hull_volume = volume_of(mesh_of(hull));
      part.fault = fault_of(part.mesh);
    }
  } catch (const std::invalid_argument& error) {
    throw ScenarioError(path, 0, 0, error.what());
  }
  if (!wanted_form) refuse_fault(part);
  const std::size_t most = is_surface ? max_surface_corners : max_hull_corners;
  if (part.corners > most)
    throw ScenarioError(path, 0, 0,
                        fmt::format("its {} has {} corners, more than {}: export it with coarser triangles",
                                    is_surface ? "surface" : "hull", part.corners, most));
  return part;
}

void note_part(const ImportedPart& part, int line, const std::string& item, std::vector<ImportNote>& notes) {
  const auto note = [&](Fate fate, const std::string& kind, const std::string& message) {
    notes.push_back({fate, line, item, kind, message});
  };
  note(Fate::used, "mesh",
       fmt::format("{} triangles of {}, {} corners of the {}", part.mesh.triangles.size(),
                   size_text(size_of(part.mesh)), part.corners, form_of(part)));
  if (part.remarks.is_turned) note(Fate::converted, "mesh", "its triangles face inwards: they are turned round");
  if (part.remarks.without_area > 0)
    note(Fate::ignored, "mesh", fmt::format("{} triangles with two equal corners", part.remarks.without_area));
  for (const auto& [word, lines] : part.remarks.ignored)
    notes.push_back({Fate::ignored, line == 0 ? lines.first : line, fmt::format("{} {}", item, word), word,
                     lines.count == 1 ? "" : fmt::format("{} lines", lines.count)});
  if (!part.has_usual_size)
    note(Fate::refused, "size",
         fmt::format("{:.3g} m long; a file in mm wants a scale of 0.001", size_of(part.mesh).maxCoeff()));
  const double missing = missing_volume(part);
  if (!part.fault.empty())
    note(Fate::converted, "concave", "its convex hull stands for it: " + part.fault);
  else if (missing > 0 && part.wanted_form)
    note(Fate::converted, "concave",
         fmt::format("its convex hull stands for it, which adds {:.4g} m^3 of dents and holes to {:.4g} m^3", missing,
                     part.solid.volume));
  else if (missing > 0)
    note(Fate::refused, "concave",
         fmt::format(
             "jostle takes the convex hull, of which the part fills {:.4g} %: nothing reaches into its dents and "
             "holes; --as surface keeps them",
             100 * part.solid.volume / part.hull_volume));
}

std::string mesh_text(const ImportedPart& part, const std::string& folder) {
  return fmt::format("mesh: {{file: {}, scale: {}, as: {}{}}}", quoted_file(part.file, folder), yaml(part.scale),
                     form_of(part), part.has_usual_size ? "" : ", any_size: true");
}

Import import_part(const std::string& path, double scale, double density, const std::string& folder,
                   std::optional<MeshForm> wanted_form) {
  const ImportedPart part = read_part(path, scale, wanted_form);
  refuse_fault(part);
  const std::string file = file_name_of(path), stem = file.substr(0, file.find_last_of('.'));
  Import result;
  note_part(part, 0, "surface", result.notes);
  std::set<std::string> taken;
  const std::string name = name_like(stem, taken);
  if (name != stem)
    result.notes.push_back({Fate::converted, 0, fmt::format("'{}'", stem), "name", fmt::format("called '{}'", name)});
  const Vec3 size = size_of(part.mesh), &centre = part.solid.centroid;
  const Vec3 clean = (centre.array().abs() > 1e-14 * size.maxCoeff()).select(centre, 0.0);
  result.scenario = fmt::format(
      R"(jostle: 1
title: {0}

# Imported from {1}: {2} triangles, {3}. Mass, centre of mass and inertia are those of the
# enclosed volume; what touches is its {12}. The body has the axes and the origin of the file.
world:
  step: 0.001
  duration: 1

bodies:
  # table: {{fixed: true, shape: {{half_space: {{normal: [0, 0, 1], offset: {4:.3g}}}}}}}
  {5}:
    mass: {6}  # {7} kg/m^3 times {8:.6g} m^3
    centre_of_mass: {9}
    # about the centre of mass: xx, yy, zz, xy, xz, yz
    inertia: {10}
    shape: {{{11}}}

contacts:
  - {{between: any, friction: 0.5}}
)",
      yaml_quoted(stem), file, part.mesh.triangles.size(), size_text(size),
      std::ranges::min(part.mesh.points, {}, [](const Vec3& p) { return p[2]; })[2] - 0.01 * size.maxCoeff(), name,
      yaml(density * part.solid.volume), yaml(density), part.solid.volume, yaml(clean),
      yaml_inertia(density * part.solid.inertia), mesh_text(part, folder),
      part.wanted_form == MeshForm::surface ? "surface" : "convex hull");
  return result;
}

}  // namespace jostle
