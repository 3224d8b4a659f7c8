#pragma once
#include <string>
#include <vector>

#include "core/status.hpp"
#include "drivers/devices/backend.hpp"
#include "drivers/program/mechanism.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// What a sweep needs, from its description alone.
struct SweepNeeds {
  std::int64_t samples = 0, shards = 0;  ///< of this process
  double memory_bytes = 0, disk_bytes = 0;
  double shard_bytes = 0;  ///< part of disk_bytes that is already there if the sweep continues
};

/// `largest_batch`: systems that are simulated together.
SweepNeeds needs_of(const DatasetDescription& description, const SweepOptions& options, int largest_batch);

/// Throws FileError if the sweep needs more than the disk of the folder has, counting what the folder already holds, or
/// more memory than the machine has.
void check_room(const SweepOptions& options, const SweepNeeds& needs);

/// A sample, and its result after the steps that were simulated.
struct TriedSample {
  std::vector<double> variables;
  Status status = Status::ok;
  std::string reason;  ///< what is wrong with the sample, and where; empty if nothing is
};

/// What a sweep would do: --dry-run.
struct SweepPlan {
  SweepNeeds needs;
  std::int64_t steps = 0;              ///< of a sample
  std::int64_t first_sample = 0;       ///< of this process
  std::vector<TriedSample> draws;      ///< the first three samples
  std::vector<BodyMass> masses;        ///< of the first sample that is physical
  Mechanism mechanism;                 ///< likewise
  std::int64_t tried = 0;              ///< samples that were simulated for the plan
  std::int64_t invalid = 0;            ///< of those, with a status other than ok, as far as they were simulated
  double device_bytes_per_system = 0;  ///< on a GPU, which holds a shard or as much as it has room for; 0: none is used
  double device_bytes_per_record = 0;  ///< more for each system that is recorded; 0: none is
  double seconds = 0;                  ///< estimated from the samples that were simulated for the plan
};

/// Simulates samples for about half a second, writes nothing.
SweepPlan plan_sweep(const Ensemble& ensemble, const DatasetDescription& description, const SweepOptions& options,
                     const Backend& backend, int largest_batch);

std::string plan_text(const SweepPlan& plan, const DatasetDescription& description);
std::string plan_json(const SweepPlan& plan, const DatasetDescription& description);

}  // namespace jostle
