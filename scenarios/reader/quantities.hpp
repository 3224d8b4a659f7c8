#pragma once
#include "scenarios/model/scenario.hpp"

namespace jostle {

/// The quantity of a name in an expression, which Scenario::quantities has from then on. Throws ExpressionError.
QuantityUse find_quantity(Scenario& scenario, const QuantityName& name);

/// The same of a name in a force on a body, for which only the motion of bodies and joints counts.
int find_motion(Scenario& scenario, const QuantityName& name, const BodyReference& body);

}  // namespace jostle
