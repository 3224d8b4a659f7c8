#pragma once
// One step of Stewart & Trinkle, "An implicit time-stepping scheme for rigid body dynamics with inelastic
// collisions and Coulomb friction", IJNME 39 (1996) 2673-2691; docs/theory.md (18) ff.:
//
//     M (v_{l+1} - v_l) = n c_n + D beta + h k                 k at (t_l + h/2, q_l (+) (h/2) v_l, v_l), but springs
//                                                              and dampers of joints at v_{l+1} (coordinate_mass.hpp)
//     0 <= n'(v_{l+1} - u) + Phi(q^)/h  _|_ c_n >= 0            q^ = q_l (+) h u
//     0 <= D' v_{l+1} + e lambda        _|_ beta >= 0
//     0 <= mu c_n - e' beta             _|_ lambda >= 0
//     N'(v_{l+1} - u) + Theta(q^)/h = 0                         joints; their impulses are N c_nu
//     q_{l+1} = q_l (+) h v_{l+1}
//
// A body with prescribed motion has its velocity of t_l + h, in u and in v_{l+1}, in all sub-steps of a step.
//
// predicted:   u = v_l, one LCP, and another one with the contacts that were missed, if any.
// fixed_point: u is the last solution until h |v - u| <= 1e-13 max(1, |x|), at most 50 LCPs.
#include "core/contacts/adhesion.hpp"
#include "core/contacts/candidate_contacts.hpp"
#include "core/contacts/contact_rows.hpp"
#include "core/dynamics/coordinate_mass.hpp"
#include "core/dynamics/forces.hpp"
#include "core/dynamics/masses.hpp"
#include "core/joints/geometric_stiffness.hpp"
#include "core/joints/joint_rows.hpp"
#include "core/lcp/selection.hpp"
#include "core/step_result.hpp"

namespace jostle {

inline constexpr int max_fixed_point_solves = 50;
inline constexpr double fixed_point_tolerance = 1e-13;

/// h |v - u|inf <= 1e-13 max(1, |x|inf). A change that is not finite counts as converged.
template <class Team>
JOSTLE_HD bool has_converged(const Team& team, const System& system, AnyWorkspace auto work, double h) {
  const Dimensions& d = system.model.dimensions;
  const double change = largest_by_number(team, d.velocities(), [&](int i) {
    return work.next_velocity(i / 6)[i % 6] - work.predicted_velocity(i / 6)[i % 6];
  });
  const double extent = largest_by_number(team, 3 * d.bodies, [&](int i) { return system.state().position[i]; });
  return !is_finite(change) || h * change <= fixed_point_tolerance * (extent > 1 ? extent : 1.0);
}

/// b_n = Phi(q^)/h - n'u; `told`: the part of n'u that is prescribed, `rounding`: rounding errors of Phi, which count
/// as 0. Not in an iteration, which would go to and fro with what is 0 and what is not.
JOSTLE_HD inline double predicted_bias(const System& system, AnyWorkspace auto work, double h, double gap,
                                       const ConstraintRow& n, double told, double rounding) {
  const double bias = gap / h - add_product(0, n, work.predicted_velocity()) - told;
  return system.model.linearisation == Linearisation::fixed_point ? bias : without_rounding(bias, rounding / h);
}

/// The rounding errors of the gap of a contact, of which the coordinates along its normal count.
JOSTLE_HD inline double rounding_of_gap(const System& system, AnyWorkspace auto work, const Contact& contact) {
  const PairModel& pair = system.model.pairs[contact.pair];
  const Vec3& a = work.predicted_pose(system.model.shapes[pair.shape_a].body).position;
  const Vec3& b = work.predicted_pose(system.model.shapes[pair.shape_b].body).position;
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    double coordinate = 0;
    for (const double x : {a[k], b[k], contact.arm_a[k], contact.arm_b[k]})
      coordinate = larger_magnitude(coordinate, x);
    size += std::fabs(contact.normal[k] * coordinate);
  }
  return relative_gap_rounding * size;
}

/// A bias that pushes an overlap out in a piece of the step, `share` of it: as fast as in the whole step. A piece that
/// an external impulse ends may be as short as nothing, and an overlap over it as fast as anything.
JOSTLE_HD inline double as_in_step(double bias, double share) { return bias < 0 ? share * bias : bias; }

