#pragma once
// Shapes placed in the world, as the contact pairs see them.
#include <cstdint>

#include "core/math/vector.hpp"

namespace jostle {

/// Ordered as in a contact pair (a, b): type(a) <= type(b).
enum class ShapeType : std::uint8_t { sphere, capsule, box, cylinder, polygon, hull, half_space };

/// A shape with its sizes and its pose in the world. `size` is, in metres:
///   sphere      (radius, -, -)
///   capsule     (radius, half length between the cap centres, -), along the local z axis; radius may be 0
///   box         half edges along the local x, y, z axes
///   cylinder    (radius, half length, -), along the local z axis
///   polygon     (radius, from the position to the furthest corner or point of an arc, half the least width without the
///               radius), in the plane of the local x and y axes
///   hull        (radius, from the position to the furthest corner, half the least width without the radius)
///   half_space  unused: solid where dot(axes.col(2), x) <= dot(axes.col(2), position)
struct PlacedShape {
  ShapeType type;
  Vec3 size;
  Vec3 position;                   ///< world, m
  Mat3 axes;                       ///< columns: the local axes in world coordinates
  int corners = 0;                 ///< of a polygon or hull
  const double* corner = nullptr;  ///< local x and y of each corner, counter-clockwise, m; of a hull: polyhedron.hpp
  const double* bulge = nullptr;   ///< of a polygon with arcs, of each edge: arc.hpp; 0: it is straight
  const int* structure = nullptr;  ///< of a hull: polyhedron.hpp
};

}  // namespace jostle
