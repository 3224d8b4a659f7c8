// The operands of an expression: numbers, names, calls and parentheses.
#include <algorithm>

#include "core/expression/evaluate.hpp"
#include "scenarios/expression/parser.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {

namespace {

using Kind = ExpressionToken::Kind;

constexpr double pi = 0x1.921fb54442d18p+1;

bool is_function(std::string_view name) {
  return name == "gap" || name == "if" || is_over_copies(name) || find_word(expression_of_degrees, name) != nullptr ||
         find_word(expression_functions, name) != nullptr;
}

std::string hint_for_function(std::string_view name) {
  std::vector<std::string> known = {"gap", "if"};
  for (const ExpressionWord& function : expression_functions) known.emplace_back(function.text);
  for (const ExpressionWord& function : expression_of_degrees) known.emplace_back(function.text);
  return did_you_mean(name, known);
}

}  // namespace

ExpressionParser::Operand ExpressionParser::parse_primary() {
  if (tokens_.at_symbol("(")) return parse_parentheses();
  // A body may have the name `and` or that of a function: a name before a point is always a body.
  if (tokens_.at_name_before('.') || tokens_.at_name_before('[') || at_quantity()) return parse_path();
  if (at_keyword("and") || at_keyword("or") || at_keyword("not")) fail_at_operand_position();
  if (tokens_.at_name_before('(')) return parse_call();
  switch (tokens_.peek().kind) {
    case Kind::number: return parse_number();
    case Kind::variable: return parse_variable();
    case Kind::name: return parse_word();
    default: fail_at_operand_position();
  }
}

ExpressionParser::Operand ExpressionParser::parse_parentheses() {
  const Nesting nesting(*this);
  const std::size_t open = tokens_.next().offset;
  const Operand inner = parse_or();
  close(open);
  return {inner.kind, open};
}

void ExpressionParser::close(std::size_t open) {
  if (tokens_.peek().kind == Kind::end) fail(open, "this '(' is never closed");
  if (!tokens_.at_symbol(")")) fail_at_operator_position();
  tokens_.next();
}

ExpressionParser::Operand ExpressionParser::parse_number() {
  const ExpressionToken token = tokens_.next();
  emit({Op::constant, 0, token.value}, token.offset);
  return {ValueKind::number, token.offset};
}

ExpressionParser::Operand ExpressionParser::parse_variable() {
  const ExpressionToken token = tokens_.next();
  std::string name(token.text);
  while (tokens_.at_symbol(".") || tokens_.at_symbol("["))
    name += tokens_.at_symbol(".") ? "." + parse_member()
                                   : parse_index(token.offset, "write a path as $bodies.rod.spin[2]");
  if (const std::vector<Instruction>* code = symbols_.derived ? symbols_.derived(name) : nullptr) {
    for (const Instruction& instruction : *code) emit(instruction, token.offset);
    return {ValueKind::number, token.offset};
  }
  const int index = symbols_.variable ? symbols_.variable(name) : -1;
  if (index < 0) {
    if (std::ranges::find(symbols_.later_names, name) != symbols_.later_names.end())
      fail(token.offset, variable_in_quotes(name) + " is defined further down: `derived` may use what stands above");
    if (symbols_.is_read_later && symbols_.is_read_later(name))
      fail(token.offset, variable_in_quotes(name) +
                             " is read later, whatever the order of the file: put its distribution under `variables`");
    const std::string near = nearest_name(name, symbols_.variable_names);
    fail(token.offset, "unknown variable " + variable_in_quotes(name) +
                           (near.empty() ? "" : " (did you mean " + variable_in_quotes(near) + "?)"));
  }
  emit({Op::variable, index}, token.offset);
  return {ValueKind::number, token.offset};
}

