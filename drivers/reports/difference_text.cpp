// What `jostle diff` prints.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "drivers/reports/difference.hpp"
#include "drivers/statistics/outcome_report.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

constexpr std::size_t most_settings = 40;

/// With its sign.
std::string change_text(double value, bool is_rate) {
  const std::string size = value_text(std::fabs(value), is_rate);
  return value < 0 ? "-" + size : value > 0 ? "+" + size : size;
}

std::string or_nothing(const std::string& text) { return text.empty() ? "(none)" : text; }

std::string settings_text(const std::vector<SettingDifference>& settings) {
  if (settings.empty()) return {};
  std::vector<Row> rows = {{"setting", "first", "second"}};
  for (const SettingDifference& setting : settings) {
    if (rows.size() > most_settings) break;
    rows.push_back({setting.name, or_nothing(setting.first), or_nothing(setting.second)});
  }
  std::string text = "\n" + aligned(rows);
  if (settings.size() > most_settings) text += fmt::format("and {} more\n", settings.size() - most_settings);
  return text;
}

std::string columns_text(const DatasetDifference& difference) {
  if (difference.differing == 0) return {};
  std::vector<Row> rows = {{"column", "samples that differ"}};
  for (const auto& [name, samples] : difference.columns) rows.push_back({name, with_commas(samples)});
  return "\n" + aligned(rows);
}

std::string only_text(const char* which, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("In the {} alone: {}\n", which, fmt::join(names, ", "));
}

std::string outcomes_text(const DatasetDifference& difference) {
  if (difference.outcomes.empty()) return {};
  std::vector<Row> rows = {
      {"outcome", "", "first", "second", "difference", "95 % interval", "pairs", "changed", "first changed"}};
  for (const OutcomeDifference& outcome : difference.outcomes) {
    const bool is_rate = outcome.is_rate;
    const auto& interval = outcome.interval;
    rows.push_back(
        {outcome.name, is_rate ? "rate" : "mean", value_text(outcome.first, is_rate),
         value_text(outcome.second, is_rate), outcome.count > 0 ? change_text(outcome.difference, is_rate) : "-",
         interval
             ? fmt::format("[{}, {}]", change_text(interval->lower, is_rate), change_text(interval->upper, is_rate))
             : "-",
         with_commas(outcome.count), with_commas(outcome.changed),
         outcome.changed > 0 ? fmt::format("sample {}", outcome.first_changed) : "-"});
  }
  return "\n" + aligned(rows) + (difference.of_sobol ? sobol_note : "");
}

Json json_of(const OutcomeDifference& outcome) {
  const auto value = [](const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); };
  return {{"kind", outcome.is_rate ? "rate" : "mean"},
          {"first", value(outcome.first)},
          {"second", value(outcome.second)},
          {"difference", outcome.count > 0 ? Json(outcome.difference) : Json(nullptr)},
          {"lower", outcome.interval ? Json(outcome.interval->lower) : Json(nullptr)},
          {"upper", outcome.interval ? Json(outcome.interval->upper) : Json(nullptr)},
          {"pairs", outcome.count},
          {"changed", outcome.changed},
          {"first_changed", outcome.changed > 0 ? Json(outcome.first_changed) : Json(nullptr)}};
}

}  // namespace

std::string text_of(const DatasetDifference& difference) {
  std::string text = fmt::format("{} in both (of {} and {}): ", counted(difference.samples, "sample"),
                                 with_commas(difference.of_first), with_commas(difference.of_second));
  if (difference.differing == 0)
    text += "no bit of their summaries differs\n";
  else
    text += fmt::format("{} differ, first sample {}\n", with_commas(difference.differing), difference.first_differing);
  if (difference.differing_records > 0)
    text += fmt::format("But what is recorded of their motion differs in {}.\n",
                        counted(difference.differing_records, "shard"));
  text += only_text("first", difference.only_first) + only_text("second", difference.only_second);
  text += settings_text(difference.settings);
  if (difference.differing == 0) return text;
  text += columns_text(difference) + outcomes_text(difference);
  if (difference.invalid_in_first + difference.invalid_in_second > 0)
    text += fmt::format("Invalid: {} of the first, {} of the second; a pair has two valid samples.\n",
                        with_commas(difference.invalid_in_first), with_commas(difference.invalid_in_second));
  return text;
}

nlohmann::ordered_json json_of(const DatasetDifference& difference) {
  Json json{{"samples", difference.samples},
            {"samples_of_first", difference.of_first},
            {"samples_of_second", difference.of_second},
            {"differing", difference.differing},
            {"first_differing", difference.differing > 0 ? Json(difference.first_differing) : Json(nullptr)},
            {"shards_with_differing_records", difference.differing_records},
            {"settings", Json::array()},
            {"columns", Json::object()},
            {"only_first", difference.only_first},
            {"only_second", difference.only_second},
            {"invalid_in_first", difference.invalid_in_first},
            {"invalid_in_second", difference.invalid_in_second},
            {"outcomes", Json::object()}};
  for (const SettingDifference& setting : difference.settings)
    json["settings"].push_back({{"name", setting.name}, {"first", setting.first}, {"second", setting.second}});
  for (const auto& [name, samples] : difference.columns) json["columns"][name] = samples;
  for (const OutcomeDifference& outcome : difference.outcomes) json["outcomes"][outcome.name] = json_of(outcome);
  return json;
}

}  // namespace jostle
