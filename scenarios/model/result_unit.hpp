#pragma once
// Units of what is observed, as far as they follow from the quantity.
#include <string>

#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Of an expression that is one quantity, or its magnitude or opposite; empty if it is more, or has no unit.
std::string unit_of(const Scenario& scenario, const Expression& expression);

}  // namespace jostle
