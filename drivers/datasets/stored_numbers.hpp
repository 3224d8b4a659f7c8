#pragma once
// Numbers as files have them: every NaN is the same, and those of type f4 are rounded.
#include <cstddef>
#include <span>

#include "core/math/bits.hpp"

namespace jostle {

/// `to`: as many float or double.
template <class Stored>
void store(std::span<const double> from, Stored* to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<Stored>(canonical(from[i]));
}

}  // namespace jostle
