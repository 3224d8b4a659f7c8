#pragma once
// The names of the methods that there are; model.hpp has what takes one to the other.
#include <string_view>
#include <vector>

namespace jostle {

/// In the order of Method.
std::vector<std::string_view> method_names();

}  // namespace jostle
