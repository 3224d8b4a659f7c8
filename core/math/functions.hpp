#pragma once
// The elementary functions of jostle, below 4 ulp and with the same bits everywhere.
#include "core/math/trigonometry.hpp"
