// Distributions: {uniform: [a, b]} and the others, where a number may stand and under `variables`.
#include <cmath>

#include "scenarios/reader_numbers.hpp"
#include "scenarios/reader_values.hpp"

namespace jostle {
namespace {

/// Whole numbers beyond this are not all doubles.
constexpr double largest_whole_number = 9007199254740992.0;

void read_bounds(const SourceNames& sources, const Node& node, const std::string& path, Distribution& distribution) {
  const std::vector<Node>& bounds = read_list(sources, node, path, 2);
  distribution.first = read_constant(sources, bounds[0], item_path(path, 0));
  distribution.second = read_constant(sources, bounds[1], item_path(path, 1));
}

void read_interval(const SourceNames& sources, const Node& node, const std::string& path, Distribution& distribution) {
  read_bounds(sources, node, path, distribution);
  if (distribution.kind == Distribution::Kind::log_uniform && !(distribution.first > 0))
    sources.fail(node.where, path + " needs a lower bound greater than 0");
  if (!(distribution.first < distribution.second))
    sources.fail(node.where, path + " needs a lower bound less than the upper bound");
  if (!std::isfinite(distribution.second - distribution.first))
    sources.fail(node.where, path + " is too wide for a double");
}

void read_integer(const SourceNames& sources, const Node& node, const std::string& path, Distribution& distribution) {
  read_bounds(sources, node, path, distribution);
  for (const double bound : {distribution.first, distribution.second})
    if (bound != std::floor(bound) || std::fabs(bound) > largest_whole_number)
      sources.fail(node.where, path + " needs whole numbers");
  if (distribution.first > distribution.second)
    sources.fail(node.where, path + " needs a lower bound not above the upper bound");
}

void read_normal(const SourceNames& sources, const MapReader& map, Distribution& distribution) {
  const Node& node = map.at("normal");
  read_bounds(sources, node, map.path("normal"), distribution);
  if (!(distribution.second > 0)) sources.fail(node.where, map.path("normal") + " needs a deviation greater than 0");
  if (const Node* bound = map.find("min")) distribution.minimum = read_constant(sources, *bound, map.path("min"));
  if (const Node* bound = map.find("max")) distribution.maximum = read_constant(sources, *bound, map.path("max"));
  if (!(distribution.minimum < distribution.maximum)) map.fail(map.path() + " needs min less than max");
  if (!has_mass(distribution) || !std::isfinite(quantile(distribution, 0.5)))
    map.fail(map.path() + ": the probability of a value between min and max is 0, or too small to draw from");
}

std::vector<double> read_constants(const SourceNames& sources, const Node& node, const std::string& path, Sign sign) {
  std::vector<double> values;
  for (const Node& item : read_list(sources, node, path))
    values.push_back(read_constant(sources, item, item_path(path, values.size()), sign));
  return values;
}

void read_choice(const SourceNames& sources, const Node& node, const std::string& path, Distribution& distribution) {
  const MapReader map(sources, node, "choice", path);
  distribution.values = read_constants(sources, map.at("values"), map.path("values"), Sign::any);
  if (distribution.values.empty()) sources.fail(map.at("values").where, map.path("values") + " must not be empty");
  const Node* weights = map.find("weights");
  if (!weights) return;
  distribution.weights = read_constants(sources, *weights, map.path("weights"), Sign::not_negative);
  if (distribution.weights.size() != distribution.values.size())
    sources.fail(weights->where,
                 map.path("weights") + " must be as many as the values, " + std::to_string(distribution.values.size()));
  double sum = 0;
  for (const double weight : distribution.weights) sum += weight;
  if (!(sum > 0) || !std::isfinite(sum))
    sources.fail(weights->where, map.path("weights") + " must have a finite sum greater than 0");
}

}  // namespace

bool is_distribution(const Node& node) {
  for (const std::string_view name : {"uniform", "log_uniform", "normal", "integer", "choice"})
    if (node.find(name)) return true;
  return false;
}

Distribution read_distribution(const SourceNames& sources, const Node& node, const std::string& path) {
  using enum Distribution::Kind;
  const MapReader map(sources, node, "distribution", path);
  const std::string_view name = map.choice();
  const Node& parameters = map.at(name);
  Distribution distribution;
  if (name != "normal" && (map.find("min") || map.find("max"))) map.fail(path + ": min and max are for normal only");
  distribution.kind = name == "uniform"       ? uniform
                      : name == "log_uniform" ? log_uniform
                      : name == "normal"      ? normal
                      : name == "integer"     ? integer
                                              : choice;
  if (name == "normal") read_normal(sources, map, distribution);
  if (name == "uniform" || name == "log_uniform") read_interval(sources, parameters, map.path(name), distribution);
  if (name == "integer") read_integer(sources, parameters, map.path(name), distribution);
  if (name == "choice") read_choice(sources, parameters, map.path(name), distribution);
  return distribution;
}

}  // namespace jostle
