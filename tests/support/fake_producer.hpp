#pragma once
// A producer whose samples are closed formulas of their numbers, to test what drives a real one.
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "drivers/datasets/dataset.hpp"

namespace jostle::test {

/// Two variables, one outcome of each kind, two bodies, `times` recorded instants.
DatasetDescription fake_description(RecordSettings::Which which = RecordSettings::Which::none,
                                    std::int64_t trajectories = 0, int times = 3);

/// What FakeProducer makes of samples first .. first+count-1:
///   lies = 1 where sample % 4 != 0; rest_x = sample / 8; hit = sample % 10 s, never where sample % 3 == 0;
///   every 100th sample (from 50) has status ray and undefined outcomes, and is a recorded failure.
ShardData fake_shard(const DatasetDescription& description, std::int64_t first, std::int64_t count);

class FakeProducer : public ShardProducer {
 public:
  explicit FakeProducer(DatasetDescription description) : description_(std::move(description)) {}
  std::optional<ShardData> produce(std::int64_t first, std::int64_t count,
                                   const std::function<void(const ProductionProgress&)>& progress,
                                   const std::atomic<bool>& stop) override;

  std::vector<std::int64_t> produced;  ///< first samples of the ranges asked for
  /// Called at the beginning of every range, with the flag that stops the producer; may be empty.
  std::function<void(const std::atomic<bool>& stop)> before;

 private:
  DatasetDescription description_;
};

}  // namespace jostle::test
