#pragma once
// Samples of an ensemble, simulated on the CPU, as the shards of a dataset.
#include "drivers/dataset.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// What a sweep of this ensemble writes. `--record`, outcomes and names come from the scenario.
DatasetDescription describe(const Ensemble& ensemble);

class SimulationProducer : public ShardProducer {
 public:
  /// The ensemble must outlive the producer. `threads` 0: all.
  SimulationProducer(const Ensemble& ensemble, const DatasetDescription& description, int threads)
      : ensemble_(ensemble), description_(description), threads_(threads) {}

  std::optional<ShardData> produce(std::int64_t first, std::int64_t count,
                                   const std::function<void(const ProductionProgress&)>& progress,
                                   const std::atomic<bool>& stop) override;

 private:
  bool produce_part(ShardData& shard, std::int64_t begin, int count, const std::atomic<bool>& stop) const;
  void collect(ShardData& shard, Batch& batch, std::int64_t begin) const;
  bool is_recorded(std::int64_t sample) const;
  void keep_trajectory(ShardData& shard, Batch& batch, int index, std::int64_t sample) const;

  const Ensemble& ensemble_;
  const DatasetDescription& description_;
  int threads_;
};

}  // namespace jostle
