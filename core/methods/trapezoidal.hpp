#pragma once
// One step of Potra, Anitescu, Gavrea & Trinkle, "A linearly implicit trapezoidal method for integrating stiff
// multibody dynamics with contact, joints, and friction", IJNME 66 (2006) 1079-1124; docs/theory.md (56) to (59):
//
//     M~ (v_{l+1} - v_l) = N c_nu + n c_n + D beta + k~        n, D, N at q_l (+) (h/2) v_l; M~, k~ (implicit_mass.hpp)
//     q_{l+1} = q_l (+) h (v_l + v_{l+1}) / 2
//
// with the constraints of Anitescu & Potra's method on v = v_{l+1} (trapezoidal, (6.12)) or on v = v_l + v_{l+1}
// (trapezoidal_midpoint, (6.10)), for the contacts that touch at q_l. Between q_l and q_{l+1} the velocities are linear
// in time. A contact that is not in the step and closes on this path ends a piece of the step where it closes; then
// there is an impact (core/events/impact.hpp). Where a contact begins to slip, sticks or opens, a piece ends, too
// (core/events/transition.hpp).
#include "core/dynamics/implicit_mass.hpp"
#include "core/events/transition.hpp"
#include "core/methods/trapezoidal/ask_of_end.hpp"
#include "core/methods/trapezoidal/open_contacts.hpp"
#include "core/methods/trapezoidal/path.hpp"
#include "core/methods/trapezoidal/reversal.hpp"
#include "core/methods/trapezoidal/slip_ends.hpp"
#include "core/methods/velocity_problem.hpp"

namespace jostle {

enum class Scheme { end, mean };

template <Scheme Unknown>
struct Trapezoidal {
  /// StepProgress::phase. `ended`: once more, as slips end in it; `divided`: up to a transition; `reversed`: once more,
  /// as it would only reverse speeds of some islands, which stand; `jump`: velocities must jump at once.
  enum Phase { start, ended, divided, reversed, jump, finished };

  template <class Team>
  JOSTLE_HD JOSTLE_HOST_OUTLINE static void begin(const Team& team, const System& system, AnyWorkspace auto work,
                                                  StepProgress& progress) {
    const auto [time, h] = progress.step;
    team.for_each(system.model.dimensions.movers, [&](int m) { work.stands(m) = 0; });
    progress.ends_slips = false;
    if (!load_start(team, system, work, progress)) return;
    list_contacts(team, system, work, h, active_gap_of(system.model));
    if constexpr (decltype(work)::is_coupled) list_limits(team, system, work, active_gap_of(system.model));
    // Held contacts would stop a hop of the first scheme above the surface; the second one does not move them.
    if (Unknown == Scheme::end && system.model.events.collisions) {
      const double hop = slowest_hop(system.model, progress);
      drop_separating(team, system, work, hop, h, system.model.step);
      if constexpr (decltype(work)::is_coupled) drop_separating_limits(team, system, work, hop, h);
    }
    filter_contacts(team, system, work, NormalBounds::open_at_start);
    if (system.model.events.collisions) {
      // What a jump leaves below the threshold is stopped, too: the second scheme would turn it round.
      const double least = Unknown == Scheme::mean && progress.jumped ? rounding_speed : speed_of_impacts(system);
      progress.collision = first_approach(team, system, work, least, progress.jumped);
      if (progress.collision.time == 0) {
        progress.piece = Piece::impact;
        return;
      }
    }
    if (Unknown == Scheme::mean && !system.model.events.collisions &&
        first_approach(team, system, work, rounding_speed, progress.jumped).time == 0)
      begin_jump(progress, h);
    trapezoidal::mark_open<Unknown == Scheme::mean>(team, system, work);
    write_momentum(team, system, work, progress);
    drop_ended(team, system, work, active_gap_of(system.model));
    filter_contacts(team, system, work, NormalBounds::open_at_start);
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    progress.residual_before = progress.result.residual;
    if (progress.phase == finished || !write_problem(team, system, work, progress, problem)) return false;
    problem.may_recover = may_recover(progress);  // slips that end give way first
    if (progress.phase == jump) {
      trapezoidal::ask_of_end(team, system, work, progress, 0, problem.rows);
      if constexpr (decltype(work)::is_coupled) {
        trapezoidal::ask_joints_of_end(team, system, work, progress);
        problem.may_hold_joints = false;  // they keep their errors
      }
    }
    if (progress.phase == reversed) {
      trapezoidal::ask_of_end(team, system, work, progress, 0, problem.rows, true);
      team.for_each(problem.joints, [&](int j) {  // N'v_{l+1}, too, in place of N'(v_l + v_{l+1})
        const ConstraintRow& row = work.joint_row(j);
        if (trapezoidal::stands(work, row)) work.joint_bias(j) += add_product(0, row, work.velocity());
      });
      team.sync();
    }
    return true;
  }

