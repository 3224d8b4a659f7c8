#pragma once
// The words and symbols of the expression language.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/expression/program.hpp"

namespace jostle {

struct ExpressionWord {
  std::string_view text;
  Op op;
};

inline constexpr ExpressionWord expression_functions[] = {
    {"sin", Op::sin}, {"cos", Op::cos}, {"tan", Op::tan}, {"sqrt", Op::sqrt}, {"exp", Op::exp},
    {"log", Op::log}, {"abs", Op::abs}, {"min", Op::min}, {"max", Op::max},   {"atan2", Op::atan2}};

/// The same of angles in degrees.
inline constexpr ExpressionWord expression_of_degrees[] = {{"sind", Op::sin}, {"cosd", Op::cos}, {"tand", Op::tan}};

inline constexpr ExpressionWord expression_comparisons[] = {{"<", Op::less},    {"<=", Op::less_equal},
                                                            {">", Op::greater}, {">=", Op::greater_equal},
                                                            {"==", Op::equal},  {"!=", Op::not_equal}};

/// What combines the values of an expression for each copy of a body; count and mean also add.
inline constexpr ExpressionWord expression_over_copies[] = {
    {"any", Op::logical_or}, {"all", Op::logical_and}, {"count", Op::add}, {"mean", Op::add}};

/// The entry of a table above, or a null pointer.
template <std::size_t N>
constexpr const ExpressionWord* find_word(const ExpressionWord (&table)[N], std::string_view text) {
  const auto* found =
      std::find_if(std::begin(table), std::end(table), [&](const ExpressionWord& word) { return word.text == text; });
  return found == std::end(table) ? nullptr : found;
}

constexpr bool is_over_copies(std::string_view name) { return find_word(expression_over_copies, name) != nullptr; }

/// Whether a word means something else in expressions and lists of bodies than a body or joint of this name.
constexpr bool is_reserved(std::string_view name) {
  constexpr std::string_view words[] = {"any",  "world", "gap",  "energy", "energy_gained", "energy_gain_max",
                                        "held", "time",  "t",    "pi",     "and",           "or",
                                        "not",  "true",  "false"};
  return find_word(expression_functions, name) ||
         std::find(std::begin(words), std::end(words), name) != std::end(words);
}

/// The spelling in other languages, and the spelling here.
struct ForeignSymbol {
  std::string_view theirs, ours;
};
inline constexpr ForeignSymbol foreign_symbols[] = {
    {"&&", "and"}, {"||", "or"}, {"!", "not"}, {"=", "=="}, {"**", "^"}};

}  // namespace jostle
