#include "drivers/reports/bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drivers/statistics/statistics.hpp"

namespace jostle {
namespace {

Bins bins_of_values(const std::vector<double>& distinct) { return {distinct, distinct, {}}; }

/// Edges are values of samples; ties go into the higher bin.
Bins bins_of_intervals(const std::vector<double>& sorted, int most) {
  std::vector<double> edges;
  for (int k = 0; k < most; ++k) {
    const double edge = sorted[sorted.size() * static_cast<std::size_t>(k) / static_cast<std::size_t>(most)];
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  Bins bins{edges, {edges.begin() + 1, edges.end()}, {}};
  bins.high.push_back(sorted.back());
  return bins;
}

}  // namespace

Bins make_bins(std::span<const double> values, int most) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> distinct;
  for (const double value : sorted) {
    if (distinct.empty() || value > distinct.back()) distinct.push_back(value);
    if (distinct.size() > most_values) break;
  }
  Bins bins = distinct.size() <= most_values ? bins_of_values(distinct) : bins_of_intervals(sorted, most);
  bins.of_sample.reserve(values.size());
  for (const double value : values) {
    const auto above = std::upper_bound(bins.low.begin(), bins.low.end(), value);
    bins.of_sample.push_back(static_cast<int>(above - bins.low.begin()) - 1);
  }
  return bins;
}

std::string label_of(const Bins& bins, int bin) {
  const auto at = static_cast<std::size_t>(bin);
  if (bins.low[at] == bins.high[at]) return fmt::format("{:.4g}", bins.low[at]);
  return fmt::format("{:.4g} .. {:.4g}", bins.low[at], bins.high[at]);
}

void Tally::add(double value) {
  const double difference = value - mean;
  ++valid;
  sum += value;
  mean += difference / static_cast<double>(valid);
  scatter += difference * (value - mean);
}

void Tally::add(const Response& response, std::size_t sample) {
  if (response.valid[sample])
    add(response.values[sample]);
  else
    ++invalid;
}

std::optional<double> Tally::estimate(bool is_rate) const {
  if (valid == 0) return {};
  return is_rate ? sum / static_cast<double>(valid) : mean;  // a running mean has rounding errors
}

std::optional<Interval> Tally::interval(bool is_rate) const {
  if (is_rate) return wilson_interval(std::llround(sum), valid);
  if (valid < 2) return {};
  const double n = static_cast<double>(valid), half_width = student95(valid) * std::sqrt(scatter / (n - 1) / n);
  return Interval{mean - half_width, mean + half_width};
}

Interval Tally::worst() const {
  const std::int64_t hits = std::llround(sum), all = valid + invalid;
  return {wilson_interval(hits, all).lower, wilson_interval(hits + invalid, all).upper};
}

std::vector<Tally> tally_by(const Response& response, const Bins& x, const Bins* y) {
  const auto columns = static_cast<std::size_t>(y ? y->count() : 1);
  std::vector<Tally> tallies(static_cast<std::size_t>(x.count()) * columns);
  for (std::size_t i = 0; i < response.values.size(); ++i) {
    const std::size_t cell = static_cast<std::size_t>(x.of_sample[i]) * columns +
                             (y ? static_cast<std::size_t>(y->of_sample[i]) : std::size_t{0});
    tallies[cell].add(response, i);
  }
  return tallies;
}

}  // namespace jostle
