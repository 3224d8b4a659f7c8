#include "cuda/device_model.hpp"

#include <type_traits>
#include <vector>

#include "core/model/model.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

DeviceModel::DeviceModel(Device& device, const Model& model) : model_(&model) {
  std::vector<std::byte> packed;
  ModelView view = model.view(0);
  model.for_each_array(view, [&](const auto& array, auto&) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(array.data());
    packed.insert(packed.end(), bytes, bytes + array.size() * sizeof array[0]);
    packed.resize(round_up_to_line(packed.size()));
  });
  memory_ = DeviceMemory(device, packed.size());
  device.upload(0, memory_.data(), packed.data(), packed.size());
  device.wait(0);
}

ModelView DeviceModel::view(const Placement& placement) const {
  ModelView view = model_->view(placement.contacts);
  view.dimensions.island_contacts = placement.island_contacts;
  std::byte* at = memory_.data();
  model_->for_each_array(view, [&](const auto& array, auto& pointer) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(at);
    at += round_up_to_line(array.size() * sizeof array[0]);
  });
  return view;
}

}  // namespace jostle
