#pragma once
// A scenario in which more numbers are variables than its author wrote, so that each system can be given its own.
#include <string>
#include <vector>

#include "scenarios/model/scenario.hpp"

namespace jostle {

/// A number of a body or joint that becomes variables.
struct LiveNumber {
  enum class Kind {
    mass,        ///< one variable, kg
    wrench,      ///< six variables: force in N and torque in N m, world axes, at the centre of mass
    motor_speed  ///< one variable, rad/s or m/s, of a joint
  };
  int item = 0;  ///< of Scenario::bodies, or joints
  Kind kind = Kind::mass;

  bool operator==(const LiveNumber&) const = default;
};

/// "bodies.rod.mass", "joints.elbow.motor.speed"; of a wrench the first of six: "bodies.rod.force[0]".
std::string name_of(const LiveNumber& number, const Scenario& scenario);

/// The same scenario with further variables, behind its own and in the order of `numbers`. A mass is whatever its
/// variable is, and what the scenario computes from the mass follows; a wrench acts besides the forces of the scenario;
/// a motor's speed is in place of what the scenario says. The values of the new variables in a sample have no meaning:
/// write them.
Scenario with_variables(const Scenario& scenario, const std::vector<LiveNumber>& numbers);

}  // namespace jostle
