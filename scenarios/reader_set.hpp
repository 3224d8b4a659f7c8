#pragma once
#include "scenarios/reader_tree.hpp"

namespace jostle {

/// Writes the values of all --set options (sources.set) into the tree, as if the file said so. Throws ScenarioError
/// naming the option; whether the keys and values make sense is the readers' to say.
void apply_set(const SourceNames& sources, Node& root);

}  // namespace jostle
