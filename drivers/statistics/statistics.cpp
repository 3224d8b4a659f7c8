#include "drivers/statistics/statistics.hpp"

#include <cmath>

namespace jostle {

Interval wilson_interval(std::int64_t hits, std::int64_t count, double z) {
  if (count == 0) return {0, 1};
  const double n = static_cast<double>(count), p = static_cast<double>(hits) / n, z2 = z * z;
  const double centre = p + z2 / (2 * n);
  const double half_width = z * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  const double scale = 1 + z2 / n;
  // At p = 0 and 1 the formula gives 0 and 1 up to rounding.
  return {hits == 0 ? 0 : (centre - half_width) / scale, hits == count ? 1 : (centre + half_width) / scale};
}

}  // namespace jostle
