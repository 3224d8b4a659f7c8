#pragma once
// The world: gravity, time, method and its options, impacts.
#include <cstdint>
#include <optional>

#include "core/model/model.hpp"
#include "scenarios/model/number.hpp"

namespace jostle {

inline constexpr double standard_gravity = 9.81;  ///< m/s^2

/// What happens where bodies collide.
struct ImpactSpec {
  ImpactLaw law = ImpactLaw::poisson;
  Number threshold{0.01, {}, {}, {}};  ///< m/s
};

/// Their numbers, and those of some more, fit in an int.
inline constexpr int most_steps = 2'000'000'000;

struct WorldSpec : StepOptions {
  Number gravity[3] = {{}, {}, {-standard_gravity, {}, {}, {}}};  ///< m/s^2
  double duration = 0;                                            ///< s
  double rate = 0;                                                ///< 1/s, in place of the step; 0: not given
  std::int64_t steps = 0;  ///< duration / step, or as given in place of the duration
  Number stabilisation{1, {}, {}, {}};
  ImpactSpec impact;
  std::optional<Location> geometric_stiffness_where;  ///< if the file has it
  int friction_directions = 0;                        ///< 0 until check_scene() if the file leaves it out
  Location friction_directions_where;
};

}  // namespace jostle
