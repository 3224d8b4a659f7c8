#pragma once
// Methods that ask for velocities alone keep whatever overlap their positions have. So a step ends with a projection
// of the positions, if contacts overlap: the displacements u of least M-norm that take the overlaps away, one LCP like
// that of a step, but for positions and without friction; docs/theory.md (53b):
//
//     M u = N c_nu + n c_n       N'u = 0,  0 <= n'u + Phi(q) _|_ c_n >= 0           q := q (+) u
//
// The method of Loetstedt keeps gaps, too: rows of accelerations hold a contact as far open as truncation errors have
// left it. There the bodies settle, as far as the impulses that such contacts carry would move them in a step, (53e).
//
// Velocities and impulses stay. The account of energies has neither the descent into the overlap nor the way back: it
// takes the work of forces from the velocities, which have no part in either.
#include "core/events/impact.hpp"
#include "core/joints/joint_state.hpp"

namespace jostle {

/// The piece of a sub-step that is a projection, after all others. The driver of a step calls it as it calls a method.
struct Projection {
  static constexpr int most = 4;  ///< projections at the end of a sub-step
  /// m: above the truncation errors of smooth motion, which (53e) would hide.
  static constexpr double least_held_gap = 1e-8;
  /// Of the smaller shape's reach: what shapes may overlap at most where the projections have not moved them apart.
  static constexpr double carried_overlap = 1e-6;
  enum Phase { start, finished };

  /// m: how far shapes overlap at most at the end of the piece, if by more than least_overlap; or how far a limit of a
  /// joint is exceeded, rad or m. `any_pair`: also shapes that have other contacts, or none, at the end, as after a
  /// projection or an impact; else those whose contacts of the piece overlap, filtered ones too. Begins with a sync().
  template <class Team>
  JOSTLE_HD JOSTLE_OUTLINE static double deepest_overlap(const Team& team, const System& system, AnyWorkspace auto work,
                                                         bool any_pair) {
    const ModelView& model = system.model;
    const int contacts = work.first_contact(model.dimensions.pairs);  // of the piece
    const int shapes = any_pair ? model.dimensions.pairs : contacts;
    const int joints = decltype(work)::is_coupled && model.dimensions.joint_limits > 0 ? model.dimensions.joints : 0;
    const int pages = !any_pair && model.dimensions.has_filter ? model.dimensions.pages : 0;
    if (shapes + joints + pages == 0) return 0;
    const auto depth_of = [&](const PairModel& pair) {
      const double depth = -signed_distance(work.next_placed(pair.shape_a), work.next_placed(pair.shape_b));
      return depth > least_overlap ? depth : 0.0;
    };
    const auto overlaps = [&](const PairModel& pair, int feature) {
      const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
      return contact_geometry(a, b, feature).gap < -least_overlap;
    };
    const auto overlap = [&](int i) {
      const PairModel& pair = model.pairs[any_pair ? i : work.contact(i).pair];
      const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
      const bool is_clear =
          any_pair ? b.type != ShapeType::half_space && far_apart(a, b, 0) : !overlaps(pair, work.contact(i).feature);
      return is_clear ? 0.0 : depth_of(pair);
    };
    const auto filtered_overlap = [&](int i) {
      const PageModel& page = model.pages[i];
      const PairModel& pair = model.pairs[page.pair];
      bool any = false;
      FeatureSet{work.filtered(i)}.for_each(first_of_page(system, work, i),
                                            [&](int feature) { any = any || overlaps(pair, feature); });
      return any ? depth_of(pair) : 0.0;
    };
    const auto excess = [&](int j) {
      const int exceeded = exceeded_limits(system, j, work.next_pose(), least_overlap) & work.listed_limits(j);
      if (exceeded == 0) return 0.0;
      const double position = joint_position_at(system, j, work.next_pose());
      return -limit_gap(system, j, exceeded & lower_limit ? lower_limit : upper_limit, position);
    };
    return team.select(
        shapes + joints + pages,
        [&](int i) {
          if (i >= shapes + joints) return filtered_overlap(i - shapes - joints);
          return i < shapes ? overlap(i) : excess(i - shapes);
        },
        [](double a, double b) { return a > b; });
  }

  /// Whether a pair of shapes overlaps by more than carried_overlap at the end of the piece.
  template <class Team>
  JOSTLE_HD JOSTLE_OUTLINE static bool leaves_overlap(const Team& team, const System& system, AnyWorkspace auto work) {
    const int pairs = system.model.dimensions.pairs;
    return pairs > 0 && any_of(team, pairs, [&](int p) {
             const PairModel& pair = system.model.pairs[p];
             const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
             const bool is_finite = b.type != ShapeType::half_space;
             if (is_finite && far_apart(a, b, 0)) return false;
             double reach = bounding_radius(a);
             if (is_finite && bounding_radius(b) < reach) reach = bounding_radius(b);
             return signed_distance(a, b) < -carried_overlap * reach;
           });
  }

