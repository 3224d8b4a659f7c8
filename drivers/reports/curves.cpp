#include "drivers/reports/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/virtual_view.hpp"
#include "drivers/errors.hpp"
#include "drivers/statistics/statistics.hpp"
#include "drivers/text.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_times = 200, pieces_of_time = 100, pieces_of_range = 40;

std::vector<std::string> known_names(const DatasetDescription& description) {
  std::vector<std::string> names = {"time"};
  if (description.record.steps) names.emplace_back("energy");
  for (const std::string& name : description.record.quantities)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

Shown shown_as(const DatasetDescription& description, const std::string& name) {
  if (name == "time") return {"", "s"};
  if (name == "energy") return {"", "J"};
  const auto found = std::ranges::find(description.record.quantities, name);
  const auto at = static_cast<std::size_t>(found - description.record.quantities.begin());
  return at < description.record.shown_quantities.size() ? description.record.shown_quantities[at] : Shown{};
}

/// A sample at all its times.
struct Track {
  std::int64_t sample;
  std::vector<double> x, y;
  std::vector<std::size_t> time;  ///< their numbers
};

/// [recorded, time] of a shard.
std::vector<double> column_of(const ShardReader& shard, const DatasetDescription& description,
                              const std::string& name) {
  const std::vector<double>& time = description.record.time;
  std::vector<double> values;
  if (name == "time") {
    for (std::int64_t r = 0; r < shard.recorded(); ++r) values.insert(values.end(), time.begin(), time.end());
    return values;
  }
  const RealArray column = shard.step_column(description, name);
  for (std::size_t i = 0; i < column.size(); ++i) values.push_back(column[i]);
  return values;
}

std::vector<Track> read_tracks(const std::filesystem::path& folder, const DatasetDescription& description,
                               std::span<const ShardRange> ranges, const CurveRequest& request) {
  std::vector<Track> tracks;
  const std::size_t times = description.record.time.size();
  for (const ShardRange& range : ranges) {
    if (static_cast<std::int64_t>(tracks.size()) >= most_curve_samples) break;
    const ShardReader shard(folder, range);
    std::vector<std::int64_t> samples = shard.recorded_samples();
    // Without those of a dataset that was larger, or beyond the first ones of a condition, which every shard has.
    samples.resize(static_cast<std::size_t>(rows_below(description, samples, range, std::ssize(tracks))));
    samples.resize(std::min(samples.size(), static_cast<std::size_t>(most_curve_samples) - tracks.size()));
    if (samples.empty()) continue;
    const std::vector<double> x = column_of(shard, description, request.x);
    const std::vector<double> y = column_of(shard, description, request.y);
    for (std::size_t r = 0; r < samples.size(); ++r) {
      Track& track = tracks.emplace_back(Track{samples[r], {}, {}, {}});
      for (std::size_t i = r * times; i < (r + 1) * times; ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;  // a sample that did not come so far
        track.x.push_back(x[i]), track.y.push_back(y[i]), track.time.push_back(i - r * times);
      }
    }
  }
  return tracks;
}

CurveLine thinned(const Track& track) {
  CurveLine line{track.sample, {}, {}};
  const std::size_t count = track.y.size(), pieces = std::min(count, pieces_of_time);
  const auto put = [&](std::size_t i) { line.x.push_back(track.x[i]), line.y.push_back(track.y[i]); };
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const auto begin = static_cast<std::ptrdiff_t>(piece * count / pieces);
    const auto end = static_cast<std::ptrdiff_t>((piece + 1) * count / pieces);
    const auto [least, largest] = std::minmax_element(track.y.begin() + begin, track.y.begin() + end);
    const auto a = static_cast<std::size_t>(least - track.y.begin());
    const auto b = static_cast<std::size_t>(largest - track.y.begin());
    put(std::min(a, b));
    if (a != b) put(std::max(a, b));
  }
  return line;
}

/// Parts of the axis of x.
struct Pieces {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::size_t count = 1;
  std::span<const double> each = {};  ///< unless it is empty: a piece for each of these times

  std::size_t of(const Track& track, std::size_t i) const {
    if (!each.empty()) return track.time[i];
    if (!(high > low)) return 0;
    const double at = (track.x[i] - low) / (high - low) * static_cast<double>(count);
    return std::min(count - 1, static_cast<std::size_t>(at));
  }
  double centre(std::size_t piece) const {
    if (!each.empty()) return each[piece];
    return low + (high - low) * (static_cast<double>(piece) + 0.5) / static_cast<double>(count);
  }
};

double quantile_of(const std::vector<double>& sorted, double share) {
  const QuantilePlace place(std::ssize(sorted), share);
  return place.between(sorted[static_cast<std::size_t>(place.below)], sorted[static_cast<std::size_t>(place.above)]);
}

/// The means of a track within the pieces; NaN where it is not.
std::vector<double> means_of(const Track& track, const Pieces& pieces) {
  std::vector<double> sum(pieces.count, 0), count(pieces.count, 0);
  for (std::size_t i = 0; i < track.x.size(); ++i) {
    const std::size_t piece = pieces.of(track, i);
    sum[piece] += track.y[i], count[piece] += 1;
  }
  for (std::size_t piece = 0; piece < pieces.count; ++piece) sum[piece] /= count[piece];
  return sum;
}

