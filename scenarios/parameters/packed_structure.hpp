#pragma once
#include <vector>

#include "scenarios/model/shape_spec.hpp"

namespace jostle {

/// The structure of a hull or surface as core has it (core/geometry/polyhedron.hpp). Throws std::invalid_argument where
/// an edge has one face only.
std::vector<int> packed_structure(const HullStructure& hull, bool is_rounded);

}  // namespace jostle
