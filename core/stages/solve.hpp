#pragma once
// Solves the mixed LCP of a step, certifies the answer and computes velocities from it. It depends on no method.
#include "core/assembly/joint_certificate.hpp"
#include "core/assembly/schur.hpp"
#include "core/cone/newton.hpp"
#include "core/guess/guess.hpp"
#include "core/model/system.hpp"
#include "core/prescribed/prescribed_motion.hpp"
#include "core/stages/overlaps.hpp"
#include "core/stages/pivot.hpp"
#include "core/stages/stage.hpp"

namespace jostle {

JOSTLE_HD inline Status status_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved: return Status::ok;
    case LcpStatus::ray: return Status::ray;
    case LcpStatus::pivot_limit: return Status::pivot_limit;
    case LcpStatus::uncertified: return Status::uncertified;
    case LcpStatus::not_finite: return Status::not_finite;
  }
  return Status::uncertified;
}

namespace detail {

/// Of answers certified alike the one at rest is taken: if no velocity is above exact_tolerance |q'|inf and v = 0
/// passes the exact certificate, v = 0. `certify`: the residual with the velocities in work.row_speed.
template <class Team, class Certify>
JOSTLE_HD JOSTLE_OUTLINE void take_rest(const Team& team, const Island& island, const ModelView& model,
                                        AnyWorkspace auto work, double q_size, double allowance, const Certify& certify,
                                        double& residual) {
  const double tolerance = allowance * model.lemke.exact_tolerance, most = tolerance * q_size;
  constexpr int none = 0, rounding = 1, fast = 2;  // how a mover moves
  const auto speed_of = [&](int i) {
    const int m = work.island_mover(island.first_mover + i);
    int found = none;
    for (int k = 0; k < 6; ++k) {
      const double root = work.root_inv_mass(m)[k], speed = work.next_velocity(m)[k];
      if (root == 0 || speed == 0) continue;
      const double scaled = std::fabs(speed / root);
      if (!(scaled <= most)) return fast;
      if (scaled != 0) found = rounding;
    }
    return found;
  };
  if (team.select(island.movers, speed_of, [](int a, int b) { return a > b; }) != rounding) return;
  for_each_block(team, island, work,
                 [&](int c) { for_each_row(work.block(c), [&](int r) { work.row_speed(r) = work.row_bias(r); }); });
  team.sync();
  const double at_rest = certify();
  if (at_rest <= tolerance) {
    residual = at_rest;
    team.for_each(island.movers, [&](int i) { work.next_velocity(work.island_mover(island.first_mover + i)) = {}; });
    return team.sync();
  }
  write_row_speeds(team, island, work);
}

/// The residual of v = 0 with work.z, whose row speeds are in work.row_speed: of contacts and, of coupled bodies, of
/// joints, whose impulses it writes.
template <class Team>
JOSTLE_HD double residual_at_rest(const Team& team, const MixedLcp& problem, const Island& island,
                                  const ModelView& model, AnyWorkspace auto work, double q_size) {
  const double of_contacts = certify_speeds(team, island, work, q_size);
  if constexpr (decltype(work)::is_coupled) {
    if (problem.joints == 0) return of_contacts;
    team.sync();
    write_joint_impulses(team, model.dimensions, problem, work);
    const double of_joints = certify_joints(team, model.dimensions, work, true);
    return of_joints <= of_contacts ? of_contacts : of_joints;
  }
  return of_contacts;
}

/// Tries the modes in work.mode(), then as they were, as the regularised problem of contacts that are tied may have
/// others, then those of sweeps. False if they and their corrections gave no answer. Where the problem follows another
/// one, modes that are certified stay: fixed points are found where an answer is not given up for
/// another one of its family.
template <class Team>
JOSTLE_HD bool answer_by_modes(const Team& team, const MixedLcp& problem, const Island& island, const ModelView& model,
                               AnyWorkspace auto work, double q_size, double allowance, const auto& guess,
                               StepResult& result) {
  GuessResult found = guess.answer(max_corrections, problem.follows, max_near_corrections);
  if (!found.certified && !problem.follows) {
    guess.take_first_modes();
    found = guess.answer(0, true);
    if constexpr (!decltype(work)::is_coupled) {
      if (!found.certified && island.blocks >= least_gauss_seidel_blocks) found = guess.answer_of_gauss_seidel();
    }
  }
  if (!found.certified) return false;
  (found.corrections == 0 ? result.guessed : result.corrected) += 1;
  double residual = found.residual;
  const auto at_rest = [&] { return residual_at_rest(team, problem, island, model, work, q_size); };
  take_rest(team, island, model, work, q_size, allowance, at_rest, residual);
  if (residual > result.residual) result.residual = residual;
  return true;
}

/// The last solve: from Lemke's answer to that of least norm, by its modes or else by proximal LCPs. If there is none,
/// Lemke's stands. Returns the residual.
template <class Team, class Certify>
JOSTLE_HD double least_norm_answer(const Team& team, const Island& island, const ModelView& model,
                                   AnyWorkspace auto work, const Certify& certify, const auto& guess,
                                   StepResult& result) {
  const double tolerance = certify.allowance * model.lemke.exact_tolerance;
  const int first = island.first_variable;
  team.for_each(island.variables, [&](int i) { work.kept_z(first + i) = work.z(first + i); });
  const auto take_lemkes = [&] {
    team.sync();
    team.for_each(island.variables, [&](int i) { work.z(first + i) = work.kept_z(first + i); });
    team.sync();
    const double residual = certify();
    team.sync();
    return residual;
  };
  guess.write_modes_of_answer();
  GuessResult found = guess.answer(max_corrections_after_lemke);
  if (!found.certified) {
    take_lemkes();
    guess.write_modes_of_answer();
    if (guess.are_loaded()) {
      guess.write_modes_of_impulses();
      found = guess.answer(0, true);
      if (!found.certified) {
        take_lemkes();
        guess.write_modes_of_answer();
      }
    }
  }
  if (!found.certified) found = guess.answer(max_corrections_after_lemke, true);
  double residual = found.residual;
  if (!found.certified) {
    residual = proximal_answer(team, island, model, work, guess, certify, result);
    if (!(residual <= tolerance)) {
      result.vertex += 1;
      residual = take_lemkes();
      guess.write_modes_of_answer();
    }
  }
  const auto at_rest = [&] { return residual_at_rest(team, certify.problem, island, model, work, certify.q_size); };
  take_rest(team, island, model, work, certify.q_size, certify.allowance, at_rest, residual);
  return residual;
}

/// Sets what the exact certificate cannot tell from 0 in the LCP's vector to 0. Of a body in a jam that moves as it
/// may, q is nothing but the rounding errors of speeds, and along the impulses of the jam pivoting would take their
/// signs for a motion that nothing stops. Returns whether there were any. Begins and ends synced.
template <class Team>
JOSTLE_HD bool snap_vector(const Team& team, const Island& island, AnyWorkspace auto work, double least) {
  const auto is_rounding = [&](int i) {
    const double size = work.scale(island.first_variable + i) * std::fabs(work.lcp_vector(island.first_variable + i));
    return size > 0 && size <= least;
  };
  const bool any = any_of(team, island.variables, is_rounding);
  team.sync();
  team.for_each(island.variables, [&](int i) {
    if (is_rounding(i)) work.lcp_vector(island.first_variable + i) = 0;
  });
  team.sync();
  return any;
}

/// Whether no block of an island can have an impulse: friction and motors of joints whose bound is 0, as of those that
/// slide in a stage of accelerations.
template <class Team>
JOSTLE_HD bool is_without_impulses(const Team& team, const Island& island, AnyWorkspace auto work) {
  return !any_of(team, island.blocks, [&](int i) {
    const Block& block = work.block(work.island_block(island.first_block + i));
    return block.normal >= 0 || block.is_moment() || block.bound != 0;
  });
}

/// Its answer is v0, which work.next_velocity() has. False if it is not certified. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool answer_without_impulses(const Team& team, const MixedLcp& problem, const Island& island,
                                                      const ModelView& model, AnyWorkspace auto work, double q_size,
                                                      double allowance, StepResult& result) {
  for_each_block(team, island, work, [&](int c) {
    write_block_speeds(work, c);
    write_slip_without_impulse(work, c);
  });
  team.sync();
  double residual = certify_speeds(team, island, work, q_size);
  if (!(residual <= allowance * model.lemke.exact_tolerance)) return false;
  result.guessed += 1;
  const auto at_rest = [&] { return residual_at_rest(team, problem, island, model, work, q_size); };
  take_rest(team, island, model, work, q_size, allowance, at_rest, residual);
  if (residual > result.residual) result.residual = residual;
  return true;
}

