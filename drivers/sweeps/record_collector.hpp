#pragma once
// Memory for the steps and contacts of a batch, and their way into a shard.
#include <memory>
#include <vector>

#include "core/batch/batch.hpp"
#include "drivers/datasets/dataset.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

/// Adds to the settings what the records of the scenario need besides states.
void describe_step_records(const Scenario& scenario, RecordSettings& settings);

/// Of systems that a batch records; add them in the order of their samples.
class RecordCollector {
 public:
  explicit RecordCollector(const RecordSettings& settings) : settings_(settings) {}

  /// The batch must not outlive this. Does nothing if the dataset has states alone.
  void add(Batch& batch, int index);
  /// Appends what the systems have recorded.
  void collect(Batch& batch, ShardData& shard) const;

 private:
  struct Recorded {
    int index;
    std::unique_ptr<RecordMemory> memory;
  };
  int valid_entries(Batch& batch, int index) const;
  void collect_steps(const Recorded& recorded, int valid, ShardData& shard) const;
  void collect_contacts(const Recorded& recorded, int valid, ShardData& shard) const;
  void collect_parameters(Batch& batch, int index, ShardData& shard) const;

  const RecordSettings& settings_;
  std::vector<Recorded> recorded_;
};

}  // namespace jostle
