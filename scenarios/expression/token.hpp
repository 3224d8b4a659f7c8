#pragma once
// The words of an expression.
#include <cstddef>
#include <string>
#include <string_view>

namespace jostle {

struct ExpressionToken {
  enum class Kind {
    number,    ///< 12, .5, 1e-3
    name,      ///< sin, rod, and
    variable,  ///< $mu; text is "mu"
    symbol,    ///< an operator or punctuation, known or not
    end,
  };
  Kind kind = Kind::end;
  std::string_view text;
  std::size_t offset = 0;  ///< of its first byte in the expression
  double value = 0;        ///< of a number
};

/// Splits an expression into tokens, one ahead. The text must outlive it.
class ExpressionTokens {
 public:
  /// Throws ExpressionError, as next() does, if the text begins with no token.
  explicit ExpressionTokens(std::string_view text);

  const ExpressionToken& peek() const { return next_; }
  /// Returns the current token and moves to the next one.
  ExpressionToken next();
  bool at_symbol(std::string_view symbol) const;
  /// Whether the current token is a name and is followed by `symbol`.
  bool at_name_before(char symbol) const;

 private:
  ExpressionToken read();
  ExpressionToken read_number();
  std::string_view read_name();

  std::string_view text_;
  std::size_t position_ = 0;  ///< behind next_
  ExpressionToken next_;
};

}  // namespace jostle
