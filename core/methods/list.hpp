#pragma once
// The methods there are: X(name in files, struct). The number of a method is its place here and is written nowhere.
#include "core/methods/stewart_trinkle.hpp"

#define JOSTLE_METHODS(X) X(stewart_trinkle, StewartTrinkle)
