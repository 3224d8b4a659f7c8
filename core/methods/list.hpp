#pragma once
// All methods: X(name in files, struct). The number of a method is its position here and is never stored.
#include "core/methods/anitescu_potra.hpp"
#include "core/methods/loetstedt.hpp"
#include "core/methods/stewart_trinkle.hpp"
#include "core/methods/trapezoidal.hpp"

#define JOSTLE_METHODS(X)            \
  X(stewart_trinkle, StewartTrinkle) \
  X(anitescu_potra, AnitescuPotra)   \
  X(trapezoidal, Trapezoidal<Scheme::end>) X(trapezoidal_midpoint, Trapezoidal<Scheme::mean>) X(loetstedt, Loetstedt)
