#pragma once
// Owners of a device's memory and of pinned memory of the host.
#include <utility>

#include "cuda/device.hpp"
#include "cuda/device_errors.hpp"

namespace jostle {

template <std::byte* (Device::*Allocate)(std::size_t), void (Device::*Release)(std::byte*) noexcept>
class OwnedMemory {
 public:
  OwnedMemory() = default;
  OwnedMemory(Device& device, std::size_t bytes)
      : device_(&device), data_(bytes > 0 ? (device.*Allocate)(bytes) : nullptr), bytes_(bytes) {}
  OwnedMemory(OwnedMemory&& other) noexcept { swap(other); }
  OwnedMemory& operator=(OwnedMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  OwnedMemory(const OwnedMemory&) = delete;
  OwnedMemory& operator=(const OwnedMemory&) = delete;
  ~OwnedMemory() {
    if (data_) (device_->*Release)(data_);
  }

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }
  /// Holds at least `bytes`; if it must grow, its contents are lost. Nothing may still be using it.
  void reserve(Device& device, std::size_t bytes) {
    if (bytes <= bytes_) return;
    *this = OwnedMemory();
    OwnedMemory grown(device, bytes);
    swap(grown);
  }

 private:
  void swap(OwnedMemory& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

  Device* device_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Waits for a queue when it is destroyed, whatever the reason: data being copied must outlive the copy. The call that
/// failed has already reported its failure.
class QueueEnd {
 public:
  QueueEnd(Device& device, int queue) : device_(device), queue_(queue) {}
  QueueEnd(const QueueEnd&) = delete;
  QueueEnd& operator=(const QueueEnd&) = delete;
  ~QueueEnd() {
    try {
      device_.wait(queue_);
    } catch (const DeviceFailure&) {
    }
  }

 private:
  Device& device_;
  int queue_;
};

using DeviceMemory = OwnedMemory<&Device::allocate, &Device::release>;
using PinnedMemory = OwnedMemory<&Device::allocate_pinned, &Device::release_pinned>;

}  // namespace jostle
