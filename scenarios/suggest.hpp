#pragma once
// "did you mean": the known name that a mistyped one is nearest to.
#include <string>
#include <string_view>
#include <vector>

namespace jostle {

/// The name in `known` with the fewest slips from `wrong` (a slip: one letter missing, extra or wrong, two
/// neighbours swapped; capitals are free), the first of them if several are equal. Empty if none is near: at most
/// one slip per three letters counts as near.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& known);

/// " (did you mean 'friction'?)", or nothing if no known name is near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

/// The same, but all known names if none is near: " (known: friction, restitution)".
std::string did_you_mean_or_known(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace jostle
