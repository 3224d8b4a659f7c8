#pragma once
// What acts on bodies: forces and external impulses.
#include <string>

#include "scenarios/model/number.hpp"

namespace jostle {

/// A body by its name.
struct BodyReference {
  int index = 0;
  std::string name;
};

struct ForceSpec {
  BodyReference body;
  bool has_point = false;
  Number at[3];      ///< m, world, at the start
  Number force[3];   ///< N, world; may use t and the motion of bodies and joints
  Number torque[3];  ///< N m, world; the same
  bool has_reaction = false;
  BodyReference reaction;  ///< the body on which the opposite acts
  Location where;
};

/// An external impulse.
struct ImpulseSpec {
  BodyReference body;
  bool has_point = false;
  Number at[3];               ///< m, world, at the start
  Number impulse[3];          ///< N s, world
  Number angular_impulse[3];  ///< N m s, world
  Number time;                ///< s
  Location where;
};

}  // namespace jostle
