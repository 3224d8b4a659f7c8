#pragma once
// One number that changes with any bit of any function's result; host and device can compute it.
#include "core/expression/evaluate.hpp"
#include "core/math/normal_distribution.hpp"

namespace jostle::test {

/// A permutation of 64-bit words that looks random (the finaliser of MurmurHash3).
JOSTLE_HD constexpr std::uint64_t scrambled(std::uint64_t word) {
  word = (word ^ word >> 33) * 0xff51afd7ed558ccd;
  word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53;
  return word ^ word >> 33;
}

/// An expression that uses every instruction: of variable 0, time and quantity 0.
JOSTLE_HD inline double value_of_every_instruction(double variable, double time, double quantity) {
  constexpr Instruction code[] = {{Op::variable, 0, 0},
                                  {Op::sin},
                                  {Op::time},
                                  {Op::cos},
                                  {Op::add},
                                  {Op::quantity, 0, 0},
                                  {Op::tan},
                                  {Op::subtract},
                                  {Op::abs},
                                  {Op::sqrt},
                                  {Op::constant, 0, 3},
                                  {Op::multiply},
                                  {Op::exp},
                                  {Op::time},
                                  {Op::abs},
                                  {Op::log},
                                  {Op::divide},
                                  {Op::variable, 0, 0},
                                  {Op::min},
                                  {Op::quantity, 0, 0},
                                  {Op::max},
                                  {Op::time},
                                  {Op::atan2},
                                  {Op::constant, 0, 3},
                                  {Op::power},
                                  {Op::negate},
                                  {Op::time},
                                  {Op::variable, 0, 0},
                                  {Op::less},
                                  {Op::time},
                                  {Op::quantity, 0, 0},
                                  {Op::greater},
                                  {Op::logical_or},
                                  {Op::logical_not},
                                  {Op::add}};
  return evaluate({code, sizeof code / sizeof code[0]}, &variable, time, [quantity](int) { return quantity; });
}

/// Of every function, at three arguments chosen by `number`: any double, one in (-30, 30), one in (0, 1).
JOSTLE_HD inline std::uint64_t function_digest(std::uint64_t number) {
  const std::uint64_t word = scrambled(number + 1);
  const double any = std::bit_cast<double>(word);
  const double moderate = static_cast<double>(static_cast<std::int64_t>(word >> 11)) * (60 * 0x1p-53) - 30;
  const double unit = static_cast<double>(scrambled(word) >> 12 << 1 | 1) * 0x1p-53;
  std::uint64_t digest = 0;
  const auto add = [&digest](double x) { digest = scrambled(digest ^ bits_of(x)); };
  const double arguments[] = {any, moderate, unit};
  for (const double x : arguments) {
    double s, c;
    sine_cosine(x, s, c);
    add(s);
    add(c);
    add(tangent(x));
    add(sinc(x));
    add(exponential(x));
    add(natural_logarithm(x));
    add(normal_cumulative(x));
    add(normal_quantile(x));
    for (const double y : arguments) {
      add(power(x, y));
      add(arc_tangent(x, y));
      add(value_of_every_instruction(x, y, moderate));
    }
  }
  return digest;
}

/// The digest over the numbers [0, count) is the sum of theirs, in any order.
inline constexpr std::uint64_t digest_count = 20000;
inline constexpr std::uint64_t golden_digest = 0x444efed095fd3fd7;

}  // namespace jostle::test
