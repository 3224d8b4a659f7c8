// `outcomes`, and expressions of quantities.
#include <algorithm>
#include <cmath>

#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

int copies_of(const std::vector<BodySpec>& bodies, std::string_view name) {
  for (const BodySpec& body : bodies)
    if (body.copies > 0 && body.name_in_file() == name) return body.copies;
  return 0;
}

}  // namespace

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, Expression& expression) {
  reading.numbers.set_copies([&](std::string_view name) { return copies_of(reading.scenario.bodies, name); });
  expression = reading.numbers.read_expression(
      node, path, key, [&](const QuantityName& name) { return find_quantity(reading.scenario, name); });
  reading.numbers.set_copies({});
  expression.text = node.text;
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, CategorySpec& category) {
  category.where = node.where;
  for (const Node::Entry& entry : read_map(reading.sources, node, path)) {
    check_identifier(reading.sources, entry, "category");
    Expression condition;
    read_value(reading, entry.value, path + "." + entry.key, key, condition);
    if (condition.kind != ValueKind::truth)
      reading.sources.fail(entry.value.where,
                           path + "." + entry.key + " needs a truth value such as 'x < 1', not a number");
    category.conditions.emplace_back(entry.key, std::move(condition));
  }
  if (category.conditions.size() < 2) reading.sources.fail(node.where, path + " needs two categories or more");
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, SharesSpec& shares) {
  const Key share = Key("share", "").fraction();
  for (const Node::Entry& entry : read_map(reading.sources, node, path))
    shares.shares.emplace_back(entry.key, read_constant(reading.sources, entry.value, path + "." + entry.key, share));
}

/// A categorical outcome becomes a truth value for each of its categories.
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<OutcomeSpec>& outcomes) {
  std::vector<OutcomeSpec> read;
  read_value<OutcomeSpec>(reading, node, path, key, read);
  for (OutcomeSpec& outcome : read) {
    if (outcome.category.conditions.empty()) {
      outcomes.push_back(std::move(outcome));
      continue;
    }
    for (auto& [name, condition] : outcome.category.conditions) {
      OutcomeSpec& category = outcomes.emplace_back();
      category.name = name, category.where = outcome.category.where, category.category_name = outcome.name;
      category.expression = std::move(condition);
      for (const auto& [of, share] : outcome.shares.shares)
        if (of == name) category.share = share;
    }
  }
}

Number read_number_of_motion(Reading& reading, const Node& node, const std::string& path, const Key& key) {
  const BodyReference& body = reading.scenario.forces.back().body;
  return reading.numbers.read(node, path, key,
                              [&](const QuantityName& name) { return find_motion(reading.scenario, name, body); });
}

namespace {

void check_shares(const MapReader& map, const OutcomeSpec& outcome) {
  if (!map.find("shares")) return;
  const auto fail = [&](const std::string& what) { map.fail("shares", what); };
  if (!map.find("category")) fail(" has no meaning without a category");
  double sum = 0;
  for (const auto& [name, condition] : outcome.category.conditions) {
    const auto found = std::ranges::find(outcome.shares.shares, name, [](const auto& share) { return share.first; });
    if (found == outcome.shares.shares.end()) fail(" has none of '" + name + "'");
    sum += found->second;
  }
  if (outcome.shares.shares.size() != outcome.category.conditions.size())
    fail(" has more names than there are categories");
  if (!(std::fabs(sum - 1) < 1e-9)) fail(" must have the sum 1");
}

void require_truth(const MapReader& map, std::string_view key, const Expression& expression) {
  if (expression.kind == ValueKind::truth) return;
  map.fail(key, " needs a truth value such as 'x < 1', not a number");
}

}  // namespace

void check_read(const Reading&, const MapReader& map, OutcomeSpec& outcome) {
  if (outcome.reducer == Reducer::first_time) require_truth(map, "first_time", outcome.expression);
  check_shares(map, outcome);
  const bool is_number = !map.find("category") && !map.find("first_time") && outcome.kind() == ValueKind::number;
  if (map.find("unit") && !is_number) map.fail("unit", " has no meaning: only a number has a unit of its own");
  if (map.find("label") && map.find("category"))
    map.fail("label", " has no meaning for a category, whose outcomes have names");
  if (!map.find("while")) return;
  if (map.find("category")) map.fail("while", " has no meaning for a category");
  require_truth(map, "while", outcome.during);
  if (outcome.reducer == Reducer::at_end) map.fail("while", " has no meaning for at_end (write if(condition, a, b))");
  if (outcome.reducer == Reducer::at_first) map.fail("while", " has no meaning for at_first, which has `when`");
}

void check_read(const Reading&, const MapReader& map, AtFirstSpec& first) { require_truth(map, "when", first.when); }

void check_read(const Reading&, const MapReader& map, Scenario& scenario) {
  if (map.find("stop_when")) require_truth(map, "stop_when", scenario.stop_when);
}

}  // namespace jostle
