#pragma once
// The names of all methods; model.hpp converts between a name and a method.
#include <string_view>
#include <vector>

namespace jostle {

/// In the order of Method.
std::vector<std::string_view> method_names();

}  // namespace jostle
