#pragma once
// The order in which teams take the systems of a launch. Teams of a block take their steps together, so a step
// costs all of them what it costs the slowest: systems whose steps cost alike should follow each other. No bit of a
// result depends on the order.
#include "core/model/system.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// What a step cost, below 2^24 - 2: most if Lemke's method was needed, which is often needed again in the next step;
/// then if modes were corrected; then by the blocks of its largest island, whose solve takes the longest; and then by
/// all contacts.
JOSTLE_HD inline std::uint32_t cost_of(const StepResult& result) {
  constexpr int bits = 11, most = (1 << bits) - 2;
  const auto bounded = [](int n) { return static_cast<std::uint32_t>(n < most ? n : most); };
  const std::uint32_t way = (result.pivoted > 0 ? 2u : 0u) + (result.corrected > 0 ? 1u : 0u);
  return (((way << bits) + bounded(result.largest_island)) << bits) + bounded(result.contacts);
}

/// The key that systems are sorted by: placement after placement, in each of them the costliest step first (a launch
/// ends sooner if what takes long begins early), and at the end the systems that have no step to make. Equal keys stay
/// in ascending order of the numbers, which is that of memory.
struct OrderKey {
  const std::uint8_t* placements = nullptr;  ///< [system]
  const std::uint32_t* costs = nullptr;      ///< [system] cost_of the last step that was computed
  StateLayout layout;
  std::byte* states = nullptr;      ///< [system] layout.bytes
  bool every_step = false;          ///< as in ModelView
  int last_step = 0;                ///< up to which steps are made
  int stop_outcome = -1;            ///< as in ModelView
  const int* last_steps = nullptr;  ///< [system] in place of last_step, or null

  static constexpr std::uint32_t left_out = 0xFFFFFFFF;  ///< of a system that has ended, or has made its last step
  static constexpr int cost_bits = 24;

  /// The least key of a placement.
  JOSTLE_HD static std::uint32_t first_of(int placement) { return static_cast<std::uint32_t>(placement) << cost_bits; }

  /// What the next step costs, judged by the last one: 0 if it repeats that one.
  JOSTLE_HD std::uint32_t cost(int number, const StateView& state) const {
    return state.resting() != 0 && !every_step ? 0 : 1 + costs[number];
  }

  JOSTLE_HD std::uint32_t operator()(int number) const {
    const int last = last_steps ? last_steps[number] : last_step;
    const StateView state = state_view(layout, states + static_cast<std::size_t>(number) * layout.bytes);
    const auto status = static_cast<Status>(state.status());
    const bool has_ended =
        has_begun(status) && (status != Status::ok || state.steps() >= last || has_stopped(stop_outcome, state));
    if (has_ended) return left_out;
    return first_of(placements[number] + 1) - 1 - cost(number, state);
  }
};

/// Systems in this order, in the memory of a device.
struct SystemOrder {
  int count = 0;                  ///< systems
  int placements = 0;             ///< their placements are below this
  int* numbers = nullptr;         ///< [count] sorted by key
  std::uint32_t* keys = nullptr;  ///< [count] sorted
  int* starts = nullptr;          ///< [placements + 1] where each placement begins, and the systems that are left out
};

}  // namespace jostle
