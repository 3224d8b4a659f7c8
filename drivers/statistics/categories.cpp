#include "drivers/statistics/categories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/math/normal_distribution.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

void finish(CategoryStatistics& category) {
  const auto kinds = static_cast<double>(category.shares.size()), n = static_cast<double>(category.count);
  const double z = normal_quantile(1 - 0.05 / (2 * kinds));
  int expected_kinds = 0;
  for (CategoryShare& share : category.shares) {
    if (!category.has_expected) share.expected = 1 / kinds;
    share.share = category.count > 0 ? static_cast<double>(share.hits) / n : 0;
    share.interval = wilson_interval(share.hits, category.count, z);
    const double expected = n * share.expected, off = static_cast<double>(share.hits) - expected;
    if (off != 0) category.chi_square += off * off / expected;
    expected_kinds += share.expected > 0;
  }
  category.degrees = expected_kinds - 1;
  category.p = std::isinf(category.chi_square) ? 0 : chi_square_tail(category.chi_square, category.degrees);
}

}  // namespace

/// Q(k/2, x/2) by its recurrence from k = 1 (erfc) or 2 (exp) in steps of 2 (Abramowitz and Stegun 26.4.4, 26.4.5).
double chi_square_tail(double x, int degrees) {
  if (!(x > 0)) return 1;
  const double half = x / 2;
  const bool is_odd = degrees % 2 == 1;
  double sum = is_odd ? std::erfc(std::sqrt(half)) : std::exp(-half);
  double term = is_odd ? std::sqrt(half / std::atan(1.0) / 4) * 2 * std::exp(-half) : half * std::exp(-half);
  for (int k = is_odd ? 3 : 4; k <= degrees; k += 2) {
    sum += term;
    term *= x / k;
  }
  return std::min(sum, 1.0);
}

std::vector<CategoryStatistics> categories_of(const RunStatistics& statistics) {
  std::vector<CategoryStatistics> found;
  for (const OutcomeStatistics& outcome : statistics.outcomes) {
    if (outcome.category.empty()) continue;
    if (found.empty() || found.back().name != outcome.category) {
      found.emplace_back().name = outcome.category;
      found.back().count = outcome.count;
    }
    found.back().has_expected = outcome.share.has_value();
    found.back().shares.push_back({outcome.name, outcome.hits, 0, outcome.share.value_or(0), {}});
  }
  for (CategoryStatistics& category : found) {
    finish(category);
    const auto counts = std::ranges::find(statistics.categories, category.name, &CategoryCount::name);
    if (counts != statistics.categories.end()) category.unmatched = counts->none, category.several = counts->several;
  }
  return found;
}

std::string categories_text(const RunStatistics& statistics) {
  std::string text;
  for (const CategoryStatistics& category : categories_of(statistics)) {
    text += fmt::format("{}, exclusive outcomes, intervals that hold together with 95 %:\n", category.name);
    std::vector<std::vector<std::string>> rows = {{"  category", "share", "interval", "expected"}};
    for (const CategoryShare& share : category.shares)
      rows.push_back({"  " + share.name, rate_text(share.share),
                      fmt::format("[{}, {}]", rate_text(share.interval.lower), rate_text(share.interval.upper)),
                      rate_text(share.expected)});
    text += aligned(rows) + fmt::format("  chi-square {:.4g} against {}, {}: p = {:.3g}\n", category.chi_square,
                                        category.has_expected ? "the given shares" : "equal shares",
                                        counted(category.degrees, "degree") + " of freedom", category.p);
    if (category.unmatched + category.several > 0)
      text += fmt::format(
          "  of {} samples {} have no category and {} more than one, so neither intervals nor test mean anything\n",
          with_commas(category.count), with_commas(category.unmatched), with_commas(category.several));
  }
  return text;
}

nlohmann::ordered_json categories_json(const RunStatistics& statistics) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const CategoryStatistics& category : categories_of(statistics)) {
    nlohmann::ordered_json shares = nlohmann::ordered_json::object();
    for (const CategoryShare& share : category.shares)
      shares[share.name] = {{"share", share.share},
                            {"lower", share.interval.lower},
                            {"upper", share.interval.upper},
                            {"expected", share.expected}};
    json[category.name] = {
        {"shares", shares},
        {"count", category.count},
        {"unmatched", category.unmatched},
        {"several", category.several},
        {"chi_square",
         std::isinf(category.chi_square) ? nlohmann::ordered_json() : nlohmann::ordered_json(category.chi_square)},
        {"degrees", category.degrees},
        {"p", category.p}};
  }
  return json;
}

}  // namespace jostle
