#pragma once
// One text per scenario: keys in a fixed order, defaults written out, numbers with the fewest digits that read
// back as the same double. Reading it gives the same scenario and the same text.
#include <string>

#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Maps that hold variables written in place stay in the order of the file, because a sampler's values depend on
/// the order of variables. Without count and seed, the text is the same for a larger run or another seed.
std::string canonical_yaml(const Scenario& scenario, bool with_count_and_seed = true);

}  // namespace jostle
