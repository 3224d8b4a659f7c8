// The GPUs of a `jostle` for tests: cuda:0 is the stand-in, cuda:1 spoils the last bit of one number, cuda:2 has no
// room. They are linked in place of the ones that CUDA knows.
#include <cmath>

#include "cuda/device_errors.hpp"
#include "cuda/host_device.hpp"

namespace jostle {
namespace {

constexpr int wrong_system = 5, wrong_step = 10;

/// From wrong_step on, the system's first velocity is one unit in the last place beside the right one.
class WrongDevice : public HostDevice {
 public:
  void simulate(int queue, const SimulateTask& task) override {
    HostDevice::simulate(queue, task);
    enqueue(queue, "spoil", [task] {
      if (task.count <= wrong_system) return;
      const StateView state = task.system(wrong_system).state;
      if (state.steps[0] >= wrong_step) state.velocity[0] = std::nextafter(state.velocity[0], HUGE_VAL);
    });
  }
};

HostDevice::Options little_memory() {
  HostDevice::Options options;
  options.memory_bytes = 10'000;
  return options;
}

}  // namespace

bool built_with_cuda() { return true; }

std::vector<DeviceInfo> cuda_devices() {
  return {{0, "stand-in", "0.0", std::size_t{1} << 34}, {1, "wrong", "0.0", 1}, {2, "small", "0.0", 10'000}};
}

std::unique_ptr<Device> open_cuda_device(int index) {
  if (index == 0) return std::make_unique<HostDevice>();
  if (index == 1) return std::make_unique<WrongDevice>();
  if (index == 2) return std::make_unique<HostDevice>(little_memory());
  throw DeviceAbsent("there are 3 GPUs");
}

}  // namespace jostle
