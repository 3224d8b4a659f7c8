#pragma once
#include <string>

#include "core/model/model.hpp"

namespace jostle {

/// A digest (hexadecimal) of what determines the code that a system executes: bodies, freedoms, shapes, pairs,
/// programs, method, tallies. Scenarios that differ only in numbers (parameters, constants of expressions, step,
/// tolerances) have equal structures.
std::string structure_digest(const Model& model);

}  // namespace jostle
