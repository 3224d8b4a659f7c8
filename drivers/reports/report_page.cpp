#include "drivers/reports/report_page.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/status.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/reports/bins.hpp"
#include "drivers/reports/page_files.hpp"
#include "drivers/reports/samples.hpp"
#include "drivers/reports/sensitivity.hpp"
#include "drivers/statistics/categories.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

constexpr int curve_bins = 16, map_bins = 10;
/// Samples in the charts; a sweep of any size needs no more memory for its page.
constexpr std::int64_t most_charted = 1 << 17;
/// Factors with a curve, and with maps of each two of them: those that explain the most.
constexpr std::size_t most_curves = 12, most_mapped = 4;
constexpr double convergence_points = 40;
/// Recorded quantities with a chart over the time.
constexpr std::size_t most_recorded = 6;

Json or_null(const std::optional<double>& value) { return value && std::isfinite(*value) ? Json(*value) : Json(); }
Json or_null(const std::optional<Interval>& interval) {
  if (!interval || !std::isfinite(interval->lower) || !std::isfinite(interval->upper)) return {};
  return {interval->lower, interval->upper};
}

Json bins_json(const Bins& bins) { return {{"low", bins.low}, {"high", bins.high}}; }

/// [valid, estimate, [lower, upper], invalid]
Json tally_json(const Tally& tally, bool is_rate) {
  return {tally.valid, or_null(tally.estimate(is_rate)), or_null(tally.interval(is_rate)), tally.invalid};
}

Json tallies_json(const std::vector<Tally>& tallies, bool is_rate) {
  Json list = Json::array();
  for (const Tally& tally : tallies) list.push_back(tally_json(tally, is_rate));
  return list;
}

Json histogram_json(const Histogram& histogram) {
  if (histogram.counts.empty()) return {};
  return {{"edges", histogram.edges}, {"counts", histogram.counts}, {"logarithmic", histogram.is_logarithmic}};
}

/// The estimate after the first samples, more and more of them: [samples, tally].
Json convergence_json(const Response& response) {
  const double all = static_cast<double>(response.values.size()), first = std::min(all, 20.0);
  Json points = Json::array();
  Tally tally;
  double next = first;
  for (std::size_t i = 0; i < response.values.size(); ++i) {
    tally.add(response, i);
    const double done = static_cast<double>(i + 1);
    if (done < std::floor(next) && done < all) continue;
    points.push_back({i + 1, tally_json(tally, response.is_rate)});
    while (next <= done) next *= std::max(1.05, std::pow(all / first, 1 / convergence_points));
  }
  return points;
}

Json measured_json(const Measured& measured) {
  return {measured.value, measured.interval.lower, measured.interval.upper};
}

/// The name of a factor, and what it has to do with the response.
Json factor_json(const Response& response, const Explanation& explanation, const Bins& bins) {
  return {{"name", explanation.factor->name},
          {"label", explanation.factor->label},
          {"unit", explanation.factor->unit},
          {"first_order", measured_json(explanation.first_order)},
          {"rank", measured_json(explanation.rank)},
          {"bins", bins_json(bins)},
          {"cells", tallies_json(tally_by(response, bins), response.is_rate)}};
}

Json maps_json(const Response& response, const std::vector<Explanation>& explanations) {
  const std::size_t count = std::min(explanations.size(), most_mapped);
  std::vector<Bins> bins;
  for (std::size_t i = 0; i < count; ++i) bins.push_back(make_bins(explanations[i].factor->values, map_bins));
  Json maps = Json::array();
  for (std::size_t x = 0; x < count; ++x)
    for (std::size_t y = x + 1; y < count; ++y)
      maps.push_back({{"x", x},
                      {"y", y},
                      {"x_bins", bins_json(bins[x])},
                      {"y_bins", bins_json(bins[y])},
                      {"cells", tallies_json(tally_by(response, bins[x], &bins[y]), response.is_rate)}});
  return maps;
}

/// What the samples show of an outcome.
void add_charts(Json& json, const Response& response, const std::vector<Factor>& factors) {
  const std::vector<Explanation> explanations = explain(response, factors);
  json["convergence"] = convergence_json(response);
  json["curves"] = Json::array();
  for (std::size_t i = 0; i < std::min(explanations.size(), most_curves); ++i)
    json["curves"].push_back(
        factor_json(response, explanations[i], make_bins(explanations[i].factor->values, curve_bins)));
  json["maps"] = maps_json(response, explanations);
}

