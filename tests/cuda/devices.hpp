#pragma once
// The devices that tests run on: the stand-in with its serial team, with 3 and 8 lanes, and with the teams that the
// placement asks for (dictionary in registers included); and the GPU if there is one.
#include <memory>
#include <string>
#include <vector>

#include "emulation/emulated_device.hpp"

namespace jostle::test {

struct NamedDevice {
  std::string name;
  std::unique_ptr<Device> device;
  bool emulates_lanes;  ///< so it is slow
  bool is_gpu = false;
};

/// The first GPU that the build has code for; null if there is none.
inline std::unique_ptr<Device> gpu(CudaErrors* errors = nullptr) {
  for (const DeviceInfo& each : cuda_devices())
    if (each.has_code) return open_cuda_device(each.index, errors);
  return nullptr;
}

/// Those that take whole batches through many steps in no time.
inline std::vector<NamedDevice> fast_devices() {
  std::vector<NamedDevice> all;
  all.push_back({"stand_in", std::make_unique<HostDevice>(), false});
  if (std::unique_ptr<Device> device = gpu()) all.push_back({"gpu", std::move(device), false, true});
  return all;
}

inline std::vector<NamedDevice> devices() {
  std::vector<NamedDevice> all = fast_devices();
  for (const int lanes : {3, 8, 0})
    all.push_back({"stand_in_of_" + (lanes > 0 ? std::to_string(lanes) : "what_is_asked"),
                   std::make_unique<EmulatedDevice>(lanes), true});
  return all;
}

/// Sets of kinds of teams that a device should be tried with: whatever it has; and on a GPU each that is built alone,
/// so that small problems get large teams, too.
inline std::vector<unsigned> sets_of_kinds(const NamedDevice& named) {
  std::vector<unsigned> sets = {all_team_kinds};
  for (int kind = 0; named.is_gpu && kind < team_kind_count; ++kind)
    if ((named.device->limits().team_kinds >> kind & 1) != 0) sets.push_back(1u << kind);
  return sets;
}

}  // namespace jostle::test
