#pragma once
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

}  // namespace jostle