/// Solves the LCP of an island.
template <class Team, class Clock>
JOSTLE_HD void solve_island(const Team& team, const MixedLcp& problem, const Island& island, const ModelView& model,
                            AnyWorkspace auto work, const Clock& clock, StepResult& result) {
  const Dimensions& d = model.dimensions;
  const double q_size = constants_size(team, island, work, problem.relative_to_speeds);
  const double ratio = mass_ratio(team, island, work), allowance = allowance_of(model.lemke, ratio);
  const GuessOf<Team, decltype(work)> guess(team, island, model, work, q_size, weight_for(model, ratio), allowance);
  const bool takes_least_norm = d.has_modes() && model.multipliers == Multipliers::least_norm && guess.is_possible();
  const bool guesses = takes_least_norm && model.solver == Solver::guess_first;
  guess.begin(guesses);
  if constexpr (decltype(work)::is_coupled) {
    if (guesses && is_without_impulses(team, island, work) &&
        answer_without_impulses(team, problem, island, model, work, q_size, allowance, result))
      return clock(Stage::pivot);
    if (takes_least_norm) write_mode_row_responses(team, d, island, work);
  }
  if (guesses && answer_by_modes(team, problem, island, model, work, q_size, allowance, guess, result))
    return clock(Stage::pivot);
  if constexpr (!decltype(work)::is_coupled) {
    if (island.variables > d.island_lcp_size()) {
      result.status = Status::capacity;
      return;
    }
  }
  form_delassus(team, d, island, work);
  number_lcp(team, island, work);
  clock(Stage::assemble);
  Certify<Team, decltype(work)> certify{team, problem, island, model, work, q_size, allowance};
  LcpResult solved = pivot(team, island, work, model.lemke, certify, result);
  if constexpr (decltype(work)::is_coupled) {
    if (problem.relative_to_speeds && is_without_answer(status_of(solved.status))) {
      if (status_of(solved.status) == Status::uncertified)
        certify.q_size = larger_magnitude(q_size, size_of_momentum(team, island, work));
      const bool any = snap_vector(team, island, work, model.lemke.exact_tolerance * certify.q_size);
      if (any || certify.q_size > q_size) solved = pivot(team, island, work, model.lemke, certify, result);
    }
  }
  result.pivoted += 1;
  result.status = status_of(solved.status);
  double residual = solved.residual;
  if (takes_least_norm && result.status == Status::ok)
    residual = least_norm_answer(team, island, model, work, certify, guess, result);
  if constexpr (decltype(work)::is_coupled) {
    if (takes_least_norm && is_without_answer(result.status)) {
      const double found = proximal_answer(team, island, model, work, guess, certify, result);
      if (found <= allowance * model.lemke.exact_tolerance) result.status = Status::ok, residual = found;
    }
  }
  if (!takes_least_norm && result.status == Status::ok) {
    const auto at_rest = [&] { return residual_at_rest(team, problem, island, model, work, certify.q_size); };
    take_rest(team, island, model, work, certify.q_size, allowance, at_rest, residual);
  }
  clock(Stage::pivot);
  if (residual > result.residual) result.residual = residual;
}

