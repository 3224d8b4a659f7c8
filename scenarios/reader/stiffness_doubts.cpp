#include <cmath>
#include <optional>

#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/mass.hpp"
#include "scenarios/reader/doubts.hpp"

namespace jostle {
namespace {

/// A stiffness and a damping along one coordinate, and the inverse of the mass that they move.
struct Oscillator {
  double stiffness = 0, damping = 0, inverse_mass = 0;
};

/// Mass, axes and centre of mass of a body at the start, world.
struct PlacedMass {
  double mass = 0;
  Vec3 centre, moments;
  Mat3 axes;
};

PlacedMass placed_mass(const Scenario& scenario, int index, Draw draw) {
  const TracedMass mass = mass_of(scenario.bodies[static_cast<std::size_t>(index)], draw);
  const TracedPose pose = start_pose(scenario, index, draw);
  return {mass.mass.value(), value_of(pose.position), value_of(mass.moments), value_of(pose.axes)};
}

/// 1/kg, of a free body for a force along d (unit, world) at a point.
double inverse_mass_of_free(const Scenario& scenario, int index, const Vec3& point, const Vec3& d, Draw draw) {
  const BodySpec& body = scenario.bodies[static_cast<std::size_t>(index)];
  const PlacedMass at = placed_mass(scenario, index, draw);
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    if (body.freedom[k]) sum += d[k] * d[k] / at.mass;
  const Vec3 moment = rotate_back(at.axes, cross(Vec3(point - at.centre), d));
  for (int k = 0; k < 3; ++k)
    if (body.freedom[3 + k] && at.moments[k] > 0) sum += moment[k] * moment[k] / at.moments[k];
  return sum;
}

/// A body that one hinge or slide alone ties to what does not yield: its axis, and what turns or slides about it.
struct HungMass {
  JointType type;
  Vec3 point, axis;
  double inertia;  ///< kg m^2 about the axis of a hinge, kg of a slide; with the armature
};

std::optional<HungMass> hung_mass(const Scenario& scenario, const JointSpec& joint, Draw draw) {
  const int a = joint.sides.bodies[0], b = joint.sides.bodies[1];
  if (!joint.has_coordinate() || scenario.is_mover(a) == scenario.is_mover(b)) return {};
  const int body = scenario.is_mover(a) ? a : b;
  const PlacedMass at = placed_mass(scenario, body, draw);
  const Vec3 direction = value_of(joint.axis, draw);
  HungMass hung{joint.type, at.centre, direction / std::sqrt(dot(direction, direction)),
                number_of(joint.armature, draw).value()};
  if (joint.type == JointType::prismatic) {
    hung.inertia += at.mass;
    return hung;
  }
  hung.point = value_of(joint.at.points[0], draw);
  const Vec3 along = rotate_back(at.axes, hung.axis), arm = cross(hung.axis, Vec3(at.centre - hung.point));
  hung.inertia += at.mass * dot(arm, arm);
  for (int k = 0; k < 3; ++k) hung.inertia += at.moments[k] * along[k] * along[k];
  return hung;
}

/// The only joint of a body; none if it has none, nothing if it has several.
std::optional<const JointSpec*> joint_of(const Scenario& scenario, int body) {
  const JointSpec* found = nullptr;
  for (const JointSpec& joint : scenario.joints) {
    if (joint.sides.bodies[0] != body && joint.sides.bodies[1] != body) continue;
    if (found) return {};
    found = &joint;
  }
  return found;
}

/// 1/kg for a force along d (unit, world) at a point; nothing in a mechanism.
std::optional<double> inverse_mass_at(const Scenario& scenario, int body, const Vec3& point, const Vec3& d, Draw draw) {
  if (!scenario.is_mover(body)) return 0;
  const std::optional<const JointSpec*> joint = joint_of(scenario, body);
  if (!joint) return {};
  if (!*joint) return inverse_mass_of_free(scenario, body, point, d, draw);
  const std::optional<HungMass> hung = hung_mass(scenario, **joint, draw);
  if (!hung) return {};
  const Vec3 along =
      hung->type == JointType::revolute ? Vec3(cross(hung->axis, Vec3(point - hung->point))) : hung->axis;
  const double speed = dot(along, d);
  return speed * speed / hung->inertia;
}

std::optional<Oscillator> oscillator_of(const Scenario& scenario, const SpringSpec& spring, Draw draw) {
  Vec3 points[2];
  for (int side = 0; side < 2; ++side)
    points[side] = spring.at.count == 2 ? value_of(spring.at.points[side], draw)
                                        : value_of(start_pose(scenario, spring.sides.bodies[side], draw).position);
  const Vec3 line = points[1] - points[0];
  const double length = std::sqrt(dot(line, line));
  if (!(length > 0)) return {};
  Oscillator found{number_of(spring.stiffness, draw).value(), number_of(spring.damping, draw).value(), 0};
  for (int side = 0; side < 2; ++side) {
    const auto inverse = inverse_mass_at(scenario, spring.sides.bodies[side], points[side], line / length, draw);
    if (!inverse) return {};
    found.inverse_mass += *inverse;
  }
  return found;
}

/// Of a joint's own spring.
std::optional<Oscillator> oscillator_of(const Scenario& scenario, const JointSpec& joint, Draw draw) {
  const std::optional<HungMass> hung = hung_mass(scenario, joint, draw);
  const int body = scenario.is_mover(joint.sides.bodies[0]) ? joint.sides.bodies[0] : joint.sides.bodies[1];
  if (!joint.has_spring() || !hung || !joint_of(scenario, body)) return {};
  return Oscillator{number_of(joint.stiffness, draw).value(), number_of(joint.damping, draw).value(),
                    1 / hung->inertia};
}

/// Where a method with the force of the start or the middle of a step is stable: h^2 k/m + h c/m < limit,
/// docs/theory.md (19c), or h^2 k/m < limit with the damper apart.
struct StabilityRule {
  double limit;
  double damping_weight;
};
std::optional<StabilityRule> rule_of(Method method) {
  if (facts_of(method).has_stages) return StabilityRule{8, 0};
  if (facts_of(method).is_implicit || facts_of(method).has_impacts) return {};
  return StabilityRule{2, 1};
}

/// Of the spring of a joint, docs/theory.md (41b), (41c).
std::optional<StabilityRule> rule_of_joints(Method method) {
  if (facts_of(method).has_stages) return StabilityRule{8, 0};
  if (facts_of(method).end_weight == 0) return StabilityRule{4, 0};
  return {};
}

/// s: the largest step that the rule allows, rounded down to two digits.
double step_for(const Oscillator& spring, const StabilityRule& rule) {
  const double a = spring.stiffness * spring.inverse_mass,
               b = rule.damping_weight * spring.damping * spring.inverse_mass;
  const double largest = a > 0 ? 2 * rule.limit / (b + std::sqrt(b * b + 4 * a * rule.limit)) : rule.limit / b;
  const double unit = std::pow(10.0, std::floor(std::log10(largest)) - 1);
  return std::floor(largest / unit * (1 - 1e-9)) * unit;
}

/// Nothing if the step will do.
std::string too_stiff(const Scenario& scenario, const Oscillator& spring, const StabilityRule& rule) {
  const double h = scenario.world.step, number = h * h * spring.stiffness * spring.inverse_mass +
                                                 rule.damping_weight * h * spring.damping * spring.inverse_mass;
  if (!(number >= rule.limit)) return {};
  const std::string formula = rule.damping_weight > 0 && spring.damping > 0 ? "h^2 k/m + h c/m" : "h^2 k/m";
  return " is too stiff for the step: " + formula + " is " + short_text(number) + ", and " +
         name_of(scenario.world.method) + " is stable below " + short_text(rule.limit) + "; a step of " +
         short_text(step_for(spring, rule)) + " s would do, or trapezoidal or trapezoidal_midpoint with any step";
}

}  // namespace

std::vector<Fault> doubts_about_stiffness(const Scenario& scenario) {
  std::vector<Fault> doubts;
  const std::vector<double> medians = medians_of(scenario);
  const auto look = [&](const std::string& what, const auto& spec, const std::optional<StabilityRule>& rule) {
    if (!rule) return;
    const std::optional<Oscillator> found = oscillator_of(scenario, spec, medians.data());
    if (!found) return;
    const std::string text = too_stiff(scenario, *found, *rule);
    if (!text.empty()) doubts.push_back({spec.where, what + " '" + spec.name + "'" + text});
  };
  for (const SpringSpec& spring : scenario.springs) look("spring", spring, rule_of(scenario.world.method));
  for (const JointSpec& joint : scenario.joints)
    look("the spring of joint", joint, rule_of_joints(scenario.world.method));
  return doubts;
}

}  // namespace jostle
