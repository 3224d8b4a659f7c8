#pragma once
#include <vector>

#include "scenarios/scenario.hpp"

namespace jostle {

/// What the format allows and its user hardly means: a sine of more than a turn (angles are in radians), a body larger
/// than 10 m (lengths are in metres). Messages begin with what they are about.
std::vector<Fault> doubts_about(const Scenario& scenario);

}  // namespace jostle