/// Takes the answer with polygons, of an island, to that with the circular cone.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void answer_circular_cone(const Team& team, const MixedLcp& problem, const Island& island,
                                                   const ModelView& model, AnyWorkspace auto work, StepResult& result) {
  const double q_size = constants_size(team, island, work, problem.relative_to_speeds);
  team.sync();
  const ConeProblem<Team, decltype(work)> cones(team, island, model, work, q_size);
  const ConeAnswer found = ConeNewton(cones, q_size).answer();
  team.once([&] { work.cone_steps() = found.steps; });
  double residual = found.residual;
  if (!(residual <= model.lemke.certificate_tolerance))
    result.status = is_nan(residual) ? Status::not_finite : Status::uncertified;
  else if constexpr (!decltype(work)::is_coupled)
    take_rest(
        team, island, model, work, q_size, 1, [&] { return cones.residual(); }, residual);
  if (!(residual <= result.residual)) result.residual = residual;
}

/// Solves the problem of an island: with polygons, then, if the model asks for it, with the circular cone.
template <class Team, class Clock>
JOSTLE_HD void answer_island(const Team& team, const MixedLcp& problem, const Island& island, const ModelView& model,
                             AnyWorkspace auto work, const Clock& clock, StepResult& result) {
  [[maybe_unused]] const double residual = result.residual;
  solve_island(team, problem, island, model, work, clock, result);
  if constexpr (decltype(work)::has_cones) {
    if (!model.dimensions.has_circular_cone || result.status != Status::ok) return;
    result.residual = residual;  // that of the polygons does not count
    answer_circular_cone(team, problem, island, model, work, result);
    clock(Stage::pivot);
  }
}

