#pragma once
#include <cstdint>
#include <filesystem>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader.hpp"

namespace jostle {

/// The ensemble of a scenario file; or, if `path` is the folder of a sweep, the one that the folder recorded:
/// scenario.yaml, the seed unless `options` give another one, and the table where it was read. If the folder does
/// not describe sample number `sample` of that ensemble, a warning on stderr says why.
/// Throws ScenarioError, UsageError (not a folder of a sweep; scenario or table have changed since the sweep) and
/// FileError (run.json cannot be read).
Ensemble open_ensemble(const std::filesystem::path& path, ReadOptions options, std::int64_t sample);

}  // namespace jostle
