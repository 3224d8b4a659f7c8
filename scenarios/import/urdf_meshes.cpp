// Meshes of a URDF file: where they lie, and whether they fit the robot.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "scenarios/import/urdf_model.hpp"

namespace jostle::urdf {
namespace {

namespace fs = std::filesystem;

fs::path file_in_package(const std::string& name, const fs::path& folder, const std::vector<std::string>& packages) {
  const std::size_t slash = std::min(name.find('/'), name.size());
  const std::string package = name.substr(0, slash), inside = name.substr(std::min(slash + 1, name.size()));
  std::error_code none;
  for (const std::string& above : packages)
    if (fs::path file = fs::path(above) / package / inside; fs::is_regular_file(file, none)) return file;
  for (fs::path above = folder.lexically_normal();; above = above.parent_path()) {
    if (fs::path file = above / inside; above.filename() == package && fs::is_regular_file(file, none)) return file;
    if (fs::path file = above / package / inside; fs::is_regular_file(file, none)) return file;
    if (!above.has_relative_path()) break;
  }
  throw std::invalid_argument(fmt::format(
      "there is no '{}' in a package '{}' above the file; --packages names the folder that has it", inside, package));
}

/// m: from the middle of a shape that is no mesh, along the axes of the link.
Vec3 reach_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::sphere) return Vec3::Constant(shape.size[0]);
  if (shape.kind == Shape::Kind::box) return 0.5 * (shape.frame.axes.cwiseAbs() * shape.size);
  const Vec3 axis = shape.frame.axes.col(2);
  return 0.5 * shape.size[1] * axis.cwiseAbs() + shape.size[0] * (1 - axis.array().square()).max(0).sqrt().matrix();
}

/// m, of the smallest box along the axes of the link that contains its shapes.
Eigen::AlignedBox3d box_of(const Link& link) {
  Eigen::AlignedBox3d box;
  for (const Shape& shape : link.shapes) {
    if (shape.kind == Shape::Kind::mesh) {
      for (const Vec3& point : shape.part.mesh.points) box.extend(shape.frame.position + shape.frame.axes * point);
    } else {
      const Vec3 reach = reach_of(shape);
      box.extend(Vec3(shape.frame.position - reach)), box.extend(Vec3(shape.frame.position + reach));
    }
  }
  return box;
}

/// Mass and inertia of a link beside its shapes, one of which is a mesh.
void check_inertial(const Link& link, std::vector<ImportNote>& notes) {
  const Eigen::AlignedBox3d box = box_of(link);
  const double size = box.diagonal().norm();
  const auto refuse = [&](const std::string& message) {
    notes.push_back({Fate::refused, link.line, fmt::format("link '{}' inertial", link.name), "inertial", message});
  };
  if (const double away = box.exteriorDistance(link.inertial.position); away > 20 * size)
    refuse(fmt::format("the centre of mass is {:.3g} m away from the shapes, which are {:.3g} m large", away, size));
  // The root mean square distance of mass from the centre, between an eighth and a half of the size in most parts.
  const double radius = std::sqrt(std::max(0.0, link.inertia.trace()) / (2 * link.mass));
  if (radius > 0 && (radius < size / 1000 || radius > 100 * size))
    refuse(
        fmt::format("inertia and mass are those of a part of about {:.1g} m, the shapes are {:.3g} m large: the scale "
                    "of the mesh or the inertia has another unit",
                    3 * radius, size));
}

}  // namespace

std::string mesh_file(const std::string& name, const std::string& urdf_file, const std::vector<std::string>& packages) {
  std::string ending = fs::path(name).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending != ".stl" && ending != ".obj")
    throw std::invalid_argument(fmt::format("jostle reads meshes of STL and OBJ, not '{}'", name));
  const fs::path folder = fs::path(urdf_file).parent_path();
  constexpr std::string_view package = "package://", file = "file://";
  if (name.starts_with(package))  // the folder of "arm.urdf" is empty, which cannot be made absolute
    return file_in_package(name.substr(package.size()), fs::absolute(urdf_file).parent_path(), packages).string();
  const std::string path = name.starts_with(file) ? name.substr(file.size()) : name;
  if (path.find("://") != std::string::npos)
    throw std::invalid_argument(fmt::format("jostle finds meshes by path, file:// and package://, not '{}'", name));
  std::error_code none;
  if (!fs::is_regular_file(folder / path, none))
    throw std::invalid_argument(fmt::format("there is no file '{}'", path));
  return (folder / path).string();
}

void check_meshes(Robot& robot) {
  const auto is_mesh = [](const Shape& shape) { return shape.kind == Shape::Kind::mesh; };
  for (const Link& link : robot.links)
    if (link.mass > 0 && std::ranges::any_of(link.shapes, is_mesh)) check_inertial(link, robot.notes);
}

}  // namespace jostle::urdf
