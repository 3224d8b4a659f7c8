// `variables`, and the order of all variables: that of the file, which decides their dimensions in a sampler.
#include <algorithm>
#include <map>
#include <numeric>

#include "core/records/summary.hpp"
#include "scenarios/format/numbers.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

#define JOSTLE_NAME(type, name, unit, description, value) #name,
constexpr const char* reserved_columns[] = {"sample", JOSTLE_SUMMARY_COLUMNS(JOSTLE_NAME)};
#undef JOSTLE_NAME

/// Fails at an entry of `variables` that is neither a number nor a distribution, and says what to write instead.
void check_variable(const SourceNames& sources, const Node& node, const std::string& path) {
  if (node.kind == Node::Kind::scalar && node.text.find('$') != std::string::npos)
    sources.fail(node.where, path + ": a variable cannot use another variable (write " + excerpt(node.text) +
                                 " under 'derived', or where it is used)");
  if (node.kind == Node::Kind::scalar) return;
  const std::vector<Node>& items = node.items;
  const auto is_short = [](const Node& item) { return item.kind == Node::Kind::scalar && item.text.size() < 30; };
  const bool bounds = items.size() == 2 && is_short(items[0]) && is_short(items[1]);
  const std::string interval = bounds ? items[0].text + ", " + items[1].text : "0, 1";
  sources.fail(node.where, path + " must be a number or a distribution, not " + describe(node) + " (write {uniform: [" +
                               interval + "]})");
}

}  // namespace

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, std::vector<Variable>&) {
  for (const Node::Entry& entry : read_map(reading.sources, node, path)) {
    check_identifier(reading.sources, entry, "variable");
    const std::string name = path + "." + entry.key;
    Variable variable{entry.key, {}, false, entry.where};
    if (entry.value.kind == Node::Kind::map) {
      variable.distribution = read_distribution(reading.sources, entry.value, name);
    } else {
      check_variable(reading.sources, entry.value, name);
      variable.distribution.kind = Distribution::Kind::choice;
      variable.distribution.choice.values = {read_constant(reading.sources, entry.value, name)};
    }
    reading.numbers.define(entry.value, std::move(variable));
  }
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<DerivedSpec>& derived) {
  std::vector<std::string> names;
  for (const Node::Entry& entry : read_map(reading.sources, node, path)) names.push_back(entry.key);
  reading.numbers.announce(std::move(names));
  for (const Node::Entry& entry : read_map(reading.sources, node, path)) {
    check_identifier(reading.sources, entry, "derived");
    if (std::ranges::find(reading.scenario.variables, entry.key, &Variable::name) != reading.scenario.variables.end())
      reading.sources.fail(entry.where, path + "." + entry.key + " has the name of a variable");
    if (is_distribution(entry.value))
      reading.sources.fail(entry.value.where,
                           path + "." + entry.key + " must be an expression; a distribution belongs to `variables`");
    const Number value = reading.numbers.read(entry.value, path + "." + entry.key, key);
    reading.numbers.define(entry.key, value);
    derived.push_back({entry.key, value, entry.where});
  }
}

void sort_variables(Reading& reading) {
  std::vector<Variable>& variables = reading.scenario.variables;
  const std::vector<int>& places = reading.numbers.places();
  std::vector<std::size_t> sorted(variables.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<int> number(variables.size());
  std::vector<Variable> in_order;
  for (const std::size_t old : sorted) {
    number[old] = static_cast<int>(in_order.size());
    in_order.push_back(std::move(variables[old]));
  }
  variables = std::move(in_order);
  visit_variables(reading.scenario, [&](int& index) { index = number[static_cast<std::size_t>(index)]; });
  for (VariedSpec& varied : reading.scenario.sample.vary)
    varied.variable = static_cast<int>(std::ranges::find(variables, varied.name, &Variable::name) - variables.begin());
}

void check_names(const SourceNames& sources, const Scenario& scenario) {
  std::map<std::string, std::string> taken;  // by what
  for (const char* const column : reserved_columns) taken[column] = "a column that every result has";
  const auto take = [&](const std::string& what, const std::string& name, const Location& where,
                        const std::string& taker) {
    const auto [place, is_new] = taken.try_emplace(name, taker);
    if (!is_new) sources.fail(where, what + " '" + name + "' has the name of " + place->second);
  };
  for (const Variable& variable : scenario.variables) take("variable", variable.name, variable.where, "a variable");
  for (const OutcomeSpec& outcome : scenario.outcomes)
    take("outcome", outcome.name, outcome.where,
         outcome.category_name.empty() ? "an outcome" : "a category of '" + outcome.category_name + "'");
}

}  // namespace jostle
