#pragma once
// The matrix and the impulses of the linearly implicit trapezoidal methods [Potra, Anitescu, Gavrea & Trinkle 2006,
// (2.8), with the force in the middle of the step where the paper has the first terms of its series]; docs/theory.md
// (57):
//
//     M~ = M - (h/2) k_v - (h^2/4) k_q
//     k~ = (h/2) (k(t_l, q_m, v*) + k(t_{l+1}, q_m, v*))           q_m = q_l (+) (h/2) v_l
//
// k_v is that of the gyroscopic torque -w x Jw, [Jw]x - [w]x J, and of dampers, -damping g g'; k_q that of springs,
// -stiffness g g' with g the derivative of the length at q_m (springs.hpp): both keep M~ positive definite for every h.
// v* is v_l for springs and dampers, as k_v has the rest, and for expressions (v_l + v_{l+1})/2: that of a solution
// with v* = v_l, which is one of first order.
#include "core/dynamics/coordinate_mass.hpp"

namespace jostle {

namespace detail {

/// Is the symmetric part of a 3 x 3 matrix positive definite?
JOSTLE_HD inline bool is_positive_definite(const Mat3& A) {
  const auto s = [&](int i, int j) { return 0.5 * (A(i, j) + A(j, i)); };
  const double two = s(0, 0) * s(1, 1) - s(0, 1) * s(0, 1);
  const double three = s(0, 0) * (s(1, 1) * s(2, 2) - s(1, 2) * s(1, 2)) -
                       s(0, 1) * (s(0, 1) * s(2, 2) - s(1, 2) * s(0, 2)) +
                       s(0, 2) * (s(0, 1) * s(1, 2) - s(1, 1) * s(0, 2));
  return s(0, 0) > 0 && two > 0 && three > 0;
}

}  // namespace detail

/// J - (h/2) [Jw]x, body axes: of first order, and without torques the energy stays to the last bits.
JOSTLE_HD inline Mat3 first_order_inertia(const Vec3& J, const Vec3& w, double h) {
  Mat3 A = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double half = 0.5 * h;
    A(i, i) = J[i];
    A(i, j) = half * (J[k] * w[k]);
    A(i, k) = -half * (J[j] * w[j]);
  }
  return A;
}

/// J - (h/2) k_v of a body that turns freely, body axes.
struct ImplicitInertia {
  Mat3 matrix;
  bool is_first_order;
};

/// Of second order where its symmetric part is positive definite, else of first order.
JOSTLE_HD inline ImplicitInertia implicit_inertia(const Vec3& J, const Vec3& w, double h) {
  const Mat3 rest = first_order_inertia(J, w, h);
  Mat3 A = rest;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double half = 0.5 * h;
    A(i, j) = rest(i, j) - half * (w[k] * J[j]);  // + (h/2) [w]x J
    A(i, k) = rest(i, k) + half * (w[j] * J[k]);
  }
  if (detail::is_positive_definite(A)) return {A, false};
  return {rest, true};
}

/// Whether A is a full matrix: a body turns freely and its gyroscopic torque is implicit.
JOSTLE_HD inline bool is_gyroscopic(const ModelView& model, int body) {
  return model.bodies[body].rotation == RotationKind::free && model.gyroscopic == Gyroscopic::implicitly;
}

/// visit(spring, g's half of mover m) for the springs on a mover, at q^ and in its axes.
JOSTLE_HD void for_each_spring_on(const System& system, AnyWorkspace auto work, int m, auto visit) {
  const auto poses = work.predicted_pose();
  for (int s = 0; s < system.model.dimensions.springs; ++s) {
    const SpringRow spring = any_spring_row(system, s, poses, poses, work.velocity(), work.prescribed_velocity());
    if (const int side = side_of(spring.g, m); side >= 0) visit(spring, spring.g.entry[side]);
  }
}

/// What a spring has of M~ along its g, in a piece of length h.
JOSTLE_HD inline double implicit_weight(const SpringRow& spring, double h) {
  return 0.5 * h * spring.damping + 0.25 * h * h * spring.stiffness;
}

/// Whether the gyroscopic torque of a body is implicit at first order only, in a piece of length h.
template <class Team>
JOSTLE_HD bool turns_at_first_order(const Team& team, const System& system, AnyWorkspace auto work, double h) {
  const ModelView& model = system.model;
  return model.dimensions.has_mass_matrix && model.dimensions.movers > 0 &&
         any_of(team, model.dimensions.movers, [&](int m) {
           const int body = model.movers[m];
           return is_gyroscopic(model, body) &&
                  implicit_inertia(vector_at(system.parameters().inertia, body), work.velocity(m).angular(), h)
                      .is_first_order;
         });
}

