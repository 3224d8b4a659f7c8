#pragma once
// A Monte Carlo sweep: finds the missing shards, makes them, and writes run.h5 and the summaries at the end.
//
// Any number of processes may sweep the same dataset in one folder at the same time, with `--shard k/n`
// or without: the process that holds the lock of a shard makes it, the others take the next one. The
// process that finds all shards complete writes run.h5 and the summaries. Ranks of MPI do the same as one process:
// they take shards from one counter and merge their statistics. The bytes are the same in every case.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "drivers/datasets/description.hpp"
#include "drivers/ranks/ranks.hpp"
#include "drivers/reports/picture.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

class ShardProducer;
struct ShardRange;

struct SweepProgress {
  std::int64_t done = 0, total = 0;  ///< samples of this process, those found in the folder included
  std::int64_t simulated = 0;        ///< samples that this process simulated
  std::int64_t valid = 0;            ///< of those, with status ok
  std::int64_t true_count = 0;       ///< of those, where the first truth-valued outcome holds
  double seconds = 0;                ///< since the sweep began
  int ranks = 1, at_work = 1;        ///< the numbers above are those of all ranks
};

struct SweepOptions {
  std::filesystem::path folder;
  std::int64_t n = 0;                       ///< samples, at least 1
  std::int64_t shard_part = 1;              ///< --shard part/parts: the shards i with i mod parts = part - 1
  std::int64_t shard_parts = 1;             ///< 1: all shards
  const std::atomic<bool>* stop = nullptr;  ///< set: the sweep ends within seconds and can be resumed
  std::filesystem::path scratch;            ///< folder of a disk of this machine, where shards are written first
  bool has_meta = false;                    ///< the dataset gets a meta.json once it is complete
  Picture picture = {};                     ///< for the page
  Ranks* ranks = nullptr;                   ///< null: this process alone. All ranks have the same options
  /// May be empty. Called on rank 0.
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
  std::int64_t simulated = 0;                     ///< samples that all ranks simulated
  std::int64_t simulated_steps = 0;               ///< their steps
  std::int64_t kept = 0;                          ///< samples found in the folder
  double seconds = 0;                             ///< until the last shard was written
  std::vector<std::string> groups = {"summary"};  ///< of run.h5
  /// For all n samples; if partial, for the shards of this part; empty if interrupted.
  RunStatistics statistics;
};

/// Throws UsageError (n, parts, a foreign folder, another dataset) and FileError; closed shards are
/// valid in any case, and the same command continues. All ranks get the report.
SweepReport run_sweep(const DatasetDescription& description, ShardProducer& producer, const SweepOptions& options);

/// Throws UsageError unless 1 <= shard_part <= shard_parts.
void check_shard_part(const SweepOptions& options);

/// The shards that a process with these options makes. Throws what check_shard_part does.
std::vector<ShardRange> own_ranges(const DatasetDescription& description, const SweepOptions& options);

/// "3/200"; empty if all shards are made.
std::string shard_part_text(const SweepOptions& options);

/// Parses "k/n" of --shard into options. Throws UsageError unless 1 <= k <= n.
void parse_shard_part(const std::string& text, SweepOptions& options);

}  // namespace jostle
