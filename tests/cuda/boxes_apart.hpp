#pragma once
// Boxes that are stepped apart, and put back, in the memory of a device and on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/device_batch.hpp"
#include "tests/cuda/boxes.hpp"

namespace jostle::test {

using Mask = std::vector<std::uint8_t>;

/// The boxes on a device and on the CPU.
class BoxesApart {
 public:
  explicit BoxesApart(Device& device)
      : device_(device),
        here_(boxes_with(mixed)),
        there_(boxes_with(mixed)),
        resident_(device, boxes().model(), there_.size(), 0, {.first_contacts = 1}) {
    resident_.upload(there_, 0, there_.size());
  }

  /// Empty: all.
  void step(int count, const Mask& where) {
    step_here(count, where);
    resident_.step_each(count, on_device(where), box_steps);
  }
  void restart(const Mask& where) {
    restart_here(where);
    resident_.restart(on_device(where));
  }
  void step_here(int count, const Mask& where) {
    WorkspaceMemory memory(boxes().model(), 0);
    for (int i = 0; i < here_.size(); ++i)  // those that stay where they are begin all the same
      run_system(here_, i, std::min(here_.state(i).steps() + (has(where, i) ? count : 0), box_steps), memory);
  }
  void restart_here(const Mask& where) {
    Batch fresh = boxes_with(mixed);
    WorkspaceMemory memory(boxes().model(), 0);
    const std::size_t bytes = boxes().model().view(0).state_layout.bytes;
    for (int i = 0; i < here_.size(); ++i) {
      if (!has(where, i)) continue;
      run_system(fresh, i, 0, memory);
      std::memcpy(here_.state_memory(i), fresh.state_memory(i), bytes);
    }
  }
  void expect_equal(const std::string& when) {
    resident_.download();
    resident_.store();
    EXPECT_EQ(digests(there_), digests(here_)) << when;
    EXPECT_EQ(statuses(there_), statuses(here_)) << when;
  }
  bool step_on_device(int count) { return resident_.step_each(count, nullptr, box_steps); }
  DeviceBatch& resident() { return resident_; }
  const std::uint8_t* on_device(const Mask& where) {
    if (where.empty()) return nullptr;
    mask_.reserve(device_, where.size());
    device_.upload(0, mask_.data(), where.data(), where.size());
    device_.wait(0);
    return mask_.as<std::uint8_t>();
  }

 private:
  static bool has(const Mask& where, int i) { return where.empty() || where[static_cast<std::size_t>(i)] != 0; }

  Device& device_;
  Batch here_, there_;
  DeviceMemory mask_;
  DeviceBatch resident_;
};

inline const Mask first_mask = {1, 1, 1, 1, 0, 0, 0, 0, 0, 1}, second_mask = {0, 1, 0, 0, 1, 1, 1, 0, 1, 1};

}  // namespace jostle::test
