#pragma once
#include <vector>

#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Values that the format allows but the user probably did not mean: the sine of more than a turn (angles are in
/// radians), a body larger than 10 m (lengths are in metres), an impulse after the end, and those of scale_doubts.hpp.
/// Messages begin with the name of the value.
std::vector<Fault> doubts_about(const Scenario& scenario);

}  // namespace jostle
