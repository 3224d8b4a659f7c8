#include "drivers/reports/shown_variables.hpp"

#include "drivers/reports/samples.hpp"

namespace jostle {

NamedNumbers shown_variables(const std::vector<std::string>& names, const std::vector<double>& values) {
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < names.size(); ++i) factors.push_back({names[i], "", {values[i]}});
  NamedNumbers shown;
  for (const Factor& factor : with_angles(std::move(factors)))
    if (!factor.name.ends_with(".angle")) shown.emplace_back(factor.name, factor.values[0]);
  return shown;
}

}  // namespace jostle
