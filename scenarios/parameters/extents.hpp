#pragma once
// How large bodies are, how far apart, and what their shapes share: what a user is told of a scene before it runs.
#include <optional>
#include <vector>

#include "scenarios/parameters/bind.hpp"

namespace jostle {

/// The box around the shapes of a body, in the axes of its file; half-spaces do not count, nor the thickness of
/// polygons.
struct Extents {
  Vec3 lower, upper;  ///< m
  Vec3 size() const { return upper - lower; }
  double largest() const;
};
/// None for a body without such shapes.
std::optional<Extents> extents_of(const BodySpec& body, Draw draw);

/// m^3: of the shapes of a body, those that overlap counted one by one.
double volume_of(const BodySpec& body, Draw draw);

/// Where the shape of a body is at the start; `corners` holds those of a polygon.
PlacedShape shape_in_world(const BodySpec& body, const ShapeSpec& shape, Draw draw, std::vector<double>& corners);

/// m: signed distance of the nearest two shapes of two bodies at the start; something above `enough` if it is above.
double least_gap(const BodySpec& a, const BodySpec& b, Draw draw, double enough);

/// Of the area of a polygon with a radius: what its edges fill of its notches from both sides counts twice. To a part
/// of a hundred.
double filled_share(const ShapeSpec& polygon, Draw draw);

/// What shapes of one body share.
struct SharedMass {
  int first = 0, second = 0;     ///< two shapes that overlap
  double depth = 0;              ///< m
  double counted = 0, once = 0;  ///< kg: the mass with the shared parts counted for each shape, and about that once
};
/// None if no shapes of the body overlap, or if they are too many to look at.
std::optional<SharedMass> shared_mass(const BodySpec& body, Draw draw);

}  // namespace jostle