/// Solves the problem of an island; one without an answer once more with its overlaps held. A jam of the step before
/// goes on as long as none of its overlaps opens, so that problem is the first one then.
template <class Team, class Clock>
JOSTLE_HD void answer_or_hold(const Team& team, const MixedLcp& problem, const Island& island, const ModelView& model,
                              AnyWorkspace auto work, const Clock& clock, StepResult& result) {
  const Overlaps<Team, decltype(work)> overlaps(team, model.dimensions, island, work);
  bool continues_jam = problem.may_hold && overlaps.were_held() && overlaps.hold();
  const int path = result.path;
  Status first = Status::ok;  // where motion had no answer, and overlaps are held
  for (bool is_held = continues_jam;;) {
    result.status = Status::ok, result.residual = 0, result.path = path;
    answer_island(team, problem, island, model, work, clock, result);
    if (is_held) team.sync();
    if (continues_jam && !(result.status == Status::ok && overlaps.stay_closed())) {
      overlaps.release();
      continues_jam = is_held = false;
      continue;
    }
    if (is_held) {
      if (result.status != Status::ok && !continues_jam) result.status = first;
      result.held = true;
      return overlaps.mark();
    }
    if (!problem.may_hold || !is_without_answer(result.status)) return;
    first = result.status;
    if (!overlaps.hold()) return;
    is_held = true;
  }
}

}  // namespace detail

/// Solves the problem island by island, up to the first that fails, or for which Lemke's method is needed and has no
/// room (status `capacity`). Writes work.next_velocity(), work.row_impulse(), work.z() and, if they are answered by
/// modes, work.mode(), and adds to the counts in `result`. With the circular cone work.z and work.mode() are those of
/// the polygons, all else is of the circular cone. Begins and ends synced.
template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void solve(const Team& team, const MixedLcp& problem, const ModelView& model,
                                    AnyWorkspace auto work, const Clock& clock, StepResult& result) {
  const Dimensions& d = model.dimensions;
  result.path = result.lcp_size = result.largest_island = 0;
  if (!decltype(work)::is_coupled && problem.blocks == 0) {
    detail::write_free_velocity(team, d, work, work.next_velocity());
    return team.sync();
  }
  const int islands = find_islands(team, d, problem, decltype(work)::is_coupled, work);
  if constexpr (decltype(work)::is_coupled) {
    if (!assemble_coupled(team, d, problem, work)) {
      result.status = Status::not_finite;
      return;
    }
  } else {
    write_free_motion(team, d, problem, work);
  }
  team.for_each(d.movers, [&](int m) { work.next_velocity(m) = work.free_velocity(m); });
  team.sync();
  clock(Stage::assemble);
  if (problem.blocks == 0) return;
  const Island last = work.island(islands - 1);
  result.lcp_size = last.first_variable + last.variables;
  for (int i = 0; i < islands; ++i)
    if (work.island(i).blocks > result.largest_island) result.largest_island = work.island(i).blocks;
  for (int i = 0; i < islands && result.status == Status::ok; ++i) {
    const Island island = work.island(i);
    result.solves += 1;
    const double residual = result.residual;
    detail::answer_or_hold(team, problem, island, model, work, clock, result);
    team.once([&] { work.island(i).residual = result.residual; });
    if (residual > result.residual) result.residual = residual;
  }
  team.sync();
}

}  // namespace jostle
