#pragma once
// Samples in parts that have nothing to do with what was drawn for them.
#include <cstdint>

namespace jostle {

/// 0 to below 1, a hash of the number of a sample: samples below a part p of all are for training. A sample stays where
/// it is when a dataset grows. It is the upper 53 bits of splitmix64 [Steele, Lea & Flood 2014, OOPSLA], over 2^53.
inline double split_of(std::int64_t sample) {
  std::uint64_t x = static_cast<std::uint64_t>(sample) + 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) / 9007199254740992.0;
}

}  // namespace jostle
