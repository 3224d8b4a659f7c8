#pragma once
// The ways to take systems through their steps. All of them give the same bits.
#include <functional>
#include <string>

#include "core/batch/batch.hpp"

namespace jostle {

using StepObserver = std::function<void(const System&, const Workspace&, const StepResult&)>;

struct Backend {
  std::string name;
  int batch_size = 0;  ///< systems that are simulated together; 0: as many as there are
  /// Takes every system of the batch from where it stands to `last_step`. An observer, which may be empty, is called
  /// after every step; only batches of one system are observed.
  std::function<void(Batch& batch, int last_step, const StepObserver& observe)> run;
};

/// The OpenMP backend; threads 0: all.
Backend threads_backend(int threads, int batch_size);

/// Every stage run by a team of `lanes`, as on a GPU, but emulated on one thread: some thousand times slower.
Backend lanes_backend(int lanes);

}  // namespace jostle
