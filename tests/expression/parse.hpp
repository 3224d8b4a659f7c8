#pragma once
// Expressions as the tests use them: variables $mu and $omega0, and bodies rod and table.
#include <string>

#include "core/expression/evaluate.hpp"
#include "scenarios/expression/expression.hpp"

namespace jostle::test {

/// What a scenario's outcome may use. Quantity number 0 is energy, 1 rod.position.x, 2 gap(rod, table), 3 time.
inline Symbols outcome_symbols() {
  Symbols symbols;
  symbols.variable_names = {"mu", "omega0"};
  symbols.variable = [](std::string_view name) { return name == "mu" ? 0 : name == "omega0" ? 1 : -1; };
  symbols.quantity = [](const QuantityName& name) -> int {
    const std::vector<std::string>& parts = name.parts;
    if (!name.call && parts == std::vector<std::string>{"energy"}) return 0;
    if (!name.call && parts == std::vector<std::string>{"rod", "position", "x"}) return 1;
    if (name.call && parts == std::vector<std::string>{"gap", "rod", "table"}) return 2;
    if (!name.call && parts == std::vector<std::string>{"time"}) return 3;
    throw ExpressionError(name.offset, "unknown quantity '" + parts.back() + "'");
  };
  return symbols;
}

/// What a force may use: variables and t.
inline Symbols force_symbols() {
  Symbols symbols = outcome_symbols();
  symbols.quantity = nullptr;
  symbols.time = true;
  return symbols;
}

/// With $mu = 0.5, $omega0 = 4, t = 2, energy = 10, rod.position.x = 11, gap(rod, table) = 12, time = 13.
inline double value_of(const Expression& expression) {
  const double variables[] = {0.5, 4};
  return evaluate({expression.code.data(), static_cast<int>(expression.code.size())}, variables, 2,
                  [](int index) { return 10.0 + index; });
}

inline double value_of(std::string_view text, const Symbols& symbols = outcome_symbols()) {
  return value_of(parse_expression(text, symbols));
}

/// "offset: message" of the error, or "none".
inline std::string error_of(std::string_view text, const Symbols& symbols = outcome_symbols()) {
  try {
    parse_expression(text, symbols);
  } catch (const ExpressionError& error) {
    return std::to_string(error.offset) + ": " + error.what();
  }
  return "none";
}

}  // namespace jostle::test
