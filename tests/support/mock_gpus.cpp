// The GPUs of a `jostle` for tests, linked in place of those that CUDA knows. cuda:0 is right; the others are wrong in
// the ways that a real one may be, some of them with one kind of team alone. Three variables are for tests
// of `--device auto`, which takes the first: JOSTLE_MOCK_GPU=3 lists cuda:3 alone, JOSTLE_MOCK_DRIVER=2.0 is the
// driver, JOSTLE_MOCK_CHECK_LIMIT=1000 the limit of a check in milliseconds.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <thread>

#include "cuda/device_errors.hpp"
#include "cuda/lcp_task.hpp"
#include "cuda/simulate_task.hpp"
#include "drivers/devices/device_check.hpp"
#include "emulation/host_device.hpp"

namespace jostle {
namespace {

constexpr int wrong_system = 5, wrong_step = 1;
const unsigned bad_kind = team_kinds_named("warp8");

enum class Defect { none, wrong_bit, hang, launch };

/// Has a fault in the kernels of some kinds of teams.
class FaultyDevice : public HostDevice {
 public:
  FaultyDevice(Defect defect, unsigned kinds) : defect_(defect), kinds_(kinds) {}

  void simulate(int queue, const SimulateTask& task) override {
    before(queue, task.placement.place);
    HostDevice::simulate(queue, task);
    if (defect_ == Defect::wrong_bit && is_bad(task.placement.place)) enqueue(queue, "spoil", [task] { spoil(task); });
  }

  void solve_lcps(int queue, const LcpTask& task) override {
    before(queue, task.place);
    HostDevice::solve_lcps(queue, task);
  }

 private:
  bool is_bad(const TeamPlace& place) const { return (kinds_ >> place.kind & 1) != 0; }

  void before(int queue, const TeamPlace& place) {
    if (!is_bad(place)) return;
    if (defect_ == Defect::launch)
      throw DeviceFailure(name() + ": launch of teams of " + team_kinds[place.kind].name + " failed, as it should");
    if (defect_ == Defect::hang)
      enqueue(queue, "hang", [] {
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
      });
  }

  /// From wrong_step on the last bit of the system's first velocity is set, after every launch: it is that of a fixed
  /// body, which is 0 otherwise.
  static void spoil(const SimulateTask& task) {
    if (task.count <= wrong_system) return;
    const StateView state = task.system(wrong_system).state();
    if (state.steps() >= wrong_step) state.velocity[0] = std::nextafter(0.0, 1.0);
  }

  Defect defect_;
  unsigned kinds_;
};

HostDevice::Options little_memory() {
  HostDevice::Options options;
  options.memory_bytes = 10'000;
  return options;
}

std::string driver() {
  const char* version = std::getenv("JOSTLE_MOCK_DRIVER");
  return version ? version : "1.0";
}

}  // namespace

bool built_with_cuda() { return true; }

std::vector<DeviceInfo> cuda_devices() {
  constexpr std::size_t memory = std::size_t{1} << 34;
  std::vector<DeviceInfo> gpus = {
      {0, "mock", "0.0", memory, true, driver()},           {1, "wrong", "0.0", memory, true, driver()},
      {2, "small", "0.0", 10'000, true, driver()},          {3, "hangs in warp8", "0.0", memory, true, driver()},
      {4, "fails in warp8", "0.0", memory, true, driver()}, {5, "wrong in warp8", "0.0", memory, true, driver()}};
  if (const char* only = std::getenv("JOSTLE_MOCK_GPU")) return {gpus.at(std::stoul(only))};
  return gpus;
}

std::chrono::milliseconds check_limit(const DeviceInfo&) {
  const char* limit = std::getenv("JOSTLE_MOCK_CHECK_LIMIT");
  return std::chrono::milliseconds(limit ? std::stol(limit) : 20'000);
}

std::unique_ptr<Device> open_cuda_device(int index, CudaErrors*) {
  switch (index) {
    case 0: return std::make_unique<HostDevice>();
    case 1: return std::make_unique<FaultyDevice>(Defect::wrong_bit, all_team_kinds);
    case 2: return std::make_unique<HostDevice>(little_memory());
    case 3: return std::make_unique<FaultyDevice>(Defect::hang, bad_kind);
    case 4: return std::make_unique<FaultyDevice>(Defect::launch, bad_kind);
    case 5: return std::make_unique<FaultyDevice>(Defect::wrong_bit, bad_kind);
    default: throw DeviceAbsent("there are 6 GPUs");
  }
}

}  // namespace jostle
