#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/files/folder_lock.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// Checks as DatasetFolder does, but creates and changes nothing: throws UsageError if `folder` holds another dataset
/// or something else.
void check_dataset_folder(const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n);

/// The folder of a dataset, open for writing. Any number of processes may have it open at once.
class DatasetFolder {
 public:
  /// Creates the folder, or continues one that holds the same dataset. Throws UsageError, before
  /// anything is written, if it holds another dataset (the difference is shown) or something else;
  /// FileError if it cannot be written.
  DatasetFolder(std::filesystem::path folder, const DatasetDescription& description, std::int64_t n,
                WithoutLocks without = WithoutLocks::refuse);

  const std::filesystem::path& path() const { return folder_; }
  const FolderLock& lock() const { return lock_; }
  std::filesystem::path shard_path(std::int64_t index) const;

  /// Writes a file of the dataset, unless the folder is no longer where it was when it was opened. Throws FileError
  /// then.
  template <class Write>
  auto in_place(Write&& write) const {
    lock_.check_place();
    try {
      return write();
    } catch (...) {
      lock_.check_place();  // if it is gone, that is why
      throw;
    }
  }

  /// Makes the folder of a shard if there is none yet.
  void prepare_for_shard(std::int64_t index) const;

  /// The shards of [0, n) that exist. Those that are `known` to, in the order of their numbers, are not opened.
  std::vector<ShardRange> shards_there(std::span<const ShardRange> known = {}) const;

  /// Writes the files that describe the samples of `ranges`: scenario.yaml, run.h5, summary.csv, summary.json,
  /// report.html (`page`) and, last, run.json if these are all n. All these shards must exist. Throws FileError.
  void write_views(std::span<const ShardRange> ranges, const RunStatistics& statistics, const std::string& page) const;

 private:
  void begin() const;
  void write_record(std::span<const ShardRange> ranges) const;

  std::filesystem::path folder_;
  const DatasetDescription& description_;
  std::int64_t n_;
  FolderLock lock_;
};

/// Removes the temporary files that killed writers have left in the folder of a dataset, and none of a running writer.
/// The caller holds `lock.folder()`. A process that writes a file beside the shards holds it, too, so now there is
/// none. A shard whose lock is free has no writer either. Where there are no locks, only those are removed that nobody
/// has touched for an hour: jobs of other shares may be at work.
void remove_stale_files(const std::filesystem::path& folder, const FolderLock& lock);

}  // namespace jostle
