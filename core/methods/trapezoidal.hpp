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
#include "core/methods/velocity_problem.hpp"

namespace jostle {

enum class Scheme { end, mean };

template <Scheme Unknown>
struct Trapezoidal {
  /// StepProgress::phase. `divided`: up to a transition; `reversed`: once more, as it would only reverse speeds;
  /// `jump`: velocities must jump at once.
  enum Phase { start, divided, reversed, jump, finished };

  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const auto [time, h] = progress.step;
    load_masses(team, system, work);
    load_poses(team, system, work);
    if (!load_told(team, system, work, progress)) return;
    predict(team, system, work, 0, work.velocity());
    list_contacts(team, system, work, h, active_gap_of(system.model));
    if constexpr (decltype(work)::is_coupled) list_limits(team, system, work, active_gap_of(system.model));
    // Held contacts would stop a hop of the first scheme above the surface; the second one does not move them.
    if (Unknown == Scheme::end && system.model.events.collisions) {
      const double hop = slowest_hop(system.model, progress);
      drop_separating(team, system, work, hop, h, system.model.step);
      if constexpr (decltype(work)::is_coupled) drop_separating_limits(team, system, work, hop, h);
    }
    if (system.model.events.collisions) {
      progress.collision = first_approach(team, system, work, speed_of_impacts(system));
      if (progress.collision.time == 0) {
        progress.piece = Piece::impact;
        return;
      }
    }
    if (Unknown == Scheme::mean && !system.model.events.collisions &&
        first_approach(team, system, work, rounding_speed).time == 0)
      begin_jump(progress, h);
    mark_open(team, system, work);
    write_momentum(team, system, work, progress);
    drop_ended(team, system, work, active_gap_of(system.model));
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    if (progress.phase == finished || !write_problem(team, system, work, progress, problem)) return false;
    if (progress.phase == reversed || progress.phase == jump) ask_of_end(team, system, work, progress, 0, problem.rows);
    return true;
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const bool has_transitions = system.model.dimensions.has_transitions;
    if (system.model.has_speed_forces && progress.round == 0) return correct_forces(team, system, work, progress);
    if (has_transitions) {
      write_modes_of_velocities(team, system.model, work, progress.result.contacts);
      if (progress.piece == Piece::motion && progress.phase == start && divide(team, system, work, progress)) return;
    }
    const double h = progress.step.h;
    if constexpr (Unknown == Scheme::mean) {
      team.for_each(system.model.dimensions.velocities(),
                    [&](int i) { work.next_velocity(i / 6)[i % 6] -= work.velocity(i / 6)[i % 6]; });
      team.sync();
      if (progress.phase != reversed && progress.phase != jump && only_reverses(team, system, work, progress)) {
        progress.phase = reversed;
        return;
      }
    }
    if (turns_at_first_order(team, system, work, h)) progress.result.first_order = true;
    add_implicit_turn(team, system, work, h);
    add_implicit_impulse(team, system, work, work.predicted_pose(), h);
    const bool stands = progress.phase == reversed;
    progress.phase = finished;
    if (stands) return stand(team, system, work);
    move_on_path(team, system, work, progress, h);
    if (!system.model.events.collisions) return;
    const auto mean = [&](int body, double part) {
      const BodyModel& own = system.model.bodies[body];
      if (own.mover != no_body) return mean_velocity(work, own.mover, part);
      const double middle = progress.passed + 0.5 * part * h;
      return told_velocity(work, own.prescribed, middle / system.model.step, work.pose(body));
    };
    const Way parabola{[&](int body, double s) {
                         const BodyModel& own = system.model.bodies[body];
                         if (own.fixed) return work.pose(body);
                         if (own.is_prescribed()) return told_pose(system, work, own.prescribed, progress.passed + s);
                         return moved(system.model, body, work.pose(body), s, mean(body, s / h));
                       },
                       [&](int body, int i) { return mean(body, i); }};  // up to 2, where it is the velocity at the end
    progress.collision = first_collision(team, system, work, parabola, h);
    if (progress.collision.time < h) end_at_collision(team, system, work, progress);
  }

 private:
  /// b_n of contacts that carried an impulse and are open, as rolling on what is curved opens them by O(h^2) or O(h^3):
  /// they may close by a third of it in a step, as fast as it can be without passing the surface later.
  template <AnyWorkspace Work>
  struct Closing {
    const System& system;
    const Work& work;
    JOSTLE_HD double operator()(double) const { return 0; }  // limits
    JOSTLE_HD double operator()(const Contact& contact) const {
      const int page = system.model.page_of(contact.pair, contact.feature);
      if (!work.missed(page).contains(contact.feature % page_features)) return 0;
      return gap_at_start(system, work, contact.pair, contact.feature) / (3 * system.model.step);
    }
  };

