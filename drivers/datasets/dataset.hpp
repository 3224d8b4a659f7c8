#pragma once
// What a sweep produces, independent of who produces it and how it is stored.
//
// A dataset is n samples, cut into shards of a fixed number of samples. A shard is a pure function of
// (description, first, count): no time, host, thread or device is in it.
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/math/bits.hpp"
#include "core/records/summary.hpp"
#include "core/status.hpp"
#include "drivers/datasets/description.hpp"
#include "drivers/datasets/step_records.hpp"
#include "drivers/files/stored_numbers.hpp"

namespace jostle {

/// The value of an outcome, as all results have it: undefined in an invalid sample, or where it is not finite (1/0).
constexpr double outcome_value(Status status, double value) {
  return status == Status::ok && is_finite(value) ? value : undefined_value;
}

/// Trajectories of the recorded samples of a shard, in the order of their numbers.
struct Trajectories {
  Trajectories() = default;
  explicit Trajectories(bool single) : q(single), v(single) {}

  std::vector<std::int64_t> sample;       ///< [recorded] sample numbers
  std::vector<std::int32_t> valid_steps;  ///< [recorded] steps taken; q and v are NaN at later times
  RealArray q;                            ///< [recorded, time, body, 7] m and quaternion: x y z, w x y z; world
  RealArray v;                            ///< [recorded, time, body, 6] m/s and rad/s: linear, angular; world
};

/// Samples first .. first+count-1.
struct ShardData {
  std::int64_t first = 0, count = 0;
  std::vector<std::vector<double>> variables;  ///< [variable][sample]
  std::vector<std::vector<double>> outcomes;   ///< [outcome][sample]; truth 1 or 0; undefined: NaN
  // [sample] status, steps, ...
#define JOSTLE_MEMBER(type, name, unit, description, value) std::vector<type> name;
  JOSTLE_SUMMARY_COLUMNS(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  Trajectories trajectories;
  StepRecords step_records;  ///< of the samples of `trajectories`
  ContactRecords contacts;
  LcpRecords lcps;
  /// [parameter] of these samples, [recorded, extent]; empty if it does not vary.
  std::vector<RealArray> parameters;
};

/// Index of the first outcome that is true or false, -1 if there is none.
int first_truth(const DatasetDescription& description);

/// Sizes every column of the summary for the description. Records are empty, in its precision.
ShardData make_shard(const DatasetDescription& description, std::int64_t first, std::int64_t count);

/// The progress that a producer reports.
struct ProductionProgress {
  std::int64_t samples = 0;     ///< finished
  std::int64_t invalid = 0;     ///< of these, with a status other than ok
  std::int64_t true_count = 0;  ///< of the others, those where the first truth-valued outcome holds
};

/// Simulates samples: the batch on a CPU or a GPU, or a fake one in tests.
class ShardProducer {
 public:
  virtual ~ShardProducer() = default;
  /// Simulates samples first .. first+count-1. The data must not depend on how a range is divided.
  /// Checks `stop` now and then and returns nothing once it is set. `progress` may be empty; it is
  /// called from the calling thread.
  virtual std::optional<ShardData> produce(std::int64_t first, std::int64_t count,
                                           const std::function<void(const ProductionProgress&)>& progress,
                                           const std::atomic<bool>& stop) = 0;
  /// What is wrong with a sample that has this status, as far as its numbers tell; empty if they do not.
  virtual std::string reason(std::int64_t /*sample*/, Status /*status*/) const { return {}; }
  /// Takes a shard that is no longer needed, so that the next one may have its memory: new memory must be cleared
  /// first.
  virtual void reuse(ShardData&&) {}
};

/// Samples of a shard: 16,384, or the largest power of two whose records stay below 1 GiB. A function of the
/// description alone. With record.trajectories: N, a list or the first N of a condition a shard holds at most N
/// trajectories, so the bound is on min(N, samples); with failures every sample may be one, so it is on all samples.
std::int64_t samples_per_shard(const DatasetDescription& description);

/// A shard's place in a dataset.
struct ShardRange {
  std::int64_t index = 0, first = 0, count = 0;
};
/// The shards of samples [0, n); the last one may be partial.
std::vector<ShardRange> shard_ranges(const DatasetDescription& description, std::int64_t n);
/// Samples in all ranges together.
std::int64_t samples_of(std::span<const ShardRange> ranges);

/// Bytes of one recorded sample: q and v, its steps, and the usual number of contacts and size of LCPs.
std::int64_t trajectory_bytes(const DatasetDescription& description);
/// Bytes of the states of one recorded sample that wait in the form in which they are simulated, with all bodies and in
/// double precision, until its batch ends; 0: they have the form of the shard.
std::int64_t waiting_states_bytes(const DatasetDescription& description);
/// Bytes of a shard of so many samples, of which some are recorded.
std::int64_t shard_bytes(const DatasetDescription& description, std::int64_t samples, std::int64_t recorded);

}  // namespace jostle
