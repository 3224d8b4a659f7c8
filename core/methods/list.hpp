#pragma once
// All methods: X(name in files, struct). The number of a method is its position here and is never stored.
#include "core/methods/stewart_trinkle.hpp"

#define JOSTLE_METHODS(X) X(stewart_trinkle, StewartTrinkle)
