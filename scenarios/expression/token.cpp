#include "scenarios/expression/token.hpp"

#include "scenarios/expression/expression.hpp"
#include "scenarios/text/number.hpp"

namespace jostle {

namespace {

using Kind = ExpressionToken::Kind;

// Not <cctype>, which depends on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::string_view long_symbols[] = {"<=", ">=", "==", "!=", "&&", "||", "**"};

std::string printable(char c) {
  if (c > 0x20 && c < 0x7F) return std::string("'") + c + "'";
  static constexpr char digits[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("byte 0x") + digits[byte >> 4] + digits[byte & 0xF];
}

}  // namespace

ExpressionTokens::ExpressionTokens(std::string_view text) : text_(text), next_(read()) {}

ExpressionToken ExpressionTokens::next() {
  const ExpressionToken current = next_;
  if (current.kind != Kind::end) next_ = read();
  return current;
}

bool ExpressionTokens::at_symbol(std::string_view symbol) const {
  return next_.kind == Kind::symbol && next_.text == symbol;
}

bool ExpressionTokens::at_name_before(char symbol) const {
  std::size_t behind = position_;
  while (behind < text_.size() && is_space(text_[behind])) ++behind;
  const bool number = symbol == '.' && behind + 1 < text_.size() && is_digit(text_[behind + 1]);  // `x and .5 < y`
  return next_.kind == Kind::name && behind < text_.size() && text_[behind] == symbol && !number;
}

std::string_view ExpressionTokens::read_name() {
  const std::size_t first = position_;
  while (position_ < text_.size() && (begins_name(text_[position_]) || is_digit(text_[position_]))) ++position_;
  return text_.substr(first, position_ - first);
}

// digits [. digits] [e [+-] digits], with a digit before or behind the point
ExpressionToken ExpressionTokens::read_number() {
  const std::size_t first = position_;
  const auto skip_digits = [&] {
    while (position_ < text_.size() && is_digit(text_[position_])) ++position_;
  };
  skip_digits();
  if (position_ < text_.size() && text_[position_] == '.') ++position_;
  skip_digits();
  if (position_ < text_.size() && (text_[position_] == 'e' || text_[position_] == 'E')) {
    ++position_;
    if (position_ < text_.size() && (text_[position_] == '+' || text_[position_] == '-')) ++position_;
    if (position_ == text_.size() || !is_digit(text_[position_])) {
      throw ExpressionError(
          first, "the exponent of '" + std::string(text_.substr(first, position_ - first)) + "' has no digits");
    }
    skip_digits();
  }
  const std::string_view digits = text_.substr(first, position_ - first);
  const auto value = parsed<double>(digits);
  if (!value) throw ExpressionError(first, "the number '" + std::string(digits) + "' is outside the range of doubles");
  return {Kind::number, digits, first, *value};
}

ExpressionToken ExpressionTokens::read() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  const std::size_t first = position_;
  if (first == text_.size()) return {Kind::end, {}, first};
  const char c = text_[first];
  if (is_digit(c) || (c == '.' && first + 1 < text_.size() && is_digit(text_[first + 1]))) return read_number();
  if (begins_name(c)) return {Kind::name, read_name(), first};
  if (c == '$') {
    ++position_;
    const std::string_view name = read_name();
    if (name.empty() || is_digit(name[0])) throw ExpressionError(first, "the name of a variable must follow '$'");
    return {Kind::variable, name, first};
  }
  if (c <= 0x20 || c >= 0x7F) throw ExpressionError(first, "unexpected " + printable(c));
  position_ += 1;
  for (const std::string_view symbol : long_symbols) {
    if (text_.substr(first, 2) == symbol) position_ = first + 2;
  }
  return {Kind::symbol, text_.substr(first, position_ - first), first};
}

}  // namespace jostle
