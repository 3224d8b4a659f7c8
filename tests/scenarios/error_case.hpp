#pragma once
// Faults put into a good scenario one at a time, with the line that each of them must give.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle::test {

inline constexpr const char* good_scenario = R"(jostle: 1
variables:
  mu: {uniform: [0.3, 0.9]}
world:
  step: 0.0025
  duration: 1.0
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball:
    mass: 1.0
    shape: {sphere: {radius: 0.1}}
    position: [0, 0, 1]
contacts:
  - {between: any, friction: $mu}
outcomes:
  low: {at_end: ball.position.z < 0.2}
)";

struct Edit {
  const char* from;
  const char* to;
};

struct ErrorCase {
  const char* name;
  std::vector<Edit> edits;
  const char* message;
};

inline std::ostream& operator<<(std::ostream& stream, const ErrorCase& error_case) { return stream << error_case.name; }

inline std::string edited(const std::vector<Edit>& edits) {
  std::string text = good_scenario;
  for (const Edit& edit : edits) {
    const std::size_t at = text.find(edit.from);
    if (at == std::string::npos) throw std::logic_error(std::string("the good scenario has no ") + edit.from);
    text.replace(at, std::string(edit.from).size(), edit.to);
  }
  return text;
}

/// what() of the error that reading the text gives; empty if there is none.
inline std::string error_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    parse_scenario(text, "rod.yaml", options);
    return {};
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

/// The same of making an ensemble of it as well.
inline std::string error_of_ensemble(const std::string& text, const std::string& file = "part.yaml") {
  try {
    Ensemble{parse_scenario(text, file)};
    return {};
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

class ErrorCases : public testing::TestWithParam<ErrorCase> {};

inline std::string name_of(const testing::TestParamInfo<ErrorCase>& info) { return info.param.name; }

}  // namespace jostle::test
