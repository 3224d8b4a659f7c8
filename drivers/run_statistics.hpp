#pragma once
#include <filesystem>
#include <span>

#include "drivers/dataset.hpp"
#include "drivers/statistics.hpp"

namespace jostle {

/// Statistics of the samples of `ranges`, read from the shards of a folder, one outcome at a time: the
/// memory is 17 bytes per sample at most, whatever the number of outcomes. Throws FileError.
RunStatistics read_statistics(const std::filesystem::path& folder, const DatasetDescription& description,
                              std::span<const ShardRange> ranges);

}  // namespace jostle
