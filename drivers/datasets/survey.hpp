#pragma once
// Which shards of a dataset are there, whether or not anybody is at work on it.
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/datasets/job_log.hpp"

namespace jostle {

/// A shard that is to be made again.
struct UnfitShard {
  ShardRange range;     ///< that it should have
  std::string problem;  ///< of the file, without its name
};

struct Survey {
  std::vector<ShardRange> there;  ///< with the samples that they have
  std::vector<ShardRange> missing;
  std::vector<UnfitShard> broken;   ///< cannot be read, or is no shard of this dataset, or its digest does not match
  std::vector<UnfitShard> shorter;  ///< of those that are there: the last shard of a dataset that is being extended

  std::vector<ShardRange> to_make() const;
  /// Those that are there and have all samples.
  std::int64_t whole() const { return std::ssize(there) - std::ssize(shorter); }
  /// A line for each broken or shorter one.
  std::string problems_text() const;
};

/// Of samples [0, n). A file that a job has made or checked is not read again unless it has changed since, or
/// `reads_all`.
Survey survey(const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n,
              const std::vector<Job>& jobs, bool reads_all);

/// The shares k/n whose jobs would make these shards, as a queue writes them: "3,17-19", "1-9:2".
std::string array_of(const std::vector<ShardRange>& shards, std::int64_t parts);

}  // namespace jostle
