#pragma once
// What a step records: energies, outcomes, trajectories, the worst residual and penetration.
#include "core/dynamics/coordinate_mass.hpp"
#include "core/dynamics/motion.hpp"
#include "core/dynamics/springs.hpp"
#include "core/expression/evaluate.hpp"
#include "core/geometry/shape_pair.hpp"
#include "core/model/frame.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// J; zero for bodies that no impulse moves.
JOSTLE_HD inline double kinetic_energy(const System& system, int body) {
  if (system.model.bodies[body].mover == no_body) return 0;
  const Vec3 v = vector_at(system.state().velocity, body), w = vector_at(system.state().spin, body);
  const Vec3 J = vector_at(system.parameters().inertia, body);
  return 0.5 * (system.parameters().mass[body] * dot(v, v) + dot(angular_momentum(J, w), w));
}

/// J: kinetic energy, also of armatures, minus the work of gravity, and that in springs. If it overflows to NaN, the
/// NaN is canonical.
JOSTLE_HD inline double total_energy(const System& system) {
  const Vec3 gravity = vector_at(system.parameters().gravity, 0);
  double sum = 0;
  for (int b = 0; b < system.model.dimensions.bodies; ++b) {
    if (system.model.bodies[b].mover == no_body) continue;
    sum +=
        kinetic_energy(system, b) - system.parameters().mass[b] * dot(gravity, vector_at(system.state().position, b));
  }
  if (system.model.dimensions.springs > 0) sum += energy_of_springs(system);
  if (system.model.dimensions.has_armature) sum += energy_of_armatures(system);
  return canonical(sum);
}

/// m: the least signed distance between the shapes of two bodies, whether or not they may touch; bit-identical for
/// (a, b) and (b, a).
JOSTLE_HD inline double body_gap(const System& system, AnyWorkspace auto work, int body, int other) {
  const ModelView& model = system.model;
  const int first = body < other ? body : other, second = body < other ? other : body;
  double least = infinity();
  for (int i = 0; i < model.dimensions.shapes; ++i) {
    if (model.shapes[i].body != first) continue;
    const PlacedShape& a = work.next_placed(i);
    for (int j = 0; j < model.dimensions.shapes; ++j) {
      if (model.shapes[j].body != second) continue;
      const PlacedShape& b = work.next_placed(j);
      const double gap = b.type < a.type ? signed_distance<decltype(work)::has_polytopes>(b, a)
                                         : signed_distance<decltype(work)::has_polytopes>(a, b);
      least = is_nan(least) || least <= gap ? least : gap;
    }
  }
  return least;
}

/// The number of the face of a hull that looks most along gravity.
JOSTLE_HD JOSTLE_OUTLINE inline double lowest_face(const System& system, const PlacedShape& hull) {
  const Polyhedron core(hull);
  const Vec3 down = vector_at(system.parameters().gravity, 0);
  int lowest = 0;
  double most = -infinity();
  for (int f = 0; f < core.faces; ++f) {
    const double along = dot(core.in_world(core.normal(f)), down);
    if (along > most) lowest = f, most = along;
  }
  return lowest;
}

/// Component of a column of the body's axes as its file has them; `axes` are the principal ones.
JOSTLE_HD inline double axis_value(const System& system, const Mat3& axes, const Quantity& quantity) {
  const int column = static_cast<int>(quantity.kind) - static_cast<int>(Quantity::Kind::axis_x);
  return written_axes(system, quantity.body, axes)(quantity.component, column);
}

/// Position or velocity of a body that has a frame of its own.
JOSTLE_HD JOSTLE_OUTLINE inline double frame_value(const System& system, const Mat3& axes, const Quantity& quantity) {
  const WrittenMotion motion = written_motion(system, quantity.body, axes);
  return (quantity.kind == Quantity::Kind::position ? motion.position : motion.velocity)[quantity.component];
}

/// Component k of rotate(R, v), with its bits.
JOSTLE_HD inline double rotated_component(const Mat3& R, const Vec3& v, int k) {
  return R(k, 0) * v[0] + R(k, 1) * v[1] + R(k, 2) * v[2];
}

/// Position, velocity, spin or an axis of a body, at a pose with these axes.
JOSTLE_HD inline double motion_value(const System& system, const Mat3& axes, const Quantity& quantity) {
  using Kind = Quantity::Kind;
  const StateView s = system.state();
  const int body = quantity.body, k = quantity.component;
  if (quantity.kind == Kind::spin) return rotated_component(axes, vector_at(s.spin, body), k);
  if (quantity.kind != Kind::position && quantity.kind != Kind::velocity) return axis_value(system, axes, quantity);
  if (has_own_frame(system.model, body)) return frame_value(system, axes, quantity);
  return (quantity.kind == Kind::position ? s.position : s.velocity)[3 * body + k];
}