/// Equations, friction, motors and limits of the joints. Motors have the speed of the end of the step.
template <class Team>
JOSTLE_HD void add_joints(const Team& team, const System& system, AnyWorkspace auto work, const TimeStep& step,
                          double share, MixedLcp& problem) {
  const double h = step.h;
  const auto plain_bias = [&](double gap, const ConstraintRow& row, double told, double rounding) {
    return predicted_bias(system, work, h, gap, row, told, rounding);
  };
  const auto bias = [&](double gap, const ConstraintRow& row, double told, double rounding) {
    return as_in_step(plain_bias(gap, row, told, rounding), share);
  };
  const auto speed = [&](int, const PlacedJoint&) {
    return [&](double gap, const ConstraintRow& row, double told, double rounding, int) {
      return -share * plain_bias(gap, row, told, rounding);
    };
  };
  write_joint_rows(team, system, work, problem, work.pose(), speed, share / h);
  write_joint_blocks(team, system, work, problem, work.pose(), step.time + h, h, bias);
  add_geometric_stiffness(team, system, work, work.pose(), h, work.predicted_velocity(), problem);
}

struct StewartTrinkle {
  /// StepProgress::phase: what the next problem begins with.
  enum Phase { new_list, same_list, finished };

  /// Computes what acts on the bodies, and lists the contacts.
  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const auto [time, h] = progress.step;
    load_masses(team, system, work);
    load_poses(team, system, work);
    const double end = system.state().steps() * system.model.step + system.model.step;  // of the whole step
    if (system.model.dimensions.prescribed > 0 && !load_prescribed(team, system, work, end, work.pose())) {
      progress.result.status = Status::not_finite;
      return;
    }
    if (system.model.has_state_forces) move_poses(team, system, work, h / 2, work.velocity(), work.predicted_pose());
    load_momentum(team, system, work, work.predicted_pose(), work.pose(), time + h / 2, h);
    if constexpr (decltype(work)::is_coupled) {
      if (system.model.dimensions.has_adhesion)
        team.for_each(system.model.dimensions.movers, [&](int m) { work.free_momentum(m) = work.momentum(m); });
    }
    predict(team, system, work, h, work.velocity());
    list_contacts(team, system, work, h, 0);
    filter_contacts(team, system, work, NormalBounds::gaps);
    if constexpr (decltype(work)::is_coupled) list_limits(team, system, work, 0);
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    const double h = progress.step.h;
    StepResult& result = progress.result;
    if (progress.phase == finished) return false;
    const bool follows = progress.phase == same_list;
    if (!follows) {
      wake_touched(team, system, work);
      if (!number_and_load(team, system, work, result)) return false;
      progress.round = 0;
      ++progress.lists;
    }
    const double share = h * power_of_two(progress.halvings) / system.model.step;
    problem =
        write_contact_rows(team, system, work, result.contacts, work.pose(),
                           [&](const Contact& contact, const ConstraintRow& n, double told) {
                             const double rounding = rounding_of_gap(system, work, contact);
                             return as_in_step(predicted_bias(system, work, h, contact.gap, n, told, rounding), share);
                           });
    problem.follows = follows;
    problem.may_hold = problem.may_hold_joints = problem.may_yield = true;
    if constexpr (decltype(work)::is_coupled) {
      add_joints(team, system, work, progress.step, share, problem);
      if (system.model.dimensions.has_adhesion) {
        team.for_each(system.model.dimensions.movers, [&](int m) { work.momentum(m) = work.free_momentum(m); });
        team.sync();
      }
      if (has_coordinate_terms(system.model)) load_coordinates(team, system, work, coordinate_rule(work, h));
      add_adhesion(team, system, work, result.contacts, problem.rows, h, AllPull{});
    }
    return true;
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const double h = progress.step.h;
    const bool is_iterated = system.model.linearisation == Linearisation::fixed_point &&
                             (system.model.dimensions.is_coupled() || progress.result.all_contacts() > 0);
    if (is_iterated && !has_converged(team, system, work, h)) {
      if (++progress.round == max_fixed_point_solves) progress.result.status = Status::not_converged;
      predict(team, system, work, h, work.next_velocity());
      progress.phase = same_list;
      return;
    }
    move_poses(team, system, work, h, work.next_velocity(), work.next_pose());
    place_moved_shapes(team, system, work.next_pose(), work.placed(), work.next_placed());
    bool missed = add_missed_contacts(team, system, work);
    if constexpr (decltype(work)::is_coupled) missed = add_missed_limits(team, system, work) || missed;
    if constexpr (decltype(work)::is_coupled) {
      if (!missed && has_coordinate_terms(system.model))
        add_coordinate_impulses(team, system, work, coordinate_rule(work, h));
    }
    if (missed) predict(team, system, work, h, work.velocity());
    progress.phase = missed ? new_list : finished;
  }

 private:
  /// Springs and dampers of joints with q_{l+1} and v_{l+1}: the coordinate is linear along the rows.
  JOSTLE_HD static auto coordinate_rule(AnyWorkspace auto work, double h) {
    return CoordinateRule{work.predicted_pose(), work.pose(), work.pose(), h, h * h, h};
  }
};

}  // namespace jostle