/// A = M~ for a piece of length h, at q^ and in its axes; h = 0: M. Nothing if A is diagonal. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void write_implicit_mass(const Team& team, const System& system, AnyWorkspace auto work,
                                                  double h) {
  const ModelView& model = system.model;
  const int nv = model.dimensions.velocities();
  if (!model.dimensions.has_mass_matrix) return;
  team.for_each(model.dimensions.movers, [&](int m) {
    const int body = model.movers[m];
    write_mass_rows(system, work, m);
    if (h > 0) {
      for_each_spring_on(system, work, m, [&](const SpringRow& spring, const Vec6& own) {
        add_outer_product(system, work, m, implicit_weight(spring, h), own, spring.g);
      });
    }
    for_each_armature_on(system, work.predicted_pose(), work.predicted_pose(), work.prescribed_velocity(), m,
                         [&](int, double armature, const CoordinateRow& row, const Vec6& own) {
                           add_outer_product(system, work, m, armature, own, row.g);
                         });
    if (!is_gyroscopic(model, body)) return;
    const Mat3 block =
        implicit_inertia(vector_at(system.parameters().inertia, body), work.velocity(m).angular(), h).matrix;
    for (int i = 0; i < 3; ++i) {
      const auto own = work.mass_matrix().from((6 * m + 3 + i) * nv + 6 * m + 3);
      for (int j = 0; j < 3; ++j) own[j] += block(i, j) - (j == i ? inertia_of(system, body, 3 + i) : 0.0);
    }
  });
  team.sync();
}

/// r = share M~ v_l + k~ of a piece that begins at `time`, with q_m and the axes of torques in q^, and v* of movers in
/// expressions in work.predicted_velocity(). Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void load_implicit_momentum(const Team& team, const System& system, AnyWorkspace auto work,
                                                     double time, double h, double share) {
  const ModelView& model = system.model;
  const int nv = model.dimensions.velocities();
  const auto force_at = [&](int m, double t) {
    return external_force_on(system, work, work.predicted_pose(), work.predicted_pose(), m, t,
                             work.predicted_velocity());
  };
  team.for_each(model.dimensions.movers, [&](int m) {
    const int b = model.movers[m];
    const Vec3 turn = work.gyroscopic(m) =
        h * gyroscopic_torque(model.bodies[b], vector_at(system.parameters().inertia, b), work.velocity(m).angular());
    const Wrench first = force_at(m, time);
    const bool changes = model.changes_with_time && model.forces_count > 0;
    const Wrench second = changes ? force_at(m, time + h) : first;
    for (int k = 0; k < 6; ++k) {
      const bool is_free = model.bodies[b].is_free(k);
      work.applied(m)[k] = is_free ? 0.5 * h * (first[k] + second[k]) : 0.0;
      double own = inertia_of(system, b, k) * work.velocity(m)[k];
      if (model.dimensions.has_mass_matrix) {
        own = 0;
        const auto row = work.mass_matrix().from((6 * m + k) * nv);
        for (int other = 0; other < model.dimensions.movers; ++other)
          for (int j = 0; j < 6; ++j) own += row[6 * other + j] * work.velocity(other)[j];
      }
      work.momentum(m)[k] = is_free ? share * own + work.applied(m)[k] + (k < 3 ? 0.0 : turn[k - 3]) : 0.0;
    }
  });
  team.sync();
}

/// Adds to the gyroscopic impulses what the implicit terms have added in the piece, (h/2) k_v (v_{l+1} - v_l). Ends
/// synced.
template <class Team>
JOSTLE_HD void add_implicit_turn(const Team& team, const System& system, AnyWorkspace auto work, double h) {
  team.for_each(system.model.dimensions.movers, [&](int m) {
    const int body = system.model.movers[m];
    if (!is_gyroscopic(system.model, body)) return;
    const Vec3 J = vector_at(system.parameters().inertia, body), w = work.velocity(m).angular();
    const Vec3 change = work.next_velocity(m).angular() - w;
    const Mat3 A = implicit_inertia(J, w, h).matrix;
    for (int i = 0; i < 3; ++i) {
      double turned = 0;
      for (int j = 0; j < 3; ++j) turned += A(i, j) * change[j];
      work.gyroscopic(m)[i] += J[i] * change[i] - turned;
    }
  });
  team.sync();
}

/// Adds to the impulses applied what the implicit terms of springs and dampers have added in the piece. Ends synced.
template <class Team>
JOSTLE_HD void add_implicit_impulse(const Team& team, const System& system, AnyWorkspace auto work, double h) {
  if (system.model.dimensions.springs == 0) return;
  team.for_each(system.model.dimensions.movers, [&](int m) {
    for_each_spring_on(system, work, m, [&](const SpringRow& spring, const Vec6& own) {
      const double weight = implicit_weight(spring, h);
      const double change = add_product(0, spring.g, work.next_velocity()) - add_product(0, spring.g, work.velocity());
      for (int k = 0; k < 6; ++k) work.applied(m)[k] -= weight * change * own[k];
    });
  });
  team.sync();
}

}  // namespace jostle