  /// m: of a feature pair, at q_l.
  JOSTLE_HD static double gap_at_start(const System& system, AnyWorkspace auto work, int p, int feature) {
    const PairModel& pair = system.model.pairs[p];
    return contact_geometry(detail::at_start(system, work, pair.shape_a), detail::at_start(system, work, pair.shape_b),
                            feature)
        .gap;
  }

  /// Whether an open contact opens or closes no faster than its normal turns in a step: it is no flight, whose speed
  /// the second scheme would reverse.
  JOSTLE_HD static bool rolls(const System& system, AnyWorkspace auto work, int p, int feature) {
    const PairModel& pair = system.model.pairs[p];
    const double opening = detail::turning_of_pair(system, work, pair, feature, 0, 0);
    const double turning = detail::turning_of_pair(system, work, pair, feature, opening, system.model.step);
    return std::fabs(opening) <= std::fabs(turning);
  }

  /// Marks the listed contacts that are open, in work.missed(), where bodies are at q_l. Ends synced.
  template <class Team>
  JOSTLE_HD static void mark_open(const Team& team, const System& system, AnyWorkspace auto work) {
    const double touching = active_gap_of(system.model);
    team.for_each(system.model.dimensions.pages, [&](int i) {
      FeatureSet open;
      const PageModel page = system.model.pages[i];
      const FeatureSet active = system.state().active[i];
      work.listed(i).for_each([&](int own) {
        if (active.contains(own) && gap_at_start(system, work, page.pair, page.first + own) > touching)
          open.insert(own);
      });
      work.missed(i) = open;
      if constexpr (Unknown == Scheme::mean) {
        open.for_each([&](int own) {
          if (!rolls(system, work, page.pair, page.first + own)) work.listed(i).erase(own);
        });
      }
    });
    team.sync();
  }

  /// The part of a piece in which velocities jump. They jump as much in any other that is as short.
  static constexpr double length_of_jump = 1.0 / (1 << most_search_halvings);

  /// Where contacts close without an impact, or no motion goes on, velocities jump at once: then the problem of a very
  /// short piece asks of v_{l+1} what is asked of v_l + v_{l+1} else. h: of the whole piece.
  JOSTLE_HD static void begin_jump(StepProgress& progress, double h) {
    progress.step.h = length_of_jump * h;
    progress.left += h - progress.step.h, progress.next_piece = Piece::rest;
    progress.phase = jump;
  }

  /// Rows of friction, motors and limits of speeds, which follow those of contacts.
  JOSTLE_HD static int rows_of_speeds(const Dimensions& d) { return d.joint_bounds + d.speed_limits; }

  /// What the problem asks of v_l + v_{l+1} in some rows it asks of v_{l+1}, relative to bodies that move as told. Ends
  /// synced.
  template <class Team>
  JOSTLE_HD static void ask_of_end(const Team& team, const System& system, AnyWorkspace auto work,
                                   const StepProgress& progress, int first, int count) {
    const Dimensions& d = system.model.dimensions;
    const int bounds = d.contact_rows_end(progress.result.contacts);  // the first of rows_of_speeds()
    const double end = told_parts(system.model, progress).end;
    team.for_each(count, [&](int i) {
      const int r = first + i;
      const bool is_bound = decltype(work)::is_coupled && r >= bounds && r < bounds + rows_of_speeds(d);
      work.row_bias(r) -= add_product(0, work.row(r), work.velocity());
      if (d.prescribed == 0 || work.prescribed_half(r).number < 0) return;
      const PrescribedHalf& half = work.prescribed_half(r);
      work.row_bias(r) += told_speed(system, work, half, end) - (is_bound ? 1 : 2) * half.speed;
    });
    team.sync();
  }

  /// What has become of a mover in a whole step.
  enum class Change : int { none, reversal, motion };

  /// Whether a step has done nothing but reverse the speeds of bodies on contacts and limits that open and close, or
  /// contacts that stick at the mean of both: the second scheme would go on with that for ever.
  template <class Team>
  JOSTLE_HD JOSTLE_OUTLINE static bool only_reverses(const Team& team, const System& system, AnyWorkspace auto work,
                                                     const StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    const int contacts = progress.result.contacts;
    const bool is_whole = progress.pieces == 0 && progress.left == 0;
    const bool has_bounds = d.joint_bounds + d.ball_frictions + d.speed_limits > 0;
    if (!is_whole || contacts + d.joint_limits == 0 || d.prescribed > 0 || d.springs > 0 || has_bounds) return false;
    const int most = team.select(
        d.movers, [&](int m) { return static_cast<int>(change_of(system, work, m, contacts)); },
        [](int a, int b) { return a > b; });
    return most == static_cast<int>(Change::reversal);
  }

