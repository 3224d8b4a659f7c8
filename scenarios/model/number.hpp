#pragma once
// Numbers of a scenario: constants or expressions of its variables, with their place in the file.
#include <string>
#include <vector>

#include "scenarios/expression/expression.hpp"
#include "scenarios/model/distribution.hpp"

namespace jostle {

struct Location {
  int line = 1;
  int column = 1;
  int set = 0;  ///< 0: in the file; n: in the n-th --set option

  bool operator==(const Location&) const = default;
};

/// What is wrong with a sample or a scenario, in words that begin with the name: "bodies.rod.mass must be ...".
struct Fault {
  Location where;
  std::string message;
};

/// A number of the file: constant if `code` is empty, else a program of the variables (and of time, in forces and the
/// speeds of motors; and of quantities, in forces). A distribution written in place becomes a variable named by its
/// path.
struct Number {
  double constant = 0;
  std::vector<Instruction> code;
  std::string text;  ///< the expression as written; empty for a constant, unless it is one of `copy`
  Location where;
};

struct Variable {
  std::string name;           ///< "mu", or the path "bodies.rod.spin[2]" of a distribution written in place
  Distribution distribution;  ///< a variable that was given one number is a choice of one value
  bool in_place = false;      ///< written in place of a number, or made by `rotation: uniform`
  Location where;
  std::string unit_in_place = {};  ///< of a number in whose place it is written

  const std::string& unit() const { return in_place ? unit_in_place : distribution.unit; }
};

/// A named expression of variables, `$name` in others.
struct DerivedSpec {
  std::string name;
  Number value;
  Location where;
};

/// Whether it is the constant 0.
inline bool is_zero(const Number& number) { return number.code.empty() && number.constant == 0; }

}  // namespace jostle
