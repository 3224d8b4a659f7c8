#pragma once
// What a reader of training data has to know: meta.json beside run.h5.
#include <cstdint>
#include <filesystem>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/split.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// The part of all samples that meta.json gives to training.
inline constexpr double training_part = 0.9;

/// Writes meta.json. Throws FileError.
void write_training_meta(const std::filesystem::path& folder, const DatasetDescription& description,
                         const RunStatistics& statistics);

}  // namespace jostle
