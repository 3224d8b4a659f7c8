#pragma once
// YAML text as a small tree with the place of each node and aliases expanded. This refuses features of YAML that a
// scenario does not need: tags, merge keys, duplicate keys, keys that are not words, more than one document, binary
// data, depth and size beyond any real scenario.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/model/number.hpp"
#include "scenarios/text/utf8.hpp"

namespace jostle {

/// Canonical text has the corners and faces of meshes: 6 MiB and 600,000 values of the largest.
inline constexpr std::size_t max_scenario_bytes = std::size_t{16} << 20, max_scenario_nodes = 1'000'000;
inline constexpr std::size_t max_expanded_nodes = 200'000;  ///< that aliases stand for
inline constexpr int max_scenario_depth = 24;

struct Node {
  struct Entry;
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string text;            ///< scalar
  bool quoted = false;         ///< scalar in quotes, or a block scalar: never a number or a truth value
  int text_offset = -1;        ///< columns from `where` to the first character of `text`; -1 if not known
  std::vector<Node> items;     ///< list
  std::vector<Entry> entries;  ///< map, in file order
  Location where;
  int order = 0;  ///< among all nodes, after they are numbered

  const Node* find(std::string_view key) const;
};

struct Node::Entry {
  std::string key;
  Location where;
  Node value;
};

/// The sources that messages name: the file and the --set options.
struct SourceNames {
  std::string file;
  std::vector<std::string> set;

  [[noreturn]] void fail(const Location& where, const std::string& message) const;
};

/// The tree of `text`. `origin` is the place of the first character, which may be in a --set option.
/// Throws ScenarioError.
Node parse_tree(std::string_view text, const SourceNames& sources, const Location& origin = {});

/// Numbers the nodes in the order of the file.
void number_nodes(Node& root);

/// What was found, for a message: "a list", "nothing"...
std::string describe(const Node& node);

/// Writes the values of all --set options (sources.set) into the tree; null removes a key. Throws ScenarioError naming
/// the option; the readers check keys and values.
void apply_set(const SourceNames& sources, Node& root);

}  // namespace jostle
