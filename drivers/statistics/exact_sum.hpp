#pragma once
// The sum of doubles without rounding, as a whole number of 2^-1074 in digits of 32 bits. It depends neither on the
// order of the terms nor on who adds them, so processes may add parts and then their digits.
#include <array>
#include <cstdint>
#include <span>

namespace jostle {

class ExactSum {
 public:
  void add(double term);
  /// The sum, rounded once; infinite if a term was not finite or the sum is too large.
  double value() const;
  /// The digits, to be replaced by the sums of the digits of all parts.
  std::span<std::int64_t> digits();

 private:
  static constexpr int digit_bits = 32;
  /// 2098 bits of finite doubles, and the carries of 2^62 terms.
  static constexpr std::size_t size = 68;

  void carry();

  std::array<std::int64_t, size + 1> digits_{};  ///< the last one counts terms that are not finite
  std::int64_t room_ = most_terms;               ///< terms until a digit may overflow
  static constexpr std::int64_t most_terms = std::int64_t{1} << 30;
};

}  // namespace jostle