  JOSTLE_HD static bool may_recover(const StepProgress& progress) {
    return Unknown == Scheme::mean && progress.ends_slips && progress.phase != jump;
  }

  /// Where contacts squeeze a body the slips of some may not end: then those of all go on as the mean of both
  /// velocities has it, for which there is always an answer.
  template <class Team>
  JOSTLE_HD static bool recover(const Team& team, const System& system, AnyWorkspace auto work,
                                StepProgress& progress) requires(Unknown == Scheme::mean) {
    StepResult& result = progress.result;
    if (!is_without_answer(result.status) || !may_recover(progress)) return false;
    team.sync();
    result.status = Status::ok, result.residual = progress.residual_before;
    progress.ends_slips = false;
    solve_again(team, system, work, progress);
    return true;
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const bool has_transitions = system.model.dimensions.has_transitions;
    if (system.model.has_speed_forces && progress.round == 0) return correct_forces(team, system, work, progress);
    if (has_transitions) write_modes_of_velocities(team, system.model, work, progress.result.contacts);
    const bool may_divide = has_transitions && progress.piece == Piece::motion && progress.phase <= ended &&
                            progress.result.events <= most_transitions;
    if constexpr (Unknown == Scheme::mean) {
      if (progress.phase == start && trapezoidal::mark_slip_ends(team, system, work, progress)) {
        progress.phase = ended, progress.ends_slips = true;
        // The piece is divided without another answer where the slips that end are those of the modes before.
        trapezoidal::ask_of_slip_ends(team, system, work, progress.result.contacts);
        if (!may_divide || !divide(team, system, work, progress, true)) solve_again(team, system, work, progress);
        return;
      }
    }
    if (may_divide && divide(team, system, work, progress, false)) return;
    const double h = progress.step.h;
    if constexpr (Unknown == Scheme::mean) {
      team.for_each(system.model.dimensions.movers, [&](int m) {
        // Where the end is asked for, 0 in place of an answer near v_l is the rest at the end.
        if (work.stands(m) != 0 && is_zero(six(work.next_velocity(m))) && trapezoidal::is_slow(work, m)) return;
        for (int k = 0; k < 6; ++k) work.next_velocity(m)[k] -= work.velocity(m)[k];
      });
      team.sync();
      if (progress.phase != reversed && progress.phase != jump &&
          trapezoidal::mark_reversals(team, system, work, progress)) {
        load_forces(team, system, work, progress);  // writing the problem adds to them
        progress.phase = reversed;
        return;
      }
    }
    if (turns_at_first_order(team, system, work, h)) progress.result.first_order = true;
    add_implicit_turn(team, system, work, h);
    add_implicit_impulse(team, system, work, h);
    progress.phase = finished;
    trapezoidal::move_on_path(team, system, work, progress, h);
    if (!system.model.events.collisions) return;
    const Way parabola{system, work, progress, WayKind::parabola};
    progress.collision = first_collision(team, system, work, parabola, h);
    if (progress.collision.time < h) trapezoidal::end_at_collision(team, system, work, progress);
  }

 private:
  /// After so many events in a step transitions are not searched in it any more: contacts that close and open by turns
  /// may do so in pieces that are too short for the step to end.
  static constexpr int most_transitions = 1000;

  /// The part of a piece in which velocities jump. They jump as much in any other that is as short.
  static constexpr double length_of_jump = 1.0 / (1 << most_search_halvings);

