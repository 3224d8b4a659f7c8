#pragma once
// Numbers as constants, for loops without a counter.
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

/// f(the number) with 1 <= number <= Largest as a constant.
template <int Largest, int Least = 1, class F>
JOSTLE_HD JOSTLE_INLINE void with_constant(int number, const F& f) {
  if constexpr (Least < Largest) {
    if (number != Least) return with_constant<Largest, Least + 1>(number, f);
  }
  f(std::integral_constant<int, Least>{});
}

}  // namespace jostle
