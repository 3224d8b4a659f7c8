#pragma once
// What a reader of training data has to know: meta.json beside run.h5.
#include <filesystem>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// The part of all samples that meta.json gives to training.
inline constexpr double training_part = 0.9;

/// What training data record unless their caller says otherwise: settings as of --set, which come after what the
/// scenario's file says and before what the caller sets.
const std::vector<std::string>& training_records();

/// Writes meta.json. Throws FileError.
void write_training_meta(const std::filesystem::path& folder, const DatasetDescription& description,
                         const RunStatistics& statistics);

}  // namespace jostle
