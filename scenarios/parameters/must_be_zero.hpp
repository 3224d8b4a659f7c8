#pragma once
// Numbers that the method, the friction cone or the law of impacts of a scenario has no equations for. They must be 0:
// where a file is read, a number or a distribution is refused; a variable that is 0 there may get another value later,
// from a table, a grid or a program, and then the sample is refused.
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/model/scenario.hpp"

namespace jostle {

struct MustBeZero {
  std::string_view key;
  const Number* number;
  std::string reason;  ///< follows the path of the number
};

std::vector<MustBeZero> must_be_zero(const Scenario& scenario, const ContactRule& rule);
std::vector<MustBeZero> must_be_zero(const Scenario& scenario, const JointSpec& joint);

/// What follows the path of a key that has a meaning for impacts only.
std::string needs_impacts(const Scenario& scenario);

}  // namespace jostle
