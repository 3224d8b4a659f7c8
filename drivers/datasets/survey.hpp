#pragma once
// Which shards of a dataset are there, whether or not anybody is at work on it.
#include <filesystem>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/datasets/job_log.hpp"

namespace jostle {

struct Survey {
  std::vector<ShardRange> there, missing;
  std::vector<ShardRange> broken;  ///< the file is no shard of this dataset, or its digest does not match

  std::vector<ShardRange> to_make() const {
    std::vector<ShardRange> shards = missing;
    shards.insert(shards.end(), broken.begin(), broken.end());
    return shards;
  }
};

/// Of samples [0, n). A file that a job has made or checked is not read again unless it has changed since, or
/// `reads_all`.
Survey survey(const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n,
              const std::vector<Job>& jobs, bool reads_all);

/// The shares k/n whose jobs would make these shards, as a queue writes them: "3,17-19", "1-9:2".
std::string array_of(const std::vector<ShardRange>& shards, std::int64_t parts);

}  // namespace jostle
