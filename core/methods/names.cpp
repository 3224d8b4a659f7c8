#include <stdexcept>
#include <string>

#include "core/methods/methods.hpp"

namespace jostle {
namespace {

#define JOSTLE_NAME(name, type) #name,
constexpr const char* names[] = {JOSTLE_METHODS(JOSTLE_NAME)};
#undef JOSTLE_NAME

}  // namespace

const char* name_of(Method method) { return names[static_cast<int>(method)]; }

Method method_named(std::string_view name) {
  for (std::uint8_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (name == names[i]) return static_cast<Method>(i);
  throw std::invalid_argument("there is no method '" + std::string(name) + "'");
}

}  // namespace jostle
