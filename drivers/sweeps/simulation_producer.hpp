#pragma once
// Simulates samples of an ensemble as the shards of a dataset.
#include <optional>
#include <span>
#include <vector>

#include "drivers/datasets/condition.hpp"
#include "drivers/datasets/dataset.hpp"
#include "drivers/datasets/record_collector.hpp"
#include "drivers/devices/backend.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// The instants of a trajectory, s.
std::vector<double> recorded_times(const Scenario& scenario);

/// Describes what a sweep of this ensemble writes; records, outcomes and names come from the scenario. It has no times
/// if no sample is recorded: there may be 2e9.
DatasetDescription describe(const Ensemble& ensemble);

/// The same without what only the sampler's table has: its place and digest.
DatasetDescription describe(const Scenario& scenario);

class SimulationProducer : public ShardProducer {
 public:
  /// Ensemble and description must outlive the producer. `batch_size`: systems simulated together; 0: as many as take
  /// about 0.2 s, between `least_batch` and `largest_batch`. Samples do not depend on backend or batches.
  SimulationProducer(const Ensemble& ensemble, const DatasetDescription& description, Backend backend,
                     int batch_size = 0, int least_batch = 32, int largest_batch = 4096);

  std::optional<ShardData> produce(std::int64_t first, std::int64_t count,
                                   const std::function<void(const ProductionProgress&)>& progress,
                                   const std::atomic<bool>& stop) override;
  void reuse(ShardData&& shard) override { spare_ = std::move(shard); }
  std::string reason(std::int64_t sample, Status status) const override {
    return ensemble_.reason(ensemble_.draw(sample), status);
  }

  /// Appends the records of these samples, simulated again with the same bits. False if stopped; what was appended
  /// is complete.
  bool repeat(std::span<const std::int64_t> samples, ShardData& shard, const std::atomic<bool>& stop) const;

 private:
  /// A system of a batch whose trajectory is kept.
  struct RecordedSystem {
    int index;
    std::int64_t sample;
  };

  /// Samples [begin, begin + count) of the shard. False if stopped, as below.
  bool produce_part(ShardData& shard, std::int64_t begin, int count, const std::atomic<bool>& stop) const;
  std::vector<std::int64_t> selected(const ShardData& shard, std::int64_t begin, int count) const;
  bool run(Batch& batch, ShardData& shard, const std::vector<RecordedSystem>& recorded,
           const std::atomic<bool>& stop) const;
  /// Results of the batch, whose first system is sample shard.first + begin.
  void collect(ShardData& shard, Batch& batch, std::int64_t begin) const;
  bool is_recorded(std::int64_t sample) const;
  void reserve_trajectories(ShardData& shard) const;

  const Ensemble& ensemble_;
  const DatasetDescription& description_;
  Backend backend_;
  ShardData spare_;                     ///< a shard that has served
  mutable SpareRecords spare_records_;  ///< so that every batch uses the same memory
  mutable struct {
    RecordArray<double> q, v;
  } spare_states_;                            ///< the same of states that the shard has in another form
  std::optional<SampleCondition> condition_;  ///< of the recorded samples
  bool adapts_batch_;
  int least_batch_, largest_batch_;
  int batch_size_;  ///< of the next batch
};

}  // namespace jostle
