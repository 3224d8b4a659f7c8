// What kernels see of a model.
#include <algorithm>

#include "core/model/model.hpp"

namespace jostle {

namespace {

Dimensions dimensions_of(const Model& model, int contacts) {
  Dimensions d;
  static_cast<GivenDimensions&>(d) = model;
  d.bodies = static_cast<int>(model.bodies.size());
  d.movers = static_cast<int>(model.movers.size());
  d.prescribed = static_cast<int>(model.prescribed.size());
  d.shapes = static_cast<int>(model.shapes.size());
  d.corners = model.corners;
  d.bulges = model.bulges;
  d.hull_numbers = model.hull_numbers;
  d.has_shared_hulls = !model.shared_hulls.empty();
  d.page_slots = model.page_slots;
  d.searches_whole_pairs =
      std::any_of(model.pairs.begin(), model.pairs.end(), [](const PairModel& p) { return p.is_searched_whole; });
  d.pairs = static_cast<int>(model.pairs.size());
  d.pages = static_cast<int>(model.pages.size());
  d.modes = model.pairs.empty() ? 0 : model.pairs.back().first_mode + model.pairs.back().modes;
  d.outcomes = static_cast<int>(model.outcomes.size());
  d.operands = facts_of(model.method).has_stages ? 2 * model.operands : model.operands;  // with their rates
  d.shared_numbers = static_cast<int>(model.shared_numbers.size());
  d.contacts = contacts;
  d.recorded_quantities = static_cast<int>(model.recorded.size());
  d.has_plain_method = facts_of(model.method).is_plain;
  d.has_impacts = facts_of(model.method).has_impacts;
  d.has_mass_matrix = model.has_mass_matrix();
  d.has_stages = facts_of(model.method).has_stages;
  d.keeps_hops = facts_of(model.method).end_weight == 0;
  d.keeps_slow_hops = facts_of(model.method).is_implicit && !facts_of(model.method).solves_for_sum;
  d.has_circular_cone = model.friction_cone == FrictionCone::circle && !model.planar;
  d.has_friction_axes =
      std::any_of(model.pairs.begin(), model.pairs.end(), [](const PairModel& p) { return p.axis_body >= 0; });
  for (int s = 0; model.filter && s < static_cast<int>(model.shapes.size()); ++s)
    d.has_filter =
        d.has_filter || model.shapes[static_cast<std::size_t>(s)].type == ShapeType::polygon || !model.is_convex(s);
  d.has_transitions =
      model.events.transitions && facts_of(model.method).is_implicit && !d.has_circular_cone && !d.has_moments();
  d.has_counts =
      std::any_of(model.outcomes.begin(), model.outcomes.end(), [](const OutcomeModel& o) { return o.counts(); });
  d.has_joint_loops = model.has_joint_loops();
  d.joints = static_cast<int>(model.joints.size());
  for (const JointModel& joint : model.joints) {
    d.joint_rows += joint.rows;
    d.joint_bounds += joint.has_friction + joint.has_motor;
    d.joint_limits += joint.has_limits;
    d.speed_limits += (joint.speed_limits & 1) + (joint.speed_limits >> 1);
    d.has_armature = d.has_armature || joint.has_armature;
    d.ball_frictions += joint.has_ball_friction;
  }
  d.has_geometric_stiffness = model.geometric_stiffness && !model.joints.empty();
  if (d.has_geometric_stiffness && !d.has_stages) d.stiff_rows = model.most_stiff_rows();
  d.springs = static_cast<int>(model.springs.size());
  for (const ForceModel& force : model.forces) d.force_points += force.point >= 0;
  d.blows = static_cast<int>(model.blows.size());
  d.has_far_forces = std::any_of(model.forces.begin(), model.forces.end(),
                                 [&](const ForceModel& force) { return model.is_far(force); });
  return d;
}

bool uses_time(const Model& model, const ProgramModel& program) {
  return model.has_instruction(program, [&](const Instruction& i) {
    return i.op == Op::time || (i.op == Op::quantity && (model.quantities[i.index].kind == Quantity::Kind::time ||
                                                         model.quantities[i.index].kind == Quantity::Kind::held));
  });
}
bool uses_speed(const Model& model, const ProgramModel& program) {
  return model.has_instruction(program, [&](const Instruction& i) {
    return i.op == Op::quantity && (model.quantities[i.index].kind == Quantity::Kind::velocity ||
                                    model.quantities[i.index].kind == Quantity::Kind::spin ||
                                    model.quantities[i.index].kind == Quantity::Kind::joint_speed);
  });
}

/// What forces, motions and outcomes depend on.
void write_dependences(const Model& model, ModelView& v) {
  const Dimensions& d = v.dimensions;
  v.has_state_forces = d.springs > 0 || d.force_points > 0;
  for (const ForceModel& force : model.forces)
    v.has_state_forces = v.has_state_forces || force.reaction >= 0 || model.follows_motion(force);
  for (const SpringModel& spring : model.springs) v.has_joint_springs = v.has_joint_springs || spring.joint >= 0;
  for (const JointModel& joint : model.joints)
    v.has_speed_forces = v.has_speed_forces || (joint.has_armature && joint.type == JointType::prismatic);
  v.changes_with_time = d.blows > 0;
  for (int k = 0; k < 3; ++k) {
    for (const ForceModel& force : model.forces) {
      v.changes_with_time =
          v.changes_with_time || uses_time(model, force.force[k]) || uses_time(model, force.torque[k]);
      v.has_speed_forces =
          v.has_speed_forces || uses_speed(model, force.force[k]) || uses_speed(model, force.torque[k]);
    }
    for (const PrescribedModel& motion : model.prescribed)
      v.changes_with_time =
          v.changes_with_time || uses_time(model, motion.velocity[k]) || uses_time(model, motion.spin[k]);
  }
  for (const JointModel& joint : model.joints)
    v.changes_with_time = v.changes_with_time || uses_time(model, joint.speed);
  for (const OutcomeModel& outcome : model.outcomes)
    v.observes_time = v.observes_time || uses_time(model, outcome.program) || uses_time(model, outcome.condition) ||
                      outcome.reducer == Reducer::mean;
}

}  // namespace

ModelView Model::view(int contacts) const {
  ModelView v;
  static_cast<CommonModel&>(v) = *this;
  v.dimensions = dimensions_of(*this, contacts);
  v.parameter_layout = ParameterLayout(v.dimensions);
  v.state_layout = StateLayout(v.dimensions);
  write_dependences(*this, v);
  v.forces_count = static_cast<int>(forces.size());
  v.loaded_count = static_cast<int>(loaded.size());
  for_each_array(v, [](const auto& array, auto& pointer) { pointer = array.data(); });
  return v;
}

}  // namespace jostle
