#pragma once
// The settings of a scenario one by one, by their paths.
#include <string>
#include <utility>
#include <vector>

namespace jostle {

/// The path and the text of every number, word or list of such, in the order of the file: {"contacts[0].friction",
/// "0.5"}, {"world.gravity", "[0, -9.81, 0]"}. Throws ScenarioError.
std::vector<std::pair<std::string, std::string>> settings_of(const std::string& yaml);

}  // namespace jostle
