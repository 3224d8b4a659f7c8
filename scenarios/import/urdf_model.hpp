#pragma once
// A URDF file as read: links and joints with their numbers, and a note on every element.
#include <string>
#include <vector>

#include "core/math/vector.hpp"
#include "scenarios/import/part.hpp"
#include "scenarios/import/urdf.hpp"

namespace jostle::urdf {

/// A frame in another one.
struct Frame {
  Vec3 position = Vec3::Zero();
  Mat3 axes = Mat3::Identity();

  Frame operator*(const Frame& inner) const { return {position + axes * inner.position, axes * inner.axes}; }
};

struct Shape {
  enum class Kind { box, cylinder, sphere, mesh };
  Kind kind = Kind::box;
  Vec3 size = Vec3::Zero();  ///< m: edges; or radius and length; or radius
  Frame frame;               ///< in the link
  int line = 0;
  ImportedPart part;  ///< of a mesh
};

struct Link {
  std::string name;
  int line = 0;
  double mass = 0;              ///< kg; 0: none is given
  Frame inertial;               ///< in the link
  Mat3 inertia = Mat3::Zero();  ///< kg m^2, about the centre of mass, in the frame of `inertial`
  int inertia_line = 0;
  bool is_physical = true;  ///< no mass, or moments that a body can have
  std::vector<Shape> shapes;

  /// Without a mass its moments alone are added to those of the body that it is part of.
  bool is_heavy() const { return mass > 0 || !inertia.isZero(0); }
};

struct Joint {
  std::string name, type, parent, child;
  int line = 0;
  Frame frame;  ///< of the child, in the parent's, at 0
  Vec3 axis = Vec3(1, 0, 0);
  bool has_limits = false;
  double lower = 0, upper = 0, damping = 0, friction = 0;
};

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<ImportNote> notes;
  std::vector<std::string> meshes;  ///< files, also of those that are refused
};

/// Throws ScenarioError for what is no URDF.
Robot read_robot(const std::string& text, const std::string& file_name, const UrdfOptions& options);

/// The file that a <mesh> names, by a path relative to the URDF file, file:// or package://NAME/FILE: a package is a
/// folder in one of `packages`, or in or above that of the URDF file. Throws std::invalid_argument if there is none.
std::string mesh_file(const std::string& name, const std::string& urdf_file, const std::vector<std::string>& packages);

/// Refuses what a link with meshes has in another unit.
void check_meshes(Robot& robot);

}  // namespace jostle::urdf
