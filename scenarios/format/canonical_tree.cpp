#include "scenarios/format/canonical_tree.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace jostle {

std::string shortest(double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), value);
  return std::string(digits, end);
}

CanonicalNode CanonicalNode::word(std::string text) {
  CanonicalNode node;
  node.text_ = std::move(text);
  return node;
}

CanonicalNode CanonicalNode::number(double value) { return word(shortest(value)); }

CanonicalNode CanonicalNode::in_quotes(const std::string& text) {
  constexpr char hex[] = "0123456789abcdef";
  std::string escaped = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      escaped += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7F) {
      escaped += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    } else {
      escaped += c;
    }
  }
  return word(escaped + "\"");
}

CanonicalNode CanonicalNode::list(Style style) {
  CanonicalNode node;
  node.kind_ = Kind::list;
  node.style_ = style;
  return node;
}

CanonicalNode CanonicalNode::map(Style style) {
  CanonicalNode node;
  node.kind_ = Kind::map;
  node.style_ = style;
  return node;
}

CanonicalNode& CanonicalNode::add(CanonicalNode item) { return add({}, std::move(item)); }

CanonicalNode& CanonicalNode::add(std::string key, CanonicalNode value) {
  first_variable_ = std::min(first_variable_, value.first_variable_);
  value.key_ = std::move(key);
  entries_.push_back(std::move(value));
  return *this;
}

CanonicalNode& CanonicalNode::defines(int index) {
  first_variable_ = std::min(first_variable_, index);
  return *this;
}

void CanonicalNode::sort_by_variables() {
  for (CanonicalNode& entry : entries_) entry.sort_by_variables();
  if (kind_ != Kind::map) return;
  std::vector<std::size_t> places;
  std::vector<CanonicalNode> defining;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].first_variable_ == no_variable) continue;
    places.push_back(i);
    defining.push_back(entries_[i]);
  }
  std::stable_sort(defining.begin(), defining.end(), [](const CanonicalNode& a, const CanonicalNode& b) {
    return a.first_variable_ < b.first_variable_;
  });
  for (std::size_t i = 0; i < places.size(); ++i) entries_[places[i]] = std::move(defining[i]);
}

std::string CanonicalNode::print() const {
  std::string text;
  print_block(text, 0);
  return text;
}

void CanonicalNode::print_block(std::string& text, int indent) const {
  for (const CanonicalNode& entry : entries_) {
    text.append(static_cast<std::size_t>(indent), ' ');
    text += kind_ == Kind::list ? "-" : entry.key_ + ":";
    entry.print_value(text, indent + 2);
  }
}

void CanonicalNode::print_value(std::string& text, int indent) const {
  if (style_ == Style::block && !entries_.empty()) {
    text += '\n';
    print_block(text, indent);
    return;
  }
  text += ' ';
  print_flow(text);
  text += '\n';
}

void CanonicalNode::print_flow(std::string& text) const {
  if (kind_ == Kind::scalar) {
    text += text_;
    return;
  }
  text += kind_ == Kind::list ? '[' : '{';
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i > 0) text += ", ";
    if (kind_ == Kind::map) text += entries_[i].key_ + ": ";
    entries_[i].print_flow(text);
  }
  text += kind_ == Kind::list ? ']' : '}';
}

}  // namespace jostle
