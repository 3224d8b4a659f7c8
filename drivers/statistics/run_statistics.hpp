#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "drivers/datasets/dataset.hpp"
#include "drivers/ranks/ranks.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// Bytes that the numbers of all outcomes may take while statistics are computed. Two outcomes may always be read at
/// once.
inline constexpr std::int64_t statistics_room = 32'000'000;

/// Bytes that the statistics of this many samples keep in memory.
std::int64_t statistics_bytes(const DatasetDescription& description, std::int64_t samples);

/// Statistics of the samples of `ranges`, read from the shards of a folder: every shard once if there is room for the
/// numbers of all outcomes, else once for every part of them. Throws FileError.
RunStatistics read_statistics(const std::filesystem::path& folder, const DatasetDescription& description,
                              std::span<const ShardRange> ranges, std::int64_t room = statistics_room);
/// The same of the samples of all ranks, each of which reads its own ranges; all get the same.
RunStatistics read_statistics(const std::filesystem::path& folder, const DatasetDescription& description,
                              std::span<const ShardRange> ranges, Ranks& ranks, std::int64_t room = statistics_room);

/// Says of the first sample with each status what is wrong with it, as far as reason(sample, status) knows.
void explain(RunStatistics& statistics, const std::function<std::string(std::int64_t, Status)>& reason);

}  // namespace jostle
