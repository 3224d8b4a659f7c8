#pragma once
// What is wrong with a text that is not YAML, in plain words.
#include <optional>
#include <string>
#include <string_view>

namespace jostle {

struct YamlFault {
  int line;    ///< from 0
  int column;  ///< from 0, in bytes
  std::string message;
};

/// The usual slips that show near the line (from 0) at which the parser gave up: a tab that indents, a bracket that
/// another kind of bracket closes, a ':' without a space behind it, a bracket that is never closed. Nothing if it is
/// none of them.
std::optional<YamlFault> find_yaml_fault(std::string_view text, int line);

}  // namespace jostle
