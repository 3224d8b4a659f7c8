#include "drivers/reports/answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drivers/errors.hpp"
#include "drivers/reports/bins.hpp"
#include "drivers/reports/sensitivity.hpp"
#include "drivers/statistics/statistics.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

std::string number_text(double value, bool is_rate) {
  return is_rate ? rate_text(value) : fmt::format("{:.5g}", value);
}

std::string interval_text(const std::optional<Interval>& interval, bool is_rate) {
  if (!interval) return "-";
  return fmt::format("[{}, {}]", number_text(interval->lower, is_rate), number_text(interval->upper, is_rate));
}

const char* estimate_name(const Response& response) { return response.is_rate ? "rate" : "mean"; }

std::string estimate_text(const Tally& tally, bool is_rate) {
  const auto estimate = tally.estimate(is_rate);
  return estimate ? number_text(*estimate, is_rate) : "-";
}

std::string with_unit(const Factor& factor) {
  return factor.unit.empty() ? factor.name : factor.name + " (" + factor.unit + ")";
}

/// The factors of a request, and their bins.
struct Axes {
  Axes(const Samples& samples, const ByRequest& request) {
    const int most = request.bins > 0 ? request.bins : request.factors.size() == 1 ? 10 : 5;
    for (const std::string& name : request.factors) {
      factors.push_back(&find_factor(samples, name));
      bins.push_back(make_bins(factors.back()->values, most));
    }
  }
  const Bins* second() const { return bins.size() > 1 ? &bins[1] : nullptr; }

  std::vector<const Factor*> factors;
  std::vector<Bins> bins;
};

std::string table_of_one(const Response& response, const Axes& axes) {
  std::vector<Row> rows = {
      {with_unit(*axes.factors[0]), "samples", estimate_name(response), "95 % interval", "worst case", "invalid"}};
  const std::vector<Tally> tallies = tally_by(response, axes.bins[0]);
  for (int b = 0; b < axes.bins[0].count(); ++b) {
    const Tally& tally = tallies[static_cast<std::size_t>(b)];
    rows.push_back({label_of(axes.bins[0], b), with_commas(tally.valid + tally.invalid),
                    estimate_text(tally, response.is_rate),
                    interval_text(tally.interval(response.is_rate), response.is_rate),
                    response.is_rate ? interval_text(tally.worst(), true) : "-", with_commas(tally.invalid)});
  }
  return aligned(rows);
}

std::string table_of_two(const Response& response, const Axes& axes) {
  const Bins &x = axes.bins[0], &y = axes.bins[1];
  Row head = {with_unit(*axes.factors[0]) + " \\ " + with_unit(*axes.factors[1])};
  for (int c = 0; c < y.count(); ++c) head.push_back(label_of(y, c));
  std::vector<Row> rows = {std::move(head)};
  const std::vector<Tally> tallies = tally_by(response, x, &y);
  for (int b = 0; b < x.count(); ++b) {
    Row row = {label_of(x, b)};
    for (int c = 0; c < y.count(); ++c) {
      const Tally& tally = tallies[static_cast<std::size_t>(b * y.count() + c)];
      const std::string interval = interval_text(tally.interval(response.is_rate), response.is_rate);
      row.push_back(tally.valid == 0 ? "-" : estimate_text(tally, response.is_rate) + " " + interval);
      if (tally.invalid > 0) row.back() += fmt::format(" ({} invalid)", tally.invalid);
    }
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

Json cell_json(const Response& response, const Tally& tally) {
  Json json;
  json["valid"] = tally.valid;
  json["invalid"] = tally.invalid;
  const auto estimate = tally.estimate(response.is_rate);
  json[estimate_name(response)] = estimate ? Json(*estimate) : Json();
  add_interval(json, "", tally.interval(response.is_rate));
  if (response.is_rate) add_interval(json, "worst_", tally.worst());
  return json;
}

Json cells_json(const Response& response, const Axes& axes) {
  const std::vector<Tally> tallies = tally_by(response, axes.bins[0], axes.second());
  const int columns = axes.second() ? axes.second()->count() : 1;
  Json cells = Json::array();
  for (int cell = 0; cell < static_cast<int>(tallies.size()); ++cell) {
    Json low = Json::array(), high = Json::array();
    const int at[] = {cell / columns, cell % columns};
    for (std::size_t k = 0; k < axes.bins.size(); ++k) {
      low.push_back(axes.bins[k].low[static_cast<std::size_t>(at[k])]);
      high.push_back(axes.bins[k].high[static_cast<std::size_t>(at[k])]);
    }
    Json json = {{"low", low}, {"high", high}};
    json.update(cell_json(response, tallies[static_cast<std::size_t>(cell)]));
    cells.push_back(std::move(json));
  }
  return cells;
}

std::string measured_text(const Measured& measured) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", measured.value, measured.interval.lower, measured.interval.upper);
}

std::string worst_text(const std::optional<std::array<double, 2>>& worst) {
  return worst ? fmt::format("{:.3f} .. {:.3f}", (*worst)[0], (*worst)[1]) : "-";
}

std::string table_of(const std::vector<Explanation>& explanations) {
  const bool has_worst = explanations.front().rank_worst.has_value();
  std::vector<Row> rows = {{"variable", "first-order index", "rank correlation"}};
  if (has_worst) rows[0].insert(rows[0].end(), {"index, invalid as false .. true", "correlation, the same"});
  for (const Explanation& e : explanations) {
    rows.push_back({e.factor->name, measured_text(e.first_order), measured_text(e.rank)});
    if (has_worst) rows.back().insert(rows.back().end(), {worst_text(e.first_order_worst), worst_text(e.rank_worst)});
  }
  return aligned(rows);
}

Json measured_json(const Measured& measured, const std::optional<std::array<double, 2>>& worst) {
  Json json = {{"value", measured.value}, {"lower", measured.interval.lower}, {"upper", measured.interval.upper}};
  if (worst) json["invalid_as_false"] = (*worst)[0], json["invalid_as_true"] = (*worst)[1];
  return json;
}

}  // namespace

