#pragma once
// One step of Anitescu & Potra, "Formulating dynamic multi-rigid-body contact problems with friction as solvable linear
// complementarity problems", Nonlinear Dynamics 14 (1997) 231-247; docs/theory.md (54), (55):
//
//     q_{l+1} = q_l (+) h v_l
//     M (v_{l+1} - v_l) = N c_nu + n c_n + D beta + h k    k at (t_l, q_l, v_l); n, D, N at q_{l+1}       (2.13)
//     0 <= n' v_{l+1}  _|_  c_n >= 0                       friction as in Stewart & Trinkle's method
//     N' v_{l+1} = -gamma Theta(q_{l+1}) / h
//
// for the contacts in the step: those that touch at q_l or carried an impulse in the step before. One of the latter may
// be open: it may close, 0 <= n'v_{l+1} + Phi(q_{l+1})/h, or a body that was held above a surface would stay there (our
// addition; it takes energy, and never gives any). A contact that is not in the step and closes on the way to q_{l+1}
// ends a piece of the step where it closes; then there is an impact (core/events/impact.hpp), and the rest of the step
// has that contact in it.
#include "core/methods/velocity_problem.hpp"

namespace jostle {

struct AnitescuPotra {
  /// StepProgress::phase.
  enum Phase { start, finished };

  /// An open contact may close in this part of a step, or a longer piece. In a shorter one, Phi/h would be so large
  /// that beside it the speeds of all bodies are rounding errors to a certificate.
  static constexpr double shortest_closing = 0x1p-20;

  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const auto [time, h] = progress.step;
    if (!load_start(team, system, work, progress)) return;
    list_contacts(team, system, work, h, active_gap_of(system.model));
    filter_contacts(team, system, work, NormalBounds::open_gaps);
    if constexpr (decltype(work)::is_coupled) list_limits(team, system, work, active_gap_of(system.model));
    if (system.model.events.collisions) {
      progress.collision = find_collision(team, system, work, progress);
      const double until = progress.collision.time;
      if (until == 0) {
        progress.piece = Piece::impact;
        return;
      }
      if (until < h) progress.step.h = until, progress.left += h - until, progress.next_piece = Piece::impact;
    }
    move_ahead(team, system, work, progress, work.predicted_pose(), work.placed());
    tell(team, system, work, told_parts(system.model, progress).end, work.predicted_pose(), work.prescribed_rate());
    drop_ended(team, system, work, active_gap_of(system.model));
    filter_contacts(team, system, work, NormalBounds::open_gaps);
    load_momentum(team, system, work, work.pose(), work.predicted_pose(), time, progress.step.h);
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    if (progress.phase == finished) return false;
    const double h = progress.step.h;
    if (has_coordinate_terms(system.model)) load_coordinates(team, system, work, coordinate_rule(work, h));
    const double soonest = larger_magnitude(h, shortest_closing * system.model.step);
    return velocity_problem(team, system, work, progress, problem, Closing{system, soonest}, work.predicted_pose());
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    team.for_each(d.bodies, [&](int b) { work.next_pose(b) = work.predicted_pose(b); });
    team.for_each(d.shapes, [&](int s) { work.next_placed(s) = work.placed(s); });
    team.sync();
    if (has_coordinate_terms(system.model))
      add_coordinate_impulses(team, system, work, coordinate_rule(work, progress.step.h));
    tell(team, system, work, told_parts(system.model, progress).end, work.next_pose(), work.prescribed_velocity());
    progress.phase = finished;
  }

 private:
  /// b_n of contacts and limits that are open. One with adhesion closes in no less than a step: in a shorter piece its
  /// pull could not, though it holds.
  struct Closing {
    const System& system;
    double soonest;  ///< s
    JOSTLE_HD double operator()(double gap) const { return gap > active_gap_of(system.model) ? gap / soonest : 0.0; }
    JOSTLE_HD double operator()(const Contact& contact) const {
      if (!has_adhesion(system, contact.pair)) return (*this)(contact.gap);
      return contact.gap > active_gap_of(system.model) ? contact.gap / system.model.step : 0.0;
    }
  };

  /// Springs of joints at q_{l+1}, where the rows are; dampers with v_{l+1}.
  JOSTLE_HD static auto coordinate_rule(AnyWorkspace auto work, double h) {
    return CoordinateRule{work.predicted_pose(), work.predicted_pose(), work.predicted_pose(), h, 0, h};
  }

  /// q_{l+1}, and the shapes there. Ends synced.
  template <class Team>
  JOSTLE_HD static void move_ahead(const Team& team, const System& system, AnyWorkspace auto work,
                                   const StepProgress& progress, const auto& poses, const auto& placed) {
    const double h = progress.step.h;
    move_poses(team, system, work, h, work.velocity(), poses);
    place_told(team, system, work, time_in_step(system.model, progress, h), poses);
    place_shapes(team, system, poses, placed);
  }

  /// The first collision within h (s): at once where a contact touches and approaches, else on the straight way.
  template <class Team>
  JOSTLE_HD static Collision find_collision(const Team& team, const System& system, AnyWorkspace auto work,
                                            const StepProgress& progress) {
    const double h = progress.step.h;
    const Collision at_once = first_approach(team, system, work, speed_of_impacts(system), progress.jumped);
    if (at_once.time == 0) return at_once;
    move_ahead(team, system, work, progress, work.next_pose(), work.next_placed());
    const Way straight{system, work, progress, WayKind::straight};
    return first_collision(team, system, work, straight, h, progress.unseen_hop);
  }
};

}  // namespace jostle
