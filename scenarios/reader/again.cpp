// Whether canonical text says all that a dataset needs to repeat its samples.
#include <algorithm>

#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/tree.hpp"

namespace jostle {
namespace {

// Reading it takes milliseconds; with meshes of tens of thousands of corners it takes as long as reading these, up to
// ten seconds. Of such a text only the limits are checked: its many numbers are points, which are not random.
constexpr std::size_t longest_text_read = std::size_t{1} << 20;

std::string difference(const Scenario& scenario, const Scenario& again) {
  if (again.canonical != scenario.canonical) return "it is written in another way then";
  const auto [here, there] =
      std::ranges::mismatch(scenario.variables, again.variables, {}, &Variable::name, &Variable::name);
  if (here == scenario.variables.end() && there == again.variables.end()) return {};
  const auto name = [](auto at, const auto& list) { return at == list.end() ? "none" : "'" + at->name + "'"; };
  return "the random number " + name(here, scenario.variables) + " is " + name(there, again.variables) + " then";
}

}  // namespace

std::string fault_of_canonical(const Scenario& scenario) {
  try {
    if (scenario.canonical.size() <= longest_text_read)
      return difference(scenario, parse_scenario(scenario.canonical, "canonical text"));
    parse_tree(scenario.canonical, {"canonical text", {}});
    return {};
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

}  // namespace jostle
