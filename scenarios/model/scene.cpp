#include "scenarios/model/scene.hpp"

#include <algorithm>

namespace jostle {
namespace {

/// 2: names both bodies; 1: names one of them; 0: any; -1: another pair.
int rank(const Between& rule, const BodySpec& a, const BodySpec& b) {
  if (rule.any_pair) return 0;
  if (a.is_called(rule.first) && b.is_called(rule.second)) return 2;
  if (b.is_called(rule.first) && a.is_called(rule.second)) return 2;
  const std::string& named = rule.first == "any" ? rule.second : rule.first;
  const bool one_is_any = rule.first == "any" || rule.second == "any";
  return one_is_any && (a.is_called(named) || b.is_called(named)) ? 1 : -1;
}

bool stays_in_plane(const BodySpec& body, int axis) {
  if (body.fixed) return true;
  for (int i = 0; i < 3; ++i)
    if (i != axis && body.freedom[3 + i]) return false;
  return !body.freedom[axis];
}

/// Whether the two can touch at all. Only such pairs need a rule.
bool can_touch(const BodySpec& a, const BodySpec& b) {
  return !a.shapes.empty() && !b.shapes.empty() && (a.is_mover() || b.is_mover());
}

bool are_tied(const Scenario& scenario, int a, int b) {
  return std::any_of(scenario.joints.begin(), scenario.joints.end(), [&](const JointSpec& joint) {
    const auto& [first, second] = joint.sides.bodies;
    return (first == a && second == b) || (first == b && second == a);
  });
}

bool has_own_rule(const Scenario& scenario, const BodySpec& a, const BodySpec& b) {
  return std::any_of(scenario.contacts.begin(), scenario.contacts.end(),
                     [&](const ContactRule& rule) { return rank(rule.between, a, b) == 2; });
}

const ContactRule& rule_of(const Scenario& scenario, const BodySpec& a, const BodySpec& b) {
  const ContactRule* best = nullptr;
  const ContactRule* equal = nullptr;  // a second rule of the best rank
  int best_rank = -1;
  for (const ContactRule& rule : scenario.contacts) {
    const int rule_rank = rank(rule.between, a, b);
    if (rule_rank > best_rank) {
      best = &rule;
      equal = nullptr;
      best_rank = rule_rank;
    } else if (rule_rank >= 0 && rule_rank == best_rank && !equal) {
      equal = &rule;
    }
  }
  if (equal)
    throw error_at(scenario, equal->where, "two rules of equal rank for '" + a.name + "' and '" + b.name + "'");
  if (!best) throw error_at(scenario, b.where, "contacts has no rule for '" + a.name + "' and '" + b.name + "'");
  return *best;
}

/// The axis of a rule belongs to one of the two bodies.
void check_axis(const Scenario& scenario, const ContactRule& rule, const BodySpec& a, const BodySpec& b) {
  const std::string& of = rule.across.of;
  if (a.is_called(of) != b.is_called(of)) return;
  throw error_at(scenario, rule.across.where,
                 a.is_called(of) ? "'" + of + "' is the name of both '" + a.name + "' and '" + b.name +
                                       "', across.of must be one of them"
                                 : "across.of is '" + of + "', which is neither '" + a.name + "' nor '" + b.name +
                                       "'; this pair needs a rule of its own");
}

}  // namespace

bool is_about(const RotationSpec& rotation, int axis) {
  bool about_axis = rotation.kind != RotationSpec::Kind::uniform;
  for (const RotationSpec& turn : rotation.turns) about_axis = about_axis && is_about(turn, axis);
  for (int i = 0; i < 3; ++i) {
    if (i == axis) continue;
    if (rotation.kind == RotationSpec::Kind::axis_angle) about_axis = about_axis && is_zero(rotation.axis[i]);
    if (rotation.kind == RotationSpec::Kind::quaternion) about_axis = about_axis && is_zero(rotation.quaternion[1 + i]);
  }
  return about_axis;
}

BodyPairs resolve_pairs(const Scenario& scenario) {
  const std::vector<BodySpec>& bodies = scenario.bodies;
  BodyPairs pairs(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      if (!can_touch(bodies[i], bodies[j])) continue;
      const bool tied = are_tied(scenario, static_cast<int>(i), static_cast<int>(j));
      if (tied && !has_own_rule(scenario, bodies[i], bodies[j])) continue;
      const ContactRule& rule = rule_of(scenario, bodies[i], bodies[j]);
      if (rule.contact && rule.across.given) check_axis(scenario, rule, bodies[i], bodies[j]);
      if (rule.contact)
        pairs.set(static_cast<int>(i), static_cast<int>(j), static_cast<int>(&rule - scenario.contacts.data()));
    }
  }
  return pairs;
}

std::optional<int> plane_axis(const Scenario& scenario) {
  for (const int axis : {2, 1, 0}) {
    const auto stays = [&](const BodySpec& body) { return stays_in_plane(body, axis); };
    if (std::all_of(scenario.bodies.begin(), scenario.bodies.end(), stays)) return axis;
  }
  return {};
}

std::optional<int> turning_axis(const BodySpec& body) {
  if (free_rotations(body.freedom) != 1) return {};
  return static_cast<int>(std::find(body.freedom + 3, body.freedom + 6, true) - (body.freedom + 3));
}

}  // namespace jostle
