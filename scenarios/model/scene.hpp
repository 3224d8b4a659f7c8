#pragma once
// Properties of a scenario as a whole.
#include <optional>

#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Whether a rotation is about a coordinate axis, or none, whatever is drawn.
bool is_about(const RotationSpec& rotation, int axis);

/// The rules of all pairs of bodies that may touch: [a, b] beats [a, any] beats any. Throws ScenarioError if a pair has
/// none, or two of equal rank.
BodyPairs resolve_pairs(const Scenario& scenario);

/// Coordinate axis (0, 1, 2) of the normal e of the plane that all moving bodies share: they neither leave the plane
/// nor turn out of it. If several planes fit, z is taken before y before x. None: the scene is spatial.
std::optional<int> plane_axis(const Scenario& scenario);

/// The axis (0, 1, 2) that the body can turn about, if there is only one.
std::optional<int> turning_axis(const BodySpec& body);

}  // namespace jostle
