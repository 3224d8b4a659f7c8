#pragma once
// Recursive descent, one function per level of precedence. Code is emitted in postfix order while reading, so the
// stack that it needs is known at every instruction.
//
//   or          = and {"or" and}
//   and         = not {"and" not}
//   not         = "not" not | comparison
//   comparison  = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//   sum         = term {("+" | "-") term}
//   term        = sign {("*" | "/") sign}
//   sign        = ("-" | "+") sign | power
//   power       = primary ["^" sign]
//   primary     = number | variable | word | path | call | over | "(" or ")"
//   over        = ("any" | "all" | "count" | "mean") "(" or ")"          once for each copy of a body
#include "scenarios/expression/expression.hpp"
#include "scenarios/expression/token.hpp"
#include "scenarios/expression/vocabulary.hpp"

namespace jostle {

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Symbols& symbols) : tokens_(text), symbols_(symbols) {}
  Expression parse();

 private:
  struct Operand {
    ValueKind kind;
    std::size_t offset;  ///< of its first token
  };
  using Rule = Operand (ExpressionParser::*)();
  class Nesting;

  // Operators: expression.cpp
  Operand parse_or();
  Operand parse_and();
  Operand parse_logical(std::string_view word, Op op, Rule parse_operand);
  Operand parse_not();
  Operand parse_comparison();
  Operand parse_sum();
  Operand parse_term();
  Operand parse_sign();
  Operand parse_power();
  void parse_right_side(const Operand& left, Op op, Rule parse_operand);

  // Operands: operand.cpp
  Operand parse_primary();
  Operand parse_parentheses();
  Operand parse_number();
  Operand parse_variable();
  Operand parse_word();
  Operand parse_path();
  /// The name behind a '.' at the current token.
  std::string parse_member();
  /// "[2]" at the current token, a '['. Fails at `offset` if no whole number is in it.
  std::string parse_index(std::size_t offset, const std::string& advice);
  Operand parse_call();
  Operand parse_choice(const ExpressionToken& name);
  int parse_arguments(std::string_view function);
  Operand parse_gap(const ExpressionToken& name);
  // Over the copies of a body: expression_copies.cpp
  Operand parse_over_copies(const ExpressionToken& function);
  /// The only body with copies that the arguments at the current token name.
  std::string_view body_with_copies(const ExpressionToken& function) const;
  /// The name of a body at the current token, with its [number], or that of the current copy.
  std::string parse_body();
  /// Skips the ')' that belongs to the '(' at `open`.
  void close(std::size_t open);
  ValueKind emit_quantity(const QuantityName& name);
  ValueKind emit_system_quantity(const QuantityName& name);
  /// Whether `name`, which has no '$', is the name of a variable.
  bool is_variable(std::string_view name) const;
  std::string hint_for_word(const std::string& name) const;

  bool at_keyword(std::string_view word) const;
  /// Whether the current token is a quantity, even if it is a word of the language.
  bool at_quantity() const;
  /// The comparison at the current token, or a null pointer.
  const ExpressionWord* at_comparison() const;
  void emit(const Instruction& instruction, std::size_t offset);
  /// Refuses an operand of the other kind.
  void require(const Operand& operand, ValueKind kind, std::string_view user) const;
  std::string hint_for_symbol() const;
  [[noreturn]] static void fail(std::size_t offset, const std::string& message);
  [[noreturn]] void fail_at_operator_position() const;
  [[noreturn]] void fail_at_operand_position() const;

  ExpressionTokens tokens_;
  const Symbols& symbols_;
  std::vector<Instruction> code_;
  int depth_ = 0;    ///< values on the stack after code_
  int nesting_ = 0;  ///< parentheses, signs, powers and calls around the current token
  bool uses_copy_ = false;
  std::string_view copied_;  ///< inside any() and the like: the body whose copy number copy_ is meant
  int copy_ = 0;
};

/// Counts one level of recursion during its lifetime; refuses too many.
class ExpressionParser::Nesting {
 public:
  explicit Nesting(ExpressionParser& parser);
  ~Nesting() { --nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& nesting_;
};

/// 'text', for messages.
inline std::string in_quotes(std::string_view text) { return std::string(1, '\'').append(text).append(1, '\''); }
/// '$name'
inline std::string variable_in_quotes(std::string_view name) { return in_quotes(std::string(1, '$').append(name)); }

}  // namespace jostle
