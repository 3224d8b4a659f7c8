#pragma once
// What follows from a scenario as a whole.
#include <optional>

#include "scenarios/scenario.hpp"

namespace jostle {

/// The rule of a pair of bodies, in either order: [a, b] beats [a, any] beats any. Null if there is none;
/// ScenarioError if two are of equal rank (not once the reader has checked the scenario).
const ContactRule* contact_rule(const Scenario& scenario, int body_a, int body_b);

/// As the file says it: "half_space".
const char* name_of(ShapeType type);

/// Whether the two can touch at all: both have shapes and not both are fixed. Only such pairs need a rule.
bool may_touch(const BodySpec& a, const BodySpec& b);

/// Coordinate axis (0, 1, 2) of the normal e of the plane that all moving bodies share: they neither leave the plane
/// nor turn out of it. If several planes fit, z is taken before y before x. None: the scene is spatial.
std::optional<int> plane_axis(const Scenario& scenario);

/// The only axis (0, 1, 2) that the body can turn about, if there is just one.
std::optional<int> turning_axis(const BodySpec& body);

}  // namespace jostle
