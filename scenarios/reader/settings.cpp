// The settings of a scenario one by one, by their paths.
#include <algorithm>

#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/tree.hpp"

namespace jostle {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

bool is_plain(const Node& node) { return node.kind == Node::Kind::scalar || node.kind == Node::Kind::null; }

std::string text_of(const Node& node) {
  if (node.kind != Node::Kind::list) return node.text;
  std::string text;
  for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + text_of(item);
  return "[" + text + "]";
}

void add(const Node& node, const std::string& path, Settings& settings) {
  const bool is_list = node.kind == Node::Kind::list;
  if (is_plain(node) || (is_list && std::all_of(node.items.begin(), node.items.end(), is_plain))) {
    settings.emplace_back(path, text_of(node));
  } else if (is_list) {
    for (std::size_t i = 0; i < node.items.size(); ++i)
      add(node.items[i], path + "[" + std::to_string(i) + "]", settings);
  } else {
    for (const Node::Entry& entry : node.entries)
      add(entry.value, path.empty() ? entry.key : path + "." + entry.key, settings);
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> settings_of(const std::string& yaml) {
  Settings settings;
  add(parse_tree(yaml, {"scenario.yaml", {}}), "", settings);
  return settings;
}

}  // namespace jostle
