#pragma once
// The numbers of a scenario for one draw of its variables. `variables` holds the drawn values, one per
// Scenario::variables; it is not looked at where everything is constant.
#include <span>

#include "core/geometry/shape.hpp"
#include "core/math/rotation.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

/// The value of a number that does not use the time.
double value_of(const Number& number, const double* variables);
Vec3 value_of(const Number (&vector)[3], const double* variables);

/// Body (or shape) to world (or body). Not finite if the axis or the quaternion drawn has no direction.
/// `uniform` takes three uniform numbers to a rotation, all alike (Shoemake 1992).
Quaternion rotation_of(const RotationSpec& rotation, const double* variables);

/// The shape in its body's axes, sizes as in core/geometry/shape.hpp.
PlacedShape shape_in_body(const ShapeSpec& shape, const double* variables);

/// Whether nothing of it is drawn.
bool is_constant(std::span<const Number> numbers);
bool is_constant(const RotationSpec& rotation);
bool is_constant(const ShapeSpec& shape);

}  // namespace jostle
