#pragma once
// The elementary functions of jostle, below 4 ulp and bit-identical everywhere. NaN results are canonical; infinities,
// zeros and subnormals behave as in C99.
#include "core/math/arc_tangent.hpp"
#include "core/math/exponential.hpp"
#include "core/math/normal_distribution.hpp"
#include "core/math/trigonometry.hpp"
