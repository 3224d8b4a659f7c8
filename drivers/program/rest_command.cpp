#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>

#include "drivers/errors.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/options.hpp"
#include "scenarios/import/yaml_text.hpp"
#include "scenarios/model/shape_spec.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/parts/closed_surface.hpp"
#include "scenarios/parts/mass_properties.hpp"
#include "scenarios/parts/rest.hpp"
#include "scenarios/text/error.hpp"

namespace jostle {
namespace {

struct RestCommand {
  std::string file, scale, density, out;
  bool json = false, any_size = false;
};

struct Part {
  Vec3 size;
  MassProperties solid;
  ConvexHull hull;
  std::vector<RestingFace> faces;
  double density = 0;  ///< 0: not given
};

Part read_part(const RestCommand& command) {
  if (command.scale.empty()) throw UsageError("a file of triangles has no unit: give --scale, 0.001 for mm or 1 for m");
  Part part;
  const TriangleMesh mesh = read_mesh(command.file, positive_number("--scale", command.scale));
  part.size = size_of(mesh);
  if (!command.any_size && !has_usual_size(mesh))
    throw UsageError(
        fmt::format("{}: the part is {:.3g} m long; a file in mm wants --scale 0.001, and --any-size takes it as it is",
                    command.file, part.size.maxCoeff()));
  if (!command.density.empty()) part.density = positive_number("--density", command.density);
  part.solid = mass_properties_of(mesh);
  try {
    part.hull = convex_hull(mesh.points, hull_tolerance);
    check_closed_surface(mesh, hull_tolerance);
  } catch (const std::invalid_argument& error) {
    throw ScenarioError(command.file, 0, 0, error.what());
  }
  part.faces = resting_faces(part.hull, part.solid.centroid);
  return part;
}

double tipping_angle(const RestingFace& face) { return std::atan2(face.margin, face.height) * 180 / std::numbers::pi; }

std::vector<double> list_of(const Vec3& v) { return {v[0], v[1], v[2]}; }

Vec3 moments_of(const Part& part) {
  return part.density * Eigen::SelfAdjointEigenSolver<Mat3>(part.solid.inertia).eigenvalues();
}

nlohmann::ordered_json json_of(const Part& part) {
  nlohmann::ordered_json json;
  json["size"] = list_of(part.size), json["volume"] = part.solid.volume;
  json["centre_of_mass"] = list_of(part.solid.centroid);
  if (part.density > 0)
    json["mass"] = part.density * part.solid.volume, json["principal_moments"] = list_of(moments_of(part));
  json["faces"] = nlohmann::ordered_json::array();
  for (const RestingFace& face : part.faces) {
    const HullFace& hull_face = part.hull.faces[static_cast<std::size_t>(face.face)];
    nlohmann::ordered_json corners = nlohmann::ordered_json::array();
    for (const int corner : hull_face.corners)
      corners.push_back(list_of(part.hull.points[static_cast<std::size_t>(corner)]));
    json["faces"].push_back({{"number", face.face},
                             {"stable", face.is_stable()},
                             {"share", face.share},
                             {"solid_angle", face.solid_angle},
                             {"area", face.area},
                             {"height", face.height},
                             {"margin", face.margin},
                             {"normal", list_of(hull_face.normal)},
                             {"corners", corners}});
  }
  return json;
}

void print(const RestCommand& command, const Part& part) {
  const Vec3 &size = part.size, &centre = part.solid.centroid;
  std::cout << fmt::format(
      "{}: {:.5g} x {:.5g} x {:.5g} m, volume {:.5g} m^3, centre of mass ({:.5g}, {:.5g}, {:.5g}) m\n", command.file,
      size[0], size[1], size[2], part.solid.volume, centre[0], centre[1], centre[2]);
  if (part.density > 0) {
    const Vec3 moments = moments_of(part);
    std::cout << fmt::format("mass {:.5g} kg, principal moments {:.5g}, {:.5g}, {:.5g} kg m^2\n",
                             part.density * part.solid.volume, moments[0], moments[1], moments[2]);
  }
  std::cout << "\n   face     share   tips at   corners   area, m^2   height, m   outward normal\n";
  std::size_t unstable = 0;
  for (const RestingFace& face : part.faces) {
    if (!face.is_stable()) {
      ++unstable;
      continue;
    }
    const HullFace& hull_face = part.hull.faces[static_cast<std::size_t>(face.face)];
    const Vec3 n = hull_face.normal + Vec3(0, 0, 0);
    std::cout << fmt::format("{:7d}  {:6.2f} %  {:5.1f} deg  {:8d}  {:10.4g}  {:10.4g}   ({:.3f}, {:.3f}, {:.3f})\n",
                             face.face, 100 * face.share, tipping_angle(face), hull_face.corners.size(), face.area,
                             face.height, n[0], n[1], n[2]);
  }
  std::cout << fmt::format(
      "\nThe hull has {} faces, of which {} do not hold the part. A part that is dropped with any orientation "
      "and\nloses its energy at once comes to rest so (quasi-static; docs/parts.md).\n",
      part.faces.size(), unstable);
}

/// Why the scenario of the part will be refused; empty if the hull is no reason. Reading the scenario would make a hull
/// of thousands of corners once more, only to count them.
std::string fault_of(const Part& part) {
  const std::size_t corners = part.hull.points.size();
  if (corners <= max_hull_corners) return {};
  return fmt::format("the hull of the part has {} corners, more than {}", corners, max_hull_corners);
}

/// One significant digit, downwards.
double round_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)));
  return std::floor(x / unit) * unit;
}

