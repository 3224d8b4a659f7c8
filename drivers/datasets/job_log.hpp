#pragma once
// FOLDER/.jobs: which processes work on a dataset and which shards they have made or checked, a file for each process.
// Nothing depends on it but the time of a resumed sweep, which need not read those shards again, and `jostle status`.
// It goes away when the dataset is complete.
//
// All times are those of the file system, in ns: clocks of hosts may differ.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/datasets/run_record.hpp"

namespace jostle {

/// A shard as a process left or found it.
struct LoggedShard {
  std::int64_t index = 0, first = 0, count = 0;  ///< samples in the file
  std::int64_t bytes = 0, written = 0;           ///< of the file: its size and time
  bool is_made = false;                          ///< by this process; else it was there and right
};

struct Job {
  std::string host;
  std::int64_t process = 0;
  std::string share;                 ///< "3/200"; empty: all shards
  std::int64_t samples = 0;          ///< of the dataset
  bool has_meta = false;             ///< the dataset gets a meta.json
  std::string identity;              ///< identity_of()
  std::int64_t began = 0, seen = 0;  ///< when it began, and gave its last sign of life
  bool has_ended = false;            ///< it did not just vanish
  std::vector<LoggedShard> shards;
};

/// "host, process 4711".
std::string name_of(const Job& job);

/// A digest of everything that determines the bits of a dataset.
std::string identity_of(const RunRecord& record);
std::string identity_of(const DatasetDescription& description);

/// Writes the file of this process. An error is no reason to end a sweep: then there is less to read.
class JobLog {
 public:
  /// `job`: its share, samples, has_meta and identity count.
  JobLog(const std::filesystem::path& folder, Job job);
  JobLog(const JobLog&) = delete;
  JobLog& operator=(const JobLog&) = delete;
  ~JobLog();

  /// `path`: of the finished shard.
  void add(const std::filesystem::path& path, const ShardRange& range, bool is_made);
  /// Gives a sign of life, if the last one is some seconds ago.
  void breathe();
  const Job& job() const { return job_; }

 private:
  void write(const std::string& line);

  Job job_;
  int descriptor_ = -1;
  std::int64_t breathed_ = 0;  ///< ns, of a clock of this process
};

/// Of all processes that have left a file, in the order of their beginning.
std::vector<Job> read_jobs(const std::filesystem::path& folder);

/// Once the dataset is complete.
void remove_jobs(const std::filesystem::path& folder);

/// Shards that need not be read again, because a process of the same dataset has made or checked them and they have
/// not changed since: they have the time and size in its log, or run.json is newer and lists them, with the digest that
/// they have in their attributes.
class KnownShards {
 public:
  /// None.
  KnownShards() = default;
  /// `folder`: of the dataset, whose description must outlive this. Throws as read_run_record().
  KnownShards(const std::filesystem::path& folder, const std::vector<Job>& jobs, const DatasetDescription& description);
  /// Whether the file at `path` is known to hold at least the samples of the range.
  bool has(const std::filesystem::path& path, const ShardRange& range) const;

 private:
  bool is_logged(const std::filesystem::path& path, const ShardRange& range) const;
  bool is_listed(const std::filesystem::path& path, const ShardRange& range) const;

  const DatasetDescription* description_ = nullptr;
  std::map<std::int64_t, LoggedShard> shards_;
  std::vector<ShardEntry> listed_;
  std::int64_t listed_at_ = 0;  ///< ns
};

}  // namespace jostle
