#pragma once
// Bodies: mass, freedom, shapes and start.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/model/number.hpp"
#include "scenarios/model/placement.hpp"
#include "scenarios/model/shape_spec.hpp"

namespace jostle {

inline constexpr std::string_view freedom_names[] = {"x", "y", "z", "rx", "ry", "rz"};

/// About the centre of mass along the body's axes, kg m^2; a scalar is stored three times.
struct InertiaSpec {
  bool given = false;
  bool is_full = false;  ///< has products
  Number moments[3];     ///< xx, yy, zz
  Number products[3];    ///< xy, xz, yz: elements of the matrix
};

/// Motion that is given as functions of time.
struct PrescribedSpec {
  bool given = false;
  Number velocity[3];  ///< m/s, world; may use t
  Number spin[3];      ///< rad/s, world; may use t
};

/// Of a scenario. No real one of small systems has more; checks of pairs are quadratic in it.
inline constexpr std::size_t max_bodies = 256;

inline int free_rotations(const bool (&freedom)[6]) {
  return static_cast<int>(std::count(freedom + 3, freedom + 6, true));
}

struct BodySpec {
  std::string name;  ///< of a copy: part[3]
  int copies = 0;    ///< how many there are of this body; 0: neither `copies` nor a pattern is given
  int copy = 0;      ///< its number among them
  bool fixed = false;
  PrescribedSpec prescribed;
  bool has_mass = false;     ///< otherwise it follows from densities
  bool has_density = false;  ///< of all shapes that have none of their own
  bool has_centre = false;
  Number mass;       ///< kg
  Number density;    ///< kg/m^3
  Number centre[3];  ///< of mass, in the body, m; else that of the shapes, or the origin if an inertia is given
  InertiaSpec inertia;
  bool freedom[6] = {true, true, true, true, true, true};  ///< freedom_names; of prescribed motion: what it may move
  std::vector<ShapeSpec> shapes;
  std::vector<ShapeSpec> displayed;  ///< shapes that are drawn and have no other effect
  bool lists_shapes = false;  ///< they are under `shapes`, in the names of random numbers, messages and canonical text
  PatternSpec pattern;
  Number position[3];  ///< origin, m
  RotationSpec rotation;
  Number velocity[3];  ///< of the origin, m/s, world
  Number spin[3];      ///< rad/s, world
  Location where;

  bool has_shape_densities() const {
    return std::any_of(shapes.begin(), shapes.end(), [](const ShapeSpec& shape) { return shape.has_density; });
  }
  std::size_t all_shapes() const { return shapes.size() + displayed.size(); }
  /// In names of random numbers and in messages: bodies.part.shapes[2].
  std::string path_of(const ShapeSpec& shape) const {
    return "bodies." + name + (lists_shapes ? ".shapes[" + std::to_string(shape.place) + "]" : ".shape");
  }
  /// The name in the file: part for part[3].
  std::string name_in_file() const { return name.substr(0, name.find('[')); }
  /// Whether a name of the file stands for it, as its own or as that of its copies.
  bool is_called(std::string_view other) const { return name == other || (copies > 0 && name_in_file() == other); }
  /// Whether forces and impulses move it.
  bool is_mover() const { return !fixed && !prescribed.given; }
};

}  // namespace jostle
