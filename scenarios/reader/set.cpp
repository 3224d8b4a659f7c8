// `--set`: values that the command line gives in place of those of the file.
#include <algorithm>
#include <optional>

#include "scenarios/format/keys.hpp"
#include "scenarios/reader/tree.hpp"
#include "scenarios/text/number.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

/// One step of a path: a key, or the index of a list.
struct Step {
  std::string key;
  std::optional<std::size_t> index;
};

/// One --set option while it is applied; with `where`, messages name it.
class Setting {
 public:
  Setting(const SourceNames& sources, int number)
      : sources_(sources), option_(sources.set[static_cast<std::size_t>(number) - 1]), where_{1, 1, number} {}

  void apply(Node& root) const {
    const std::size_t equals = option_.find('=');
    if (equals == std::string::npos || equals == 0) fail("must be path=value, as in world.step=0.001");
    const std::vector<Step> steps = read_path(std::string_view(option_).substr(0, equals));
    use_name_of(steps, root);
    Node value = parse_tree(std::string_view(option_).substr(equals + 1), sources_, where_);
    relocate(value);
    Node* node = &root;
    std::string path;
    const bool removes = value.kind == Node::Kind::null && !steps.back().index;
    for (std::size_t i = 0; i + removes < steps.size(); ++i) {
      const Step& step = steps[i];
      node = step.index ? &item(*node, *step.index, path) : &entry(*node, step.key, path);
      path += step.index ? "[" + std::to_string(*step.index) + "]" : (path.empty() ? "" : ".") + step.key;
    }
    if (removes) return remove(*node, steps.back().key, path);
    *node = std::move(value);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { sources_.fail(where_, message); }

  /// `samples` and `trajectories` of `record` are the same key, so one replaces the other.
  static void use_name_of(const std::vector<Step>& steps, Node& root) {
    if (steps.size() < 2 || steps[0].key != "record" || root.kind != Node::Kind::map) return;
    const std::string& name = steps[1].key;
    if (name != "samples" && name != "trajectories") return;
    const auto record = std::ranges::find(root.entries, "record", &Node::Entry::key);
    if (record == root.entries.end() || record->value.find(name)) return;
    for (Node::Entry& entry : record->value.entries)
      if (entry.key == "samples" || entry.key == "trajectories") entry.key = name;
  }

  // a.b[2].c
  std::vector<Step> read_path(std::string_view path) const {
    std::vector<Step> steps;
    while (!path.empty()) {
      const std::size_t end = path[0] == '[' ? path.find(']') : std::min(path.find_first_of(".["), path.size());
      if (end == std::string_view::npos || end == 0) fail("the path must look like bodies.rod.spin[2]");
      steps.push_back(path[0] == '[' ? Step{{}, read_index(path.substr(1, end - 1))}
                                     : Step{std::string(path.substr(0, end)), {}});
      path.remove_prefix(path[0] == '[' ? end + 1 : end);
      if (path.empty()) break;
      if (path[0] == '.') {
        path.remove_prefix(1);
        if (path.empty()) fail("the path must not end with '.'");
      } else if (path[0] != '[') {
        fail("the path must look like bodies.rod.spin[2]");
      }
    }
    if (steps.size() > static_cast<std::size_t>(max_scenario_depth)) fail("the path is too long");
    return steps;
  }

  std::size_t read_index(std::string_view digits) const {
    const auto index = parsed<std::size_t>(digits);
    if (!index) fail("an index in the path must be a whole number, as in bodies.rod.spin[2]");
    return *index;
  }

  Node& item(Node& list, std::size_t index, const std::string& path) const {
    const std::string name = path.empty() ? "the scenario" : path;
    if (list.kind != Node::Kind::list) fail(name + " is not a list in " + sources_.file + ": set it as a whole");
    if (index >= list.items.size())
      fail(name + " has " + std::to_string(list.items.size()) + (list.items.size() == 1 ? " item" : " items") +
           ", the first is [0]");
    return list.items[index];
  }

  /// Adds a missing key, so that the readers check it; names that the user chose must exist.
  Node& entry(Node& map, const std::string& key, const std::string& path) const {
    if (map.kind == Node::Kind::null && !path.empty()) map.kind = Node::Kind::map;
    if (map.kind != Node::Kind::map)
      fail((path.empty() ? "the scenario" : path) + " is not a map in " + sources_.file + ": set it as a whole");
    std::vector<std::string> known;
    for (Node::Entry& entry : map.entries) {
      if (entry.key == key) return entry.value;
      known.push_back(entry.key);
    }
    for (const std::string_view named : {"bodies", "variables", "outcomes"})
      if (path == named) fail("there is no " + excerpt(key) + " in " + path + did_you_mean(key, known));
    if (path.empty() && !find_key(key_table<Scenario>(), key) && is_variable(map, key))
      fail("there is no " + excerpt(key) + " at the top (did you mean 'variables." + key + "'?)");
    map.entries.push_back({key, where_, {}});
    map.entries.back().value.where = where_;
    return map.entries.back().value;
  }

  /// A key that is set to null is left out of the file.
  void remove(Node& map, const std::string& key, const std::string& path) const {
    const std::string name = path.empty() ? "the scenario" : path;
    if (map.kind != Node::Kind::map) fail(name + " is not a map in " + sources_.file);
    const auto found = std::ranges::find(map.entries, key, &Node::Entry::key);
    std::vector<std::string> known;
    for (const Node::Entry& entry : map.entries) known.push_back(entry.key);
    if (found == map.entries.end())
      fail("there is no " + excerpt(key) + " in " + name + " to remove" + did_you_mean(key, known));
    map.entries.erase(found);
  }

  static bool is_variable(const Node& root, const std::string& name) {
    const Node* variables = root.find("variables");
    return variables && variables->find(name);
  }

  void relocate(Node& node) const {
    node.where = where_;
    node.text_offset = -1;
    for (Node& child : node.items) relocate(child);
    for (Node::Entry& child : node.entries) {
      child.where = where_;
      relocate(child.value);
    }
  }

  const SourceNames& sources_;
  const std::string& option_;
  Location where_;
};

}  // namespace

void apply_set(const SourceNames& sources, Node& root) {
  for (std::size_t i = 1; i <= sources.set.size(); ++i) Setting(sources, static_cast<int>(i)).apply(root);
}

}  // namespace jostle