  JOSTLE_HD static Change change_of(const System& system, AnyWorkspace auto work, int m, int contacts) {
    constexpr double rounding = 1e-9;
    bool has_speed = false;
    for (int k = 0; k < 6; k += 3) {
      double size = 0, sum = 0;
      for (int i = k; i < k + 3; ++i) {
        size = larger_magnitude(size, work.velocity(m)[i]);
        sum = larger_magnitude(sum, work.velocity(m)[i] + work.next_velocity(m)[i]);
      }
      has_speed = has_speed || size > 0;
      if (!(sum <= rounding * (size + rounding_speed))) return Change::motion;
    }
    if (!has_speed) return Change::none;
    for (int c = 0; c < contacts; ++c) {
      const PairModel& pair = system.model.pairs[work.contact(c).pair];
      const int body = system.model.movers[m];
      const bool is_on =
          system.model.shapes[pair.shape_a].body == body || system.model.shapes[pair.shape_b].body == body;
      if (!is_on || !(work.row_impulse(work.block(c).normal) > 0)) continue;
      bool is_moving = false;
      const auto look_at = [&](int r) {
        if (add_product(0, work.row(r), work.velocity()) != 0) is_moving = true;
      };
      for_each_row(work.block(c), look_at);
      if (system.model.dimensions.has_spin_friction) look_at(system.model.dimensions.contact_rows(c).spin);
      if (is_moving) return Change::reversal;
    }
    if constexpr (decltype(work)::is_coupled) {
      for (int j = 0; j < system.model.dimensions.joints; ++j)
        for (const int r : {work.joint_block(j).lower, work.joint_block(j).upper})
          if (r >= 0 && work.row_impulse(r) > 0 && side_of(work.row(r), m) >= 0 &&
              add_product(0, work.row(r), work.velocity()) != 0)
            return Change::reversal;
    }
    return Change::motion;
  }

  /// m/s: slower contacts stay within the active gap until the end of the piece, or their hops are rounding errors.
  JOSTLE_HD static double slowest_hop(const ModelView& model, const StepProgress& progress) {
    const double within_gap = active_gap_of(model) / progress.step.h;
    const double least = within_gap > rounding_speed ? within_gap : rounding_speed;
    return progress.unseen_hop > least ? progress.unseen_hop : least;
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
    write_implicit_mass(team, system, work, work.predicted_pose(), progress.step.h);
    load_forces(team, system, work, progress);
  }

  /// r, with v* = work.predicted_velocity(). Ends synced.
  template <class Team>
  JOSTLE_HD static void load_forces(const Team& team, const System& system, AnyWorkspace auto work,
                                    const StepProgress& progress) {
    const auto [time, h] = progress.step;
    const ToldParts told = told_parts(system.model, progress);
    tell(team, system, work, told.mean, work.pose(), work.prescribed_velocity());  // for dampers
    load_implicit_momentum(team, system, work, work.predicted_pose(), work.predicted_velocity(), time, h,
                           Unknown == Scheme::mean ? 2.0 : 1.0);
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
    const Closing<decltype(work)> closing{system, work};
    // At the midpoint, scheme II would overshoot: openings grow by 1.6 a step where gamma = 1.
    if constexpr (Unknown == Scheme::mean) {
      if (!velocity_problem(team, system, work, progress, problem, closing, work.pose(), 2)) return false;
      if constexpr (decltype(work)::is_coupled) {
        const Dimensions& d = system.model.dimensions;
        const int first = d.contact_rows_end(progress.result.contacts);
        // friction and motors, whose force is bounded, reach their speeds at the end, and so do limits of speeds
        team.for_each(rows_of_speeds(d), [&](int i) { work.row_bias(first + i) *= 0.5; });
        team.sync();
        if (progress.phase != reversed && progress.phase != jump) {
          ask_of_end(team, system, work, progress, first, rows_of_speeds(d));
          for (int j = 0; d.ball_frictions > 0 && j < d.joints; ++j)
            ask_of_end(team, system, work, progress, work.joint_block(j).ball, work.joint_block(j).ball_rows);
          for (int c = 0; d.has_spin_friction && c < progress.result.contacts; ++c)
            ask_of_end(team, system, work, progress, d.contact_rows(c).spin, 1);
        }
      }
      return true;
    } else
      return velocity_problem(team, system, work, progress, problem, closing, work.predicted_pose());
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
    solve_mode_basis(team, d, work, progress.result.contacts, problem.rows);
    const double least = least_of_basis(team, system.model, work, progress.result.contacts, longer);
    team.sync();
    return least;
  }

