#pragma once
#include <string>
#include <vector>

#include "core/status.hpp"
#include "drivers/devices/backend.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// What a sweep takes, by its description alone.
struct SweepNeeds {
  std::int64_t samples = 0, shards = 0;  ///< of this process
  double memory_bytes = 0, disk_bytes = 0;
  double shard_bytes = 0;  ///< of the disk's: what is there already if the sweep goes on
};

SweepNeeds needs_of(const DatasetDescription& description, const SweepOptions& options);

/// Throws FileError where the disk of the folder has less room than the sweep needs, what the folder holds already
/// counted in, or the machine less memory.
void check_room(const SweepOptions& options, const SweepNeeds& needs);

/// A sample that was drawn, and what became of it in the steps that were taken.
struct TriedSample {
  std::vector<double> variables;
  Status status = Status::ok;
  std::string reason;  ///< what is wrong with the draw, with its place; empty if nothing is
};

/// What a sweep would do: --dry-run.
struct SweepPlan {
  SweepNeeds needs;
  std::int64_t steps = 0;              ///< of a sample
  std::int64_t first_sample = 0;       ///< of this process
  std::vector<TriedSample> draws;      ///< the first three samples
  std::int64_t tried = 0;              ///< samples that were simulated for the plan
  std::int64_t invalid = 0;            ///< of those, with another status than ok, as far as they went
  double device_bytes_per_system = 0;  ///< on a GPU, which holds a shard, or what it has room for; 0: none is used
  double device_bytes_per_record = 0;  ///< for each system more that is recorded; 0: none is
  double seconds = 0;                  ///< from the samples that were tried here and now
};

/// Simulates samples for about half a second, writes nothing.
SweepPlan plan_sweep(const Ensemble& ensemble, const DatasetDescription& description, const SweepOptions& options,
                     const Backend& backend);

std::string plan_text(const SweepPlan& plan, const DatasetDescription& description);
std::string plan_json(const SweepPlan& plan, const DatasetDescription& description);

}  // namespace jostle
