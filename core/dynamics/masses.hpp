#pragma once
// Masses and velocities of the free components.
#include "core/model/system.hpp"

namespace jostle {

/// 1/m or 1/J of every free component; locked ones have no component at all.
template <class Team>
JOSTLE_HD void load_masses(const Team& team, const System& system, const Workspace& work) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.freedoms, [&](int k) {
    const auto [body, component] = model.freedoms[k];
    const double inertia =
        component < 3 ? system.parameters.mass[body] : system.parameters.inertia[3 * body + component - 3];
    work.inv_mass[k] = 1 / inertia;
    const Span<double>& source = component < 3 ? system.state.velocity : system.state.spin;
    work.velocity[k] = work.predicted_velocity[k] = source[3 * body + component % 3];
  });
  team.sync();
}

}  // namespace jostle
