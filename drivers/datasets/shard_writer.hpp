#pragma once
#include <filesystem>
#include <string>

#include "drivers/datasets/dataset.hpp"
#include "drivers/files/atomic_file.hpp"

namespace jostle {

/// "shards/shard-00042.h5", relative to the folder of the dataset; from number 10,000 on in subfolders of 1,000, such
/// as "shards/00010/shard-10042.h5": file systems slow down with the number of files in a folder.
std::string shard_name(std::int64_t index);

/// A shard that is written, but not yet synced and renamed.
struct WrittenShard {
  AtomicFile file;
  std::string digest;  ///< of its content
};
/// Writes a shard in the layout of dataset_layout.hpp, by all threads: complete once it is committed, or not at all.
/// The same shard gives the same bytes (same version of HDF5). `scratch`: as AtomicFile's. Throws FileError.
WrittenShard write_uncommitted_shard(const std::filesystem::path& path, const DatasetDescription& description,
                                     const ShardData& shard, const std::filesystem::path& scratch = {});

}  // namespace jostle