ByRequest parse_by(const std::string& text, int bins) {
  ByRequest request{parts_at_commas(text), bins};
  const bool has_empty =
      std::any_of(request.factors.begin(), request.factors.end(), [](const std::string& name) { return name.empty(); });
  if (request.factors.size() > 2 || has_empty)
    throw UsageError("--by wants the name of a random parameter, or of two as in mu,slot, not '" + text + "'");
  if (request.factors.size() == 2 && request.factors[0] == request.factors[1])
    throw UsageError("--by names '" + request.factors[0] + "' twice");
  return request;
}

std::string part_text(const Samples& samples) {
  if (samples.count() == samples.total) return {};
  return fmt::format("From the first {} of {} samples.\n", with_commas(samples.count()), with_commas(samples.total));
}

std::string by_text(const Samples& samples, const ByRequest& request) {
  const Axes axes(samples, request);
  std::string text;
  for (const Response& response : samples.responses) {
    text += fmt::format("{} ({}) by {}\n", response.name, estimate_name(response), fmt::join(request.factors, " and "));
    text += (axes.second() ? table_of_two(response, axes) : table_of_one(response, axes)) + "\n";
  }
  return text + part_text(samples);
}

Json by_json(const Samples& samples, const ByRequest& request) {
  const Axes axes(samples, request);
  Json json = {{"factors", request.factors}, {"samples", samples.count()}, {"outcomes", Json::object()}};
  for (const Response& response : samples.responses) json["outcomes"][response.name] = cells_json(response, axes);
  return json;
}

std::string sensitivity_text(const Samples& samples, bool independent) {
  std::string text;
  for (const Response& response : samples.responses) {
    const std::vector<Explanation> explanations = explain(response, samples.factors);
    text += "What explains " + response.name + (explanations.empty() ? ": " : "\n");
    if (!explanations.empty())
      text += table_of(explanations) + "\n";
    else if (samples.factors.empty())
      text += "no parameter is random\n\n";
    else
      text += fmt::format("all valid samples agree, or they are fewer than {}\n\n", least_explained_samples);
  }
  if (!independent) text += "First-order indices assume independent variables; those of a table may not be.\n";
  return text + part_text(samples);
}

Json sensitivity_json(const Samples& samples) {
  Json json = Json::object();
  for (const Response& response : samples.responses) {
    Json list = Json::array();
    for (const Explanation& e : explain(response, samples.factors))
      list.push_back({{"variable", e.factor->name},
                      {"rank_correlation", measured_json(e.rank, e.rank_worst)},
                      {"first_order", measured_json(e.first_order, e.first_order_worst)}});
    json[response.name] = std::move(list);
  }
  return json;
}

}  // namespace jostle
