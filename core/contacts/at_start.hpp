#pragma once
// Shapes and contacts where a step, or a piece of it, begins, and which of them touch.
#include "core/contacts/adhesion.hpp"
#include "core/contacts/closing_speed.hpp"
#include "core/contacts/rest.hpp"
#include "core/geometry/shape_pair.hpp"

namespace jostle {

/// Contacts nearer than this are in the step, m; limits of joints too, rad or m.
JOSTLE_HD inline double active_gap_of(const ModelView& model) {
  const double by_step = model.events.active_gap_h3 * (model.step * model.step * model.step);
  return model.events.active_gap > by_step ? model.events.active_gap : by_step;
}

/// Of a contact of pair p that is listed where it has this gap (m): it has adhesion, and is listed only because it, or
/// what it follows, carried an impulse.
JOSTLE_HD inline bool is_open_but_held(const System& system, int p, double gap) {
  return gap > active_gap_of(system.model) && has_adhesion(system, p);
}

/// A shape where the step begins.
JOSTLE_HD JOSTLE_OUTLINE inline PlacedShape at_start(const System& system, AnyWorkspace auto work, int shape) {
  return place_at(system, shape, work.pose());
}

/// m: of a feature pair of pair p, where the step begins.
JOSTLE_HD JOSTLE_OUTLINE inline double gap_at_start(const System& system, AnyWorkspace auto work, int p, int feature) {
  return geometry_at(system, system.model.pairs[p], feature, work.pose()).gap;
}

}  // namespace jostle