  /// Whether a contact changes its mode within the piece; then the piece is solved once more, up to that time.
  template <class Team>
  JOSTLE_HD static bool divide(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const double time = progress.step.time, h = progress.step.h, left = progress.left;
    const double at_end = violation_of_modes(team, system, work, progress);
    if (at_end == 0) return false;
    const auto F = [&](double s) {
      progress.step = {time, s}, progress.left = left + (h - s);
      return least_in_piece(team, system, work, progress, h / s);
    };
    const int contacts = progress.result.contacts;
    // A slip that the answer ends by pressing is marked; a search forgets impulses.
    team.for_each(contacts, [&](int c) {
      const bool ends = slips(work.mode_before(c)) && !(work.mode(c) == work.mode_before(c));
      const bool is_pressed = ends && work.row_impulse(work.block(c).normal) > 0;
      work.next_mode(c) = is_pressed ? work.mode_before(c) : Mode{};
    });
    const double s = transition_time(F, h, at_end);
    progress.step = {time, s}, progress.left = left + (h - s);
    progress.phase = divided, progress.round = 0;
    // No sliding motion goes on: what slips would have to be pulled, however short the piece is. Once in a step, as a
    // jump that leads to an impact may be followed by another one.
    const auto is_pulled = [&](int c) {
      return slips(work.next_mode(c)) && work.basis_impulse(most_mode_equations * c) < 0;
    };
    const bool jumps = Unknown == Scheme::mean && s == h && progress.pieces == 0 && any_of(team, contacts, is_pulled);
    team.sync();
    if (jumps) begin_jump(progress, h);
    if (s < h || jumps) {
      progress.next_piece = Piece::rest;
      count_event(system.model, progress.result);
    }
    write_momentum(team, system, work, progress);
    return true;
  }

  /// The mean of the velocities from the start of a piece to `part` of it.
  JOSTLE_HD static Vec6 mean_velocity(AnyWorkspace auto work, int mover, double part) {
    Vec6 mean;
    for (int k = 0; k < 6; ++k) {
      const double before = work.velocity(mover)[k];
      mean[k] = before + 0.5 * part * (work.next_velocity(mover)[k] - before);
    }
    return mean;
  }

  /// next_pose and next_placed s after the start of the piece, and the velocities there of bodies that move as told.
  /// Ends synced.
  template <class Team>
  JOSTLE_HD static void move_on_path(const Team& team, const System& system, AnyWorkspace auto work,
                                     const StepProgress& progress, double s) {
    const double h = progress.step.h, time = time_in_step(system.model, progress, s);
    team.for_each(system.model.dimensions.movers,
                  [&](int m) { work.predicted_velocity(m) = mean_velocity(work, m, s / h); });
    team.sync();
    move_poses(team, system, work, s, work.predicted_velocity(), work.next_pose());
    place_told(team, system, work, time, work.next_pose());
    place_shapes(team, system, work.next_pose(), work.next_placed());
    tell(team, system, work, time / system.model.step, work.next_pose(), work.prescribed_velocity());
  }

  /// next_pose and next_placed where the bodies are. Ends synced.
  template <class Team>
  JOSTLE_HD static void stand(const Team& team, const System& system, AnyWorkspace auto work) {
    team.for_each(system.model.dimensions.movers, [&](int m) { work.predicted_velocity(m) = {}; });
    team.sync();
    move_bodies(team, system, work, 0, work.predicted_velocity(), work.next_pose(), work.next_placed());
  }

  /// Ends the piece at the collision: velocities and impulses are linear in time. Ends synced.
  template <class Team>
  JOSTLE_HD static void end_at_collision(const Team& team, const System& system, AnyWorkspace auto work,
                                         StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    const double h = progress.step.h, s = progress.collision.time, part = s / h;
    move_on_path(team, system, work, progress, s);
    team.for_each(d.velocities(), [&](int i) {
      const double before = work.velocity(i / 6)[i % 6];
      double& after = work.next_velocity(i / 6)[i % 6];
      after = before + part * (after - before);
      work.applied(i / 6)[i % 6] *= part;
    });
    team.for_each(d.movers, [&](int m) { work.gyroscopic(m) = part * work.gyroscopic(m); });
    team.for_each(progress.rows, [&](int r) { work.row_impulse(r) *= part; });
    if (d.has_adhesion) team.for_each(progress.rows, [&](int r) { work.row_pull(r) *= part; });
    if constexpr (decltype(work)::is_coupled) {
      const int equations = d.joint_rows > 0 ? work.used_joint_rows() : 0;
      team.for_each(equations, [&](int j) { work.joint_impulse(j) *= part; });
    }
    team.sync();
    progress.step.h = s, progress.left += h - s, progress.next_piece = Piece::impact;
  }
};

}  // namespace jostle
