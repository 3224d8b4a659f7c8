#include "scenarios/reader/values.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "scenarios/text/number.hpp"

namespace jostle {

namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Number of parentheses that are not closed; negative if too many are closed.
int open_parentheses(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '(') - std::count(text.begin(), text.end(), ')'));
}

/// " such as {length: ..., radius: ...}": the keys that a map of the table must have, or its first one.
std::string example_of(const KeyTable& table) {
  std::string keys;
  bool has_choice = false;
  for (const TableKey& key : table.keys) {
    if (key.presence == Presence::optional || (key.presence == Presence::one_of && has_choice)) continue;
    has_choice = has_choice || key.presence == Presence::one_of;
    keys += (keys.empty() ? "" : ", ") + std::string(key.name) + ": ...";
  }
  if (keys.empty()) keys = std::string(table.keys.front().name) + ": ...";
  return " such as {" + keys + "}";
}

}  // namespace

MapReader::MapReader(const SourceNames& sources, const Node& map, const KeyTable& table, std::string path)
    : sources_(sources), map_(map), table_(table), path_(std::move(path)) {
  if (path_.empty())
    read_map(sources, map, "the scenario");
  else
    read_map(sources, map, path_, example_of(table));
  check_keys();
  check_presence();
}

void MapReader::check_keys() const {
  for (const Node::Entry& entry : map_.entries) {
    if (find_key(table_, entry.key)) continue;
    const std::string in = path_.empty() ? "" : " in " + path_;
    const std::string hint = split_text_hint(map_.entries, entry);
    sources_.fail(entry.where, "unknown key " + excerpt(entry.key) + in +
                                   (hint.empty() ? did_you_mean_or_known(entry.key, names_in(table_.keys)) : hint));
  }
}

void MapReader::check_presence() const {
  std::string choices, chosen;
  for (const TableKey& key : table_.keys) {
    const std::string name(key.name);
    if (key.presence == Presence::required && !map_.find(key.name))
      fail(path(key.name) + " is missing" + std::string(key.if_missing));
    if (key.presence != Presence::one_of) continue;
    choices += (choices.empty() ? "" : ", ") + name;
    if (!map_.find(key.name)) continue;
    if (!chosen.empty())
      fail((path_ + " has both ").append(chosen).append(" and ").append(name) + ", only one is allowed");
    chosen = name;
  }
  if (!choices.empty() && chosen.empty()) fail(path_ + " needs one of " + choices);
}

const Node* MapReader::find(std::string_view key) const {
  if (!find_key(table_, key)) throw std::logic_error("the list of keys does not have " + std::string(key));
  return map_.find(key);
}

const Node& MapReader::at(std::string_view key) const {
  const Node* node = find(key);
  if (!node) fail(path(key) + " is missing");
  return *node;
}

std::string MapReader::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

std::size_t read_word(const SourceNames& sources, const Node& node, const std::string& path,
                      const std::vector<std::string_view>& words) {
  const std::string& text = read_text(sources, node, path);
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string choices;
  for (const std::string_view word : words) choices += (choices.empty() ? "" : ", ") + std::string(word);
  sources.fail(node.where, path + " must be " + (words.size() > 1 ? "one of " : "") + choices + ", not " +
                               excerpt(text) + did_you_mean(text, {words.begin(), words.end()}));
}

std::string split_text_hint(const std::vector<Node::Entry>& entries, const Node::Entry& entry) {
  if (entry.value.kind != Node::Kind::null) return {};
  std::size_t i = 0;
  while (&entries[i] != &entry) ++i;
  if (i > 0 && entries[i - 1].value.kind == Node::Kind::scalar) {
    std::string whole = entries[i - 1].value.text;
    if (is_digits(whole.substr(whole.starts_with('-') ? 1 : 0)) && is_digits(entry.key))
      return " (write a decimal point: " + excerpt(whole + "." + entry.key) + ")";
    if (open_parentheses(whole) > 0) {
      for (; i < entries.size() && entries[i].value.kind == Node::Kind::null; ++i) whole += ", " + entries[i].key;
      return " (quote text that has a comma: " + excerpt(whole) + ")";
    }
  }
  const bool glued = entry.key.find(':') != std::string::npos;
  return glued ? " (a space is missing after ':')" : "";
}

