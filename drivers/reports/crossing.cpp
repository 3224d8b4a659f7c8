#include "drivers/reports/crossing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/expression/evaluate.hpp"
#include "drivers/errors.hpp"
#include "drivers/text.hpp"
#include "scenarios/expression/expression.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

struct Point {
  double x;
  bool hit;
};

std::vector<Point> points_of(const Factor& factor, const Response& response) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < response.values.size(); ++i)
    if (response.valid[i] && std::isfinite(factor.values[i]))
      points.push_back({factor.values[i], response.values[i] != 0});
  std::ranges::sort(points, {}, &Point::x);
  return points;
}

/// The gap between all that hit and all that miss, if there is one.
std::optional<Interval> separation(const std::vector<Point>& points) {
  for (const bool low_hits : {false, true}) {
    double last_low = -std::numeric_limits<double>::infinity(), first_high = std::numeric_limits<double>::infinity();
    for (const Point& point : points)
      (point.hit == low_hits ? last_low = std::max(last_low, point.x) : first_high = std::min(first_high, point.x));
    if (last_low < first_high) return Interval{last_low, first_high};
  }
  return {};
}

/// a, b and their covariances, for x that has mean 0 and deviation 1.
struct Logistic {
  double a = 0, b = 0, aa = 0, ab = 0, bb = 0;
};

std::optional<Logistic> fit(const std::vector<Point>& points, double mean, double deviation) {
  constexpr int most_iterations = 100;
  Logistic model;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    double ga = 0, gb = 0, aa = 0, ab = 0, bb = 0;  // score and information
    for (const Point& point : points) {
      const double x = (point.x - mean) / deviation, p = 1 / (1 + std::exp(-model.a - model.b * x));
      ga += point.hit - p, gb += (point.hit - p) * x;
      aa += p * (1 - p), ab += p * (1 - p) * x, bb += p * (1 - p) * x * x;
    }
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 0)) return {};
    model.aa = bb / determinant, model.ab = -ab / determinant, model.bb = aa / determinant;
    const double da = model.aa * ga + model.ab * gb, db = model.ab * ga + model.bb * gb;
    const double most = std::max({std::fabs(da), std::fabs(db), 1.0});  // a step of at most 1
    model.a += da / most, model.b += db / most;
    if (std::fabs(da) + std::fabs(db) < 1e-12) return model;
  }
  return {};
}

/// The x with (a + b x - l)^2 <= z^2 (V_aa + 2 x V_ab + x^2 V_bb); none if this is no interval.
std::optional<Interval> fieller(const Logistic& m, double l) {
  const double z2 = z95 * z95, c = m.a - l;
  const double A = m.b * m.b - z2 * m.bb, B = m.b * c - z2 * m.ab, C = c * c - z2 * m.aa;
  const double square = B * B - A * C;
  if (!(A > 0) || !(square >= 0)) return {};
  return Interval{(-B - std::sqrt(square)) / A, (-B + std::sqrt(square)) / A};
}

/// Where the isotonic estimate of a rate that rises (sign 1) or falls (-1) passes `rate`; linear between the middles
/// of neighbouring blocks.
std::optional<double> isotonic_crossing(const std::vector<Point>& points, double rate, int sign) {
  struct Block {
    double x, hits, count;
    double mean() const { return hits / count; }
  };
  std::vector<Block> of_values;  // of equal x
  for (const Point& point : points) {
    if (of_values.empty() || of_values.back().x != point.x) of_values.push_back({point.x, 0, 0});
    of_values.back().hits += point.hit, of_values.back().count += 1;
  }
  std::vector<Block> blocks;
  for (const Block& value : of_values) {
    blocks.push_back(value);
    while (blocks.size() > 1 && sign * (blocks.back().mean() - blocks[blocks.size() - 2].mean()) <= 0) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& into = blocks.back();
      into.x = (into.x * into.count + last.x * last.count) / (into.count + last.count);
      into.hits += last.hits, into.count += last.count;
    }
  }
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    const double before = blocks[i - 1].mean(), after = blocks[i].mean();
    if (sign * (before - rate) <= 0 && sign * (after - rate) >= 0)
      return blocks[i - 1].x + (rate - before) / (after - before) * (blocks[i].x - blocks[i - 1].x);
  }
  return {};
}

const Response& rate_named(const Samples& samples, const std::string& name) {
  std::vector<std::string> known;
  for (const Response& response : samples.responses) {
    if (response.name == name && response.is_rate) return response;
    if (response.name == name) throw UsageError("--where-rate: " + name + " is a number, it has no rate");
    if (response.is_rate) known.push_back(response.name);
  }
  throw UsageError("--where-rate: there is no outcome '" + name + "' with a rate" + did_you_mean_or_known(name, known));
}

}  // namespace

