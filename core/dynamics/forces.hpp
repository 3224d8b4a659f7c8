#pragma once
// What acts on the bodies, and the momentum that it gives them in a step.
#include "core/expression/evaluate.hpp"
#include "core/model/system.hpp"

namespace jostle {

JOSTLE_HD inline double evaluate_at(const System& system, const ProgramModel& program, double time) {
  return program.length == 0
             ? 0.0
             : evaluate(system.model.program(program), system.parameters.variables.data, time, [](int) { return 0.0; });
}

/// What acts on a body at time t: gravity, prescribed forces and the gyroscopic term -w x J w (Anitescu & Potra 1997,
/// section 5.2).
JOSTLE_HD inline Wrench external_force_on(const System& system, const Workspace& work, int body, double time) {
  const ModelView& model = system.model;
  Wrench total;
  total.force = system.parameters.mass[body] * vector_at(system.parameters.gravity, 0);
  const Vec3 w = vector_at(system.state.spin, body);
  const Vec3 J = vector_at(system.parameters.inertia, body);
  total.torque = -cross(w, Vec3(J[0] * w[0], J[1] * w[1], J[2] * w[2]));
  for (int f = 0; f < model.forces_count; ++f) {
    const ForceModel& force = model.forces[f];
    if (force.body != body) continue;
    Vec3 push, torque;
    for (int k = 0; k < 3; ++k) {
      push[k] = evaluate_at(system, force.force[k], time);
      torque[k] = evaluate_at(system, force.torque[k], time);
    }
    total.force += push;
    total.torque += rotate_back(work.pose[body].axes, torque);
  }
  return total;
}

/// r = M v_l + h k with k at (`time`, q_l, v_l).
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void load_momentum(const Team& team, const System& system, const Workspace& work, double time,
                                            double h) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.bodies,
                [&](int b) { work.external_force[b] = external_force_on(system, work, b, time); });
  team.sync();
  team.for_each(model.dimensions.freedoms, [&](int k) {
    const auto [body, component] = model.freedoms[k];
    const Wrench& acting = work.external_force[body];
    const double k_component = (component < 3 ? acting.force : acting.torque)[component % 3];
    const double mass =
        component < 3 ? system.parameters.mass[body] : system.parameters.inertia[3 * body + component - 3];
    work.momentum[k] = mass * work.velocity[k] + h * k_component;
  });
  team.sync();
}

}  // namespace jostle
