#pragma once
// Batches for tests of devices.
#include <vector>

#include "scenarios/ensemble.hpp"

namespace jostle {

/// Samples of an ensemble, from `first` on.
inline Batch loaded(const Ensemble& ensemble, int count, int first = 0) {
  Batch batch(ensemble.model(), count);
  for (int i = 0; i < count; ++i) ensemble.load(first + i, batch, i);
  return batch;
}

/// The same, but parameters have yet to follow from the variables.
inline Batch drawn(const Ensemble& ensemble, int count, int first = 0) {
  Batch batch(ensemble.model(), count);
  for (int i = 0; i < count; ++i) ensemble.draw(first + i, batch, i);
  return batch;
}

inline std::vector<Status> statuses(Batch& batch) {
  std::vector<Status> all;
  for (int i = 0; i < batch.size(); ++i) all.push_back(batch.status(i));
  return all;
}

/// Of the state of every system.
inline std::vector<std::uint64_t> digests(Batch& batch) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < batch.size(); ++i) all.push_back(state_digest(batch, i));
  return all;
}

}  // namespace jostle
