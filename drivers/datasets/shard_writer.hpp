#pragma once
#include <filesystem>
#include <string>

#include "drivers/datasets/dataset.hpp"

namespace jostle {

/// "shards/shard-00042.h5", relative to the folder of the dataset.
std::string shard_name(std::int64_t index);

/// Writes a shard in the layout of dataset_layout.hpp: complete and synced, or not at all. The same
/// shard gives the same bytes (same version of HDF5). Returns its content digest. Makes all NaNs equal
/// first. Throws FileError.
std::string write_shard(const std::filesystem::path& path, const DatasetDescription& description, ShardData& shard);

}  // namespace jostle
