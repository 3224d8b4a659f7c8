#pragma once
// What the numbers of a scenario say, in terms of the variables.
#include <span>

#include "core/geometry/shape.hpp"
#include "scenarios/model/scenario.hpp"
#include "scenarios/parameters/traced.hpp"

namespace jostle {

/// The values of the variables, one per Scenario::variables; null: they are not drawn yet, and what depends on them is
/// traced.
using Draw = const double*;

/// A number that does not use the time.
Traced number_of(const Number& number, Draw draw);
TracedVec3 vector_of(const Number (&vector)[3], Draw draw);

/// Body (or shape) to world (or body). Not finite if the axis or quaternion has no direction.
/// `uniform` maps three uniform numbers to a uniform random rotation (Shoemake 1992).
TracedQuaternion turn_of(const RotationSpec& rotation, Draw draw);

TracedVec3 unit(const TracedVec3& v);
/// The rotation that takes the local z axis to coordinate axis 0, 1 or 2: a cyclic exchange of axes, exact.
TracedMat3 axis_to_z(int axis);
/// Right-handed axes whose third is `normal`, unit length.
TracedMat3 axes_of_plane(const TracedVec3& normal);

/// A body at the start, its centre of mass and principal axes; the world if it is none.
struct TracedPose {
  TracedVec3 position = TracedVec3::Zero();
  TracedMat3 axes = TracedMat3::Identity();

  /// A point or axes of the world in those of the body.
  TracedVec3 point_in(const TracedVec3& world) const;
  TracedMat3 axes_in(const TracedMat3& world) const;
};
TracedPose start_pose(const Scenario& scenario, int body, Draw draw);

/// m: points that are as near at the start are one.
inline constexpr double start_rounding = 1e-9;

/// As PlacedShape.
struct TracedShape {
  ShapeType type;
  TracedVec3 size, position;
  TracedMat3 axes;
  std::vector<Traced> bulges{};          ///< of a polygon with arcs
  std::vector<Traced> corners{};         ///< of a polygon, x and y of each; of a hull as core has them (polyhedron.hpp)
  Traced volume = 0, second_moment = 0;  ///< of a polygon: m^3, and about its axis m^5
  TracedVec3 moments = TracedVec3::Zero(), products = TracedVec3::Zero();  ///< of a hull, m^5: xx, yy, zz; xy, xz, yz
};

/// The shape in its body's axes.
TracedShape traced_shape(const ShapeSpec& shape, Draw draw);

// The same for one sample, or where everything is constant: then `draw` may be null.
Vec3 value_of(const Number (&vector)[3], Draw draw);
Quaternion rotation_of(const RotationSpec& rotation, Draw draw);
/// `corners`: where those of a polygon or hull are put, and after them the bulges of arcs, which the shape then refers
/// to.
PlacedShape shape_in_body(const ShapeSpec& shape, Draw draw, std::vector<double>* corners = nullptr);

/// Whether it depends on no variable.
bool is_constant(std::span<const Number> numbers);
bool is_constant(const RotationSpec& rotation);
bool is_constant(const ShapeSpec& shape);

}  // namespace jostle
