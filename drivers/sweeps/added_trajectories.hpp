#pragma once
// Trajectories of a dataset that its scenario does not record, made when somebody asks for them:
// FOLDER/trajectories.h5, beside the shards, which stay as they are. It has the root attributes of a shard, without
// `first_sample`, `count` and `digest`, and the group /trajectory (dataset_layout.hpp) with the time of record.stride.
// It is no part of the dataset: not of its identity, and a sweep neither needs it nor changes it.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "drivers/datasets/condition.hpp"
#include "drivers/datasets/dataset.hpp"
#include "drivers/devices/machine.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

inline constexpr const char* added_trajectories_name = "trajectories.h5";

/// The first `most` samples of the folder for which the condition holds, ascending. Throws FileError.
std::vector<std::int64_t> find_samples(const std::filesystem::path& folder, const DatasetDescription& description,
                                       std::span<const ShardRange> ranges, const SampleCondition& condition,
                                       std::int64_t most);

struct AddedTrajectories {
  std::int64_t added = 0;    ///< by this call
  std::int64_t there = 0;    ///< of those that were asked for: in a shard, or added before
  std::int64_t in_file = 0;  ///< afterwards
  bool is_complete = true;   ///< false: stopped; what was finished is in the file, and the same call continues
};

/// What a process has simulated for the folder, before it is in the file.
struct NewTrajectories {
  Trajectories data;
  DatasetDescription description;  ///< of the file: with times, also if the scenario records no sample
  std::int64_t there = 0;          ///< of those that were asked for
  std::int64_t in_file = 0;
  bool is_complete = true;
};

/// The two halves of add_trajectories.
NewTrajectories simulate_trajectories(const std::filesystem::path& folder, const Ensemble& ensemble,
                                      const DatasetDescription& description, std::span<const ShardRange> ranges,
                                      const Machine& machine, std::span<const std::int64_t> samples,
                                      const std::atomic<bool>& stop);
AddedTrajectories write_new_trajectories(const std::filesystem::path& folder, const NewTrajectories& made);

/// Simulates samples of the folder again, as far as they have no trajectory there yet, with the same bits, and adds
/// their trajectories. `samples`: ascending. The bytes of the file depend only on which samples it has. Throws
/// UsageError if the results version is another one, if a sample is not in the folder, or if the file would be larger
/// than 8 GB; FileError.
AddedTrajectories add_trajectories(const std::filesystem::path& folder, const Ensemble& ensemble,
                                   const DatasetDescription& description, std::span<const ShardRange> ranges,
                                   const Machine& machine, std::span<const std::int64_t> samples,
                                   const std::atomic<bool>& stop);

}  // namespace jostle
