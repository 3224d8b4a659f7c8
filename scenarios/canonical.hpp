#pragma once
// One text per scenario: keys in a fixed order, defaults written out, numbers with as few digits as give the same
// double again. Reading it gives the same scenario and the same text.
#include <string>

#include "scenarios/scenario.hpp"

namespace jostle {

/// Maps that hold variables written in place stay in the order of the file, because the order of variables decides
/// what a sampler draws for them. Without count and seed: what samples of a larger run or another seed share.
std::string canonical_yaml(const Scenario& scenario, bool with_count_and_seed = true);

}  // namespace jostle
