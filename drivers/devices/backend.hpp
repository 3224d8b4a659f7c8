#pragma once
// The ways to simulate systems. All of them give bit-identical results.
#include <atomic>
#include <functional>
#include <string>

#include "core/batch/batch.hpp"

namespace jostle {

class Device;
struct DeviceOptions;

/// Steps of a system between two looks at whether to stop; results do not depend on where it pauses.
inline constexpr int steps_at_once = 1000;

struct Backend {
  std::string name;
  int batch_size = 0;  ///< systems that are simulated together; 0: all
  /// Advances every system of the batch to `last_step`. False if `stop`, which may be null, was set before all were
  /// there.
  std::function<bool(Batch& batch, int last_step, const std::atomic<bool>* stop)> run;
  /// The same for a batch of one system, observing every step.
  std::function<void(Batch& batch, int last_step, const StepObserver& observe)> run_observed;
};

/// The OpenMP backend; threads 0: all.
Backend threads_backend(int threads, int batch_size);

/// A team of `lanes` executes every stage, as on a GPU, but emulated on one thread: some thousand times slower.
Backend lanes_backend(int lanes);

/// A device. It and the model must outlive the backend. `chunk`: systems that are on it at the same time; 0: as
/// many as it has room for.
/// Its first run throws NoSuchKernels if the device has no code for the model.
Backend device_backend(Device& device, const Model& model, int chunk = 0);
Backend device_backend(Device& device, const Model& model, const DeviceOptions& options);  ///< cuda/device_batch.hpp

}  // namespace jostle
