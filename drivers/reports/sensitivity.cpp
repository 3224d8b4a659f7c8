#include "drivers/reports/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "drivers/parallel.hpp"
#include "drivers/reports/bins.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {
namespace {

constexpr std::size_t groups = 20;
constexpr double endless = std::numeric_limits<double>::infinity();

std::array<double, groups> filled(double value) {
  std::array<double, groups> all;
  all.fill(value);
  return all;
}

/// Values of those samples that count, and of a factor.
struct Pairs {
  std::vector<double> x, y;
  std::vector<std::size_t> group;

  /// Groups follow from a hash: sample i of a Sobol sequence or of a grid has its place in the range of a variable from
  /// i modulo a power of two, or modulo the number of cells.
  void add(std::size_t sample, double x_of_it, double y_of_it) {
    x.push_back(x_of_it), y.push_back(y_of_it);
    group.push_back(static_cast<std::size_t>(split_of(static_cast<std::int64_t>(sample)) * groups));
  }
};

constexpr double t95_of_19 = 2.093024054408263;  // 0.975 quantile of Student's t with groups - 1 degrees of freedom

/// Ranks from 1, ties at their mean.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;  // a NaN has no equal
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double mean = 0.5 * static_cast<double>(first + 1 + end);
    for (; first < end; ++first) ranks[order[first]] = mean;
  }
  return ranks;
}

Measured measured_rank(const Pairs& pairs) {
  const double rho = rank_correlation(pairs.x, pairs.y), n = static_cast<double>(pairs.x.size());
  if (std::fabs(rho) >= 1) return {rho, {rho, rho}};
  const double z = std::atanh(rho), half_width = z95 * std::sqrt((1 + 0.5 * rho * rho) / (n - 3));
  return {rho, {std::tanh(z - half_width), std::tanh(z + half_width)}};
}

/// Sums of y, less its mean, over the samples of a bin.
struct BinSum {
  double count = 0, sum = 0;
};

double index_of(std::span<const BinSum> bins, double squares) {
  double n = 0, sum = 0, between = 0, used = 0;
  for (const BinSum& bin : bins) {
    if (bin.count == 0) continue;
    n += bin.count, sum += bin.sum, between += bin.sum * bin.sum / bin.count, ++used;
  }
  const double all = squares - sum * sum / n, within = squares - between;
  return all > 0 && n > used ? 1 - (n - 1) / (n - used) * within / all : 0;
}

class FirstOrder {
 public:
  explicit FirstOrder(const Pairs& pairs) {
    const int bins = static_cast<int>(std::clamp<std::size_t>(pairs.x.size() / 20, 2, 20));
    const Bins of_x = make_bins(pairs.x, bins);
    count_ = static_cast<std::size_t>(of_x.count());
    sums_.resize(count_ * (groups + 1));
    const double mean = std::accumulate(pairs.y.begin(), pairs.y.end(), 0.0) / static_cast<double>(pairs.y.size());
    for (std::size_t i = 0; i < pairs.y.size(); ++i) {
      const double y = pairs.y[i] - mean;
      for (const std::size_t part : {groups, pairs.group[i]}) {
        BinSum& bin = sums_[part * count_ + static_cast<std::size_t>(of_x.of_sample[i])];
        bin.count += 1, bin.sum += y, squares_[part] += y * y;
      }
      double &least = least_[pairs.group[i]], &largest = largest_[pairs.group[i]];
      least = std::min(least, y), largest = std::max(largest, y);
    }
  }

  double value() const { return index_of({sums_.data() + groups * count_, count_}, squares_[groups]); }

  Measured measured() const {
    std::array<double, groups> without{};
    double mean = 0, scatter = 0;
    for (std::size_t g = 0; g < groups; ++g) mean += (without[g] = value_without(g)) / groups;
    for (const double index : without) scatter += (index - mean) * (index - mean);
    const double half_width = t95_of_19 * std::sqrt(scatter * (groups - 1) / groups);
    return {value(), {value() - half_width, value() + half_width}};
  }

