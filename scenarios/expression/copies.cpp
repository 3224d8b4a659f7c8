// any(), all(), count() and mean(): an expression once for each copy of a body.
#include "scenarios/expression/parser.hpp"
#include "scenarios/text/number.hpp"

namespace jostle {
namespace {

using Kind = ExpressionToken::Kind;

}  // namespace

std::string ExpressionParser::parse_body() {
  const ExpressionToken token = tokens_.next();
  std::string name(token.text);
  if (!tokens_.at_symbol("[")) {
    if (!copied_.empty() && token.text == copied_) name += "[" + std::to_string(copy_) + "]";
    return name;
  }
  return name + parse_index(token.offset, "write one of the copies of a body as " + name + "[0]");
}

std::string ExpressionParser::parse_index(std::size_t offset, const std::string& advice) {
  tokens_.next();
  const ExpressionToken number = tokens_.next();
  const auto index = parsed<int>(number.text);
  if (number.kind != Kind::number || !index || !tokens_.at_symbol("]")) fail(offset, advice);
  tokens_.next();
  return "[" + std::to_string(*index) + "]";
}

std::string_view ExpressionParser::body_with_copies(const ExpressionToken& function) const {
  ExpressionTokens ahead = tokens_;
  std::string_view found;
  for (int open = 1; open > 0 && ahead.peek().kind != Kind::end;) {
    const bool has_number = ahead.at_name_before('[');
    const ExpressionToken token = ahead.next();
    if (token.kind == Kind::symbol && token.text == "(") ++open;
    if (token.kind == Kind::symbol && token.text == ")") --open;
    if (token.kind != Kind::name || has_number || symbols_.copies(token.text) == 0 || token.text == found) continue;
    if (!found.empty())
      fail(token.offset, in_quotes(function.text) + " is over the copies of one body, not of " + std::string(found) +
                             " and " + std::string(token.text));
    found = token.text;
  }
  if (found.empty())
    fail(function.offset, in_quotes(function.text) + " needs a body that has copies, as in '" +
                              std::string(function.text) + "(part.position.x > 1)'");
  return found;
}

ExpressionParser::Operand ExpressionParser::parse_over_copies(const ExpressionToken& function) {
  if (!symbols_.copies) fail(function.offset, in_quotes(function.text) + " may stand in outcomes and stop_when only");
  if (!copied_.empty()) fail(function.offset, in_quotes(function.text) + " cannot stand inside another");
  const ExpressionWord& word = *find_word(expression_over_copies, function.text);
  const bool mean = function.text == "mean";
  const std::size_t open = tokens_.next().offset;
  copied_ = body_with_copies(function);
  const int copies = symbols_.copies(copied_);
  const ExpressionTokens begin = tokens_;
  for (copy_ = 0; copy_ < copies; ++copy_) {
    tokens_ = begin;
    require(parse_or(), mean ? ValueKind::number : ValueKind::truth, function.text);
    if (copy_ > 0) emit({word.op}, function.offset);
  }
  copied_ = {};
  close(open);
  if (mean) {
    emit({Op::constant, 0, static_cast<double>(copies)}, function.offset);
    emit({Op::divide}, function.offset);
  }
  const bool truth = word.op != Op::add;
  return {truth ? ValueKind::truth : ValueKind::number, function.offset};
}

}  // namespace jostle
