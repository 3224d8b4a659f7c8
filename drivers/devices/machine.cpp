#include "drivers/devices/machine.hpp"

#include <omp.h>

#include <utility>
#include <vector>

#include "cuda/device.hpp"
#include "drivers/errors.hpp"
#include "drivers/parallel.hpp"
#include "drivers/text.hpp"
#include "emulation/host_device.hpp"
#include "scenarios/text/number.hpp"

namespace jostle {

Machine::Machine(int threads) : threads_(threads) { check_threads(threads); }

Machine::Machine(std::unique_ptr<Device> gpu, int threads) : threads_(threads), gpu_(std::move(gpu)) {
  check_threads(threads);
}

std::optional<DeviceInfo> gpu_of(int process) {
  std::vector<DeviceInfo> gpus = cuda_devices();
  std::erase_if(gpus, [](const DeviceInfo& gpu) { return !gpu.has_code; });
  if (gpus.empty()) return std::nullopt;
  return std::move(gpus[static_cast<std::size_t>(process) % gpus.size()]);
}

std::optional<DeviceInfo> first_gpu() { return gpu_of(0); }

Machine Machine::named(const std::string& name, int threads) {
  if (name == "cpu") return Machine(threads);
  if (name == "auto") {
    const std::optional<DeviceInfo> gpu = first_gpu();
    return gpu ? Machine(open_cuda_device(gpu->index), threads) : Machine(threads);
  }
  if (name == "cuda") return Machine(open_cuda_device(0), threads);
  if (name == "emulated") return Machine(std::make_unique<HostDevice>(), threads);
  const auto index = name.starts_with("cuda:") ? parsed<int>(name.substr(5)) : std::nullopt;
  if (!index || *index < 0)
    throw UsageError("expected auto, cpu, cuda or cuda:i with i = 0, 1, ..., not '" + name + "'");
  return Machine(open_cuda_device(*index), threads);
}

int Machine::threads() const { return threads_ > 0 ? threads_ : omp_get_max_threads(); }

std::string Machine::name() const { return gpu_ ? gpu_->name() : counted(threads(), "thread"); }

Backend Machine::backend(const Model& model) const {
  return gpu_ ? device_backend(*gpu_, model) : threads_backend(threads_, 0);
}

}  // namespace jostle
