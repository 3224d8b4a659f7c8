#include "drivers/devices/backend.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <memory>

#include "cuda/device_runner.hpp"
#include "emulation/lanes.hpp"

namespace jostle {
namespace {

bool run_on_threads(Batch& batch, int last_step, int threads, const std::atomic<bool>* stop) {
  RunOptions options;
  options.threads = threads;
  options.stop = stop;
  int step = 0;
  do {
    step += std::min(steps_at_once, last_step - step);
    if (!run_batch(batch, step, options)) return false;
  } while (step < last_step);
  return true;
}

void run_by_lanes(int lanes, Batch& batch, int last_step, const StepObserver& observe) {
  const auto simulate = [lanes](const System& system, const Workspace& work, int last, const StepObserver& watch) {
    return simulate_by_lanes(lanes, system, work, last, watch);
  };
  WorkspaceMemory memory(batch.model(), 0);
  for (int i = 0; i < batch.size(); ++i) run_system_by(simulate, batch, i, last_step, memory, observe);
}

Backend backend_of(Device& device, const std::shared_ptr<DeviceRunner>& runner) {
  return {device.name(), 0,
          [runner](Batch& batch, int last_step, const std::atomic<bool>* stop) {
            return runner->run(batch, last_step, stop);
          },
          [&device](Batch& batch, int last_step, const StepObserver& observe) {
            run_observed(device, batch, last_step, observe);
          }};
}

}  // namespace

Backend threads_backend(int threads, int batch_size) {
  if (threads <= 0) threads = omp_get_max_threads();
  const std::string batches = batch_size > 0 ? fmt::format("batches of {}", batch_size) : "one batch";
  return {fmt::format("{} thread{}, {}", threads, threads == 1 ? "" : "s", batches), batch_size,
          [threads](Batch& batch, int last_step, const std::atomic<bool>* stop) {
            return run_on_threads(batch, last_step, threads, stop);
          },
          [](Batch& batch, int last_step, const StepObserver& observe) {
            WorkspaceMemory memory(batch.model(), 0);
            run_system(batch, 0, last_step, memory, observe);
          }};
}

Backend lanes_backend(int lanes) {
  return {fmt::format("emulated team of {} lanes", lanes), 1,
          [lanes](Batch& batch, int last_step, const std::atomic<bool>*) {
            run_by_lanes(lanes, batch, last_step, {});
            return true;
          },
          [lanes](Batch& batch, int last_step, const StepObserver& observe) {
            run_by_lanes(lanes, batch, last_step, observe);
          }};
}

Backend device_backend(Device& device, const Model& model, int chunk) {
  return backend_of(device, std::make_shared<DeviceRunner>(device, model, chunk));
}

Backend device_backend(Device& device, const Model& model, const DeviceOptions& options) {
  return backend_of(device, std::make_shared<DeviceRunner>(device, model, 0, options));
}

}  // namespace jostle
