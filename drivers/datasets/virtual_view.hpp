#pragma once
#include <cstdint>
#include <filesystem>
#include <span>

#include "drivers/datasets/dataset.hpp"

namespace jostle {

/// Writes FOLDER/run.h5: the samples of `ranges` as one file in the layout of a shard, whose datasets are
/// views into the shards (HDF5 virtual datasets with paths relative to the folder, so that it can be
/// moved as a whole). Trajectories are those of the recorded samples among them. All these shards
/// must exist: a missing source would read as fill values. Throws FileError.
void write_virtual_view(const std::filesystem::path& folder, const DatasetDescription& description,
                        std::span<const ShardRange> ranges);

/// The rows of a shard's trajectories that belong to a view of a range of it with `before` trajectories of other
/// shards. `recorded`: the samples of these rows.
std::int64_t rows_below(const DatasetDescription& description, std::span<const std::int64_t> recorded,
                        const ShardRange& range, std::int64_t before);

}  // namespace jostle
