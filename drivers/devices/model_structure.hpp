#pragma once
#include <string>

#include "core/model/model.hpp"

namespace jostle {

/// A digest (hexadecimal) of what decides on the code that a system goes through: bodies, freedoms, shapes, pairs,
/// programs, method, tallies. Numbers are left out: scenarios that differ in the value of a parameter, a constant of an
/// expression, a step or a tolerance have equal structures.
std::string structure_digest(const Model& model);

}  // namespace jostle
