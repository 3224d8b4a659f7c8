#pragma once
#include <string>
#include <vector>

namespace jostle {

/// drivers/pages/NAME.html with its style NAME.css, its scripts, and data, a JSON text, in place of its marks
/// "{{style}}", "{{script}}" and "{{data}}". The scripts stand in one element, in the order given.
std::string page_of(const std::string& name, const std::vector<std::string>& scripts, const std::string& data);

}  // namespace jostle