/// A name alone: pi, t, or a quantity of the whole system.
ExpressionParser::Operand ExpressionParser::parse_word() {
  const ExpressionToken token = tokens_.next();
  const std::string name(token.text);
  if (name == "pi") {
    emit({Op::constant, 0, pi}, token.offset);
  } else if (name == "copy" && symbols_.copy) {
    emit({Op::constant, 0, static_cast<double>(*symbols_.copy)}, token.offset);
    uses_copy_ = true;
  } else if (name == "item" && symbols_.item) {
    emit({Op::constant, 0, static_cast<double>(*symbols_.item)}, token.offset);
    uses_copy_ = true;
  } else if (name == "step" && symbols_.step) {
    emit({Op::constant, 0, *symbols_.step}, token.offset);
  } else if (name == "t" && symbols_.time) {
    emit({Op::time}, token.offset);
  } else if (is_function(name)) {
    fail(token.offset, in_quotes(name) + " is a function, its arguments must follow in parentheses");
  } else if (symbols_.quantity && name != "t") {
    return {emit_system_quantity({{name}, false, token.offset}), token.offset};
  } else {
    fail(token.offset, "unknown name " + in_quotes(name) + hint_for_word(name));
  }
  return {ValueKind::number, token.offset};
}

/// If the user meant a variable, the message says so.
ValueKind ExpressionParser::emit_system_quantity(const QuantityName& name) {
  try {
    return emit_quantity(name);
  } catch (const ExpressionError&) {
    if (!is_variable(name.parts[0])) throw;
    fail(name.offset, "unknown name " + in_quotes(name.parts[0]) + hint_for_word(name.parts[0]));
  }
}

bool ExpressionParser::is_variable(std::string_view name) const {
  return (symbols_.variable && symbols_.variable(name) >= 0) || (symbols_.derived && symbols_.derived(name));
}

std::string ExpressionParser::hint_for_word(const std::string& name) const {
  if (is_variable(name)) return " (did you mean " + variable_in_quotes(name) + "?)";
  if (name == "t")
    return symbols_.quantity ? " (write 'time')"
                             : " (only forces, motors and prescribed motion may depend on the time)";
  std::vector<std::string> known = {"pi"};
  for (const std::string& variable : symbols_.variable_names) known.push_back(std::string(1, '$') + variable);
  return did_you_mean(name, known);
}

/// BODY.property or BODY.property.component, or the path of a number
ExpressionParser::Operand ExpressionParser::parse_path() {
  QuantityName path{{}, false, tokens_.peek().offset};
  path.parts.push_back(parse_body());
  while (tokens_.at_symbol(".")) {
    path.parts.push_back(parse_member());
    while (symbols_.has_paths && tokens_.at_symbol("["))
      path.parts.back() += parse_index(path.offset, "write a path as bodies.rod.spin[2]");
  }
  if (!symbols_.quantity)
    fail(path.offset, "quantities such as 'rod.position.x' may stand in outcomes and forces only");
  return {emit_quantity(path), path.offset};
}

std::string ExpressionParser::parse_member() {
  tokens_.next();
  if (tokens_.peek().kind != Kind::name) fail(tokens_.peek().offset, "a name must follow '.'");
  return std::string(tokens_.next().text);
}

ValueKind ExpressionParser::emit_quantity(const QuantityName& name) {
  const auto [index, divisor] = symbols_.quantity(name);
  emit({Op::quantity, index}, name.offset);
  if (divisor != 1) {
    emit({Op::constant, 0, divisor}, name.offset);
    emit({Op::divide}, name.offset);
  }
  return symbols_.kind_of_quantity ? symbols_.kind_of_quantity(index) : ValueKind::number;
}

