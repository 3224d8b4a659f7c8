// In a source of its own, so that a program can be linked with another limit.
#include "drivers/devices/device_check.hpp"

namespace jostle {

std::chrono::milliseconds check_limit(const DeviceInfo& gpu) {
  return gpu.compiles_first ? std::chrono::minutes(10) : std::chrono::seconds(20);
}

}  // namespace jostle
