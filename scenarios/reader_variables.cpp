// Which variables there are, and in which order: the order of the file, which decides the dimension that a sampler
// gives each of them.
#include <algorithm>
#include <set>

#include "scenarios/reader_sections.hpp"

namespace jostle {
namespace {

constexpr const char* reserved_columns[] = {"sample",     "status",       "steps",           "end_time",
                                            "pivots_max", "residual_max", "penetration_max", "energy_drift"};

/// What stands under `variables` and is neither a number nor a distribution, with what to write instead.
void check_variable(const SourceNames& sources, const Node& node, const std::string& path) {
  if (node.kind == Node::Kind::scalar && node.text.find('$') != std::string::npos)
    sources.fail(node.where,
                 path + ": a variable cannot use another variable (write " + excerpt(node.text) + " where it is used)");
  if (node.kind == Node::Kind::scalar) return;
  const std::vector<Node>& items = node.items;
  const auto is_short = [](const Node& item) { return item.kind == Node::Kind::scalar && item.text.size() < 30; };
  const bool bounds = items.size() == 2 && is_short(items[0]) && is_short(items[1]);
  const std::string interval = bounds ? items[0].text + ", " + items[1].text : "0, 1";
  sources.fail(node.where, path + " must be a number or a distribution, not " + describe(node) + " (write {uniform: [" +
                               interval + "]})");
}

class VariableCollector {
 public:
  explicit VariableCollector(const SourceNames& sources) : sources_(sources) {}

  void collect(const Node& root) {
    if (root.kind != Node::Kind::map) return;
    for (const Node::Entry& section : root.entries) {
      if (section.key == "variables") {
        add_named(section.value);
      } else if (section.key == "bodies") {
        for (const Node::Entry& body : section.value.entries) walk(body.value, "bodies." + body.key, body.key);
      } else if (section.key != "outcomes") {
        walk(section.value, section.key, section.key);
      }
    }
  }

  std::vector<Variable> take() { return std::move(variables_); }

 private:
  void add_named(const Node& node) {
    for (const Node::Entry& entry : read_map(sources_, node, "variables")) {
      check_identifier(sources_, entry, "variable");
      const std::string path = "variables." + entry.key;
      Variable variable{entry.key, {}, false, entry.where};
      if (entry.value.kind == Node::Kind::map) {
        variable.distribution = read_distribution(sources_, entry.value, path);
      } else {
        check_variable(sources_, entry.value, path);
        variable.distribution.kind = Distribution::Kind::choice;
        variable.distribution.values = {read_constant(sources_, entry.value, path)};
      }
      variables_.push_back(std::move(variable));
    }
  }

  void walk(const Node& node, const std::string& path, const std::string& key) {
    if (key != "half_space" && is_distribution(node)) {  // a half space has a key `normal`, too
      variables_.push_back({path, read_distribution(sources_, node, path), true, node.where});
      return;
    }
    if (key == "rotation" && node.kind == Node::Kind::scalar && node.text == "uniform")
      for (std::size_t i = 0; i < 3; ++i) variables_.push_back({item_path(path, i), {}, true, node.where});
    for (const Node::Entry& entry : node.entries) walk(entry.value, path + "." + entry.key, entry.key);
    for (std::size_t i = 0; i < node.items.size(); ++i) walk(node.items[i], item_path(path, i), {});
  }

  const SourceNames& sources_;
  std::vector<Variable> variables_;
};

}  // namespace

std::vector<Variable> read_variables(const SourceNames& sources, const Node& root) {
  VariableCollector collector(sources);
  collector.collect(root);
  return collector.take();
}

void check_names(const SourceNames& sources, const Scenario& scenario) {
  std::set<std::string> taken(std::begin(reserved_columns), std::end(reserved_columns));
  const auto take = [&](const std::string& what, const std::string& name, const Location& where) {
    if (taken.insert(name).second) return;
    const bool reserved =
        std::find(std::begin(reserved_columns), std::end(reserved_columns), name) != std::end(reserved_columns);
    sources.fail(
        where, what + " '" + name + "' has the name of a " + (reserved ? "column that every result has" : "variable"));
  };
  for (const Variable& variable : scenario.variables) take("variable", variable.name, variable.where);
  for (const OutcomeSpec& outcome : scenario.outcomes) take("outcome", outcome.name, outcome.where);
}

}  // namespace jostle
