// DeviceBatch: what its working memory has after a step.
#include <vector>

#include "cuda/device_batch.hpp"

namespace jostle {
namespace {

template <class T>
void copy_field(int extent, const T& from, T& to) {
  if (extent > 0) to = from;
}
void copy_field(int extent, const auto& from, const auto& to) {
  for (int i = 0; i < extent; ++i) to[i] = from[i];
}

/// Copies to a workspace whose elements are contiguous.
void copy_workspace(const Dimensions& d, const WorkspaceView<AllSystems, many_alternating>& from, const Workspace& to) {
#define JOSTLE_COPY(type, name, extent, memory, unit, writers, readers, meaning) \
  copy_field(static_cast<int>(extent), from.name(), to.name());
  JOSTLE_WORKSPACE(JOSTLE_COPY)
#undef JOSTLE_COPY
}

}  // namespace

void DeviceBatch::observe(const std::function<void(const Workspace&, const StepResult&)>& observe) {
  std::vector<std::byte> memory(last_task_.memory_bytes());
  StepResult result;
  device_.download(queue_, memory.data(), last_task_.memory, memory.size());
  device_.download(queue_, &result, last_task_.results, sizeof result);
  device_.wait(queue_);
  SimulateTask on_host = last_task_;
  on_host.memory = memory.data();
  if (on_host.layout.alternating == 1) return observe(on_host.workspace<1>(0, nullptr), result);
  const Dimensions& d = on_host.model.dimensions;
  const WorkspaceLayout layout(d);
  std::vector<std::byte> copy(layout.near + layout.cells + layout.far);
  const Workspace work(layout, copy.data(), copy.data() + layout.near, copy.data() + layout.near + layout.cells);
  copy_workspace(d, on_host.workspace<many_alternating>(0, nullptr), work);
  observe(work, result);
}

void run_observed(Device& device, Batch& batch, int last_step, const StepObserver& observe) {
  DeviceOptions options;
  options.observed = true;
  DeviceBatch on_device(device, batch.model(), 1, 0, options);
  on_device.upload(batch, 0, 1);
  const ModelView view = batch.model().view(0);
  const System system = batch.system(view, 0);
  const auto step_to = [&](int step) {
    on_device.step(step);
    on_device.download();
    on_device.store();
  };
  if (!has_begun(batch.status(0))) step_to(0);
  while (has_step_left(system, last_step)) {
    step_to(system.state().steps() + 1);
    if (batch.status(0) == Status::capacity) break;  // a step that no placement has room for is not made
    on_device.observe([&](const Workspace& work, const StepResult& result) { observe(system, work, result); });
  }
}

}  // namespace jostle
