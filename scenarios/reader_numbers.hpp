#pragma once
// Numbers of a scenario: constants, expressions of the variables, distributions.
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/reader_tree.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

enum class Sign { any, positive, not_negative };

/// The values that a number can take. An expression of several variables is not looked into: (-inf, inf).
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();
};
Range range_of(const Number& number, const std::vector<Variable>& variables);
Range range_of(const Distribution& distribution);

/// A constant: the value, or the value of an expression without names. Nothing else, finite.
double read_constant(const SourceNames& sources, const Node& node, const std::string& path, Sign sign = Sign::any);

bool is_distribution(const Node& node);
Distribution read_distribution(const SourceNames& sources, const Node& node, const std::string& path);

/// Reads numbers once the variables are known.
class NumberReader {
 public:
  NumberReader(const SourceNames& sources, const std::vector<Variable>& variables);
  NumberReader(const NumberReader&) = delete;  // its symbols point to it
  NumberReader& operator=(const NumberReader&) = delete;

  Number read(const Node& node, const std::string& path, Sign sign = Sign::any) const;
  /// A number that may also use the time `t`.
  Number read_of_time(const Node& node, const std::string& path) const;
  /// Three or four of them, the i-th called `path`[i].
  template <std::size_t Length>
  void read(const Node& node, const std::string& path, Number (&numbers)[Length], Sign sign = Sign::any) const {
    read_items(node, path, numbers, Length, sign);
  }

  Expression read_expression(const Node& node, const std::string& path, const Symbols& symbols) const;
  /// The names that every expression may use: the variables.
  const Symbols& symbols() const { return symbols_; }
  /// Number of the variable called `name`, or -1.
  int variable(std::string_view name) const;
  const SourceNames& sources() const { return sources_; }

 private:
  void read_items(const Node& node, const std::string& path, Number* numbers, std::size_t length, Sign sign) const;
  Number read_scalar(const Node& node, const std::string& path, const Symbols& symbols) const;

  const SourceNames& sources_;
  const std::vector<Variable>& variables_;
  std::map<std::string, int, std::less<>> indices_;
  Symbols symbols_;
};

}  // namespace jostle
