#include "scenarios/expression/expression.hpp"

#include "core/expression/evaluate.hpp"
#include "scenarios/expression/parser.hpp"

namespace jostle {

namespace {

using Kind = ExpressionToken::Kind;

constexpr std::size_t longest_expression = 10000;
/// Operations, with those of `derived` variables wherever they are used, and of every copy: they can double from one
/// line to the next.
constexpr std::size_t longest_code = 50000;
constexpr int deepest_nesting = 100;

}  // namespace

Expression parse_expression(std::string_view text, const Symbols& symbols) {
  if (text.size() > longest_expression) {
    throw ExpressionError(0, "the expression is too long, more than " + std::to_string(longest_expression) + " bytes");
  }
  return ExpressionParser(text, symbols).parse();
}

Expression ExpressionParser::parse() {
  if (tokens_.peek().kind == Kind::end) fail(0, "the expression is empty");
  const Operand whole = parse_or();
  if (tokens_.peek().kind != Kind::end) fail_at_operator_position();
  return {std::move(code_), whole.kind, {}, uses_copy_};
}

ExpressionParser::Nesting::Nesting(ExpressionParser& parser) : nesting_(parser.nesting_) {
  if (nesting_ == deepest_nesting) {
    fail(parser.tokens_.peek().offset, "nested too deeply, more than " + std::to_string(deepest_nesting) + " levels");
  }
  ++nesting_;
}

ExpressionParser::Operand ExpressionParser::parse_or() {
  return parse_logical("or", Op::logical_or, &ExpressionParser::parse_and);
}

ExpressionParser::Operand ExpressionParser::parse_and() {
  return parse_logical("and", Op::logical_and, &ExpressionParser::parse_not);
}

ExpressionParser::Operand ExpressionParser::parse_logical(std::string_view word, Op op, Rule parse_operand) {
  const Operand left = (this->*parse_operand)();
  while (at_keyword(word)) {
    const std::size_t offset = tokens_.next().offset;
    require(left, ValueKind::truth, word);
    require((this->*parse_operand)(), ValueKind::truth, word);
    emit({op}, offset);
  }
  return left;
}

ExpressionParser::Operand ExpressionParser::parse_not() {
  if (!at_keyword("not") || at_quantity()) return parse_comparison();
  const Nesting nesting(*this);
  const std::size_t offset = tokens_.next().offset;
  require(parse_not(), ValueKind::truth, "not");
  emit({Op::logical_not}, offset);
  return {ValueKind::truth, offset};
}

ExpressionParser::Operand ExpressionParser::parse_comparison() {
  const Operand left = parse_sum();
  const ExpressionWord* comparison = at_comparison();
  if (comparison == nullptr) return left;
  parse_right_side(left, comparison->op, &ExpressionParser::parse_sum);
  if (at_comparison() != nullptr) {
    fail(tokens_.peek().offset, "comparisons cannot be chained (write 'a < b and b < c')");
  }
  return {ValueKind::truth, left.offset};
}

ExpressionParser::Operand ExpressionParser::parse_sum() {
  const Operand left = parse_term();
  while (tokens_.at_symbol("+") || tokens_.at_symbol("-")) {
    parse_right_side(left, tokens_.at_symbol("+") ? Op::add : Op::subtract, &ExpressionParser::parse_term);
  }
  return left;
}

ExpressionParser::Operand ExpressionParser::parse_term() {
  const Operand left = parse_sign();
  while (tokens_.at_symbol("*") || tokens_.at_symbol("/")) {
    parse_right_side(left, tokens_.at_symbol("*") ? Op::multiply : Op::divide, &ExpressionParser::parse_sign);
  }
  return left;
}

ExpressionParser::Operand ExpressionParser::parse_sign() {
  if (!tokens_.at_symbol("-") && !tokens_.at_symbol("+")) return parse_power();
  const Nesting nesting(*this);
  const ExpressionToken sign = tokens_.next();
  require(parse_sign(), ValueKind::number, sign.text);
  if (sign.text == "-") emit({Op::negate}, sign.offset);
  return {ValueKind::number, sign.offset};
}

/// Binds tighter than a sign on its left and takes one on its right: -2^-2 is -(2^(-2)).
ExpressionParser::Operand ExpressionParser::parse_power() {
  const Operand base = parse_primary();
  if (!tokens_.at_symbol("^")) return base;
  const Nesting nesting(*this);
  parse_right_side(base, Op::power, &ExpressionParser::parse_sign);
  return base;
}

void ExpressionParser::parse_right_side(const Operand& left, Op op, Rule parse_operand) {
  const ExpressionToken symbol = tokens_.next();
  require(left, ValueKind::number, symbol.text);
  require((this->*parse_operand)(), ValueKind::number, symbol.text);
  emit({op}, symbol.offset);
}

bool ExpressionParser::at_keyword(std::string_view word) const {
  return tokens_.peek().kind == Kind::name && tokens_.peek().text == word && !tokens_.at_name_before('.');
}

bool ExpressionParser::at_quantity() const {
  return tokens_.peek().kind == Kind::name && symbols_.names_quantity && symbols_.names_quantity(tokens_.peek().text);
}

const ExpressionWord* ExpressionParser::at_comparison() const {
  return tokens_.peek().kind == Kind::symbol ? find_word(expression_comparisons, tokens_.peek().text) : nullptr;
}

void ExpressionParser::emit(const Instruction& instruction, std::size_t offset) {
  depth_ += 1 - operand_count(instruction.op);
  if (depth_ > max_stack_depth) {
    fail(offset, "too many intermediate values, more than " + std::to_string(max_stack_depth) +
                     " (write the deeper part of each operation first)");
  }
  if (code_.size() >= longest_code)
    fail(offset,
         "too many operations, more than " + std::to_string(longest_code) + ", with those of derived variables");
  code_.push_back(instruction);
}

void ExpressionParser::require(const Operand& operand, ValueKind kind, std::string_view user) const {
  if (operand.kind == kind) return;
  fail(operand.offset, kind == ValueKind::number
                           ? in_quotes(user) + " needs a number, but this is a truth value" + symbols_.hint_for_truths
                           : in_quotes(user) + " needs a truth value such as 'x < 1', but this is a number");
}

void ExpressionParser::fail(std::size_t offset, const std::string& message) { throw ExpressionError(offset, message); }

std::string ExpressionParser::hint_for_symbol() const {
  for (const ForeignSymbol& foreign : foreign_symbols) {
    if (tokens_.at_symbol(foreign.theirs)) return " (write " + in_quotes(foreign.ours) + ")";
  }
  return {};
}

void ExpressionParser::fail_at_operator_position() const {
  const ExpressionToken& token = tokens_.peek();
  if (token.kind != Kind::symbol || token.text == "(") {
    const bool variable = token.kind == Kind::variable;
    fail(token.offset,
         "an operator is missing before " + (variable ? variable_in_quotes(token.text) : in_quotes(token.text)));
  }
  const char* comma = token.text == "," && nesting_ == 0 ? " (decimals have a point, not a comma)" : "";
  fail(token.offset, "unexpected " + in_quotes(token.text) + hint_for_symbol() + comma);
}

void ExpressionParser::fail_at_operand_position() const {
  const ExpressionToken& token = tokens_.peek();
  if (token.kind == Kind::end) fail(token.offset, "the expression ends where a number or a name is missing");
  const std::string hint = hint_for_symbol();
  if (!hint.empty()) fail(token.offset, "unexpected " + in_quotes(token.text) + hint);
  fail(token.offset, "a number or a name is missing before " + in_quotes(token.text));
}

}  // namespace jostle
