#include "drivers/fail_if.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "drivers/errors.hpp"

namespace jostle {

class FailCondition::Parser {
 public:
  Parser(const std::string& text, const std::vector<OutcomeInfo>& outcomes) : text_(text), outcomes_(outcomes) {}

  std::vector<std::vector<Comparison>> condition() {
    std::vector<std::vector<Comparison>> terms;
    do {
      terms.emplace_back();
      do {
        terms.back().push_back(comparison());
      } while (take_word("and"));
    } while (take_word("or"));
    if (at_ < text_.size()) fail("expected 'and', 'or' or the end");
    return terms;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw UsageError("--fail-if '" + text_ + "', column " + std::to_string(at_ + 1) + ": " + message);
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  static bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  /// The name at the present place, which stays.
  std::string_view next_name() const {
    std::size_t end = at_;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    return std::string_view(text_).substr(at_, end - at_);
  }

  bool take(std::string_view token) {
    if (!std::string_view(text_).substr(at_).starts_with(token)) return false;
    at_ += token.size();
    skip_spaces();
    return true;
  }

  bool take_word(std::string_view word) { return next_name() == word && take(word); }

  Comparison comparison() {
    Comparison result;
    result.left = operand();
    result.relation = relation();
    result.right = operand();
    return result;
  }

  Relation relation() {
    // Longer signs first: "<=" begins with "<".
    constexpr std::array<std::pair<std::string_view, Relation>, 6> signs = {{{"<=", Relation::less_equal},
                                                                             {">=", Relation::greater_equal},
                                                                             {"==", Relation::equal},
                                                                             {"!=", Relation::not_equal},
                                                                             {"<", Relation::less},
                                                                             {">", Relation::greater}}};
    for (const auto& [sign, relation] : signs)
      if (take(sign)) return relation;
    fail("expected a comparison: < <= > >= == !=");
  }

  Operand operand() {
    skip_spaces();
    Operand result;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), result.constant);
    if (error == std::errc() && std::isfinite(result.constant)) {
      take({begin, end});
      return result;
    }
    const std::string_view name = next_name();
    result.outcome = index_of(name);
    const std::string_view rest = std::string_view(text_).substr(at_ + name.size());
    at_ += name.size();
    result.value = Value::estimate;
    if (rest.starts_with('.')) {
      ++at_;
      const std::string_view bound = next_name();
      if (bound != "lower" && bound != "upper") fail("an outcome has .lower and .upper only");
      result.value = bound == "lower" ? Value::lower : Value::upper;
      at_ += bound.size();
    }
    skip_spaces();
    return result;
  }

  std::size_t index_of(std::string_view name) const {
    std::string known;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      if (outcomes_[i].name == name) return i;
      if (!known.empty()) known += ", ";
      known += outcomes_[i].name;
    }
    if (name.empty()) fail("expected a number or an outcome");
    fail("no outcome '" + std::string(name) + "' (there are: " + known + ")");
  }

  const std::string& text_;
  const std::vector<OutcomeInfo>& outcomes_;
  std::size_t at_ = 0;
};

FailCondition::FailCondition(const std::string& text, const std::vector<OutcomeInfo>& outcomes)
    : terms_(Parser(text, outcomes).condition()) {}

double FailCondition::value_of(const Operand& operand, const RunStatistics& statistics) {
  if (operand.value == Value::constant) return operand.constant;
  const OutcomeStatistics& outcome = statistics.outcomes[operand.outcome];
  if (operand.value == Value::estimate) return outcome.estimate.value_or(undefined_value);
  if (!outcome.interval) return undefined_value;
  return operand.value == Value::lower ? outcome.interval->lower : outcome.interval->upper;
}

bool FailCondition::holds(const Comparison& comparison, const RunStatistics& statistics) {
  const double left = value_of(comparison.left, statistics), right = value_of(comparison.right, statistics);
  if (std::isnan(left) || std::isnan(right)) return true;
  switch (comparison.relation) {
    case Relation::less: return left < right;
    case Relation::less_equal: return left <= right;
    case Relation::greater: return left > right;
    case Relation::greater_equal: return left >= right;
    case Relation::equal: return left == right;
    case Relation::not_equal: return left != right;
  }
  return true;
}

bool FailCondition::holds(const RunStatistics& statistics) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const std::vector<Comparison>& term) {
    return std::all_of(term.begin(), term.end(),
                       [&](const Comparison& comparison) { return holds(comparison, statistics); });
  });
}

}  // namespace jostle