ExpressionParser::Operand ExpressionParser::parse_call() {
  const Nesting nesting(*this);
  const ExpressionToken name = tokens_.next();
  if (name.text == "gap") return parse_gap(name);
  if (name.text == "if") return parse_choice(name);
  if (is_over_copies(name.text)) return parse_over_copies(name);
  const ExpressionWord* const of_degrees = find_word(expression_of_degrees, name.text);
  const ExpressionWord* function = of_degrees ? of_degrees : find_word(expression_functions, name.text);
  if (function == nullptr) {
    fail(name.offset, "unknown function " + in_quotes(name.text) + hint_for_function(name.text));
  }
  const std::size_t open = tokens_.next().offset;
  const int count = tokens_.at_symbol(")") ? 0 : parse_arguments(name.text);
  close(open);
  const int expected = operand_count(function->op);
  if (count != expected) {
    fail(name.offset, in_quotes(name.text) + " takes " + std::to_string(expected) +
                          (expected == 1 ? " argument" : " arguments") + ", not " + std::to_string(count));
  }
  if (of_degrees) {
    emit({Op::constant, 0, pi / 180}, name.offset);
    emit({Op::multiply}, name.offset);
  }
  emit({function->op}, name.offset);
  return {ValueKind::number, name.offset};
}

/// if(condition, a, b): the value of a where the condition holds, 0 elsewhere, plus that of b where it does not. So
/// its code is there twice.
ExpressionParser::Operand ExpressionParser::parse_choice(const ExpressionToken& name) {
  const std::size_t open = tokens_.next().offset, begin = code_.size();
  const auto skip_comma = [&] {
    if (tokens_.peek().kind == Kind::end) fail(open, "this '(' is never closed");
    if (tokens_.at_symbol(")")) fail(name.offset, "'if' takes a condition and two values: if(x < 1, a, b)");
    if (!tokens_.at_symbol(",")) fail_at_operator_position();
    tokens_.next();
  };
  require(parse_or(), ValueKind::truth, name.text);
  const std::vector<Instruction> condition(code_.begin() + static_cast<std::ptrdiff_t>(begin), code_.end());
  skip_comma();
  const ValueKind kind = parse_or().kind;
  const Op chosen = kind == ValueKind::number ? Op::where : Op::logical_and;
  emit({chosen}, name.offset);
  skip_comma();
  for (const Instruction& instruction : condition) emit(instruction, name.offset);
  emit({Op::logical_not}, name.offset);
  const Operand other = parse_or();
  if (other.kind != kind) fail(other.offset, "the two values of 'if' must both be numbers, or both truth values");
  emit({chosen}, name.offset);
  emit({kind == ValueKind::number ? Op::add : Op::logical_or}, name.offset);
  if (tokens_.at_symbol(",")) fail(name.offset, "'if' takes a condition and two values: if(x < 1, a, b)");
  close(open);
  return {kind, name.offset};
}

int ExpressionParser::parse_arguments(std::string_view function) {
  int count = 0;
  do {
    if (count > 0) tokens_.next();
    require(parse_or(), ValueKind::number, function);
    ++count;
  } while (tokens_.at_symbol(","));
  return count;
}

/// gap(a, b), with the names of two bodies
ExpressionParser::Operand ExpressionParser::parse_gap(const ExpressionToken& name) {
  if (!symbols_.quantity) fail(name.offset, "quantities such as 'gap(a, b)' may stand in outcomes only");
  QuantityName gap{{"gap"}, true, name.offset};
  const std::size_t open = tokens_.next().offset;
  const auto read_body = [&] {
    if (tokens_.peek().kind == Kind::end) fail(open, "this '(' is never closed");
    if (tokens_.peek().kind != Kind::name) fail(tokens_.peek().offset, "'gap' takes the names of 2 bodies");
    gap.parts.push_back(parse_body());
  };
  read_body();
  if (!tokens_.at_symbol(",")) fail(tokens_.peek().offset, "'gap' takes the names of 2 bodies");
  tokens_.next();
  read_body();
  if (tokens_.at_symbol(",")) fail(tokens_.peek().offset, "'gap' takes the names of 2 bodies");
  close(open);
  emit_quantity(gap);
  return {ValueKind::number, name.offset};
}

}  // namespace jostle
