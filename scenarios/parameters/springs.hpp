#pragma once
// What the numbers of a spring say, in terms of the variables, and what must hold.
#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/requirements.hpp"

namespace jostle {

/// As the parameters of a system have it (core/model/fields.hpp).
struct TracedSpring {
  TracedVec3 point_a, point_b;  ///< in the body, or in the world
  Traced length = 0;            ///< at the start, m
  Traced stiffness = 0, damping = 0, rest = 0;
};

TracedSpring traced_spring(const Scenario& scenario, const SpringSpec& spec, Draw draw);

/// At the start the points of a spring are apart.
void require_spring(const SpringSpec& spec, const TracedSpring& spring, Requirements& require);

}  // namespace jostle
