#pragma once
// A Monte Carlo sweep: finds the missing shards, makes them, and writes run.h5 and the summaries at the end.
//
// Any number of processes may sweep the same dataset in one folder at the same time, with `--shard k/n`
// or without: the process that holds the lock of a shard makes it, the others take the next one. The
// process that finds all shards complete writes run.h5 and the summaries. The bytes are the same in every case.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

struct SweepProgress {
  std::int64_t done = 0, total = 0;  ///< samples of this process, those found in the folder included
  std::int64_t simulated = 0;        ///< samples that this process simulated
  std::int64_t valid = 0;            ///< of those, with status ok
  std::int64_t true_count = 0;       ///< of those, where the first truth-valued outcome holds
  double seconds = 0;                ///< since the sweep began
};

struct SweepOptions {
  std::filesystem::path folder;
  std::int64_t n = 0;                       ///< samples, at least 1
  std::int64_t shard_part = 1;              ///< --shard part/parts: the shards i with i mod parts = part - 1
  std::int64_t shard_parts = 1;             ///< 1: all shards
  const std::atomic<bool>* stop = nullptr;  ///< set: the sweep ends soon and can be resumed
  /// May be empty.
  std::function<void(const SweepProgress&)> on_progress;
};

struct SweepReport {
  enum class End {
    complete,    ///< all samples are there; run.h5 and the summaries are written
    partial,     ///< this part is done, shards of other parts are missing
    interrupted  ///< `stop` was set
  };
  End end = End::complete;
  std::filesystem::path folder;
  std::int64_t n = 0;
  std::int64_t simulated = 0;        ///< samples that this process simulated
  std::int64_t simulated_steps = 0;  ///< their steps
  std::int64_t kept = 0;             ///< samples found in the folder
  double seconds = 0;                ///< until the last shard was written
  bool trajectories = false;         ///< run.h5 has a group of them
  /// For all n samples; if partial, for the shards of this part; empty if interrupted.
  RunStatistics statistics;
};

/// Throws UsageError (n, parts, a foreign folder, another dataset) and FileError; closed shards are
/// valid in any case, and the same command continues.
SweepReport run_sweep(const DatasetDescription& description, ShardProducer& producer, const SweepOptions& options);

/// The shards that a process with these options makes.
std::vector<ShardRange> own_ranges(const DatasetDescription& description, const SweepOptions& options);

/// Parses "k/n" of --shard into options. Throws UsageError unless 1 <= k <= n.
void parse_shard_part(const std::string& text, SweepOptions& options);

}  // namespace jostle
