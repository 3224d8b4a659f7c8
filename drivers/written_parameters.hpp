#pragma once
// Parameters that a caller has written into the memory of a system, past the scenario and its checks.
#include <optional>
#include <string>

#include "core/model/system.hpp"

namespace jostle {

/// What is wrong with those that no step would notice: friction, adhesion, restitution, stiffness and the like, which
/// must be finite, 0 or more and, where the scenario says so, at most 1.
std::optional<std::string> fault_of_written(const Dimensions& d, const ParameterView& parameters);

}  // namespace jostle