  /// m: how far a contact that carries a force to the end of a motion with stages is open there, at most; 0 if by less
  /// than least_held_gap. Ends synced.
  template <class Team>
  JOSTLE_HD JOSTLE_OUTLINE static double widest_held_gap(const Team& team, const System& system, AnyWorkspace auto work,
                                                         int contacts) {
    const auto gap = [&](int c) {
      if (!is_held(work, c)) return 0.0;
      const PairModel& pair = system.model.pairs[work.contact(c).pair];
      const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
      const double open = contact_geometry(a, b, work.contact(c).feature).gap;
      return open > least_held_gap ? open : 0.0;
    };
    return contacts == 0 ? 0.0 : team.select(contacts, gap, [](double a, double b) { return a > b; });
  }

  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    progress.before_projection = progress.result;
    write_load(team, system, work, progress);
    load_masses(team, system, work);
    load_poses(team, system, work);
    team.once([&] { work.leaves_out() = 0; });
    team.for_each(system.model.dimensions.prescribed,
                  [&](int p) { work.prescribed_velocity(p) = work.prescribed_rate(p) = {}; });
    predict(team, system, work, 0, work.velocity());
    list_contacts(team, system, work, 0, 2 * progress.overlap, false);
    drop_ended(team, system, work, 2 * progress.overlap);
    filter_contacts(team, system, work, NormalBounds::gaps);
    if constexpr (decltype(work)::is_coupled) list_limits(team, system, work, 2 * progress.overlap, false);
    write_implicit_mass(team, system, work, 0);
    team.for_each(system.model.dimensions.movers,
                  [&](int m) { work.gyroscopic(m) = Vec3::Zero(), work.applied(m) = {}; });
    team.sync();
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    if (progress.phase == finished || !number_and_load(team, system, work, progress.result)) return false;
    problem = write_contact_rows(team, system, work, progress.result.contacts, work.predicted_pose(),
                                 [&](const Contact& contact, const auto&...) {
                                   // Never further than the shapes overlap.
                                   const PairModel& pair = system.model.pairs[contact.pair];
                                   const double apart =
                                       signed_distance(work.placed(pair.shape_a), work.placed(pair.shape_b));
                                   return contact.gap < apart ? apart : contact.gap;
                                 });
    team.for_each(problem.blocks, [&](int c) {
      work.block(c).friction = 0;
      if (work.block(c).normal >= 0) work.block(c).tangents = 0;  // moments have the bound 0
    });
    team.sync();
    if constexpr (decltype(work)::is_coupled) {
      write_joint_rows(team, system, work, problem, work.predicted_pose(), NoJointBias{});
      write_joint_blocks(team, system, work, problem, work.predicted_pose(), progress.step.time, 0,
                         [](double gap, const auto&...) { return gap; });
    }
    problem.relative_to_speeds = false;
    progress.rows = problem.rows, progress.blocks = problem.blocks;
    return true;
  }

  /// Without an answer, as between jaws that are too close, the overlap stays.
  template <class Team>
  JOSTLE_HD static bool recover(const Team& team, const System& system, AnyWorkspace auto work,
                                StepProgress& progress) {
    if (!is_unsolved(progress.result.status)) return false;
    team.for_each(system.model.dimensions.velocities(), [&](int i) { work.next_velocity(i / 6)[i % 6] = 0; });
    end(team, system, work, progress);
    progress.projections = most, progress.stays = true;
    return true;
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    end(team, system, work, progress);
  }

  /// The new poses are part of the state; nothing else changes. Ends synced.
  template <class Team>
  JOSTLE_HD static void accept(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const StateView state = system.state();
    team.for_each(system.model.dimensions.bodies, [&](int b) {
      set_vector(state.position, b, work.next_pose(b).position);
      set_quaternion(state.orientation, b, work.next_pose(b).orientation);
      state.angle[b] = work.next_pose(b).angle;
    });
    team.for_each(system.model.dimensions.resting_movers(), [&](int m) { state.rest_island[m] = 0; });
    team.once([&] { state.resting() = 0; });
    team.sync();
    if constexpr (decltype(work)::is_coupled) keep_coordinates(team, system, work, 0);
    ++progress.pieces;
  }

 private:
  /// Whether contact c of a motion with stages carries a force in the last one and an impulse after it.
  JOSTLE_HD static bool is_held(AnyWorkspace auto work, int c) {
    const int normal = work.block(c).normal;
    return work.held_impulse(normal) > 0 && work.row_impulse(normal) > 0;
  }

  /// r: 0, or where bodies settle what the contacts that hold have carried times a step, N s^2.
  template <class Team>
  JOSTLE_HD static void write_load(const Team& team, const System& system, AnyWorkspace auto work,
                                   const StepProgress& progress) {
    team.for_each(system.model.dimensions.movers, [&](int m) {
      Six load = six(Vec6{});
      for (int c = 0; progress.settles && c < progress.result.contacts; ++c) {
        if (!is_held(work, c)) continue;
        const ConstraintRow& row = work.row(work.block(c).normal);
        const int side = side_of(row, m);
        if (side >= 0) load = load - system.model.step * work.row_impulse(work.block(c).normal) * six(row.entry[side]);
      }
      store(load, work.momentum(m));
    });
    team.sync();
  }

  /// q := q (+) u, and back to the velocities and to what the step has told so far. Ends synced.
  template <class Team>
  JOSTLE_HD static void end(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    move_bodies(team, system, work, 1, work.next_velocity(), work.next_pose(), work.next_placed());
    team.for_each(system.model.dimensions.movers, [&](int m) { work.next_velocity(m) = work.velocity(m); });
    team.sync();
    progress.result = progress.before_projection;
    progress.phase = finished;
  }
};

}  // namespace jostle
