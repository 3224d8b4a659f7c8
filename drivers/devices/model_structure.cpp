// A digest of what determines the code that a system executes.
#include <fmt/format.h>

#include "drivers/devices/device_findings.hpp"
#include "drivers/files/sha256.hpp"

namespace jostle {
namespace {

std::string text_of(double) { return ""; }  // cosines and sines follow from how many there are
std::string text_of(const BodyModel& body) {
  return fmt::format("{:d} {} {} {} {}", body.fixed, static_cast<int>(body.rotation), body.freedoms, body.prescribed,
                     body.frame);
}
std::string text_of(int number) { return std::to_string(number); }
std::string text_of(const ShapeModel& shape) {
  return fmt::format("{} {}", static_cast<int>(shape.type), shape.body) +
         (shape.corners == 0 ? "" : fmt::format(" {}", shape.corners)) + (shape.first_bulge < 0 ? "" : " arcs");
}
std::string text_of(const PageModel& page) { return fmt::format("{} {}", page.pair, page.first); }
std::string text_of(const PairModel& pair) {
  return fmt::format("{} {}", pair.shape_a, pair.shape_b) +
         (pair.axis_body < 0 ? "" : fmt::format(" {}", pair.axis_body));
}
std::string text_of(const ProgramModel& program) { return fmt::format("{} {}", program.first, program.length); }
std::string text_of(const ForceModel& force) {
  std::string text = fmt::format("{} {} {}", force.body, force.point, force.reaction);
  for (int i = 0; i < 3; ++i) text += ' ' + text_of(force.force[i]) + ' ' + text_of(force.torque[i]);
  return text;
}
std::string text_of(const BlowModel& blow) { return std::to_string(blow.body); }
std::string text_of(const PrescribedModel& motion) {
  std::string text = std::to_string(motion.body);
  for (int i = 0; i < 3; ++i) text += ' ' + text_of(motion.velocity[i]) + ' ' + text_of(motion.spin[i]);
  return text;
}
std::string text_of(const JointModel& joint) {
  return fmt::format("{} {} {} {:d} {:d} {:d} {} {:d} {}", static_cast<int>(joint.type), joint.body_a, joint.body_b,
                     joint.has_friction || joint.has_ball_friction, joint.has_motor, joint.has_limits,
                     text_of(joint.speed), joint.has_armature, joint.speed_limits);
}
std::string text_of(const SpringModel& spring) {
  return fmt::format("{} {} {}", spring.body_a, spring.body_b, spring.joint);
}
std::string text_of(const LoadedModel& loaded) {
  return fmt::format("{} {}", loaded.parameter, text_of(loaded.program));
}
std::string text_of(const Quantity& quantity) {
  return fmt::format("{} {} {} {}", static_cast<int>(quantity.kind), quantity.body, quantity.other, quantity.component);
}
std::string text_of(const OutcomeModel& outcome) {
  return fmt::format("{} {}", static_cast<int>(outcome.reducer), text_of(outcome.program)) +
         (outcome.condition.length > 0 ? ' ' + text_of(outcome.condition) : "");
}
std::string text_of(const Instruction& instruction) {
  return fmt::format("{} {}", static_cast<int>(instruction.op), instruction.index);
}

}  // namespace

std::string structure_digest(const Model& model) {
  std::string text = fmt::format(
      "{} {} {} {} {} {} {} {:d} {:d} {:d} {} {} {} {:d} {} {} {:d} {} {} {:d} {} {:d}\n", name_of(model.method),
      static_cast<int>(model.linearisation), static_cast<int>(model.gyroscopic), static_cast<int>(model.solver),
      static_cast<int>(model.multipliers), static_cast<int>(model.impact_law), static_cast<int>(model.friction_cone),
      model.has_pointedness, model.events.collisions, model.events.transitions, model.events.limit,
      model.events.active_gap, model.events.active_gap_h3, model.planar, model.directions, model.variables,
      model.has_contact_tallies, text_of(model.physical), model.stop_outcome, model.records_contacts, model.lcp_every,
      model.geometric_stiffness);
  if (model.has_spin_friction) text += "spin friction\n";
  if (model.has_rolling_friction) text += "rolling friction\n";
  if (!model.filter) text += "no filter\n";
  if (model.has_adhesion) text += "adhesion\n";
  if (model.has_contact_wrenches) text += "contact wrenches\n";
  if (model.has_impact_shares) text += "impact shares\n";
  ModelView pointers;
  model.for_each_array(pointers, [&](const auto& array, const auto*) {
    text += fmt::format("{}:", array.size());
    for (const auto& element : array) text += text_of(element) + ',';
    text += '\n';
  });
  return sha256_hex(text);
}

}  // namespace jostle
