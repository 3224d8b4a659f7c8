#pragma once
#include "cuda/device_memory.hpp"
#include "cuda/placement.hpp"

namespace jostle {

/// The structure of a model in the memory of a device.
class DeviceModel {
 public:
  DeviceModel(Device& device, const Model& model);
  /// Points into the device.
  ModelView view(const Placement& placement) const;

 private:
  const Model* model_;
  DeviceMemory memory_;
};

}  // namespace jostle
