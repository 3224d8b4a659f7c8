#pragma once
// What happens to all systems of a batch in the memory of a device, beside their steps: functions of their numbers.
#include "core/model/system.hpp"

namespace jostle {

/// [system] of a mask in the memory of a device; null: all.
struct SystemMask {
  const std::uint8_t* where = nullptr;
  JOSTLE_HD bool has(int number) const { return !where || where[number] != 0; }
};

/// Writes the step up to which each system goes: `count` further than it is, at most to `final_step`; a system that is
/// not in the mask stays where it is.
struct StepTargets {
  StateLayout layout;
  std::byte* states = nullptr;  ///< [system] layout.bytes
  SystemMask mask;
  int count = 0, final_step = 0;
  int* last_steps = nullptr;  ///< [system]

  JOSTLE_HD void operator()(int number) const {
    const int made = state_view(layout, states + static_cast<std::size_t>(number) * layout.bytes).steps();
    const int further = final_step - made < count ? final_step - made : count;
    last_steps[number] = mask.has(number) && further > 0 ? made + further : made;
  }
};

/// Puts systems of the mask back: they will load their parameters from their variables, and begin, as in a new batch.
struct Restart {
  StateLayout layout;
  std::byte* states = nullptr;  ///< [system] layout.bytes
  SystemMask mask;

  JOSTLE_HD void operator()(int number) const {
    if (!mask.has(number)) return;
    std::byte* const memory = states + static_cast<std::size_t>(number) * layout.bytes;
    for (std::size_t i = 0; i < layout.bytes; ++i) memory[i] = std::byte{0};
    state_view(layout, memory).status() = static_cast<int>(Status::not_loaded);
  }
};

}  // namespace jostle
