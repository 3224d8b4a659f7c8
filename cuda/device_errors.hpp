#pragma once
// What can go wrong with a device.
#include <stdexcept>
#include <string>

namespace jostle {

/// The device that was asked for is not there.
struct DeviceAbsent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A call failed; says which one, what it was doing, and on which device.
struct DeviceFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// There are no kernels for what was asked for: in this build, or among the kinds of teams that are allowed.
struct NoSuchKernels : DeviceFailure {
  using DeviceFailure::DeviceFailure;
};

/// The device, or its pinned memory on the host, has no room.
struct DeviceOutOfMemory : DeviceFailure {
  using DeviceFailure::DeviceFailure;
};

}  // namespace jostle