  /// Where contacts close without an impact, or no motion goes on, velocities jump at once: then the problem of a very
  /// short piece asks of v_{l+1} what is asked of v_l + v_{l+1} else. h: of the whole piece.
  JOSTLE_HD static void begin_jump(StepProgress& progress, double h) {
    progress.step.h = length_of_jump * h;
    progress.left += h - progress.step.h, progress.next_piece = Piece::rest;
    progress.phase = jump;
  }

  /// m/s: slower contacts stay within the active gap until the end of the piece, or their hops are rounding errors.
  JOSTLE_HD static double slowest_hop(const ModelView& model, const StepProgress& progress) {
    const double within_gap = active_gap_of(model) / progress.step.h;
    const double least = within_gap > rounding_speed ? within_gap : rounding_speed;
    return progress.unseen_hop > least ? progress.unseen_hop : least;
  }

  /// The problem will be written again, which adds to the momentum; forces begin with v_l. Ends synced.
  template <class Team>
  JOSTLE_HD static void solve_again(const Team& team, const System& system, AnyWorkspace auto work,
                                    StepProgress& progress) {
    write_momentum(team, system, work, progress);
    progress.round = 0;
  }

  /// Masses and momentum of a piece, the poses in which its rows are, and what these have of bodies that move as told.
  /// Ends synced.
  template <class Team>
  JOSTLE_HD static void write_momentum(const Team& team, const System& system, AnyWorkspace auto work,
                                       const StepProgress& progress) {
    const ToldParts told = told_parts(system.model, progress);
    predict(team, system, work, progress.step.h / 2, work.velocity());
    tell(team, system, work, Unknown == Scheme::mean ? told.mean : told.end, work.predicted_pose(),
         work.prescribed_rate());
    write_implicit_mass(team, system, work, progress.step.h);
    load_forces(team, system, work, progress);
  }

  /// r, with v* = work.predicted_velocity(). Ends synced.
  template <class Team>
  JOSTLE_HD static void load_forces(const Team& team, const System& system, AnyWorkspace auto work,
                                    const StepProgress& progress) {
    const auto [time, h] = progress.step;
    const ToldParts told = told_parts(system.model, progress);
    // For dampers and expressions, which are evaluated in the middle.
    tell(team, system, work, told.mean, work.predicted_pose(), work.prescribed_velocity());
    load_implicit_momentum(team, system, work, time, h, Unknown == Scheme::mean ? 2.0 : 1.0);
    const auto change = [&](int p) {
      const Pose& pose = work.predicted_pose(system.model.prescribed[p].body);
      const Vec6 first = told_velocity(work, p, told.start, pose), last = told_velocity(work, p, told.end, pose);
      Vec6 difference;
      for (int k = 0; k < 6; ++k) difference[k] = last[k] - first[k];
      return difference;
    };
    subtract_turning(team, system, work, work.predicted_velocity(), Computed{change}, h);
    tell(team, system, work, told.start, work.pose(), work.prescribed_velocity());
  }

  /// The problem once more, with the mean velocity of its solution in the forces. Ends synced.
  template <class Team>
  JOSTLE_HD JOSTLE_OUTLINE static void correct_forces(const Team& team, const System& system, AnyWorkspace auto work,
                                                      StepProgress& progress) {
    team.for_each(system.model.dimensions.velocities(), [&](int i) {
      const double before = Unknown == Scheme::mean ? 0.0 : work.velocity(i / 6)[i % 6];
      work.predicted_velocity(i / 6)[i % 6] = 0.5 * (before + work.next_velocity(i / 6)[i % 6]);
    });
    team.sync();
    load_forces(team, system, work, progress);
    progress.round = 1;
  }

