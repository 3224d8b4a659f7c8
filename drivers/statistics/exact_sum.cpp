#include "drivers/statistics/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace jostle {
namespace {

constexpr int mantissa_bits = 52, exponents = 0x7ff;
constexpr std::int64_t low_bits = 0xffffffff;

}  // namespace

void ExactSum::add(double term) {
  const auto bits = std::bit_cast<std::uint64_t>(term);
  const int exponent = static_cast<int>(bits >> mantissa_bits & exponents);
  if (exponent == exponents) {
    ++digits_[size];
    return;
  }
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  if (exponent > 0) mantissa |= std::uint64_t{1} << mantissa_bits;
  const int shift = exponent > 0 ? exponent - 1 : 0;  // of the lowest bit, from 2^-1074
  const auto at = static_cast<std::size_t>(shift / digit_bits);
  const int within = shift % digit_bits;
  const std::int64_t sign = bits >> 63 != 0 ? -1 : 1;
  const std::uint64_t low = mantissa << within, high = within == 0 ? 0 : mantissa >> (64 - within);
  digits_[at] += sign * static_cast<std::int64_t>(low & low_bits);
  digits_[at + 1] += sign * static_cast<std::int64_t>(low >> digit_bits);
  digits_[at + 2] += sign * static_cast<std::int64_t>(high);
  if (--room_ == 0) carry();
}

/// Leaves digits from 0 to 2^32 - 1, but for the highest.
void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < size; ++i) {
    const std::int64_t over = digits_[i] >> digit_bits;
    digits_[i] -= over << digit_bits;
    digits_[i + 1] += over;
  }
  room_ = most_terms;
}

std::span<std::int64_t> ExactSum::digits() {
  carry();
  return digits_;
}

double ExactSum::value() const {
  if (digits_[size] != 0) return std::numeric_limits<double>::infinity();
  ExactSum sum = *this;
  sum.carry();
  const bool is_negative = sum.digits_[size - 1] < 0;
  if (is_negative) {
    for (std::size_t i = 0; i < size; ++i) sum.digits_[i] = -sum.digits_[i];
    sum.carry();
  }
  std::size_t top = size - 1;
  while (top > 0 && sum.digits_[top] == 0) --top;
  // The three highest digits hold 65 bits or more of the sum; 63 of them, and whether there are others, are rounded.
  unsigned __int128 bits = 0;
  bool has_more = false;
  const std::size_t lowest = top < 2 ? 0 : top - 2;
  for (std::size_t i = top + 1; i-- > lowest;) bits = bits << digit_bits | static_cast<std::uint64_t>(sum.digits_[i]);
  for (std::size_t i = 0; i < lowest; ++i) has_more = has_more || sum.digits_[i] != 0;
  int exponent = static_cast<int>(lowest) * digit_bits - 1074;
  while (bits >> 63 != 0) {
    has_more = has_more || (bits & 1) != 0;
    bits >>= 1;
    ++exponent;
  }
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(bits) | (has_more ? 1 : 0));
  return std::ldexp(is_negative ? -magnitude : magnitude, exponent);
}

}  // namespace jostle
