#pragma once
// Numbers of a scenario: constants, expressions of the variables, distributions.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/key.hpp"
#include "scenarios/model/range.hpp"
#include "scenarios/model/scenario.hpp"
#include "scenarios/reader/tree.hpp"
#include "scenarios/reader/units.hpp"

namespace jostle {

/// A finite constant: a number, or an expression without names.
double read_constant(const SourceNames& sources, const Node& node, const std::string& path, const Key& key = {});
/// A list of constants.
std::vector<double> read_constants(const SourceNames& sources, const Node& node, const std::string& path,
                                   const Key& key = {});

bool is_distribution(const Node& node);
/// `unit`: of its values, in messages.
Distribution read_distribution(const SourceNames& sources, const Node& node, const std::string& path,
                               std::string_view unit = {});

/// Reads numbers, and knows the variables that they may use. A distribution in place of a number becomes a variable.
class NumberReader {
 public:
  /// Variables go into the scenario, whose units and step (s; 0 until it is read) count.
  NumberReader(const SourceNames& sources, Scenario& scenario);
  NumberReader(const NumberReader&) = delete;  // its symbols point to it
  NumberReader& operator=(const NumberReader&) = delete;

  /// While a copy of a body is read: its number, which is `copy` in expressions.
  void set_copy(std::optional<int> copy) { symbols_.copy = copy; }
  /// While a shape of a pattern is read: its number, which is `item` in expressions.
  void set_item(std::optional<int> item) { symbols_.item = item; }
  /// Symbols::copies of the next expressions.
  void set_copies(std::function<int(std::string_view)> copies) { symbols_.copies = std::move(copies); }
  /// Adds a variable defined at `node` and returns its index.
  int define(const Node& node, Variable variable);
  /// The whole file, for messages about distributions that are read later.
  void set_file(const Node& root);
  /// Names of expressions that are still to be defined, for messages.
  void announce(std::vector<std::string> names) { symbols_.later_names = std::move(names); }
  /// Adds a named expression, or a constant.
  void define(const std::string& name, const Number& value);
  /// The places in the file of the variables defined so far.
  const std::vector<int>& places() const { return places_; }

  /// `quantity` as in Symbols: if there is one, an expression may also use quantities.
  Number read(const Node& node, const std::string& path, const Key& key = {},
              const std::function<QuantityUse(const QuantityName&)>& quantity = {});
  /// A number that all samples share, in SI units.
  double read_same(const Node& node, const std::string& path, const Key& key) const;
  /// Of a number of the file to SI units.
  UnitFactor factor(const Key& key) const;
  /// An expression that may also use quantities.
  Expression read_expression(const Node& node, const std::string& path, const Key& key,
                             std::function<QuantityUse(const QuantityName&)> quantity);

 private:
  /// Whether the numbers are those of a prismatic joint.
  bool slides() const;
  /// In which the file has the numbers of a key.
  std::string unit_of(const Key& key) const;
  [[noreturn]] void fail_of_size(const Node& node, const std::string& path) const;
  /// Variables in place of numbers, where the file has other units than SI.
  void refuse_converted(const Node& node, const std::string& path, const Number& number) const;
  Number read_scalar(const Node& node, const std::string& path, const Key& key,
                     const std::function<QuantityUse(const QuantityName&)>& quantity);

  const SourceNames& sources_;
  std::vector<Variable>& variables_;
  std::vector<int> places_;  ///< of the variables, Node::order
  std::map<std::string, int, std::less<>> indices_;
  std::map<std::string, std::vector<Instruction>, std::less<>> derived_;
  const Scenario& scenario_;
  Symbols symbols_;  ///< what the current expression may use; its many names are never copied
};

}  // namespace jostle
