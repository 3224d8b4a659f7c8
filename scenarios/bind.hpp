#pragma once
// The numbers of a scenario for one sample. `variables` holds the sampled values, one per Scenario::variables;
// functions do not read it if everything is constant.
#include <span>

#include "core/geometry/shape.hpp"
#include "core/math/rotation.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

/// The value of a number that does not use the time.
double value_of(const Number& number, const double* variables);
Vec3 value_of(const Number (&vector)[3], const double* variables);

/// Body (or shape) to world (or body). Not finite if the sampled axis or quaternion has no direction.
/// `uniform` maps three uniform numbers to a uniform random rotation (Shoemake 1992).
Quaternion rotation_of(const RotationSpec& rotation, const double* variables);

/// The shape in its body's axes, sizes as in core/geometry/shape.hpp.
PlacedShape shape_in_body(const ShapeSpec& shape, const double* variables);

/// Whether it depends on no variable.
bool is_constant(std::span<const Number> numbers);
bool is_constant(const RotationSpec& rotation);
bool is_constant(const ShapeSpec& shape);

}  // namespace jostle
