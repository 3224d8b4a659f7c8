#include "drivers/written_parameters.hpp"

#include <fmt/format.h>

#include <limits>
#include <string_view>

namespace jostle {
namespace {

/// The largest number that a field may have; negative: it is not checked.
constexpr double most_of(std::string_view field) {
  for (const std::string_view name :
       {"friction_parts", "restitution", "tangential_restitution", "joint_restitution", "stabilisation"})
    if (field == name) return 1;
  for (const std::string_view name : {"friction", "spin_friction", "rolling_friction", "adhesion", "joint_friction",
                                      "joint_armature", "spring_stiffness", "spring_damping", "impact_threshold"})
    if (field == name) return std::numeric_limits<double>::max();
  return -1;
}

std::optional<std::string> fault_of_field(std::string_view name, const double* numbers, int count, double most) {
  for (int i = 0; i < count; ++i)
    if (!(numbers[i] >= 0 && numbers[i] <= most))
      return fmt::format("the parameter {}[{}] must be {}, but it is {}", name, i,
                         most == 1 ? "from 0 to 1" : "finite and not negative", numbers[i]);
  return {};
}

}  // namespace

std::optional<std::string> fault_of_written(const Dimensions& d, const ParameterView& parameters) {
#define JOSTLE_CHECK(type, name, extent, ...)                                                                 \
  if constexpr (constexpr double most = most_of(#name); most >= 0)                                            \
    if (auto fault = fault_of_field(#name, elements(parameters.name), static_cast<int>(extent), most); fault) \
      return fault;
  JOSTLE_PARAMETERS(JOSTLE_CHECK)
#undef JOSTLE_CHECK
  return {};
}

}  // namespace jostle
