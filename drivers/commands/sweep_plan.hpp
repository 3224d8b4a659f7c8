#pragma once
#include <atomic>
#include <string>

#include "drivers/backend.hpp"
#include "drivers/dataset.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// What a sweep would do: --dry-run.
struct SweepPlan {
  std::int64_t samples = 0, steps = 0, shards = 0;  ///< samples and shards of this process, steps of a sample
  std::int64_t first_sample = 0;                    ///< of this process
  std::vector<std::vector<double>> draws;           ///< [sample][variable] of the first three samples
  double memory_bytes = 0, disk_bytes = 0;
  double device_bytes_per_system = 0;  ///< on a GPU, which holds a shard, or what it has room for; 0: none is used
  double device_bytes_per_record = 0;  ///< for each system more that is recorded; 0: none is
  double seconds = 0;                  ///< from a few samples simulated here and now
};

/// Simulates samples for about half a second, writes nothing. `ranges`: the shards to make.
SweepPlan plan_sweep(const Ensemble& ensemble, const DatasetDescription& description,
                     const std::vector<ShardRange>& ranges, const Backend& backend, const std::atomic<bool>& stop);

std::string plan_text(const SweepPlan& plan, const DatasetDescription& description);
std::string plan_json(const SweepPlan& plan, const DatasetDescription& description);

}  // namespace jostle
