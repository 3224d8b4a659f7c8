#pragma once
// All methods: X(name in files, struct). The number of a method is its position here and is never stored. Their headers
// are in methods.hpp: names need no code.
#include <cstdint>

namespace jostle {

#define JOSTLE_METHODS(X)            \
  X(stewart_trinkle, StewartTrinkle) \
  X(anitescu_potra, AnitescuPotra)   \
  X(trapezoidal, Trapezoidal<Scheme::end>) X(trapezoidal_midpoint, Trapezoidal<Scheme::mean>) X(loetstedt, Loetstedt)

#define JOSTLE_ENUMERATOR(name, type) name,
enum class Method : std::uint8_t { JOSTLE_METHODS(JOSTLE_ENUMERATOR) };
#undef JOSTLE_ENUMERATOR

}  // namespace jostle
