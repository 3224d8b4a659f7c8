#pragma once
// The tree that canonical YAML is printed from.
#include <limits>
#include <string>
#include <vector>

#include "scenarios/model/scenario.hpp"

namespace jostle {

class CanonicalNode {
 public:
  static constexpr int no_variable = std::numeric_limits<int>::max();

  enum class Kind { scalar, list, map };
  /// A map or list in block style puts every entry on its own line.
  enum class Style { flow, block };

  static CanonicalNode word(std::string text);
  static CanonicalNode in_quotes(const std::string& text);
  static CanonicalNode number(double value);
  static CanonicalNode list(Style style = Style::flow);
  static CanonicalNode map(Style style = Style::flow);

  CanonicalNode& add(CanonicalNode item);
  CanonicalNode& add(std::string key, CanonicalNode value);
  /// Marks that variable `index` is defined here.
  CanonicalNode& defines(int index);
  bool empty() const { return entries_.empty(); }

  /// Entries that define variables exchange places until the variables are in order; the others stay.
  void sort_by_variables();
  /// The text of a map in block style.
  std::string print() const;

 private:
  void print_block(std::string& text, int indent) const;
  void print_flow(std::string& text) const;
  void print_value(std::string& text, int indent) const;

  Kind kind_ = Kind::scalar;
  Style style_ = Style::flow;
  std::string key_;   ///< in the map around it
  std::string text_;  ///< scalar
  std::vector<CanonicalNode> entries_;
  int first_variable_ = no_variable;
};

/// The fewest digits that read back as the same double.
std::string shortest(double value);

}  // namespace jostle
