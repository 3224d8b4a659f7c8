#pragma once
// Masses and velocities of the bodies' freedoms.
#include "core/model/system.hpp"

namespace jostle {

/// kg or kg m^2.
JOSTLE_HD inline double inertia_of(const System& system, int body, int component) {
  return component < 3 ? system.parameters().mass[body] : system.parameters().inertia[3 * body + component - 3];
}

/// kg m^2/s, body axes: J w.
JOSTLE_HD inline Vec3 angular_momentum(const Vec3& J, const Vec3& w) { return {J[0] * w[0], J[1] * w[1], J[2] * w[2]}; }

/// visit(m, k, M) for every component k of mover m that is free, with M in kg or kg m^2.
JOSTLE_HD void for_each_freedom(const System& system, auto visit) {
  for (int m = 0; m < system.model.dimensions.movers; ++m) {
    const int body = system.model.movers[m];
    for (int k = 0; k < 6; ++k)
      if (system.model.bodies[body].is_free(k)) visit(m, k, inertia_of(system, body, k));
  }
}

/// 1/m or 1/J of every freedom, and its velocity; 0 for locked freedoms. Ends synced.
template <class Team>
JOSTLE_HD void load_masses(const Team& team, const System& system, AnyWorkspace auto work) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.movers, [&](int m) {
    const int body = model.movers[m];
    double inverse[4], root[4];  // of the mass, and of the principal moments
    for (int i = 0; i < 4; ++i) inverse[i] = 1 / inertia_of(system, body, i == 0 ? 0 : 2 + i);
    for (int i = 0; i < 4; ++i) root[i] = std::sqrt(inverse[i]);
    for (int k = 0; k < 6; ++k) {
      const bool is_free = model.bodies[body].is_free(k);
      const double* const source = k < 3 ? system.state().velocity : system.state().spin;
      const int i = k < 3 ? 0 : k - 2;
      work.inv_mass(m)[k] = is_free ? inverse[i] : 0.0;
      work.root_inv_mass(m)[k] = is_free ? root[i] : 0.0;
      work.velocity(m)[k] = is_free ? source[3 * body + k % 3] : 0.0;
    }
  });
  team.sync();
}

}  // namespace jostle
