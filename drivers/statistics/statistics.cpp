#include "drivers/statistics/statistics.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace jostle {
namespace {

/// Whether |T| <= t has a probability below 0.95. Finite sums, Abramowitz and Stegun 26.7.3 (odd) and 26.7.4 (even).
bool is_below(double t, std::int64_t freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const bool is_odd = freedom % 2 == 1;
  double term = is_odd ? cosine : 1.0, sum = 0;
  for (std::int64_t k = is_odd ? 3 : 2; k <= freedom; k += 2) {
    sum += term;
    term *= cosine * cosine * static_cast<double>(k - 1) / static_cast<double>(k);
  }
  return (is_odd ? 2 * std::numbers::inv_pi * (angle + sine * sum) : sine * sum) < 0.95;
}

/// For many degrees of freedom: the expansion 26.7.5 about the normal distribution, to an error of 4 / freedom^5.
double expansion(double freedom) {
  const double z = z95, z2 = z * z, r = 1 / freedom;
  const double g1 = z * (z2 + 1) / 4, g2 = z * ((5 * z2 + 16) * z2 + 3) / 96,
               g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
               g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + r * (g1 + r * (g2 + r * (g3 + r * g4)));
}

}  // namespace

Interval wilson_interval(std::int64_t hits, std::int64_t count, double z) {
  if (count == 0) return {0, 1};
  const double n = static_cast<double>(count), p = static_cast<double>(hits) / n, z2 = z * z;
  const double centre = p + z2 / (2 * n);
  const double half_width = z * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  const double scale = 1 + z2 / n;
  // At p = 0 and 1 the formula gives 0 and 1 up to rounding.
  return {hits == 0 ? 0 : (centre - half_width) / scale, hits == count ? 1 : (centre + half_width) / scale};
}

double student95(std::int64_t n) {
  const std::int64_t freedom = n - 1;
  if (freedom > 400) return expansion(static_cast<double>(freedom));
  double low = 1, high = 13;
  for (double middle = 7; low < middle && middle < high; middle = 0.5 * (low + high))
    (is_below(middle, freedom) ? low : high) = middle;
  return low;
}

void add_interval(nlohmann::ordered_json& json, const std::string& prefix, const std::optional<Interval>& interval) {
  const nlohmann::ordered_json none;
  json[prefix + "lower"] = interval ? nlohmann::ordered_json(interval->lower) : none;
  json[prefix + "upper"] = interval ? nlohmann::ordered_json(interval->upper) : none;
}

}  // namespace jostle
