#pragma once
// The classical Runge-Kutta method of order 4 in positions and velocities, docs/theory.md (62) to (64). A position of a
// stage is q_l (+) y, y a displacement and a rotation vector in body axes: R = R_l exp([f]x). With the spin w in body
// axes, f' = w + f x w / 2 + f x (f x w) / 12 + O(|f|^4 |w|), which is enough for order 4.
#include "core/dynamics/forces.hpp"
#include "core/dynamics/motion.hpp"
#include "core/events/way.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// Of the classical method: stage i is at `node` of the step, and has the weight `weight` in it.
struct Stages {
  static constexpr int count = 4;
  JOSTLE_HD static double node(int i) { return i == 0 ? 0.0 : i < 3 ? 0.5 : 1.0; }
  JOSTLE_HD static double weight(int i) { return i == 0 || i == 3 ? 1.0 / 6 : 1.0 / 3; }
};

/// q^ = q_l (+) h y and the shapes there, y of all bodies that move. Ends synced.
template <class Team>
JOSTLE_HD void move_to_stage(const Team& team, const System& system, AnyWorkspace auto work, double h, const auto& y) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.bodies, [&](int b) {
    const BodyModel& body = model.bodies[b];
    work.predicted_pose(b) = body.fixed ? work.pose(b) : moved(model, b, work.pose(b), h, y[stage_number(model, body)]);
  });
  team.sync();
  place_shapes(team, system, work.predicted_pose(), work.placed());
}

/// Starts with the stage at q_l, where work.prescribed_velocity() is: nothing is added up yet. Does not sync.
template <class Team>
JOSTLE_HD void begin_stages(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
  progress.work = progress.work_of_drives = 0;
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    const int number = system.model.dimensions.movers + p;
    work.prescribed_start(p) = work.prescribed_velocity(p);
    work.stage_rate(number) = work.way(number) = {};
    work.stage_given(p) = Vec3::Zero();
  });
  team.for_each(system.model.dimensions.movers, [&](int m) {
    work.start_velocity(m) = work.velocity(m);
    work.stage_rate(m) = work.way(m) = work.velocity_change(m) = work.applied(m) = {};
    work.gyroscopic(m) = Vec3::Zero();
  });
}

/// r = f of a stage at work.predicted_pose() and work.velocity(): forces and the gyroscopic torque. Adds the impulses
/// that they give in the step, with the stage's `weight` (s). Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void load_stage_forces(const Team& team, const System& system, AnyWorkspace auto work,
                                                double time, double weight) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.movers, [&](int m) {
    const int b = model.movers[m];
    const Wrench acting =
        external_force_on(system, work, work.predicted_pose(), work.predicted_pose(), m, time, work.velocity());
    const Vec3 turn =
        gyroscopic_torque(model.bodies[b], vector_at(system.parameters().inertia, b), work.velocity(m).angular());
    work.gyroscopic(m) += weight * turn;
    for (int k = 0; k < 6; ++k) {
      const bool is_free = model.bodies[b].is_free(k);
      const double force = is_free ? acting[k] : 0.0;
      work.applied(m)[k] += weight * force;
      work.momentum(m)[k] = is_free && k >= 3 ? force + turn[k - 3] : force;
    }
  });
  team.sync();
}

/// y' of a body that moves, at stage i; adds it to its way.
JOSTLE_HD inline void add_to_way(AnyWorkspace auto work, int number, const Vec6& velocity, int i, double h) {
  const Vec3 turned_by = h * Stages::node(i) * work.stage_rate(number).angular();
  const Vec6 rate = work.stage_rate(number) = stage_rate_of(turned_by, velocity);
  for (int k = 0; k < 6; ++k) work.way(number)[k] += h * Stages::weight(i) * rate[k];
}

/// Adds stage i, whose accelerations are work.next_velocity(), in a step of length h, and goes on to the next one, or
/// to q_{l+1} and back to the velocity v_l. Bodies with prescribed motion have the accelerations
/// work.prescribed_rate(): what moves along with them has the same errors. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void add_stage(const Team& team, const System& system, AnyWorkspace auto work, int i,
                                        double h) {
  const double weight = h * Stages::weight(i);
  const bool is_last = i + 1 == Stages::count;
  const double after = is_last ? 0.0 : h * Stages::node(i + 1);
  team.for_each(system.model.dimensions.movers, [&](int m) {
    add_to_way(work, m, work.velocity(m), i, h);
    const Vec6 acceleration = work.next_velocity(m);
    for (int k = 0; k < 6; ++k) {
      work.velocity_change(m)[k] += weight * acceleration[k];
      const double start = work.start_velocity(m)[k];
      work.velocity(m)[k] = is_last ? start : start + after * acceleration[k];
    }
  });
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    Vec6& velocity = work.prescribed_velocity(p);
    add_to_way(work, system.model.dimensions.movers + p, velocity, i, h);
    for (int k = 0; k < 6; ++k) velocity[k] = work.prescribed_start(p)[k] + after * work.prescribed_rate(p)[k];
  });
  team.sync();
  if (is_last)
    move_to_stage(team, system, work, 1, work.way());
  else
    move_to_stage(team, system, work, after, work.stage_rate());
}

/// Of movers, once the stages are made.
JOSTLE_HD auto velocities_at_end(AnyWorkspace auto work) {
  return Computed{[work](int m) {
    Vec6 velocity;
    for (int k = 0; k < 6; ++k) velocity[k] = work.velocity(m)[k] + work.velocity_change(m)[k];
    return velocity;
  }};
}

/// Whether the stages have moved anything, even if all velocities at both ends of the step are 0.
template <class Team>
JOSTLE_HD bool moves_in_stages(const Team& team, const System& system, AnyWorkspace auto work) {
  const Dimensions& d = system.model.dimensions;
  const auto moves = [&](int i) { return work.way(i / 6)[i % 6] != 0; };
  return d.movers > 0 && any_of(team, d.velocities(), moves);
}

}  // namespace jostle
