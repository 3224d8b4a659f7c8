#pragma once
// Samples of a scenario of the library that are recorded with contacts, for tests of records.
#include <atomic>
#include <string>
#include <type_traits>
#include <vector>

#include "drivers/sweeps/simulation_producer.hpp"
#include "scenarios/reader.hpp"
#include "tests/support/library_digest.hpp"

namespace jostle::test {

struct RecordCase {
  std::string name, scenario;
  std::vector<std::string> set;
  int samples = 4;
};

class RecordedSamplesOf {
 public:
  explicit RecordedSamplesOf(const RecordCase& of) : ensemble(read_scenario(library_file(of.scenario), options(of))) {
    description = describe(ensemble);
  }

  ShardData shard(int count, const Backend& backend = threads_backend(1, 0), int batch = 3,
                  std::int64_t first = 0) const {
    static const std::atomic<bool> never = false;
    return SimulationProducer(ensemble, description, backend, batch).produce(first, count, {}, never).value();
  }

  const Ensemble ensemble;
  DatasetDescription description;

 private:
  static ReadOptions options(const RecordCase& of) {
    ReadOptions read;
    read.set = {"record.trajectories=all", "record.contacts=true", "record.stride=1"};
    read.set.insert(read.set.end(), of.set.begin(), of.set.end());
    return read;
  }
};

/// A description whose shards have few samples, because it says that they have many contacts and large LCPs.
inline DatasetDescription of_small_shards(DatasetDescription description) {
  while (samples_per_shard(description) > 4) description.record.usual_rows *= 2, description.record.usual_lcp *= 2;
  return description;
}

/// The numbers of records get the values that files have of them.
inline void round_records(const DatasetDescription& description, ShardData& shard) {
  const auto round = [&](auto& values) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(values[0])>, double>)
      for (double& value : values) {
        if (description.record.single) value = static_cast<double>(static_cast<float>(value));
        value = canonical(value);
      }
  };
  const auto round_column = [&](const RecordColumn&, auto& values) { round(values); };
  round(shard.trajectories.q), round(shard.trajectories.v);
  for_each_step_column(description.record.quantities, static_cast<int>(description.bodies.size()), shard.step_records,
                       round_column);
  for_each_contact_column(shard.contacts, round_column);
  for_each_lcp_column(shard.lcps, round_column);
  round(shard.lcps.matrix);
}

}  // namespace jostle::test
