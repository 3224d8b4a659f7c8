#pragma once
// How far a double is from the true value, in units in the last place.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/math/bits.hpp"

namespace jostle::test {

/// The distance in ulps of the double nearest to `truth`. Infinities and zeros must be met exactly.
inline double ulps(double got, long double truth) {
  const double nearest = static_cast<double>(truth);
  if (std::isnan(nearest) || std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : 1e300;
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const long double ulp = std::ldexp(1.0L, nearest == 0 ? -1074 : std::max(exponent - 53, -1074));
  return static_cast<double>(std::fabs(static_cast<long double>(got) - truth) / ulp);
}

/// The worst argument of a sweep, for the message of a failure.
struct Worst {
  double error = 0;
  double x = 0, y = 0;

  void see(double got, long double truth, double at_x, double at_y = 0) {
    const double here = ulps(got, truth);
    if (!(here <= error)) error = here, x = at_x, y = at_y;
  }
};

/// Doubles of many shapes, the same in every run.
class Arguments {
 public:
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  /// Every exponent equally often, subnormal and huge ones too.
  double any_finite() {
    for (;;) {
      const double x = std::bit_cast<double>(engine_());
      if (is_finite(x)) return x;
    }
  }
  double any_positive() { return std::fabs(any_finite()); }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_{20240229};
};

/// Zeros, subnormals, extremes, infinities and NaNs, and what lies beside 1 and multiples of pi/4.
inline std::vector<double> odd_arguments() {
  constexpr double sizes[] = {0.0,
                              0x1p-1074,
                              0x1p-1022,
                              0x1p-537,
                              0x1p-28,
                              0x1p-27,
                              0.25,
                              0.5,
                              1.0,
                              2.0,
                              3.0,
                              0x1.921fb54442d18p-1,
                              0x1.921fb54442d18p+0,
                              0x1.921fb54442d18p+1,
                              709.78,
                              745.13,
                              1e9,
                              0x1p30,
                              0x1p52,
                              0x1p53,
                              1e22,
                              1e300,
                              0x1.fffffffffffffp+1023,
                              infinity()};
  std::vector<double> odd;
  for (const double x : sizes) {
    for (const double neighbour : {std::nextafter(x, 0.0), x, std::nextafter(x, infinity())}) {
      odd.push_back(neighbour);
      odd.push_back(-neighbour);
    }
  }
  odd.push_back(std::numeric_limits<double>::quiet_NaN());
  odd.push_back(-std::numeric_limits<double>::quiet_NaN());
  odd.push_back(std::bit_cast<double>(0x7FF8000000001234u));
  return odd;
}

}  // namespace jostle::test
