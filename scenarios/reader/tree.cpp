#include "scenarios/reader/tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "scenarios/text/error.hpp"

namespace jostle {
namespace {

bool is_never_closed(const YAML::Exception& error) {
  return error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW || error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW;
}

/// The name with brackets at which a map or list in brackets ends too early, as in {body: part[3]}; empty if that is
/// not the error.
std::string bracketed_name(const YAML::Exception& error, std::string_view text) {
  const auto in_name = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_';
  };
  const std::size_t bracket = error.mark.is_null() ? 0 : static_cast<std::size_t>(error.mark.pos);
  if (!is_never_closed(error) || bracket >= text.size() || text[bracket] != '[') return {};
  std::size_t first = bracket, end = bracket + 1;
  while (first > 0 && in_name(first - 1)) --first;
  while (end < text.size() && in_name(end)) ++end;
  if (first == bracket || end == text.size() || text[end] != ']') return {};
  return std::string(text.substr(first, end + 1 - first));
}

/// Builds the tree from yaml-cpp's events and stops at the first node that is too deep, too large or not allowed.
/// yaml-cpp calls itself once per level, so the limit on depth also guards its stack.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const SourceNames& sources, const Location& origin)
      : text_(text), sources_(sources), origin_(origin) {}

  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) fail(mark, "only one YAML document is allowed in a scenario");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const bool value_of_key = !open_.empty() && open_.back().key_read;
    open(Node::Kind::null, mark, anchor);
    // yaml-cpp reports a missing value at the next token.
    if (value_of_key) open_.back().node.where = open_[open_.size() - 2].key_where;
    close();
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    if (takes_key()) return read_key(mark, value);
    open(Node::Kind::scalar, mark, anchor);
    Node& node = open_.back().node;
    node.text = value;
    node.quoted = tag == "!";
    const std::size_t start = static_cast<std::size_t>(mark.pos) + (node.quoted ? 1 : 0);
    if (start <= text_.size() && text_.substr(start, value.size()) == value) node.text_offset = node.quoted ? 1 : 0;
    close();
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(mark, "an alias cannot stand inside what it names");
    if (takes_key()) fail(mark, "a key must be a word");
    expanded_nodes_ += found->second.nodes;
    if (expanded_nodes_ > max_expanded_nodes)
      fail(mark, "more than " + std::to_string(max_expanded_nodes) + " values once aliases are expanded");
    count(found->second.nodes, mark);
    if (static_cast<int>(open_.size()) + found->second.depth > max_scenario_depth) fail_depth(mark);
    place(Node(found->second.node), found->second.depth);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(Node::Kind::list, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(Node::Kind::map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

  /// A bracket that is never closed is the last one that was opened; the error itself is at the end of the text.
  Location location(const YAML::Exception& error) const {
    return is_never_closed(error) && !open_.empty() && bracketed_name(error, text_).empty() ? open_.back().node.where
                                                                                            : location(error.mark);
  }
  Location location(const YAML::Mark& mark) const {
    if (mark.is_null()) return origin_;
    if (mark.line > 0) return {origin_.line + mark.line, mark.column + 1, origin_.set};
    return {origin_.line, origin_.column + mark.column, origin_.set};
  }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    std::size_t first_node = 0;  ///< nodes counted before this one
    int depth = 0;               ///< levels below it
    std::unordered_set<std::string> keys;
    bool key_read = false;  ///< in a map: the next node is a value
    std::string key;
    Location key_where;
  };
  struct Anchored {
    Node node;
    std::size_t nodes = 0;
    int depth = 0;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    sources_.fail(location(mark), message);
  }
  [[noreturn]] void fail_depth(const YAML::Mark& mark) const {
    fail(mark, "nested deeper than " + std::to_string(max_scenario_depth) + " levels");
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") fail(mark, "YAML tags are not supported");
  }

  void count(std::size_t nodes, const YAML::Mark& mark) {
    nodes_ += nodes;
    if (nodes_ > max_scenario_nodes) fail(mark, "more than " + std::to_string(max_scenario_nodes) + " values");
  }

  bool takes_key() const {
    return !open_.empty() && open_.back().node.kind == Node::Kind::map && !open_.back().key_read;
  }

  void read_key(const YAML::Mark& mark, const std::string& key) {
    Open& map = open_.back();
    if (key == "<<") fail(mark, "YAML merge keys ('<<') are not supported");
    if (!map.keys.insert(key).second) fail(mark, "duplicate key " + excerpt(key));
    map.key = key;
    map.key_where = location(mark);
    map.key_read = true;
  }

  void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    // yaml-cpp reads a bracket that is never closed as the beginning of a key.
    if (takes_key()) fail(mark, "a key must be a word (or a bracket is not closed)");
    if (static_cast<int>(open_.size()) >= max_scenario_depth) fail_depth(mark);
    Open next;
    next.first_node = nodes_;
    count(1, mark);
    next.node.kind = kind;
    next.node.where = location(mark);
    next.anchor = anchor;
    open_.push_back(std::move(next));
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    const int depth = done.depth + 1;
    if (done.anchor != 0) {
      const std::size_t nodes = nodes_ - done.first_node;
      anchored_nodes_ += nodes;
      if (anchored_nodes_ > max_scenario_nodes)
        sources_.fail(done.node.where,
                      "more than " + std::to_string(max_scenario_nodes) + " values in anchors, one within the other");
      anchors_[done.anchor] = {done.node, nodes, depth};
    }
    place(std::move(done.node), depth);
  }

  void place(Node node, int depth) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    parent.depth = std::max(parent.depth, depth);
    if (parent.node.kind == Node::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else {
      parent.node.entries.push_back({std::move(parent.key), parent.key_where, std::move(node)});
      parent.key_read = false;
    }
  }

  std::string_view text_;
  const SourceNames& sources_;
  Location origin_;
  Node root_;
  std::vector<Open> open_;  ///< the node being read and those around it
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t nodes_ = 0;
  std::size_t expanded_nodes_ = 0;  ///< those of aliases
  std::size_t anchored_nodes_ = 0;  ///< those that anchors keep, once for each anchor around them
  int documents_ = 0;
};

