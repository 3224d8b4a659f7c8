#include "drivers/live/live_scenario.hpp"

namespace jostle {
namespace {

Variable variable_of_one_value(const std::string& name, double value) {
  Variable variable;
  variable.name = name;
  variable.distribution.kind = Distribution::Kind::choice;
  variable.distribution.choice.values = {value};
  variable.in_place = true;
  return variable;
}

/// A number that is the value of a new variable.
Number append(Scenario& scenario, const std::string& name, double value, const Location& where) {
  const auto index = static_cast<std::int32_t>(scenario.variables.size());
  scenario.variables.push_back(variable_of_one_value(name, value));
  return {0, {{Op::variable, index, 0}}, name, where};
}

void append_wrench(Scenario& scenario, int body) {
  ForceSpec force;
  const BodySpec& spec = scenario.bodies[static_cast<std::size_t>(body)];
  force.body = {body, spec.name};
  force.where = spec.where;
  const std::string path = "bodies." + spec.name;
  for (int k = 0; k < 3; ++k)
    force.force[k] = append(scenario, path + ".force[" + std::to_string(k) + "]", 0, force.where);
  for (int k = 0; k < 3; ++k)
    force.torque[k] = append(scenario, path + ".torque[" + std::to_string(k) + "]", 0, force.where);
  scenario.forces.push_back(force);
}

}  // namespace

std::string name_of(const LiveNumber& number, const Scenario& scenario) {
  const auto item = static_cast<std::size_t>(number.item);
  switch (number.kind) {
    case LiveNumber::Kind::mass: return "bodies." + scenario.bodies[item].name + ".mass";
    case LiveNumber::Kind::wrench: return "bodies." + scenario.bodies[item].name + ".force[0]";
    case LiveNumber::Kind::motor_speed: return "joints." + scenario.joints[item].name + ".motor.speed";
  }
  return "";
}

Scenario with_variables(const Scenario& scenario, const std::vector<LiveNumber>& numbers) {
  Scenario live = scenario;
  for (const LiveNumber& number : numbers) {
    const auto item = static_cast<std::size_t>(number.item);
    switch (number.kind) {
      case LiveNumber::Kind::wrench: append_wrench(live, number.item); break;
      case LiveNumber::Kind::mass: {
        const Number variable = append(live, name_of(number, live), 1, live.bodies[item].where);
        live.bodies[item].mass = variable, live.bodies[item].has_mass = true;  // densities still weigh the shapes
        break;
      }
      case LiveNumber::Kind::motor_speed:
        live.joints[item].motor.speed = append(live, name_of(number, live), 0, live.joints[item].where);
        break;
    }
  }
  return live;
}

}  // namespace jostle
