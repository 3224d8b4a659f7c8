#include "drivers/statistics/tally.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "drivers/parallel.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

namespace {

/// A whole number that is larger for a larger number.
std::int64_t key_of(double number) {
  const auto bits = std::bit_cast<std::int64_t>(number);
  return bits >= 0 ? bits : bits ^ std::numeric_limits<std::int64_t>::max();
}

double number_of(std::int64_t key) {
  return std::bit_cast<double>(key >= 0 ? key : key ^ std::numeric_limits<std::int64_t>::max());
}

Histogram empty_histogram(double low, double median, double high) {
  constexpr int bins = 16;
  Histogram histogram;
  const double width = high - low;
  histogram.edges = {low};
  if (width > 0 && std::isfinite(width)) {  // else everything falls into one bin
    const bool has_decades = low > 0 && high >= 100 * low;
    const double first = has_decades ? std::log(low) : 0.0, range = has_decades ? std::log(high) - first : 0.0;
    histogram.is_logarithmic =
        has_decades && std::fabs((std::log(median) - first) / range - 0.5) < std::fabs((median - low) / width - 0.5);
    for (int i = 1; i < bins; ++i) {
      const double part = static_cast<double>(i) / bins;
      histogram.edges.push_back(histogram.is_logarithmic ? std::exp(first + part * range) : low + part * width);
    }
  }
  histogram.edges.push_back(high);
  histogram.counts.assign(histogram.edges.size() - 1, 0);
  return histogram;
}

/// The largest number falls into the last bin.
void count_in(Histogram& histogram, std::span<const double> values) {
  const auto first = histogram.edges.begin() + 1, last = histogram.edges.end() - 1;
  for (const double value : values)
    ++histogram.counts[static_cast<std::size_t>(std::upper_bound(first, last, value) - first)];
}

}  // namespace

OutcomeTally::OutcomeTally(const OutcomeInfo& outcome, std::size_t samples) {
  statistics_.name = outcome.name;
  statistics_.kind = outcome.kind;
  statistics_.category = outcome.category, statistics_.share = outcome.share;
  if (has_numbers(outcome)) numbers_.reserve(samples);
}

void OutcomeTally::add(std::span<const double> values, std::span<const std::uint8_t> status) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Validity found = validity_of(statistics_.kind, values[i], status[i]);
    if (found == Validity::invalid) {
      ++statistics_.invalid;
      continue;
    }
    ++statistics_.count;
    if (statistics_.kind == OutcomeInfo::Kind::truth)
      statistics_.hits += values[i] != 0;
    else if (found == Validity::number)
      numbers_.push_back(values[i] + 0.0);  // 0 for -0, of which no order is known
  }
}

void OutcomeTally::sort() {
  std::sort(numbers_.begin(), numbers_.end());
  if (statistics_.kind == OutcomeInfo::Kind::first_time) statistics_.hits = static_cast<std::int64_t>(numbers_.size());
  if (statistics_.kind != OutcomeInfo::Kind::number) return;
  for (const double number : numbers_) sum_.add(number);
}

void OutcomeTally::share_numbers(Ranks& ranks) {
  std::array<std::int64_t, 4> all = {statistics_.count, statistics_.invalid, statistics_.hits,
                                     static_cast<std::int64_t>(numbers_.size())};
  ranks.sum(all);
  statistics_.count = all[0], statistics_.invalid = all[1], statistics_.hits = all[2];
  if (statistics_.kind != OutcomeInfo::Kind::number) describe_rate();
  if (all[3] == 0) return;
  describe_values(ranks, all[3]);
  if (statistics_.kind != OutcomeInfo::Kind::number) return;
  ranks.sum(sum_.digits());
  statistics_.estimate = sum_.value() / static_cast<double>(all[3]);
}