const std::string& read_text(const SourceNames& sources, const Node& node, const std::string& path) {
  if (node.kind != Node::Kind::scalar) sources.fail(node.where, path + " must be text, not " + describe(node));
  return node.text;
}

bool read_flag(const SourceNames& sources, const Node& node, const std::string& path) {
  if (node.kind == Node::Kind::scalar && !node.quoted && node.text == "true") return true;
  if (node.kind == Node::Kind::scalar && !node.quoted && node.text == "false") return false;
  sources.fail(node.where, path + " must be true or false, not " + describe(node));
}

void refuse_notation(const SourceNames& sources, const Node& node, const std::string& path) {
  if (node.kind != Node::Kind::scalar) return;
  std::string text = node.text.substr(!node.text.empty() && (node.text[0] == '+' || node.text[0] == '-') ? 1 : 0);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto refuse = [&](const char* must) {
    sources.fail(node.where, path + " " + must + ": " + excerpt(node.text));
  };
  for (const std::string_view word : {".inf", "inf", "infinity", ".nan", "nan"})
    if (text == word) refuse("must be finite");
  if (text.starts_with("0x")) refuse("must be decimal, not hexadecimal");
  if (text.starts_with("0o")) refuse("must be decimal, not octal");
  if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9')
    refuse("must not begin with 0 (octal in some YAML)");
}

std::int64_t read_whole_number(const SourceNames& sources, const Node& node, const std::string& path,
                               std::int64_t minimum, std::int64_t maximum) {
  refuse_notation(sources, node, path);
  std::int64_t value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [stop, error] = std::from_chars(node.text.data(), end, value);
  const std::optional<std::int64_t> whole = stop != end ? whole_number_of(node.text) : std::nullopt;
  if (whole) value = *whole;
  if (node.kind != Node::Kind::scalar || node.quoted || (stop != end && !whole) || error == std::errc::invalid_argument)
    sources.fail(node.where, path + " must be a whole number, not " + describe(node));
  const bool beyond = error == std::errc::result_out_of_range, negative = node.text[0] == '-';
  if (beyond ? negative : value < minimum)
    sources.fail(node.where, path + " must be " + std::to_string(minimum) + " or more, not " + node.text);
  if (beyond || value > maximum)
    sources.fail(node.where, path + " must be at most " + std::to_string(maximum) + ", not " + node.text);
  return value;
}

const std::vector<Node>& read_list(const SourceNames& sources, const Node& node, const std::string& path,
                                   std::optional<std::size_t> length) {
  const std::string wanted = length ? "a list of " + std::to_string(*length) : "a list";
  if (node.kind != Node::Kind::list) sources.fail(node.where, path + " must be " + wanted + ", not " + describe(node));
  if (length && node.items.size() != *length) {
    const bool split = std::any_of(node.items.begin(), node.items.end(),
                                   [](const Node& item) { return open_parentheses(item.text) != 0; });
    sources.fail(node.where, path + " must be " + wanted + ", not of " + std::to_string(node.items.size()) +
                                 (split ? " (quote text that has a comma: 'min(a, b)')" : ""));
  }
  return node.items;
}

const std::vector<Node::Entry>& read_map(const SourceNames& sources, const Node& node, const std::string& path,
                                         const std::string& example) {
  if (node.kind != Node::Kind::map)
    sources.fail(node.where, path + " must be a map" + example + ", not " + describe(node));
  return node.entries;
}

void check_identifier(const SourceNames& sources, const Node::Entry& entry, const std::string& what) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string& name = entry.key;
  const bool valid = !name.empty() && letter(name[0]) &&
                     std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
  if (valid) return;
  const bool number = entry.value.kind == Node::Kind::null && is_digits(name);
  sources.fail(entry.where, what + " " + excerpt(name) +
                                (!name.empty() && digit(name[0]) ? " must not begin with a digit"
                                                                 : " must consist of letters, digits and '_'") +
                                (number ? " (decimals have a point, not a comma)" : ""));
}

}  // namespace jostle
