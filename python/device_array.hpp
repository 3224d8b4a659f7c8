#pragma once
// Arrays in the memory of a device, by DLPack.
#include <memory>

#include "cuda/device.hpp"
#include "python/module.hpp"

namespace jostle::python {

using DeviceArray = nb::ndarray<nb::ro>;

inline bool is_contiguous(const DeviceArray& array) {
  std::int64_t expected = 1;
  for (std::size_t k = array.ndim(); k-- > 0;) {
    if (array.shape(k) != 1 && array.stride(k) != expected) return false;
    expected *= static_cast<std::int64_t>(array.shape(k));
  }
  return true;
}

/// A view of memory of a device, which keeps `keep`. `strides` in elements, null: contiguous.
template <class Keep, class Shape>
nb::object device_view(void* first, nb::dlpack::dtype type, const Shape& shape, const std::shared_ptr<Keep>& keep,
                       const Device::Place& place, const std::int64_t* strides = nullptr) {
  const nb::capsule owner(new std::shared_ptr<Keep>(keep),
                          [](void* kept) noexcept { delete static_cast<std::shared_ptr<Keep>*>(kept); });
  return nb::cast(
      nb::ndarray<nb::array_api>(first, shape.size(), std::data(shape), owner, strides, type, place.type, place.index));
}

}  // namespace jostle::python
