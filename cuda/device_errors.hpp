#pragma once
// What can go wrong with a device.
#include <stdexcept>
#include <string>

namespace jostle {

/// The requested device is not there.
struct DeviceAbsent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A call failed; says which one, what it was doing, and on which device.
struct DeviceFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// There are no kernels for the request: in this build, or among the allowed kinds of teams.
struct NoSuchKernels : DeviceFailure {
  using DeviceFailure::DeviceFailure;
};

/// The device, or its pinned memory on the host, has no room.
struct DeviceOutOfMemory : DeviceFailure {
  using DeviceFailure::DeviceFailure;
};

}  // namespace jostle
