#include "drivers/statistics/outcome_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "drivers/datasets/status_names.hpp"
#include "drivers/statistics/categories.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

using Row = std::vector<std::string>;

std::string interval_text(const std::optional<Interval>& interval, bool rate) {
  if (!interval) return "-";
  return fmt::format("[{}, {}]", value_text(interval->lower, rate), value_text(interval->upper, rate));
}

std::string median_text(const OutcomeStatistics& outcome) {
  return outcome.quantiles ? fmt::format("{:.6g}", (*outcome.quantiles)[median_index]) : "-";
}

/// Between the outer quantiles lie nine of ten samples.
std::string middle_text(const OutcomeStatistics& outcome) {
  if (!outcome.quantiles) return "-";
  return fmt::format("{:.6g} .. {:.6g}", outcome.quantiles->front(), outcome.quantiles->back());
}

std::string range_text(const OutcomeStatistics& outcome) {
  if (!outcome.minimum) return "-";
  return fmt::format("{:.6g} .. {:.6g}", *outcome.minimum, *outcome.maximum);
}

const char* estimate_name(OutcomeInfo::Kind kind) {
  switch (kind) {
    case OutcomeInfo::Kind::truth: return "rate";
    case OutcomeInfo::Kind::number: return "mean";
    case OutcomeInfo::Kind::first_time: return "rate reached";
  }
  return "";
}

std::string histogram_text(const OutcomeStatistics& outcome) {
  constexpr std::int64_t widest = 50;
  const Histogram& histogram = outcome.histogram;
  const std::int64_t largest = *std::max_element(histogram.counts.begin(), histogram.counts.end());
  std::string text = outcome.name + (outcome.kind == OutcomeInfo::Kind::first_time ? " (s, where reached)\n" : "\n");
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const double width = histogram.edges.back() - histogram.edges.front();  // may be infinite
    double low = histogram.edges[i];
    if (std::isfinite(width) && !histogram.is_logarithmic && std::fabs(low) < 1e-12 * width) low = 0;  // rounding noise
    const std::int64_t count = histogram.counts[i];
    // Rounded up, so that no bin that holds a sample looks empty.
    const std::int64_t length = (count * widest + largest - 1) / largest;
    text += fmt::format("  {:>12.5g} |{:<{}} {}\n", low, std::string(static_cast<std::size_t>(length), '#'), widest,
                        with_commas(count));
  }
  return text;
}

std::string worst_text(const char* what, const Worst& worst, const char* unit) {
  if (worst.sample < 0) return fmt::format("{} 0{}", what, unit);
  return fmt::format("{} {:.2g}{} (sample {})", what, worst.value, unit, worst.sample);
}

/// The worst values of the columns that every sample has.
std::string certificate_text(const RunStatistics& statistics) {
  std::string text = fmt::format("At worst: {}, {}, {}", worst_text("residual", statistics.residual, ""),
                                 worst_text("penetration", statistics.penetration, " m"),
                                 worst_text("energy gained", statistics.energy_gained, " J"));
  if (statistics.energy_gain.sample >= 0) text += worst_text(", in one step", statistics.energy_gain, " J");
  return text + ".\n";
}

/// How steps were solved.
std::string solver_text(const RunStatistics& statistics) {
  const auto percent = [](std::int64_t part, std::int64_t all) {
    return fmt::format("{:.3g} %",
                       100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, all)));
  };
  const std::int64_t lcps = statistics.guessed + statistics.corrected + statistics.pivoted;
  std::string text = fmt::format("Steps: {} at rest.", percent(statistics.rest, statistics.steps));
  if (lcps > 0)
    text += fmt::format(" LCPs: {} by guess, {} by corrected guess, {} by Lemke's method.",
                        percent(statistics.guessed, lcps), percent(statistics.corrected, lcps),
                        percent(statistics.pivoted, lcps));
  if (statistics.vertex > 0) text += fmt::format(" Not of least norm: {}.", counted(statistics.vertex, "answer"));
  return text + '\n';
}

std::string replay_of(std::int64_t sample, const std::filesystem::path& folder, const std::string& program) {
  return shell_line({program, "run", folder.string(), "--sample", std::to_string(sample)});
}

/// Nothing where no jam was held.
std::string held_text(const RunStatistics& statistics, const std::filesystem::path& folder,
                      const std::string& program) {
  if (statistics.held_samples == 0) return {};
  return fmt::format(
      "In {} of {} a jam was held: in {}, friction left no motion that takes an overlap, or the error of a joint, "
      "away, so it stayed.\n"
      "Most in sample {}; for the pointedness of its friction cones in each of these steps: {}\n",
      with_commas(statistics.held_samples), counted(statistics.samples, "sample"),
      counted(statistics.held_steps, "step"), statistics.held.sample,
      replay_of(statistics.held.sample, folder, program));
}

}  // namespace

std::string value_text(const std::optional<double>& value, bool rate) {
  if (!value || !std::isfinite(*value)) return "-";  // sums of huge numbers overflow
  return rate ? rate_text(*value) : fmt::format("{:.6g}", *value);
}

std::string outcome_table(const RunStatistics& statistics, bool sobol) {
  if (statistics.outcomes.empty()) return {};
  std::vector<Row> rows = {
      {"outcome", "", "value", "95 % interval", "worst case", "median", "5 % .. 95 %", "range", "invalid"}};
  for (const OutcomeStatistics& outcome : statistics.outcomes) {
    const bool rate = outcome.kind != OutcomeInfo::Kind::number;
    rows.push_back({outcome.name, estimate_name(outcome.kind), value_text(outcome.estimate, rate),
                    interval_text(outcome.interval, rate), interval_text(outcome.worst, rate), median_text(outcome),
                    middle_text(outcome), range_text(outcome), with_commas(outcome.invalid)});
  }
  std::string text = aligned(rows);
  if (sobol) text += sobol_note;
  return text;
}

std::string outcome_histograms(const RunStatistics& statistics) {
  std::string text;
  for (const OutcomeStatistics& outcome : statistics.outcomes) {
    if (outcome.histogram.counts.empty()) continue;
    if (!text.empty()) text += '\n';
    text += histogram_text(outcome);
  }
  return text;
}

std::string invalid_samples(const RunStatistics& statistics, const std::filesystem::path& folder,
                            const std::string& program) {
  std::string text;
  for (const Status status : all_statuses) {
    const StatusCount& count = statistics.status[static_cast<std::uint8_t>(status)];
    if (status == Status::ok || count.samples == 0) continue;
    text += fmt::format("{} invalid: {} (replay: {})\n", with_commas(count.samples), name_of(status),
                        replay_of(count.first_sample, folder, program));
    if (!count.reason.empty()) text += fmt::format("  sample {}: {}\n", count.first_sample, count.reason);
  }
  return text;
}

std::string results_text(const RunStatistics& statistics, bool sobol, const std::filesystem::path& folder,
                         const std::string& program) {
  std::string text = outcome_table(statistics, sobol) + categories_text(statistics) + certificate_text(statistics) +
                     solver_text(statistics) + held_text(statistics, folder, program);
  for (const std::string& part : {outcome_histograms(statistics), invalid_samples(statistics, folder, program)})
    if (!part.empty()) text += '\n' + part;
  return text;
}

}  // namespace jostle
