#pragma once
// What the tables of times share.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace jostle {

/// Wall time of call().
double microseconds_of(const auto& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/// Of at least one value; of an even number, the upper of the middle two.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace jostle
