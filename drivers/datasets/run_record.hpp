#pragma once
// run.json: what a folder holds. Its identity decides whether a command may continue in the folder.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"

namespace jostle {

struct ShardEntry {
  std::string file;  ///< relative to the folder
  std::int64_t first = 0, count = 0;
  std::string digest;  ///< content digest (shard_digest.hpp)
};

struct RunRecord {
  int format = 0, results_version = 0;
  std::string jostle_version;  ///< of the program that wrote it; not part of the identity
  std::string scenario;        ///< DatasetDescription::scenario
  std::uint64_t seed = 0;
  std::string sampler;
  std::string table_sha256, table_path;  ///< empty without a table; the path is not part of the identity
  std::vector<MeshFile> meshes;          ///< not part of the identity: their points are in the scenario
  std::int64_t n = 0;                    ///< samples that the folder's views and summaries describe
  std::int64_t shard_samples = 0;        ///< samples of a full shard
  std::vector<ShardEntry> shards;        ///< those of [0, n); empty until all are there
};

RunRecord make_run_record(const DatasetDescription& description, std::int64_t n);

/// FOLDER/run.json. Throws FileError.
void write_run_record(const std::filesystem::path& folder, const RunRecord& record);
/// The same, but a record that is there stays: of several writers that begin at once the first one counts.
void begin_run_record(const std::filesystem::path& folder, const RunRecord& record);

/// Nothing if there is no run.json. Throws FileError if it cannot be read, UsageError if jostle did not write it.
std::optional<RunRecord> read_run_record(const std::filesystem::path& folder);

/// One line for each part of the identity that differs; empty if none does. For scenarios, the first
/// lines that differ.
std::string identity_difference(const RunRecord& folder, const RunRecord& command);

}  // namespace jostle
