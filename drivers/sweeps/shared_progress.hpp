#pragma once
// The progress of a sweep, of which every rank tells its part and rank 0 all.
#include <chrono>

#include "drivers/ranks/ranks.hpp"
#include "drivers/sweeps/graceful_stop.hpp"
#include "drivers/sweeps/sweep.hpp"

namespace jostle {

class SharedProgress {
 public:
  /// `total`: samples of all ranks. `stop` is asked where another rank was.
  SharedProgress(const SweepOptions& options, std::int64_t total, Ranks& ranks, GracefulStop& stop)
      : options_(options), total_(total), ranks_(ranks), stop_(stop) {}

  /// Of finished shards.
  void add_done(std::int64_t samples);
  void add_simulated(const DatasetDescription& description, const ShardData& shard);
  /// The shard at work has come so far.
  void tell(const ProductionProgress& live);
  /// This rank has nothing left to do; returns once none has.
  void rest();

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  void share(const ProductionProgress& live);

  const SweepOptions& options_;
  std::int64_t total_;
  Ranks& ranks_;
  GracefulStop& stop_;
  const Clock::time_point begin_ = Clock::now();
  SharedCounts finished_, told_;  ///< of this rank: of its finished shards; what the others know
  double told_at_ = 0;            ///< s
};

}  // namespace jostle
