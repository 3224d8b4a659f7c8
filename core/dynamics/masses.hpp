#pragma once
// Masses and velocities of the bodies' freedoms.
#include "core/model/system.hpp"

namespace jostle {

/// kg or kg m^2.
JOSTLE_HD inline double inertia_of(const System& system, int body, int component) {
  return component < 3 ? system.parameters().mass[body] : system.parameters().inertia[3 * body + component - 3];
}

/// 1/m or 1/J of every freedom, and its velocity; 0 for locked freedoms. Ends synced.
template <class Team>
JOSTLE_HD void load_masses(const Team& team, const System& system, AnyWorkspace auto work) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.velocities(), [&](int i) {
    const int mover = i / 6, body = model.movers[mover], k = i % 6;
    const bool is_free = model.bodies[body].is_free(k);
    const double* const source = k < 3 ? system.state().velocity : system.state().spin;
    work.inv_mass(mover)[k] = is_free ? 1 / inertia_of(system, body, k) : 0.0;
    work.root_inv_mass(mover)[k] = std::sqrt(work.inv_mass(mover)[k]);
    work.velocity(mover)[k] = is_free ? source[3 * body + k % 3] : 0.0;
  });
  team.sync();
}

}  // namespace jostle
