#pragma once
// Samples of a scenario of the library that are recorded with contacts, for tests of records.
#include <atomic>
#include <string>
#include <vector>

#include "drivers/sweeps/simulation_producer.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/support/library_digest.hpp"

namespace jostle::test {

/// Nothing stops a producer of these tests.
inline const std::atomic<bool> never = false;

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

inline std::vector<double> numbers_of(const RealArray& values) {
  std::vector<double> numbers(values.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = values[i];
  return numbers;
}

}  // namespace jostle::test
