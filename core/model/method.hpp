#pragma once
// The time-stepping methods: their names in files, and what others have to know of them. The struct that makes the
// steps is core/methods/NAME.hpp; names and facts need no code.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/config.hpp"

namespace jostle {

struct MethodFacts {
  bool is_plain = false;        ///< the one whose code PlainSystems have (traits.hpp)
  bool has_impacts = true;      ///< it finds collisions and has restitution
  bool is_implicit = false;     ///< its forces are linearly implicit
  bool has_stages = false;      ///< it solves for accelerations in several stages; it has no friction of contacts
  bool solves_for_sum = false;  ///< its unknowns are sums v_l + v_{l+1}
  bool turns_at_start = false;  ///< new spins are in the axes of q_l; else in those of q^
  double end_weight = 0.5;      ///< bodies move by v_l + end_weight (v_{l+1} - v_l)
};

/// The only list: X(name in files, struct, facts). The number of a method is its position here and is never stored.
#define JOSTLE_METHODS(X)                                                                                        \
  X(stewart_trinkle, StewartTrinkle,                                                                             \
    (MethodFacts{.is_plain = true, .has_impacts = false, .turns_at_start = true, .end_weight = 1}))              \
  X(anitescu_potra, AnitescuPotra, (MethodFacts{.end_weight = 0}))                                               \
  X(trapezoidal, Trapezoidal<Scheme::end>, (MethodFacts{.is_implicit = true}))                                   \
  X(trapezoidal_midpoint, Trapezoidal<Scheme::mean>, (MethodFacts{.is_implicit = true, .solves_for_sum = true})) \
  X(loetstedt, Loetstedt, (MethodFacts{.has_stages = true}))

#define JOSTLE_ENUMERATOR(name, type, facts) name,
enum class Method : std::uint8_t { JOSTLE_METHODS(JOSTLE_ENUMERATOR) };
#undef JOSTLE_ENUMERATOR

JOSTLE_HD constexpr MethodFacts facts_of(Method method) {
#define JOSTLE_CASE(name, type, facts) \
  case Method::name: return facts;
  switch (method) { JOSTLE_METHODS(JOSTLE_CASE) }
#undef JOSTLE_CASE
  return {};
}

/// The name in files.
const char* name_of(Method method);
/// In the order of Method.
std::vector<std::string_view> method_names();
/// Throws std::invalid_argument.
Method method_named(std::string_view name);

}  // namespace jostle
