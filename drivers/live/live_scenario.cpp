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
  const std::string path = "bodies." + scenario.bodies[static_cast<std::size_t>(number.body)].name;
  return path + (number.kind == LiveNumber::Kind::mass ? ".mass" : ".force[0]");
}

Scenario with_variables(const Scenario& scenario, const std::vector<LiveNumber>& numbers) {
  Scenario live = scenario;
  for (const LiveNumber& number : numbers) {
    if (number.kind == LiveNumber::Kind::wrench) {
      append_wrench(live, number.body);
    } else {
      const Location where = live.bodies[static_cast<std::size_t>(number.body)].where;
      const Number variable = append(live, name_of(number, live), 1, where);
      BodySpec& body = live.bodies[static_cast<std::size_t>(number.body)];
      body.mass = variable, body.has_mass = true;  // densities still weigh the shapes against each other
    }
  }
  return live;
}

}  // namespace jostle