bool is_indented_by_tab(std::string_view text, int line) {
  for (; line > 0; --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::size_t end = text.find_first_not_of(" \t");
  return text.substr(0, std::min(end, text.size())).find('\t') != std::string_view::npos;
}

/// What the parser's message means for the author of the text.
std::string in_plain_words(const YAML::Exception& error, std::string_view text) {
  namespace is = YAML::ErrorMsg;
  if (const std::string name = bracketed_name(error, text); !name.empty())
    return "a name with brackets needs quotes inside of others: '" + name + "'";
  if (error.msg == is::END_OF_MAP_FLOW) return "this '{' is never closed";
  if (error.msg == is::END_OF_SEQ_FLOW) return "this '[' is never closed";
  if (error.msg == is::FLOW_END) return "no bracket of this kind is open; or a space is missing after a ':'";
  if (is_indented_by_tab(text, error.mark.line)) return "a tab indents this line, YAML wants spaces";
  if (error.msg == is::MAP_VALUE)
    return "no key can stand here; is a ':' or the space after it missing in this line or the one before?";
  return error.msg;
}

bool is_text(std::string_view text) {
  while (!text.empty()) {
    const unsigned char c = static_cast<unsigned char>(text[0]);
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) return false;
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void number_nodes(Node& node, int& next) {
  node.order = next++;
  for (Node& item : node.items) number_nodes(item, next);
  for (Node::Entry& entry : node.entries) number_nodes(entry.value, next);
}

}  // namespace

void number_nodes(Node& root) {
  int next = 0;
  number_nodes(root, next);
}

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

void SourceNames::fail(const Location& where, const std::string& message) const {
  if (where.set == 0) throw ScenarioError(file, where.line, where.column, message);
  throw ScenarioError("--set " + on_one_line(set.at(static_cast<std::size_t>(where.set) - 1)), 0, 0, message);
}

std::string describe(const Node& node) {
  if (node.kind == Node::Kind::null) return "nothing";
  if (node.kind == Node::Kind::list) return "a list";
  if (node.kind == Node::Kind::map) return "a map";
  return excerpt(node.text);
}

Node parse_tree(std::string_view text, const SourceNames& sources, const Location& origin) {
  if (text.size() > max_scenario_bytes)
    sources.fail(origin, "larger than " + std::to_string(max_scenario_bytes >> 20) + " MiB, not a scenario");
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (!is_text(text)) sources.fail(origin, "not a text file in UTF-8");

  TreeBuilder builder(text, sources, origin);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder))
      sources.fail(origin, origin.set > 0 ? "the value is empty" : "the file is empty");
    parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    sources.fail(builder.location(error), "not valid YAML: " + in_plain_words(error, text));
  }
  return builder.take();
}

}  // namespace jostle
