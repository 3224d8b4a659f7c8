#pragma once
// The devices that tests run on: the stand-in with its serial team, with 3 and 8 lanes, and with the teams that the
// placement asks for (dictionary in registers included); and the GPU if there is one.
#include <memory>
#include <string>
#include <vector>

#include "cuda/host_device.hpp"

namespace jostle::test {

struct NamedDevice {
  std::string name;
  std::unique_ptr<Device> device;
  bool emulates_lanes;  ///< so it is slow
};

inline std::vector<NamedDevice> devices() {
  std::vector<NamedDevice> all;
  for (const int lanes : {1, 3, 8, 0}) {
    HostDevice::Options options;
    options.lanes = lanes;
    all.push_back({"stand_in_of_" + (lanes > 0 ? std::to_string(lanes) : "what_is_asked"),
                   std::make_unique<HostDevice>(options), lanes != 1});
  }
  if (!cuda_devices().empty()) all.push_back({"gpu", open_cuda_device(0), false});
  return all;
}

}  // namespace jostle::test