/// The part, dropped from just above a table with any orientation: its outcomes are the faces on which it can rest.
std::string drop_scenario(const RestCommand& command, const Part& part) {
  const Vec3& centre = part.solid.centroid;
  double reach = 0;
  for (const Vec3& corner : part.hull.points) reach = std::max(reach, (corner - centre).norm());
  constexpr double water = 1000, gravity = 9.8;
  const double density = part.density > 0 ? part.density : water, time = std::sqrt(2 * reach / gravity);
  const double step = round_down(time / 50);
  const Mat3 J = density * part.solid.inertia;
  std::string categories, shares, other;
  for (const RestingFace& face : part.faces) {
    if (!face.is_stable()) continue;
    categories += fmt::format("      face_{0}: part.resting_face == {0}\n", face.face);
    shares += fmt::format("      face_{}: {:.12g}\n", face.face, face.share);
    other += fmt::format("{}part.resting_face != {}", other.empty() ? "" : " and ", face.face);
  }
  return fmt::format(
      R"(jostle: 1
title: {0}

# Written by jostle rest. The part starts just above the table, with any orientation and no velocity. Mass, centre and
# inertia are those of the part ({1}); what touches is its convex hull, whose faces have these numbers. The
# shares, against which a sweep tests what it counts, are quasi-static: the part loses all its energy at once (docs/parts.md).
#
#     jostle sweep {2} -n 2000

world: {{step: {3:.2g}, steps: {4}}}

bodies:
  table: {{fixed: true, shape: {{half_space: {{normal: [0, 0, 1]}}}}}}
  part:
    mass: {5:.17g}
    inertia: [{6:.17g}, {7:.17g}, {8:.17g}, {9:.17g}, {10:.17g}, {11:.17g}]
    shape: {{mesh: {{file: {12}, scale: {13:.17g}, as: hull{14}}}, position: [{15:.17g}, {16:.17g}, {17:.17g}]}}
    position: [0, 0, {18:.6g}]
    rotation: uniform

contacts:
  - {{between: any, friction: 0.5}}

outcomes:
  face:
    category:
{19}      other: {21}
    shares:
{20}      other: 0
  energy: {{at_end: part.kinetic_energy}}    # J: how far the part is from rest
)",
      yaml_quoted(file_name_of(on_one_line(command.file)) + ": on which face it comes to rest"),
      part.density > 0 ? fmt::format("{:g} kg/m^3", density) : "1000 kg/m^3, as no --density was given",
      on_one_line(std::filesystem::path(command.out).filename().string()), step, std::lround(50 * time / step),
      density * part.solid.volume, J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2),
      quoted_file(command.file, std::filesystem::absolute(command.out).parent_path().string()),
      positive_number("--scale", command.scale), command.any_size ? ", any_size: true" : "", -centre[0], -centre[1],
      -centre[2], 1.01 * reach, categories, shares, other);
}

}  // namespace

void add_rest(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<RestCommand>();
  CLI::App* rest =
      app.add_subcommand("rest", "the faces on which a part of an STL or OBJ file can rest, and how often it does");
  add_value(*rest, "file", command->file, "", "a closed surface of triangles: STL (binary or ASCII) or OBJ")
      ->required();
  add_value(*rest, "--scale", command->scale, "X", "m per unit of the file: 0.001 for mm");
  add_value(*rest, "--density", command->density, "X", "kg/m^3; also prints mass and principal moments");
  rest->add_flag("--any-size", command->any_size, "takes parts below 0.1 mm or above 10 m as they are");
  add_value(*rest, "-o,--out", command->out, "FILE",
            "also writes a scenario that drops the part, with these faces as outcomes");
  rest->add_flag("--json", command->json, "one JSON object instead of text");
  rest->footer("Example: jostle rest nut.stl --scale 0.001 --density 7850");
  rest->callback([command, &invocation] {
    keep_sources("--out", command->out, {command->file});
    const Part part = read_part(*command);
    if (!command->out.empty()) write_scenario(command->out, drop_scenario(*command, part), "scenario", fault_of(part));
    if (command->json)
      std::cout << json_of(part).dump(2) << '\n';
    else
      print(*command, part);
    invocation.status = ExitStatus::ok;
  });
}

}  // namespace jostle
