#include "scenarios/parts/triangle_mesh.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <utility>

#include "scenarios/parts/surface_planes.hpp"
#include "scenarios/parts/triangle_file.hpp"
#include "scenarios/text/error.hpp"
#include "scenarios/text/file.hpp"

namespace jostle {
namespace {

/// The triangles with numbers of points, and the place of each in the soup.
struct WeldedMesh {
  TriangleMesh mesh;
  std::vector<std::size_t> origin;
};

WeldedMesh weld(const TriangleSoup& soup, double scale) {
  WeldedMesh welded;
  std::map<std::array<double, 3>, int> known;
  for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 point = scale * soup.triangles[i][k] + Vec3(0, 0, 0);  // no negative zeros
      const auto [place, is_new] =
          known.try_emplace({point[0], point[1], point[2]}, static_cast<int>(welded.mesh.points.size()));
      if (is_new) welded.mesh.points.push_back(point);
      corners[k] = place->second;
    }
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    welded.mesh.triangles.push_back(corners);
    welded.origin.push_back(i);
    if (soup.lines.empty())
      welded.mesh.numbers.push_back(static_cast<int>(i) + 1);
    else
      welded.mesh.lines.push_back(soup.lines[i]);
  }
  return welded;
}

/// Each edge must be run through once in each direction.
void check_closed(const TriangleFile& file, const TriangleSoup& soup, const WeldedMesh& welded) {
  std::map<std::array<int, 2>, std::size_t> edges;  // the triangle that runs from one to the other
  const TriangleMesh& mesh = welded.mesh;
  const auto line_of = [&](int a, int b) {
    return "the edge from " + place_text(mesh.points[static_cast<std::size_t>(a)]) + " to " +
           place_text(mesh.points[static_cast<std::size_t>(b)]);
  };
  const auto number_of = [&](std::size_t t) { return welded.origin[t] + 1; };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      const auto [place, is_new] = edges.try_emplace({a, b}, t);
      if (is_new) continue;
      const bool has_other_side = edges.contains({b, a});
      file.fail_of(soup, welded.origin[t],
                   line_of(a, b) +
                       (has_other_side ? " belongs to more than two triangles, of which two are numbers "
                                       : " is run through in the same direction by two triangles, numbers ") +
                       fmt::format("{} and {}", number_of(place->second), number_of(t)) +
                       (has_other_side ? "" : ": their orientation is mixed"));
    }
  }
  for (const auto& [edge, t] : edges)
    if (!edges.contains({edge[1], edge[0]}))
      file.fail_of(
          soup, welded.origin[t],
          line_of(edge[0], edge[1]) + fmt::format(" belongs to triangle {} alone: the surface is open", number_of(t)));
}

}  // namespace

double volume_of(const TriangleMesh& mesh) {
  const Vec3 origin = mesh.points.front();  // near the surface, so that little cancels
  double six = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int p) { return Vec3(mesh.points[static_cast<std::size_t>(p)] - origin); };
    six += at(a).dot(at(b).cross(at(c)));
  }
  return six / 6;
}

Vec3 size_of(const TriangleMesh& mesh) {
  Vec3 least = mesh.points.front(), largest = least;
  for (const Vec3& point : mesh.points) least = least.cwiseMin(point), largest = largest.cwiseMax(point);
  return largest - least;
}

bool has_usual_size(const TriangleMesh& mesh) {
  constexpr double least = 1e-4, largest = 10;
  const double length = size_of(mesh).maxCoeff();
  return length >= least && length <= largest;
}

TriangleMesh read_mesh(const std::string& path, double scale, MeshRemarks* remarks) {
  try {
    return read_mesh_text(bytes_of_file(path, "a file of triangles"), path, scale, remarks);
  } catch (const UnreadableFile& error) {
    throw ScenarioError(path, 0, 0, error.what());
  }
}

TriangleMesh read_mesh_text(std::string content, const std::string& path, double scale, MeshRemarks* remarks) {
  const TriangleFile file(path, std::move(content));
  const TriangleSoup soup = file.triangles();
  WeldedMesh welded = weld(soup, scale);
  if (welded.mesh.triangles.empty()) file.fail("has no triangle");
  check_closed(file, soup, welded);
  const double volume = volume_of(welded.mesh);
  if (!(std::fabs(volume) > 1e-12 * std::pow(size_of(welded.mesh).norm(), 3)))
    file.fail("the surface encloses no volume");
  if (volume < 0)
    for (auto& triangle : welded.mesh.triangles) std::swap(triangle[1], triangle[2]);
  if (remarks) {
    *remarks = soup.remarks;
    remarks->without_area = soup.triangles.size() - welded.mesh.triangles.size();
    remarks->is_turned = volume < 0;
  }
  return welded.mesh;
}

}  // namespace jostle
