#pragma once
// The list of core/methods/list.hpp with one more, for the programs of tests/seam: this folder comes first there.
#include "core/methods/stewart_trinkle.hpp"
#include "tests/seam/velocity_step.hpp"

#define JOSTLE_METHODS(X) X(stewart_trinkle, StewartTrinkle) X(velocity_step, VelocityStep)
