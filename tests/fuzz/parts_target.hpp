#pragma once
// What must hold for any bytes taken as a part or a robot: shared by the fuzzer and by the replay of its corpus.
#include "scenarios/import/urdf.hpp"
#include "scenarios/parts/mass_properties.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/fuzz/messages.hpp"

namespace jostle::test {

/// A part is refused, or is a surface of finite points that encloses something.
inline std::string fault_of_surface(const TriangleMesh& mesh) {
  const int points = static_cast<int>(mesh.points.size());
  for (const Vec3& point : mesh.points)
    if (!point.allFinite()) return "a point is not finite";
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle)
      if (corner < 0 || corner >= points) return "a triangle of a point that is not there";
  return volume_of(mesh) > 0 ? "" : "a surface that encloses nothing";
}

/// A robot is refused, or what is written of it is a scenario, if nothing had to be left out.
inline std::string fault_of_robot(const Import& import) {
  if (!import.is_complete({})) return {};
  try {
    parse_scenario(import.scenario, "robot.yaml");
  } catch (const ScenarioError& error) {
    return "what was imported is refused: " + std::string(error.what()) + "\n" + import.scenario;
  }
  return {};
}

/// The first byte says what follows: 'u' a URDF file, 'o' an OBJ file, another one an STL file.
inline std::string fault_of_part(std::string_view bytes) {
  if (bytes.empty()) return {};
  const std::string content(bytes.substr(1));
  const std::string file = bytes[0] == 'u' ? "fuzz.urdf" : bytes[0] == 'o' ? "fuzz.obj" : "fuzz.stl";
  try {
    return bytes[0] == 'u' ? fault_of_robot(import_urdf_text(content, file))
                           : fault_of_surface(read_mesh_text(content, file, 1e-3));
  } catch (const ScenarioError& error) {
    return fault_of_message(error.what(), file);
  }
}

}  // namespace jostle::test