WhereRate parse_where_rate(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto fail = [&] {
    throw UsageError("--where-rate wants an outcome and a rate between 0 and 1, as in edge=1/3, not '" + text + "'");
  };
  if (equals == std::string::npos || equals == 0) fail();
  WhereRate request{text.substr(0, equals), 0, text.substr(equals + 1)};
  try {
    const Expression rate = parse_expression(request.text, {});
    request.rate =
        evaluate({rate.code.data(), static_cast<int>(rate.code.size())}, nullptr, 0, [](int) { return 0.0; });
    if (rate.kind != ValueKind::number) fail();
  } catch (const ExpressionError&) {
    fail();
  }
  if (!(request.rate > 0 && request.rate < 1)) fail();
  return request;
}

Crossing find_crossing(const Factor& factor, const Response& response, double rate) {
  const std::vector<Point> points = points_of(factor, response);
  Crossing found;
  found.valid = static_cast<std::int64_t>(points.size());
  const auto hits = std::ranges::count_if(points, &Point::hit);
  if (hits == 0 || hits == found.valid) return found;
  if (const std::optional<Interval> gap = separation(points)) {
    found.is_separated = true, found.interval = gap, found.value = std::midpoint(gap->lower, gap->upper);
    return found;
  }
  double mean = 0, square = 0;
  for (const Point& point : points) mean += point.x / static_cast<double>(points.size());
  for (const Point& point : points) square += (point.x - mean) * (point.x - mean) / static_cast<double>(points.size());
  double rise = 0;
  for (const Point& point : points) rise += (point.x - mean) * point.hit;
  found.isotonic = isotonic_crossing(points, rate, rise > 0 ? 1 : -1);
  const double deviation = std::sqrt(square);
  const std::optional<Logistic> model = fit(points, mean, deviation);
  if (!model || model->b == 0) return found;
  const double logit = std::log(rate / (1 - rate));
  found.value = mean + deviation * (logit - model->a) / model->b;
  found.is_outside = *found.value < points.front().x || *found.value > points.back().x;
  if (const std::optional<Interval> interval = fieller(*model, logit))
    found.interval = Interval{mean + deviation * interval->lower, mean + deviation * interval->upper};
  return found;
}

std::string crossing_text(const Samples& samples, const std::string& name, const WhereRate& request) {
  const Factor& factor = find_factor(samples, name);
  const Response& response = rate_named(samples, request.outcome);
  const Crossing found = find_crossing(factor, response, request.rate);
  const std::string of = fmt::format("{} has the rate {} ", request.outcome, request.text);
  const std::string unit = factor.unit.empty() ? "" : " " + factor.unit;
  if (!found.value && found.isotonic)
    return of + fmt::format("at {} = {:.6g}{} by isotonic regression; logistic regression has no answer, {}\n", name,
                            *found.isotonic, unit, counted(found.valid, "valid sample"));
  if (!found.value)
    return of + fmt::format("at no value of {} that the {} show\n", name, counted(found.valid, "valid sample"));
  if (found.is_separated)
    return of + fmt::format("between {} = {:.6g} and {:.6g}{}, which divide all samples\n", name, found.interval->lower,
                            found.interval->upper, unit);
  std::string text = of + fmt::format("at {} = {:.6g}{}", name, *found.value, unit);
  text += found.interval ? fmt::format(" [{:.6g}, {:.6g}]", found.interval->lower, found.interval->upper)
                         : " (no interval: the rate hardly changes)";
  if (found.is_outside) text += ", which no sample reaches,";
  text += fmt::format(" by logistic regression, {}; ", counted(found.valid, "valid sample"));
  text += found.isotonic ? fmt::format("at {:.6g}{} by isotonic regression\n", *found.isotonic, unit)
                         : std::string("isotonic regression does not reach it\n");
  return text;
}

nlohmann::ordered_json crossing_json(const Samples& samples, const std::string& name, const WhereRate& request) {
  const Crossing found = find_crossing(find_factor(samples, name), rate_named(samples, request.outcome), request.rate);
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  return {{"outcome", request.outcome},
          {"rate", request.rate},
          {"factor", name},
          {"method", found.is_separated ? "separation" : "logistic"},
          {"value", number(found.value)},
          {"lower", number(found.interval ? std::optional(found.interval->lower) : std::nullopt)},
          {"upper", number(found.interval ? std::optional(found.interval->upper) : std::nullopt)},
          {"isotonic", number(found.isotonic)},
          {"valid", found.valid}};
}

}  // namespace jostle