/// Of the current state; its poses and shapes are work.next_pose() and work.next_placed().
JOSTLE_HD double quantity_value(const System& system, AnyWorkspace auto work, const Quantity& quantity) {
  using Kind = Quantity::Kind;
  const StateView s = system.state();
  const int body = quantity.body, i = 3 * body + quantity.component;
  const auto given = [&] { return 3 * system.model.bodies[body].prescribed + quantity.component; };
  const bool has_shares = system.model.dimensions.has_impact_shares;
  const auto share_of = [&](const double* shares, int at) { return has_shares ? shares[at] : 0.0; };
  const auto force_of = [&](const double* impulses, const double* shares, int at) {
    return (impulses[at] - share_of(shares, at)) / system.model.step;
  };
  switch (quantity.kind) {
    case Kind::position:
    case Kind::velocity:
    case Kind::spin:
    case Kind::axis_x:
    case Kind::axis_y:
    case Kind::axis_z: return motion_value(system, work.next_pose(body).axes, quantity);
    case Kind::angle: return s.angle[body];
    case Kind::normal_impulse: return s.normal_impulse[body];
    case Kind::normal_force: return force_of(s.normal_impulse, s.normal_impact, body);
    case Kind::friction_impulse: return s.friction_impulse[body];
    case Kind::contacts: return s.contacts[body];
    case Kind::kinetic_energy: return kinetic_energy(system, body);
    case Kind::gap: return body_gap(system, work, body, quantity.other);
    case Kind::energy: return total_energy(system);
    case Kind::held: return s.held();
    case Kind::energy_gained: return s.energy_gained();
    case Kind::energy_gain_max: return s.energy_gain_max();
    case Kind::pointedness: return s.steps() == 0 ? 1 : s.pointedness();
    case Kind::joint_position: return s.joint_position[body];
    case Kind::joint_speed: return s.joint_speed[body];
    case Kind::joint_impulse: return s.joint_impulse[body];
    case Kind::joint_effort: return force_of(s.joint_impulse, s.joint_impact, body);
    case Kind::joint_impact: return share_of(s.joint_impact, body);
    case Kind::joint_reaction: {
      const Vec3 force = vector_at(s.joint_wrench, 2 * body);
      return std::sqrt(dot(force, force));
    }
    case Kind::joint_force: return s.joint_wrench[6 * body + quantity.component];
    case Kind::reaction_impact: return share_of(s.reaction_impact, i);
    case Kind::joint_moment: return s.joint_wrench[6 * body + 3 + quantity.component];
    case Kind::spring_length:
    case Kind::spring_force:
    case Kind::spring_energy: return spring_value(system, quantity);
    case Kind::given_impulse: return s.given_impulse[given()];
    case Kind::given_force: return force_of(s.given_impulse, s.given_impact, given());
    case Kind::given_impact: return share_of(s.given_impact, given());
    case Kind::contact_force: return force_of(s.contact_wrench, s.contact_impact, 6 * body + quantity.component);
    case Kind::contact_torque: return force_of(s.contact_wrench, s.contact_impact, 6 * body + 3 + quantity.component);
    case Kind::contact_impact: return share_of(s.contact_impact, 6 * body + quantity.component);
    case Kind::resting_face:
      if constexpr (decltype(work)::has_polytopes) return lowest_face(system, work.next_placed(quantity.other));
      break;
    case Kind::time: return s.steps() * system.model.step;
  }
  return canonical_nan();
}

/// The outcome after one more value, of `count` before it or more; `first`: there is no value before. A NaN stays: the
/// least, the largest and the mean of values are undefined if one of them is. first_time is NaN until the first time.
JOSTLE_HD inline double reduced(Reducer reducer, bool first, double before, double value, double time, int count) {
  if (first && reducer != Reducer::first_time) return value;
  switch (reducer) {
    case Reducer::at_end: return value;
    case Reducer::minimum: return is_nan(before) || before <= value ? before : value;
    case Reducer::maximum: return is_nan(before) || before >= value ? before : value;
    case Reducer::first_time: return is_nan(before) && value != 0 ? time : before;
    case Reducer::mean: return before + (value - before) / (count + 1);
    case Reducer::at_first: return before;
  }
  return before;
}

/// Updates the outcomes after a step; at_end ones after the others, and only after the last step, which the others may
/// decide.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void record_outcomes(const Team& team, const System& system, AnyWorkspace auto work) {
  const ModelView& model = system.model;
  const double time = system.state().steps() * model.step;
  const bool first = system.state().steps() == 0;
  for (const bool ends : {false, true}) {
    team.for_each(model.dimensions.outcomes, [&](int o) {
      const OutcomeModel& outcome = model.outcomes[o];
      if ((outcome.reducer == Reducer::at_end) != ends) return;
      const auto quantity = [&](int q) { return quantity_value(system, work, model.quantities[q]); };
      const auto value_of = [&](const ProgramModel& program) {
        return evaluate(model.program(program), system.parameters().variables, time, quantity,
                        work.operands().from(o * model.dimensions.operands));
      };
      if (outcome.condition.length > 0 && value_of(outcome.condition) == 0) return;
      const int count = outcome.counts() ? system.state().outcome_counts[o]++ : 0;
      const bool is_first = outcome.counts() ? count == 0 : first;
      system.state().outcomes[o] =
          reduced(outcome.reducer, is_first, system.state().outcomes[o], value_of(outcome.program), time, count);
    });
    if (model.stop_outcome >= 0) team.sync();
    const bool is_last = system.state().steps() == model.total_steps;
    if (!is_last && !has_stopped(model.stop_outcome, system.state())) return;
  }
}