std::vector<CurvePoint> points_of(const std::vector<Track>& tracks, Pieces pieces) {
  for (const Track& track : tracks)
    for (const double x : track.x) pieces.low = std::min(pieces.low, x), pieces.high = std::max(pieces.high, x);
  std::vector<std::vector<double>> values(pieces.count);
  for (const Track& track : tracks) {
    const std::vector<double> means = means_of(track, pieces);
    for (std::size_t piece = 0; piece < pieces.count; ++piece)
      if (std::isfinite(means[piece])) values[piece].push_back(means[piece]);
  }
  std::vector<CurvePoint> points;
  for (std::size_t piece = 0; piece < pieces.count; ++piece) {
    std::vector<double>& sorted = values[piece];
    if (sorted.empty()) continue;
    std::ranges::sort(sorted);
    points.push_back({pieces.centre(piece), static_cast<std::int64_t>(sorted.size()), quantile_of(sorted, 0.05),
                      quantile_of(sorted, 0.5), quantile_of(sorted, 0.95)});
  }
  return points;
}

/// To six digits, so that a page stays small.
double rounded(double value) {
  const std::string text = fmt::format("{:.6g}", value);
  double result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

Json rounded(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

Json axis_json(const std::string& name, const Shown& shown) {
  return {{"name", name}, {"label", shown.label}, {"unit", shown.unit}};
}

std::string axis_text(const std::string& name, const Shown& shown) {
  return shown.unit.empty() ? name : name + " (" + shown.unit + ")";
}

}  // namespace

CurveRequest parse_curve(const std::string& text, const DatasetDescription& description) {
  const std::vector<std::string> known = known_names(description);
  const auto is_known = [&](const std::string& name) { return std::ranges::find(known, name) != known.end(); };
  const std::string whole = trimmed(text);
  if (whole == "time") throw UsageError("--curve: name a quantity; it is drawn over the time");
  if (is_known(whole)) return {"time", whole};
  std::string unknown = whole;
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
    const std::string x = trimmed(text.substr(0, comma)), y = trimmed(text.substr(comma + 1));
    if (is_known(x) && is_known(y) && x != y) return {x, y};  // a name may have commas: gap(a, b)
    unknown = is_known(x) ? y : x;
  }
  if (known.size() == 1)
    throw UsageError("--curve: this dataset has no recorded quantities (record: {trajectories: N, quantities: [" +
                     unknown + "]})");
  throw UsageError("--curve: '" + unknown + "' is not recorded" + did_you_mean_or_known(unknown, known));
}

std::vector<CurveRequest> curves_over_time(const DatasetDescription& description, std::size_t most) {
  std::vector<CurveRequest> requests;
  for (const std::string& name : description.record.quantities)
    if (name != "time" && requests.size() < most) requests.push_back({"time", name});
  return requests;
}

Curve read_curve(const std::filesystem::path& folder, const DatasetDescription& description,
                 std::span<const ShardRange> ranges, const CurveRequest& request) {
  const std::vector<Track> tracks = read_tracks(folder, description, ranges, request);
  Curve curve{request.x, request.y, shown_as(description, request.x), shown_as(description, request.y), 0, {}, {}};
  curve.samples = static_cast<std::int64_t>(tracks.size());
  for (std::size_t t = 0; t < std::min(tracks.size(), most_lines); ++t) curve.lines.push_back(thinned(tracks[t]));
  Pieces pieces;
  const std::size_t times = description.record.time.size();
  if (request.x == "time" && times <= most_times) pieces.each = description.record.time;
  pieces.count = !pieces.each.empty() ? times : request.x == "time" ? pieces_of_time : pieces_of_range;
  curve.points = points_of(tracks, pieces);
  return curve;
}

std::string curve_text(const Curve& curve) {
  std::vector<std::vector<std::string>> rows = {
      {axis_text(curve.x, curve.shown_x), "samples", "5 %", "median", "95 %"}};
  const std::size_t count = curve.points.size(), shown = std::min<std::size_t>(count, 20);
  for (std::size_t k = 0; k < shown; ++k) {
    const CurvePoint& point = curve.points[k * (count - 1) / std::max<std::size_t>(1, shown - 1)];
    rows.push_back({fmt::format("{:.5g}", point.x), with_commas(point.samples), fmt::format("{:.5g}", point.low),
                    fmt::format("{:.5g}", point.median), fmt::format("{:.5g}", point.high)});
  }
  return fmt::format("{} over {}, of {}\n{}", axis_text(curve.y, curve.shown_y), curve.x,
                     counted(curve.samples, "recorded sample"), aligned(rows));
}

Json curve_json(const Curve& curve) {
  Json points = Json::array();
  for (const CurvePoint& p : curve.points)
    points.push_back({{"x", p.x}, {"samples", p.samples}, {"low", p.low}, {"median", p.median}, {"high", p.high}});
  return {{"x", axis_json(curve.x, curve.shown_x)},
          {"y", axis_json(curve.y, curve.shown_y)},
          {"samples", curve.samples},
          {"points", points}};
}

Json curve_chart(const Curve& curve) {
  Json points = Json::array(), lines = Json::array();
  for (const CurvePoint& p : curve.points)
    points.push_back({rounded(p.x), p.samples, rounded(p.low), rounded(p.median), rounded(p.high)});
  for (const CurveLine& line : curve.lines)
    lines.push_back({{"sample", line.sample}, {"x", rounded(line.x)}, {"y", rounded(line.y)}});
  return {{"x", axis_json(curve.x, curve.shown_x)},
          {"y", axis_json(curve.y, curve.shown_y)},
          {"samples", curve.samples},
          {"points", points},
          {"lines", lines}};
}

}  // namespace jostle
