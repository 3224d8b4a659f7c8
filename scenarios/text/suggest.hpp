#pragma once
// "did you mean": the known name nearest to a mistyped one.
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace jostle {

/// The names of all items.
std::vector<std::string> names_in(const auto& items) {
  std::vector<std::string> names;
  names.reserve(std::size(items));
  for (const auto& item : items) names.emplace_back(item.name);
  return names;
}

/// The name in `known` with the fewest typos from `wrong` (a typo: one letter missing, extra or wrong, or two
/// neighbours swapped; case is ignored), the first one if several are equal. Empty if none is near: at most one typo
/// per three letters counts as near.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& known);

/// " (did you mean 'friction'?)", or nothing if no known name is near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

/// The same, but all known names if none is near: " (known: friction, restitution)".
std::string did_you_mean_or_known(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace jostle