/// The entry of a step where every stride-th and the last one have one, or -1.
JOSTLE_HD inline int entry_of(const System& system, int step, int stride) {
  if (step % stride == 0) return step / stride;
  return step == system.model.total_steps ? step / stride + 1 : -1;
}

template <class Team>
JOSTLE_HD void record_trajectory(const Team& team, const System& system, AnyWorkspace auto work) {
  if (!system.trajectory.q) return;
  const int entry = entry_of(system, system.state().steps(), system.trajectory.stride);
  const int bodies = system.model.dimensions.bodies;
  if (entry < 0) return;
  team.for_each(bodies, [&](int b) {
    double* const q = system.trajectory.q + (static_cast<std::ptrdiff_t>(entry) * bodies + b) * 7;
    double* const v = system.trajectory.v + (static_cast<std::ptrdiff_t>(entry) * bodies + b) * 6;
    const WrittenMotion motion = written_motion(system, b, work.next_pose(b).axes);
    for (int k = 0; k < 3; ++k) {
      q[k] = motion.position[k];
      v[k] = motion.velocity[k];
      v[3 + k] = motion.spin[k];
    }
    set_quaternion(q + 3, 0, motion.orientation);
  });
}

/// m: the deepest listed contact at the new positions.
template <class Team>
JOSTLE_HD double deepest_penetration(const Team& team, const System& system, AnyWorkspace auto work, int contacts) {
  if (contacts == 0) return 0;
  const double deepest = team.select(
      contacts,
      [&](int c) {
        const PairModel& pair = system.model.pairs[work.contact(c).pair];
        const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
        double gap = contact_gap<decltype(work)::has_polytopes>(a, b, work.contact(c).feature);
        if (gap < -least_overlap && b.type != ShapeType::half_space) {  // features that pass each other are deeper
          const double apart = signed_distance<decltype(work)::has_polytopes>(a, b);
          if (apart > gap) gap = apart;
        }
        return is_nan(gap) ? infinity() : gap;  // lanes agree only on numbers
      },
      [](double a, double b) { return a < b; });
  return deepest < 0 ? -deepest : 0.0;
}

template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void record_step(const Team& team, const System& system, AnyWorkspace auto work,
                                          const StepResult& result) {
  team.once([&] {
    const StateView s = system.state();
    s.steps() += 1;
    s.pivots_max() = result.pivots > s.pivots_max() ? result.pivots : s.pivots_max();
    if (system.model.dimensions.has_filter && result.filtered > s.filtered_max()) s.filtered_max() = result.filtered;
    s.rest() += result.rests ? 1 : 0;
    s.last_contacts() = result.all_contacts();
    s.last_held() = result.held ? 1 : 0;
    if (!result.rests) {
      s.guessed() += result.guessed;
      s.corrected() += result.corrected;
      s.pivoted() += result.pivoted;
      s.vertex() += result.vertex;
    }
    s.residual_max() = result.residual > s.residual_max() ? result.residual : s.residual_max();
    s.penetration_max() = result.penetration > s.penetration_max() ? result.penetration : s.penetration_max();
    s.held() += result.held;
    s.substeps() += result.substeps;
    if (system.model.dimensions.has_mass_matrix) s.first_order() += result.first_order;
    if (system.model.dimensions.has_impacts) s.events() += result.events, s.poisson() += result.poisson;
    s.energy_gained() = canonical(s.energy_gained() + result.energy_gain);
    const double most = s.energy_gain_max();
    s.energy_gain_max() = is_nan(most) || result.energy_gain <= most ? most : result.energy_gain;
  });
  team.sync();
  record_outcomes(team, system, work);
  record_trajectory(team, system, work);
  team.sync();
}

/// Poses and shapes of the current state, to work.next_pose() and work.next_placed(). Begins and ends synced.
template <class Team>
JOSTLE_HD inline void place_current(const Team& team, const System& system, AnyWorkspace auto work) {
  team.for_each(system.model.dimensions.bodies, [&](int b) { work.next_pose(b) = pose_of(system, b); });
  team.sync();
  place_shapes(team, system, work.next_pose(), work.next_placed());
}

/// Takes a step that repeats the one before, or up to `most` of them if nothing is recorded on the way. Only counts
/// change, and outcomes that depend on time. Returns the result of the last one.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE StepResult repeat_step(const Team& team, const System& system, AnyWorkspace auto work,
                                                int most) {
  const ModelView& model = system.model;
  const int steps = model.observes_time || system.trajectory.q || system.record ? 1 : most;
  team.sync();
  team.once([&] {
    system.state().steps() += steps;
    system.state().rest() += steps;
    system.state().held() += system.state().last_held() != 0 ? steps : 0;
  });
  place_current(team, system, work);
  record_outcomes(team, system, work);
  record_trajectory(team, system, work);
  team.sync();
  StepResult result;
  result.contacts = system.state().last_contacts();
  result.held = system.state().last_held() != 0;
  result.rests = true;
  return result;
}

}  // namespace jostle
