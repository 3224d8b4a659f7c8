#pragma once
// Numbers as files have them: every NaN is the same, and those of type f4 are rounded.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/math/bits.hpp"

namespace jostle {

/// The one NaN that is ever written (x86 and CUDA make different ones).
inline constexpr double undefined_value = std::bit_cast<double>(std::uint64_t{0x7FF8000000000000});

/// What stands where a record has no number.
template <class Number>
constexpr Number undefined_number() {
  if constexpr (std::is_floating_point_v<Number>)
    return static_cast<Number>(undefined_value);
  else
    return static_cast<Number>(-1);
}

template <class Stored, class Number>
Stored stored(Number x) {
  if constexpr (std::is_floating_point_v<Number>) {
    const auto rounded = static_cast<Stored>(x);                       // first: then loops are taken by vectors
    return rounded == rounded ? rounded : undefined_number<Stored>();  // NOLINT(misc-redundant-expression): not NaN
  } else {
    return x;
  }
}

/// `to`: as many numbers.
template <class Number, class Stored>
void store(std::span<const Number> from, Stored* to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = stored<Stored>(from[i]);
}

/// Of entries with `Each` numbers of `all` bodies, those of `bodies`.
template <std::size_t Each, class Number, class Stored>
void store_bodies(std::span<const Number> from, std::size_t all, std::span<const int> bodies, Stored* to) {
  for (std::size_t entry = 0; entry < from.size(); entry += Each * all)
    for (const int body : bodies) {
      const Number* const own = from.data() + entry + Each * static_cast<std::size_t>(body);
      for (std::size_t k = 0; k < Each; ++k) to[k] = stored<Stored>(own[k]);
      to += Each;
    }
}

}  // namespace jostle
