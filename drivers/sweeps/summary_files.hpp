#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// {samples, statuses{name: count}, outcomes{name: {kind, count, invalid, rate|mean, lower, upper,
/// worst_lower, worst_upper, minimum, maximum, quantiles{}}}}. `mean` for a number, else `rate`;
/// undefined values are null.
nlohmann::ordered_json summary_json(const RunStatistics& statistics);

/// FOLDER/summary.json. Throws FileError.
void write_summary_json(const std::filesystem::path& folder, const RunStatistics& statistics);

/// FOLDER/summary.csv: one row for each of the samples of `ranges`, the columns of /summary and, last, the angles of
/// random rotations (PATH.roll, .pitch, .yaw in rad); numbers with as many digits as reading them back exactly needs,
/// `nan` where undefined. Throws FileError.
void write_summary_csv(const std::filesystem::path& folder, const DatasetDescription& description,
                       std::span<const ShardRange> ranges);

}  // namespace jostle
