#pragma once
// From the text of an expression to a postfix program (the language of docs/scenario-file.md).
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/expression/program.hpp"

namespace jostle {

/// An error in an expression, and where in its text (0-based offset).
struct ExpressionError : std::runtime_error {
  ExpressionError(std::size_t at, const std::string& message) : std::runtime_error(message), offset(at) {}
  std::size_t offset;
};

enum class ValueKind { number, truth };

struct Expression {
  std::vector<Instruction> code;
  ValueKind kind = ValueKind::number;
  std::string text = {};   ///< as written in the scenario
  bool uses_copy = false;  ///< the value of `copy` or `item`
};

/// A quantity as written: `rod.position.x` is {"rod", "position", "x"}; `gap(a, b)` is {"gap", "a", "b"}
/// with call = true; `energy` is {"energy"}. A number in brackets belongs to the part before it.
struct QuantityName {
  std::vector<std::string> parts;
  bool call = false;
  std::size_t offset = 0;
};

/// A quantity as an expression uses it: its value over a constant, -1 for an opposite.
struct QuantityUse {
  QuantityUse(int number) : index(number) {}  // NOLINT: most are no more
  QuantityUse(int number, double over) : index(number), divisor(over) {}
  int index;
  double divisor = 1;
};

/// The names an expression may use. If quantities or time are not allowed, the error names them.
struct Symbols {
  /// Index of variable `$name`, or -1. A variable in place of a number has its path as name.
  std::function<int(std::string_view)> variable;
  /// The code of a named expression `$name`, or null. Empty: there are none.
  std::function<const std::vector<Instruction>*(std::string_view)> derived;
  std::vector<std::string> later_names;  ///< of derived numbers further down, for messages
  /// Whether there is a distribution in place of the number with this path, which is read later. Empty: none.
  std::function<bool(std::string_view)> is_read_later;
  /// For "did you mean": all variable names.
  std::vector<std::string> variable_names;
  bool time = false;           ///< whether `t` (s) may be used
  std::optional<int> copy;     ///< the value of `copy`, if it may be used
  std::optional<int> item;     ///< the value of `item`, likewise
  std::optional<double> step;  ///< the value of `step`, s, if it may be used
  /// How many copies a body has, by its name in the file; 0: it has no copies. Empty: there are no quantities here.
  std::function<int(std::string_view)> copies;
  /// Number of the quantity; throws ExpressionError if there is none. Empty: no quantities here.
  std::function<QuantityUse(const QuantityName&)> quantity;
  bool has_paths = false;  ///< whether quantities may be named by paths of the file, with numbers in brackets
  /// Whether a name is a quantity even if the language has the same word. Empty: none is.
  std::function<bool(std::string_view)> names_quantity;
  /// Whether a quantity is a number or a truth value. Empty: all are numbers.
  std::function<ValueKind(int)> kind_of_quantity;
  /// What a message adds where a truth value stands in place of a number.
  std::string hint_for_truths = {};
};

/// Throws ExpressionError.
Expression parse_expression(std::string_view text, const Symbols& symbols);

/// Code with the value of a truth value, but NaN where that depends on comparisons with something undefined, such as
/// sqrt(-1): `x > 0 and sqrt(x) < 2` is false at x = -1, `sqrt(x) < 2` and its opposite are neither true nor false.
/// Conditions of if(), which choose numbers, stay as they are. The same code if nothing in it can be undefined.
std::vector<Instruction> with_undefined(const std::vector<Instruction>& code);

}  // namespace jostle
