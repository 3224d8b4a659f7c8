#pragma once
#include <filesystem>
#include <string>

#include "drivers/datasets/shard_writer.hpp"

namespace jostle {

/// write_uncommitted_shard, and committed. Returns the digest.
inline std::string write_shard(const std::filesystem::path& path, const DatasetDescription& description,
                               const ShardData& shard) {
  WrittenShard written = write_uncommitted_shard(path, description, shard);
  written.file.commit();
  return written.digest;
}

}  // namespace jostle