/// Of all ranks, in the order of their size. By bisection, in which all places take part at once: no rank needs the
/// numbers of another.
std::vector<double> OutcomeTally::numbers_at(std::span<const std::int64_t> places, Ranks& ranks) const {
  std::vector<std::int64_t> low(places.size(), std::numeric_limits<std::int64_t>::min()), middle(places.size());
  std::vector<std::int64_t> high(places.size(), std::numeric_limits<std::int64_t>::max()), below(places.size());
  constexpr int bits = 64;
  for (int bit = 0; bit < bits; ++bit) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      middle[i] = std::midpoint(low[i], high[i]);  // below `high`
      const auto found = std::ranges::upper_bound(numbers_, middle[i], {}, key_of);
      below[i] = found - numbers_.begin();
    }
    ranks.sum(below);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (below[i] > places[i])
        high[i] = middle[i];
      else
        low[i] = middle[i] + 1;
    }
  }
  std::vector<double> numbers;
  numbers.reserve(low.size());
  for (const std::int64_t key : low) numbers.push_back(number_of(key));
  return numbers;
}

void OutcomeTally::describe_values(Ranks& ranks, std::int64_t all) {
  std::vector<std::int64_t> places = {0, all - 1};
  for (const double probability : reported_quantiles) {
    const QuantilePlace place(all, probability);
    places.insert(places.end(), {place.below, place.above});
  }
  const std::vector<double> found = numbers_at(places, ranks);
  statistics_.minimum = found[0];
  statistics_.maximum = found[1];
  statistics_.quantiles.emplace();
  for (std::size_t i = 0; i < reported_quantiles.size(); ++i)
    (*statistics_.quantiles)[i] = QuantilePlace(all, reported_quantiles[i]).between(found[2 * i + 2], found[2 * i + 3]);
  statistics_.histogram = empty_histogram(found[0], (*statistics_.quantiles)[median_index], found[1]);
}

void OutcomeTally::describe_rate() {
  const std::int64_t all = statistics_.count + statistics_.invalid;
  if (statistics_.count > 0)
    statistics_.estimate = static_cast<double>(statistics_.hits) / static_cast<double>(statistics_.count);
  statistics_.interval = wilson_interval(statistics_.hits, statistics_.count);
  statistics_.worst = Interval{wilson_interval(statistics_.hits, all).lower,
                               wilson_interval(statistics_.hits + statistics_.invalid, all).upper};
}

void OutcomeTally::measure_spread() {
  if (statistics_.histogram.counts.empty()) return;
  count_in(statistics_.histogram, numbers_);
  if (statistics_.kind != OutcomeInfo::Kind::number) return;
  const double mean = *statistics_.estimate;
  for (const double number : numbers_) squares_.add((number - mean) * (number - mean));
}

/// mean -+ t s / sqrt(n), t of student95(), s^2 = sum (x - mean)^2 / (n - 1).
void OutcomeTally::share_spread(Ranks& ranks) {
  if (statistics_.histogram.counts.empty()) return;
  ranks.sum(statistics_.histogram.counts);
  if (statistics_.kind != OutcomeInfo::Kind::number) return;
  ranks.sum(squares_.digits());
  if (statistics_.count < 2) return;
  const double mean = *statistics_.estimate, n = static_cast<double>(statistics_.count);
  const double half_width = student95(statistics_.count) * std::sqrt(squares_.value() / (n - 1) / n);
  statistics_.interval = Interval{mean - half_width, mean + half_width};
}

std::vector<OutcomeStatistics> finish(std::span<OutcomeTally> tallies, Ranks& ranks) {
  const auto for_all = [&](void (OutcomeTally::*step)()) {
    parallel_for(static_cast<int>(tallies.size()), [&](int i) { (tallies[static_cast<std::size_t>(i)].*step)(); });
  };
  for_all(&OutcomeTally::sort);
  for (OutcomeTally& tally : tallies) tally.share_numbers(ranks);
  for_all(&OutcomeTally::measure_spread);
  std::vector<OutcomeStatistics> finished;
  for (OutcomeTally& tally : tallies) {
    tally.share_spread(ranks);
    tally.numbers_ = {};
    finished.push_back(std::move(tally.statistics_));
  }
  return finished;
}

}  // namespace jostle
