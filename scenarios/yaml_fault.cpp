#include "scenarios/yaml_fault.hpp"

#include <algorithm>
#include <vector>

namespace jostle {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string quoted(char c) { return std::string("'") + c + "'"; }

/// Removes the first line from `text` and returns it.
std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// Reads the text line by line and tracks which brackets are open.
class Brackets {
 public:
  /// The first bracket of the line that closes one of the other kind, if any.
  std::optional<YamlFault> walk(std::string_view line, int number) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote_ != 0) {
        if (c == '\\' && quote_ == '"') ++i;
        if (c == quote_) quote_ = 0;
      } else if ((c == '"' || c == '\'') && (i == 0 || !is_word(line[i - 1]))) {
        quote_ = c;
      } else if (c == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
        break;
      } else if (c == '[' || c == '{') {
        open_.push_back({number, static_cast<int>(i), c});
      } else if ((c == ']' || c == '}') && !open_.empty()) {
        const char opening = open_.back().bracket;
        if ((opening == '[') != (c == ']'))
          return YamlFault{number, static_cast<int>(i), quoted(opening) + " is closed by " + quoted(c)};
        open_.pop_back();
      }
    }
    return {};
  }

  std::optional<YamlFault> never_closed() const {
    if (open_.empty()) return {};
    return YamlFault{open_.back().line, open_.back().column,
                     "this " + quoted(open_.back().bracket) + " is never closed"};
  }

 private:
  struct Open {
    int line;
    int column;
    char bracket;
  };
  std::vector<Open> open_;
  char quote_ = 0;
};

std::optional<YamlFault> indenting_tab(std::string_view line, int number) {
  const std::size_t tab = std::min(line.find_first_not_of(' '), line.size());
  if (tab == line.size() || line[tab] != '\t') return {};
  return YamlFault{number, static_cast<int>(tab), "a tab indents this line, YAML wants spaces"};
}

/// `mu:{uniform` or `mass:1`, where a word begins the line.
std::optional<YamlFault> missing_space(std::string_view line, int number) {
  std::size_t at = std::min(line.find_first_not_of(" -{"), line.size());
  const std::size_t first = at;
  while (at < line.size() && is_word(line[at])) ++at;
  if (at == first || at + 1 >= line.size() || line[at] != ':') return {};
  const char next = line[at + 1];
  if (!is_word(next) && std::string_view("[{$-.\"'").find(next) == std::string_view::npos) return {};
  return YamlFault{number, static_cast<int>(at), "a space is missing after ':'"};
}

}  // namespace

std::optional<YamlFault> find_yaml_fault(std::string_view text, int line) {
  Brackets brackets;
  for (int i = 0; !text.empty(); ++i) {
    const std::string_view whole = next_line(text);
    if (i == line - 1 || i == line)  // the mistake may be in the line before
      for (const auto& check : {indenting_tab, missing_space})
        if (auto fault = check(whole, i)) return fault;
    if (auto fault = brackets.walk(whole, i)) return i <= line ? fault : std::nullopt;
  }
  return brackets.never_closed();
}

}  // namespace jostle
