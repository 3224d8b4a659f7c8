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

/// Finds common mistakes near the line (from 0) at which the parser stopped: a tab as indentation, a bracket closed by
/// another kind of bracket, a ':' without a space after it, a bracket that is never closed. Nothing if it is none of
/// these.
std::optional<YamlFault> find_yaml_fault(std::string_view text, int line);

}  // namespace jostle
