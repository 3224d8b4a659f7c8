#include "core/model/method.hpp"

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>

namespace jostle {
namespace {

#define JOSTLE_NAME(name, type, facts) #name,
constexpr const char* names[] = {JOSTLE_METHODS(JOSTLE_NAME)};
#undef JOSTLE_NAME

}  // namespace

std::vector<std::string_view> method_names() { return {std::begin(names), std::end(names)}; }

const char* name_of(Method method) { return names[static_cast<int>(method)]; }

Method method_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<Method>(i);
  throw std::invalid_argument("there is no method '" + std::string(name) + "'");
}

}  // namespace jostle
