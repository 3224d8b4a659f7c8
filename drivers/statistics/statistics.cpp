#include "drivers/statistics/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "core/status.hpp"

namespace jostle {

Interval wilson_interval(std::int64_t hits, std::int64_t count) {
  if (count == 0) return {0, 1};
  const double n = static_cast<double>(count), p = static_cast<double>(hits) / n, z2 = z95 * z95;
  const double centre = p + z2 / (2 * n);
  const double half_width = z95 * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  const double scale = 1 + z2 / n;
  // At p = 0 and 1 the formula gives 0 and 1 up to rounding.
  return {hits == 0 ? 0 : (centre - half_width) / scale, hits == count ? 1 : (centre + half_width) / scale};
}

double quantile_of_sorted(std::span<const double> sorted, double probability) {
  const double h = static_cast<double>(sorted.size() - 1) * probability;
  const auto below = static_cast<std::size_t>(h);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (h - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

namespace {

/// Sum with Neumaier's compensation: the error does not grow with the number of terms.
class Sum {
 public:
  void add(double term) {
    const double sum = sum_ + term;
    lost_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

struct Mean {
  double mean = 0;
  std::optional<Interval> interval;
};

/// mean -+ z s / sqrt(n), s^2 = sum (x - mean)^2 / (n - 1).
Mean mean_of(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  Sum sum, squares;
  for (const double value : values) sum.add(value);
  const double mean = sum.value() / n;
  if (values.size() < 2) return {mean, std::nullopt};
  for (const double value : values) squares.add((value - mean) * (value - mean));
  const double half_width = z95 * std::sqrt(squares.value() / (n - 1) / n);
  return {mean, Interval{mean - half_width, mean + half_width}};
}

Histogram histogram_of_sorted(std::span<const double> sorted) {
  constexpr std::size_t bins = 16;
  Histogram histogram{sorted.front(), sorted.back(), {}};
  const double width = histogram.high - histogram.low;
  const bool has_width = width > 0 && std::isfinite(width);  // else everything falls into one bin
  histogram.counts.assign(has_width ? bins : 1, 0);
  for (const double value : sorted) {
    const double bin = has_width ? (value - histogram.low) / width * bins : 0;
    ++histogram.counts[std::min(static_cast<std::size_t>(bin), histogram.counts.size() - 1)];
  }
  return histogram;
}

void describe_values(OutcomeStatistics& statistics, std::vector<double>& values) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  statistics.minimum = values.front();
  statistics.maximum = values.back();
  statistics.quantiles.emplace();
  for (std::size_t i = 0; i < reported_quantiles.size(); ++i)
    (*statistics.quantiles)[i] = quantile_of_sorted(values, reported_quantiles[i]);
  statistics.histogram = histogram_of_sorted(values);
}

void describe_rate(OutcomeStatistics& statistics) {
  const std::int64_t all = statistics.count + statistics.invalid;
  if (statistics.count > 0)
    statistics.estimate = static_cast<double>(statistics.hits) / static_cast<double>(statistics.count);
  statistics.interval = wilson_interval(statistics.hits, statistics.count);
  statistics.worst = Interval{wilson_interval(statistics.hits, all).lower,
                              wilson_interval(statistics.hits + statistics.invalid, all).upper};
}

}  // namespace

OutcomeTally::OutcomeTally(const OutcomeInfo& outcome, std::size_t samples) {
  statistics_.name = outcome.name;
  statistics_.kind = outcome.kind;
  if (has_numbers(outcome)) numbers_.reserve(samples);
}

void OutcomeTally::add(std::span<const double> values, std::span<const std::uint8_t> status) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool never_reached = statistics_.kind == OutcomeInfo::Kind::first_time && std::isnan(values[i]);
    if (status[i] != static_cast<std::uint8_t>(Status::ok) || !(std::isfinite(values[i]) || never_reached)) {
      ++statistics_.invalid;
      continue;
    }
    ++statistics_.count;
    if (statistics_.kind == OutcomeInfo::Kind::truth)
      statistics_.hits += values[i] != 0;
    else if (!never_reached)
      numbers_.push_back(values[i]);
  }
}

OutcomeStatistics OutcomeTally::finish() {
  if (statistics_.kind == OutcomeInfo::Kind::first_time) statistics_.hits = static_cast<std::int64_t>(numbers_.size());
  if (statistics_.kind != OutcomeInfo::Kind::number) {
    describe_rate(statistics_);
  } else if (!numbers_.empty()) {
    const Mean mean = mean_of(numbers_);
    statistics_.estimate = mean.mean;
    statistics_.interval = mean.interval;
  }
  describe_values(statistics_, numbers_);
  numbers_ = {};
  return std::move(statistics_);
}

}  // namespace jostle
