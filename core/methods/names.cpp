#include "core/methods/names.hpp"

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>

#include "core/methods/list.hpp"
#include "core/model/model.hpp"

namespace jostle {
namespace {

#define JOSTLE_NAME(name, type) #name,
constexpr const char* names[] = {JOSTLE_METHODS(JOSTLE_NAME)};
#undef JOSTLE_NAME

}  // namespace

std::vector<std::string_view> method_names() { return {std::begin(names), std::end(names)}; }

const char* name_of(Method method) { return names[static_cast<int>(method)]; }

bool has_impacts(Method method) { return method != Method::stewart_trinkle; }

bool moves_explicitly(Method method) { return method == Method::anitescu_potra; }

bool holds_end_velocities(Method method) { return method == Method::trapezoidal; }

bool is_linearly_implicit(Method method) {
  return method == Method::trapezoidal || method == Method::trapezoidal_midpoint;
}

bool solves_for_accelerations(Method method) { return method == Method::loetstedt; }

Method method_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<Method>(i);
  throw std::invalid_argument("there is no method '" + std::string(name) + "'");
}

}  // namespace jostle
