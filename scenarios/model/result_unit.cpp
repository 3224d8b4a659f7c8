#include "scenarios/model/result_unit.hpp"

namespace jostle {
namespace {

const char* of_joint(const Scenario& scenario, int joint, const char* of_turn, const char* of_slide) {
  return scenario.joints[static_cast<std::size_t>(joint)].type == JointType::prismatic ? of_slide : of_turn;
}

/// `per_step`: divided by the step, as forces are.
std::string unit_of_quantity(const Scenario& scenario, const Quantity& quantity, bool per_step) {
  using enum Quantity::Kind;
  const auto impulse = [&](const char* unit, const char* of_force) { return per_step ? of_force : unit; };
  switch (quantity.kind) {
    case joint_impulse:
      return per_step ? of_joint(scenario, quantity.body, "N m", "N")
                      : of_joint(scenario, quantity.body, "N m s", "N s");
    case normal_impulse:
    case friction_impulse:
    case joint_reaction:
    case joint_force:
    case given_impulse: return impulse("N s", "N");
    case joint_moment: return impulse("N m s", "N m");
    default: break;
  }
  if (per_step) return {};
  switch (quantity.kind) {
    case position:
    case gap:
    case spring_length: return "m";
    case velocity: return "m/s";
    case spin: return "rad/s";
    case angle: return "rad";
    case kinetic_energy:
    case energy:
    case energy_gained:
    case energy_gain_max:
    case spring_energy: return "J";
    case time: return "s";
    case joint_position: return of_joint(scenario, quantity.body, "rad", "m");
    case joint_speed: return of_joint(scenario, quantity.body, "rad/s", "m/s");
    case spring_force:
    case normal_force:
    case given_force:
    case contact_force: return "N";
    case reaction_impact:
    case given_impact:
    case contact_impact: return "N s";
    case joint_effort: return of_joint(scenario, quantity.body, "N m", "N");
    case joint_impact: return of_joint(scenario, quantity.body, "N m s", "N s");
    case contact_torque: return "N m";
    default: return {};
  }
}

}  // namespace

std::string unit_of(const Scenario& scenario, const Expression& expression) {
  const std::vector<Instruction>& code = expression.code;
  if (expression.kind != ValueKind::number || code.empty()) return {};
  std::size_t end = code.size();
  while (end > 1 && (code[end - 1].op == Op::abs || code[end - 1].op == Op::negate)) --end;
  if (end == 1 && code[0].op == Op::time) return "s";
  if (code[0].op != Op::quantity) return {};
  const Quantity& quantity = scenario.quantities[static_cast<std::size_t>(code[0].index)];
  if (end == 1) return unit_of_quantity(scenario, quantity, false);
  const bool per_step =
      end == 3 && code[1].op == Op::constant && code[1].value == scenario.world.step && code[2].op == Op::divide;
  return per_step ? unit_of_quantity(scenario, quantity, true) : std::string();
}

}  // namespace jostle