 private:
  /// 0 where the others do not vary: their sums, which are differences, have rounding errors alone.
  double value_without(std::size_t group) const {
    double least = endless, largest = -endless;
    for (std::size_t g = 0; g < groups; ++g)
      if (g != group) least = std::min(least, least_[g]), largest = std::max(largest, largest_[g]);
    if (!(least < largest)) return 0;
    std::vector<BinSum> rest(count_);
    for (std::size_t b = 0; b < count_; ++b) {
      const BinSum &all = sums_[groups * count_ + b], &left = sums_[group * count_ + b];
      rest[b] = {all.count - left.count, all.sum - left.sum};
    }
    return index_of(rest, squares_[groups] - squares_[group]);
  }

  std::size_t count_ = 0;
  std::vector<BinSum> sums_;                                                         ///< [group, all at last][bin]
  std::array<double, groups + 1> squares_ = {};                                      ///< [group, all at last]
  std::array<double, groups> least_ = filled(endless), largest_ = filled(-endless);  ///< [group] of y
};

Pairs valid_pairs(const Response& response, const Factor& factor) {
  Pairs pairs;
  for (std::size_t i = 0; i < response.values.size(); ++i)
    if (response.valid[i]) pairs.add(i, factor.values[i], response.values[i]);
  return pairs;
}

Pairs pairs_with_invalid_as(double value, const Response& response, const Factor& factor) {
  Pairs pairs;
  for (std::size_t i = 0; i < response.values.size(); ++i)
    pairs.add(i, factor.values[i], response.valid[i] ? response.values[i] : value);
  return pairs;
}

bool varies(const Response& response) {
  double first = 0;
  std::int64_t seen = 0;
  bool differs = false;
  for (std::size_t i = 0; i < response.values.size(); ++i) {
    if (!response.valid[i]) continue;
    if (seen++ == 0) first = response.values[i];
    differs = differs || response.values[i] != first;
  }
  return differs && seen >= least_explained_samples;
}

Explanation explain_by(const Response& response, const Factor& factor) {
  const Pairs pairs = valid_pairs(response, factor);
  Explanation explanation{&factor, measured_rank(pairs), FirstOrder(pairs).measured(), {}, {}};
  if (!response.is_rate || response.invalid == 0) return explanation;
  const Pairs as_0 = pairs_with_invalid_as(0, response, factor), as_1 = pairs_with_invalid_as(1, response, factor);
  explanation.rank_worst = {rank_correlation(as_0.x, as_0.y), rank_correlation(as_1.x, as_1.y)};
  explanation.first_order_worst = {FirstOrder(as_0).value(), FirstOrder(as_1).value()};
  return explanation;
}

}  // namespace

double rank_correlation(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> a = ranks_of(x), b = ranks_of(y);
  const double mean = 0.5 * static_cast<double>(x.size() + 1);
  double both = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean) * (b[i] - mean);
    of_a += (a[i] - mean) * (a[i] - mean);
    of_b += (b[i] - mean) * (b[i] - mean);
  }
  return of_a > 0 && of_b > 0 ? both / std::sqrt(of_a * of_b) : 0;
}

std::vector<Explanation> explain(const Response& response, const std::vector<Factor>& factors) {
  if (!varies(response)) return {};
  std::vector<const Factor*> listed;
  for (const Factor& factor : factors)
    if (factor.is_listed) listed.push_back(&factor);
  std::vector<Explanation> explanations(listed.size());
  parallel_for(static_cast<int>(listed.size()), [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    explanations[at] = explain_by(response, *listed[at]);
  });
  std::stable_sort(explanations.begin(), explanations.end(), [](const Explanation& a, const Explanation& b) {
    return a.first_order.value > b.first_order.value;
  });
  return explanations;
}

}  // namespace jostle