  template <class Team>
  JOSTLE_HD static bool write_problem(const Team& team, const System& system, AnyWorkspace auto work,
                                      StepProgress& progress, MixedLcp& problem) {
    const trapezoidal::Closing<decltype(work)> closing{system, work};
    // At the midpoint, scheme II would overshoot: openings grow by 1.6 a step where gamma = 1.
    if constexpr (Unknown == Scheme::mean) {
      if (!velocity_problem(team, system, work, progress, problem, closing, work.pose(), 2)) return false;
      if (progress.ends_slips && progress.phase != jump)
        trapezoidal::ask_of_slip_ends(team, system, work, progress.result.contacts);
      if constexpr (decltype(work)::is_coupled) {
        const Dimensions& d = system.model.dimensions;
        const int first = d.contact_rows_end(progress.result.contacts);
        // friction and motors, whose force is bounded, reach their speeds at the end, and so do limits of speeds
        team.for_each(d.joint_speeds(), [&](int i) { work.row_bias(first + i) *= 0.5; });
        team.sync();
        if (progress.phase != jump) trapezoidal::ask_bounds_of_end(team, system, work, progress);
      }
    } else if (!velocity_problem(team, system, work, progress, problem, closing, work.predicted_pose())) {
      return false;
    }
    if constexpr (decltype(work)::is_coupled)
      trapezoidal::add_turning_to_end(team, system, work, progress.step.h, Unknown == Scheme::end);
    return true;
  }

  /// F(s), with s the length of progress.step; `longer`: that of the whole piece over s. Not a number if the problem
  /// cannot be written.
  template <class Team>
  JOSTLE_HD JOSTLE_OUTLINE static double least_in_piece(const Team& team, const System& system, AnyWorkspace auto work,
                                                        StepProgress& progress, double longer) {
    write_momentum(team, system, work, progress);
    MixedLcp problem;
    if (!write_problem(team, system, work, progress, problem)) return canonical_nan();
    const Dimensions& d = system.model.dimensions;
    if (!d.is_coupled())
      write_free_motion(team, d, problem, work);
    else if (!assemble_coupled(team, d, problem, work))
      return canonical_nan();
    const int contacts = progress.result.contacts;
    const double size = detail::size_of_contacts(team, work, contacts);
    team.sync();
    solve_mode_basis(team, system.model, work, contacts, size);
    const double least = least_of_basis(team, system.model, work, contacts, size, longer);
    team.sync();
    return least;
  }

  /// Whether a contact changes its mode within the piece; then the piece is solved once more, up to that time.
  /// `ends_slips`: as of violation_of_modes.
  template <class Team>
  JOSTLE_HD static bool divide(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                               bool ends_slips) {
    const double time = progress.step.time, h = progress.step.h, left = progress.left;
    double size = 0;
    const double at_end = violation_of_modes(team, system, work, progress, ends_slips, size);
    if (at_end == 0) return false;
    const auto F = [&](double s) {
      progress.step = {time, s}, progress.left = left + (h - s);
      return least_in_piece(team, system, work, progress, h / s);
    };
    const int contacts = progress.result.contacts;
    // A slip that the answer ends by pressing is marked; a search forgets impulses.
    team.for_each(contacts, [&](int c) {
      const bool changes = !(work.mode(c) == work.mode_before(c)) || (ends_slips && work.ends_slip(c) != 0);
      const bool ends = work.mode_before(c).slips() && changes;
      const bool is_pressed = ends && work.row_impulse(work.block(c).normal) > 0;
      work.next_mode(c) = is_pressed ? work.mode_before(c) : Mode{};
    });
    const auto mark = [&] { mark_slips(team, system.model, work, contacts, size); };
    const double s = transition_time(F, mark, h, at_end, transition_tolerance * size, progress.ends_slips);
    progress.step = {time, s}, progress.left = left + (h - s);
    progress.phase = divided;
    // No sliding motion goes on: what slips would have to be pulled, however short the piece is. Once in a step, as a
    // jump that leads to an impact may be followed by another one.
    const auto is_pulled = [&](int c) {
      return work.next_mode(c).slips() && unknowns_of(system.model.dimensions, work, c).impulse[0] < 0;
    };
    const bool jumps = Unknown == Scheme::mean && s == h && progress.pieces == 0 && any_of(team, contacts, is_pulled);
    team.sync();
    if (jumps) begin_jump(progress, h);
    if (s < h || jumps) {
      progress.next_piece = Piece::rest;
      count_event(system.model, progress.result);
    }
    solve_again(team, system, work, progress);
    return true;
  }
};

}  // namespace jostle
