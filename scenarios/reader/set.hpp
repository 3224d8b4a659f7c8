#pragma once
#include "scenarios/reader/tree.hpp"

namespace jostle {

/// Writes the values of all --set options (sources.set) into the tree; null removes a key. Throws ScenarioError naming
/// the option; the readers check keys and values.
void apply_set(const SourceNames& sources, Node& root);

}  // namespace jostle
