// `record`.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include "scenarios/expression/condition.hpp"
#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

constexpr std::int64_t largest_sample = std::numeric_limits<std::int64_t>::max();

std::vector<std::int64_t> read_samples(const SourceNames& sources, const Node& list, const std::string& path) {
  std::vector<std::int64_t> samples;
  for (std::size_t i = 0; i < list.items.size(); ++i)
    samples.push_back(read_whole_number(sources, list.items[i], item_path(path, i), 0, largest_sample));
  std::sort(samples.begin(), samples.end());
  samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
  return samples;
}

/// The names that a condition of this scenario may use.
std::vector<ConditionName> condition_names(const Scenario& scenario) {
  std::vector<ConditionName> names;
  for (const OutcomeSpec& outcome : scenario.outcomes) names.push_back({outcome.name, outcome.kind()});
  for (const Variable& variable : scenario.variables) names.push_back({variable.name});
  for (const char* const column : {"status", "sample"}) names.push_back({column});
  return names;
}

/// `every` as a number of steps.
int steps_of(const Reading& reading, const Node& node, const std::string& path, double every) {
  const WorldSpec& world = reading.scenario.world;
  const double steps = every / world.step;
  if (!(steps <= static_cast<double>(world.steps) + 0.5))
    reading.sources.fail(node.where, path + " is " + shortest(every) + " s, more than the simulated " +
                                         shortest(world.duration) + " s; record.stride counts steps");
  const double tolerance = std::max(1e-9, 4 * std::numeric_limits<double>::epsilon() * steps);
  if (std::round(steps) < 1 || std::fabs(steps - std::round(steps)) > tolerance)
    reading.sources.fail(node.where, path + " must be a whole number of steps of " + shortest(world.step) + " s, not " +
                                         shortest(every) + " s; record.stride counts steps");
  return static_cast<int>(std::round(steps));
}

void refuse_both(const Reading& reading, const MapReader& map, const char* first, const char* second) {
  if (map.find(first) && map.find(second))
    reading.sources.fail(map.at(second).where, map.path() + " has both " + first + " and " + second);
}

}  // namespace

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, RecordedSamples& recorded) {
  using Which = RecordedSamples::Which;
  if (node.kind == Node::Kind::map) {
    recorded.which = Which::where;
    read_spec(reading, node, path, recorded.where);
  } else if (node.kind == Node::Kind::list) {
    recorded.list = read_samples(reading.sources, node, path);
    if (!recorded.list.empty()) recorded.which = Which::listed;
  } else if (node.kind == Node::Kind::scalar && node.text == "all") {
    recorded.which = Which::all;
  } else if (node.kind == Node::Kind::scalar && node.text == "failures") {
    recorded.which = Which::failures;
  } else if (node.kind != Node::Kind::scalar || std::isalpha(static_cast<unsigned char>(node.text[0]))) {
    reading.sources.fail(node.where, path +
                                         " must be all, failures, a whole number, a list of samples or a condition " +
                                         "such as {where: jam}, not " + describe(node));
  } else {
    recorded.count = read_whole_number(reading.sources, node, path, 0, largest_sample);
    if (recorded.count > 0) recorded.which = Which::first;
  }
}

void check_read(const Reading& reading, const MapReader& map, RecordedWhere& where) {
  const Node& node = map.at("where");
  try {
    parse_condition(where.condition, condition_names(reading.scenario));
  } catch (const ExpressionError& error) {
    Location place = node.where;
    if (node.text_offset >= 0) place.column += node.text_offset + static_cast<int>(error.offset);
    reading.sources.fail(place, map.path("where") + ": " + error.what());
  }
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<Expression>& list) {
  for (const Node& item : read_list(reading.sources, node, path)) {
    const std::string where = item_path(path, list.size());
    Expression expression;
    read_value(reading, item, where, key, expression);
    const auto is_same = [&](const Expression& other) { return other.text == expression.text; };
    if (std::any_of(list.begin(), list.end(), is_same))
      reading.sources.fail(item.where, where + ": '" + expression.text + "' is in the list twice");
    list.push_back(std::move(expression));
  }
}

void check_names_in_dataset(const SourceNames& sources, const Node& root, const RecordSpec& record) {
  for (std::size_t i = 0; i < record.quantities.size(); ++i)
    if (record.quantities[i].text.find('/') != std::string::npos)
      sources.fail(
          root.find("record")->find("quantities")->items[i].where,
          item_path("record.quantities", i) + ": a dataset cannot have '/' in its name; multiply by the reciprocal");
}

void check_read(const Reading& reading, const MapReader& map, RecordSpec& record) {
  refuse_both(reading, map, "trajectories", "samples");
  refuse_both(reading, map, "stride", "every");
  if (map.find("samples")) record.trajectories = std::exchange(record.samples, {});
  if (const Node* const every = map.find("every"))
    record.stride = steps_of(reading, *every, map.path("every"), record.every);
}

}  // namespace jostle
