#pragma once
// What a reader of training data has to know: meta.json beside run.h5.
#include <cstdint>
#include <filesystem>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// The part of all samples that meta.json gives to training.
inline constexpr double training_part = 0.9;

/// 0 to below 1, a hash of the number of a sample: samples below a part p of all are for training. A sample stays where
/// it is when a dataset grows. It is the upper 53 bits of splitmix64 [Steele, Lea & Flood 2014, OOPSLA], over 2^53.
double split_of(std::int64_t sample);

/// Writes meta.json. Throws FileError.
void write_training_meta(const std::filesystem::path& folder, const DatasetDescription& description,
                         const RunStatistics& statistics);

}  // namespace jostle