Json outcome_json(const OutcomeStatistics& outcome, const OutcomeInfo& info) {
  Json json;
  json["name"] = outcome.name;
  json["kind"] = name_of(outcome.kind);
  json["label"] = info.shown.label;
  json["unit"] = info.shown.unit;
  json["meaning"] = info.reducer + ": " + info.expression;
  json["count"] = outcome.count;
  json["invalid"] = outcome.invalid;
  json["estimate"] = or_null(outcome.estimate);
  json["interval"] = or_null(outcome.interval);
  json["worst"] = or_null(outcome.worst);
  json["range"] = outcome.minimum ? Json{*outcome.minimum, *outcome.maximum} : Json();
  json["quantiles"] = outcome.quantiles ? Json(*outcome.quantiles) : Json();
  json["histogram"] = histogram_json(outcome.histogram);
  return json;
}

/// The chart of samples that failed, which is no outcome.
Json invalid_json(const RunStatistics& statistics) {
  OutcomeStatistics invalid;
  invalid.name = "invalid";
  invalid.kind = OutcomeInfo::Kind::truth;
  invalid.count = statistics.samples;
  invalid.hits = statistics.invalid;
  invalid.estimate = static_cast<double>(statistics.invalid) / static_cast<double>(statistics.samples);
  invalid.interval = wilson_interval(statistics.invalid, statistics.samples);
  OutcomeInfo info;
  info.reducer = "status";
  info.expression = "any but ok";
  return outcome_json(invalid, info);
}

Json statuses_json(const RunStatistics& statistics) {
  Json list = Json::array();
  for (const Status status : all_statuses) {
    const StatusCount& count = statistics.status[static_cast<std::uint8_t>(status)];
    if (count.samples == 0) continue;
    list.push_back({{"name", name_of(status)},
                    {"samples", count.samples},
                    {"first_sample", count.first_sample},
                    {"reason", count.reason.empty() ? meaning_of(status) : count.reason}});
  }
  return list;
}

Json worst_json(const char* what, const Worst& worst, const char* unit) {
  return {{"what", what}, {"value", worst.value}, {"unit", unit}, {"sample", worst.sample}};
}

Json charts_json(const std::filesystem::path& folder, const DatasetDescription& description,
                 std::span<const ShardRange> ranges, std::vector<CurveRequest> requests) {
  for (const CurveRequest& request : curves_over_time(description, most_recorded)) requests.push_back(request);
  Json list = Json::array();
  for (const CurveRequest& request : requests)
    if (Curve curve = read_curve(folder, description, ranges, request); !curve.points.empty())
      list.push_back(curve_chart(curve));
  return list;
}

/// The mechanism as the first valid sample has it at its start.
Json picture_json(const Picture& picture, const RunStatistics& statistics) {
  const StatusCount& valid = statistics.status[static_cast<std::uint8_t>(Status::ok)];
  return picture && valid.samples > 0 ? picture(valid.first_sample) : Json();
}

}  // namespace

std::string report_page(const std::filesystem::path& folder, const DatasetDescription& description,
                        std::span<const ShardRange> ranges, const RunStatistics& statistics,
                        const PageRequest& request) {
  const Samples samples = read_samples(folder, description, ranges, most_charted);
  Json json;
  json["title"] = description.title;
  json["folder"] = request.folder_name;
  json["samples"] = statistics.samples;
  json["charted"] = samples.count();
  json["invalid"] = statistics.invalid;
  json["steps"] = statistics.steps;
  json["sampler"] = description.sampler;
  json["seed"] = description.seed;
  json["method"] = description.method;
  json["step"] = description.step;
  json["statuses"] = statuses_json(statistics);
  json["worst"] = {worst_json("residual", statistics.residual, ""),
                   worst_json("penetration", statistics.penetration, "m"),
                   worst_json("energy gained", statistics.energy_gained, "J")};
  if (statistics.energy_gain.sample >= 0)
    json["worst"].push_back(worst_json("in one step", statistics.energy_gain, "J"));
  json["outcomes"] = Json::array();
  for (std::size_t i = 0; i < samples.responses.size(); ++i) {
    const bool is_outcome = i < statistics.outcomes.size();
    Json outcome =
        is_outcome ? outcome_json(statistics.outcomes[i], description.outcomes[i]) : invalid_json(statistics);
    add_charts(outcome, samples.responses[i], samples.factors);
    json["outcomes"].push_back(std::move(outcome));
  }
  json["categories"] = categories_json(statistics);
  json["recorded"] = charts_json(folder, description, ranges, request.curves);
  const Json picture = picture_json(request.picture, statistics);
  if (picture.is_null()) return page_of("report", {"page", "report"}, json_line(json));
  json.update(picture);
  return page_of("report", {"page", "view_math", "view_shapes", "view_gl", "view_drawing", "view_scene", "report"},
                 json_line(json));
}

}  // namespace jostle
