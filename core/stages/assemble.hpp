#pragma once
// The data of Stewart-Trinkle's mixed LCP: masses, momentum, contact rows and their biases.
#include "core/assembly/schur.hpp"
#include "core/expression/evaluate.hpp"
#include "core/stages/collide.hpp"

namespace jostle {

/// 1/m or 1/J of every free component; locked ones have no component at all.
template <class Team>
JOSTLE_HD void load_masses(const Team& team, const System& system, const Workspace& work) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.freedoms, [&](int k) {
    const auto [body, component] = model.freedoms[k];
    const Real inertia =
        component < 3 ? system.parameters.mass[body] : system.parameters.inertia[3 * body + component - 3];
    work.inv_mass[k] = 1 / inertia;
    const Span<Real>& source = component < 3 ? system.state.velocity : system.state.spin;
    work.velocity[k] = work.predicted_velocity[k] = source[3 * body + component % 3];
  });
  team.sync();
}

JOSTLE_HD inline Real evaluate_at(const System& system, const ProgramModel& program, Real time) {
  return program.length == 0 ? Real(0)
                             : evaluate(system.model.program(program), system.parameters.variables.data, time,
                                        [](int) { return Real(0); });
}

/// What acts on a body at time t: gravity, prescribed forces and the gyroscopic term -w x J w (Anitescu & Potra 1997,
/// section 5.2).
JOSTLE_HD inline Wrench external_force_on(const System& system, const Workspace& work, int body, Real time) {
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

/// r = M v_l + h k with k at (t_l + h/2, q_l (+) (h/2) v_l, v_l).
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void load_momentum(const Team& team, const System& system, const Workspace& work, Real time) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.bodies,
                [&](int b) { work.external_force[b] = external_force_on(system, work, b, time + model.step / 2); });
  team.sync();
  team.for_each(model.dimensions.freedoms, [&](int k) {
    const auto [body, component] = model.freedoms[k];
    const Wrench& acting = work.external_force[body];
    const Real k_component = (component < 3 ? acting.force : acting.torque)[component % 3];
    const Real mass =
        component < 3 ? system.parameters.mass[body] : system.parameters.inertia[3 * body + component - 3];
    work.momentum[k] = mass * work.velocity[k] + model.step * k_component;
  });
  team.sync();
}

/// The row of direction d at a contact: +(d; R(q_l)'(r x d)) on b and its negative on a, docs/theory.md (5).
JOSTLE_HD inline void write_row(const System& system, const Workspace& work, const Contact& contact, const Vec3& d,
                                Real* row) {
  const ModelView& model = system.model;
  const PairModel& pair = model.pairs[contact.pair];
  const int body_a = model.shapes[pair.shape_a].body, body_b = model.shapes[pair.shape_b].body;
  const Vec3 turn_a = rotate_back(work.pose[body_a].axes, cross(contact.arm_a, d));
  const Vec3 turn_b = rotate_back(work.pose[body_b].axes, cross(contact.arm_b, d));
  for (int k = 0; k < model.dimensions.freedoms; ++k) {
    const auto [body, component] = model.freedoms[k];
    Real value = 0;
    if (body == body_b) value += component < 3 ? d[component] : turn_b[component - 3];
    if (body == body_a) value -= component < 3 ? d[component] : turn_a[component - 3];
    row[k] = value;
  }
}

/// Rows of n and of the first half of D, the biases b_n = Phi(q^)/h - n'u, and the blocks.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void write_contact_rows(const Team& team, const System& system, const Workspace& work,
                                                 int contacts) {
  const ModelView& model = system.model;
  const int nv = model.dimensions.freedoms, per_contact = model.dimensions.rows_per_contact();
  team.for_each(contacts, [&](int c) {
    Contact& contact = work.contact[c];
    set_frame(system, work, contact);
    const Real friction = system.parameters.friction[contact.pair];
    const int first = c * per_contact;
    work.block[c] = {first, first + 1, friction > 0 ? per_contact - 1 : 0, true, friction, 0};
    for (int i = 0; i < per_contact; ++i) {
      const Vec3 d = i == 0 ? contact.normal
                            : Vec3(model.direction_cosine[i - 1] * contact.tangent_1 +
                                   model.direction_sine[i - 1] * contact.tangent_2);
      write_row(system, work, contact, d, work.contact_rows + (first + i) * nv);
      work.row_bias[first + i] = 0;
    }
    const Real approach = detail::inner(nv, work.contact_rows + first * nv, work.predicted_velocity);
    work.row_bias[first] = contact.gap / model.step - approach;
  });
  team.sync();
}

/// The step's data as the assembly takes them.
JOSTLE_HD inline MixedLcp mixed_lcp(const System& system, const Workspace& work, int contacts) {
  MixedLcp mixed;
  mixed.velocities = system.model.dimensions.freedoms;
  mixed.rows = contacts * system.model.dimensions.rows_per_contact();
  mixed.blocks = contacts;
  mixed.inv_mass = work.inv_mass;
  mixed.momentum = work.momentum;
  mixed.contact_rows = work.contact_rows;
  mixed.row_bias = work.row_bias;
  mixed.contacts = work.block;
  return mixed;
}

JOSTLE_HD inline SchurComplement schur_complement(const Workspace& work) {
  SchurComplement schur;
  schur.free_velocity = work.free_velocity;
  schur.response = work.response;
  schur.delassus = work.delassus;
  schur.variables = work.variables;
  schur.lcp_matrix = work.lcp_matrix;
  schur.lcp_vector = work.lcp_vector;
  schur.scale = work.scale;
  schur.block_scale = work.block_scale;
  schur.lane_memory = work.lane_memory;
  schur.orders = work.orders;
  return schur;
}

}  // namespace jostle
