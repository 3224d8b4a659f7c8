#pragma once
// Loops whose index is a constant.
#include <type_traits>
#include <utility>

#include "core/config.hpp"

namespace jostle {

/// f(0_c), f(1_c), ... one after the other, each with its own constant: arrays indexed by these can stay in registers.
template <int Count, class F>
JOSTLE_HD JOSTLE_INLINE constexpr void unrolled(F f) {
  [&]<int... Index>(std::integer_sequence<int, Index...>) { (f(std::integral_constant<int, Index>{}), ...); }
  (std::make_integer_sequence<int, Count>{});
}

}  // namespace jostle
