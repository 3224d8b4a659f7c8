#pragma once
// Elements in memory at a fixed distance from each other.
#include <cstddef>

#include "core/config.hpp"

namespace jostle {

/// Elements that are `Step` apart; 1: contiguous.
template <class T, int Step = 1>
struct Span {
  T* data = nullptr;
  JOSTLE_HD T& operator[](int i) const { return data[static_cast<std::ptrdiff_t>(i) * Step]; }
  JOSTLE_HD Span from(int i) const { return {data + static_cast<std::ptrdiff_t>(i) * Step}; }
};

/// Elements that f(i) computes.
template <class F>
struct Computed {
  F f;
  JOSTLE_HD auto operator[](int i) const { return f(i); }
};
template <class F>
Computed(F) -> Computed<F>;

}  // namespace jostle
