#include "scenarios/model/distribution.hpp"

#include <algorithm>
#include <cstdint>

#include "core/math/normal_distribution.hpp"

namespace jostle {

namespace {

/// The convex combination, inside [a, b] whatever rounding does.
double uniform(double a, double b, double u) {
  const double width = b - a;
  const double value = is_finite(width) ? a + u * width : (1 - u) * a + u * b;
  return std::clamp(value, a, b);
}

/// Phi^-1 of u restricted to [low, high]:  Phi^-1(Phi(low) + u (Phi(high) - Phi(low))).
/// An interval above the mean is reflected, because 1 - Phi loses its digits there.
double truncated_normal(double low, double high, double u) {
  if (low > 0) return -truncated_normal(-high, -low, 1 - u);
  const double below = normal_cumulative(low), above = normal_cumulative(high);
  if (!(above > below)) return high < 0 ? high : low;  // the interval is so far out or so narrow that it has no mass
  return std::clamp(normal_quantile(below + u * (above - below)), low, high);
}

double normal(const Distribution& d, double u) {
  const auto [mean, deviation] = d.bounds;
  if (deviation == 0) return std::clamp(mean, d.minimum, d.maximum);
  const bool truncated = is_finite(d.minimum) || is_finite(d.maximum);
  const double standard = truncated
                              ? truncated_normal((d.minimum - mean) / deviation, (d.maximum - mean) / deviation, u)
                              : normal_quantile(u);
  return std::clamp(mean + deviation * standard, d.minimum, d.maximum);
}

/// 0 .. count-1 with equal probability.
std::int64_t equal_part(double count, double u) { return static_cast<std::int64_t>(std::min(u * count, count - 1)); }

/// The first value at which the running sum of the weights passes u times their sum.
double choice(const Choice& d, double u) {
  if (d.weights.empty()) return d.values[equal_part(static_cast<double>(d.values.size()), u)];
  double total = 0;
  for (const double weight : d.weights) total += weight;
  double sum = 0;
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < d.values.size(); ++i) {
    if (d.weights[i] == 0) continue;
    drawn = i;
    sum += d.weights[i];
    if (u * total < sum) break;
  }
  return d.values[drawn];
}

}  // namespace

bool has_mass(const Distribution& d) {
  constexpr double least = 1e-287;  // about 36 deviations out: 2^-64 of it is still a normal number
  constexpr double narrowest = 1e-10;
  const auto [mean, deviation] = d.bounds;
  const double a = (d.minimum - mean) / deviation, b = (d.maximum - mean) / deviation;
  const double low = a > 0 ? -b : a, high = a > 0 ? -a : b;  // as in truncated_normal
  const double above = normal_cumulative(high), mass = above - normal_cumulative(low);
  return mass > least && mass > narrowest * above;
}

double quantile(const Distribution& d, double u) {
  const auto [first, second] = d.bounds;
  switch (d.kind) {
    case Distribution::Kind::uniform: return uniform(first, second, u);
    case Distribution::Kind::log_uniform: {
      const double exponent = uniform(natural_logarithm(first), natural_logarithm(second), u);
      return std::clamp(exponential(exponent), first, second);
    }
    case Distribution::Kind::normal: return normal(d, u);
    case Distribution::Kind::integer: return first + static_cast<double>(equal_part(second - first + 1, u));
    case Distribution::Kind::choice: return choice(d.choice, u);
  }
  return canonical_nan();
}

}  // namespace jostle
