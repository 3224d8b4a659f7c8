#pragma once
// How an island comes to its answer: without impulses, by the modes of its contacts, from Lemke's answer to that of
// least norm, and, of answers certified alike, to the one at rest.
#include "core/assembly/joint_certificate.hpp"
#include "core/stages/pivot.hpp"

namespace jostle::detail {

/// Of answers certified alike the one at rest is taken: if no velocity is above the tolerance times |q'|inf and v = 0
/// passes the exact certificate, v = 0. `certify_rest`: the residual with the velocities in work.row_speed.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE void take_rest(const Certify<Team, Work>& certify, const auto& certify_rest,
                                        double& residual) {
  const Team& team = certify.of.team;
  const Island& island = certify.of.island;
  const Work& work = certify.of.work;
  const double tolerance = certify.tolerance(), most = tolerance * certify.scale.q_size;
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
  const double at_rest = certify_rest();
  if (at_rest <= tolerance) {
    residual = at_rest;
    team.for_each(island.movers, [&](int i) { work.next_velocity(work.island_mover(island.first_mover + i)) = {}; });
    return team.sync();
  }
  write_row_speeds(team, island, work);
}

/// The residual of v = 0 with work.z, whose row speeds are in work.row_speed: of contacts and, of coupled bodies, of
/// joints, whose impulses it writes.
template <class Team, AnyWorkspace Work>
JOSTLE_HD double residual_at_rest(const Certify<Team, Work>& certify) {
  const IslandProblem<Team, Work>& of = certify.of;
  const double of_contacts = certify_speeds(of.team, of.island, of.work, certify.scale.q_size);
  if constexpr (Work::is_coupled) {
    if (of.whole.joints == 0) return of_contacts;
    of.team.sync();
    write_joint_impulses(of.team, of.model.dimensions, of.whole, of.work);
    const double of_joints = certify_joints(of.team, of.model.dimensions, share_of_bias(of.whole, of.work, false),
                                            of.model.lemke, of.work, true);
    return of_joints <= of_contacts ? of_contacts : of_joints;
  }
  return of_contacts;
}
template <class Team, AnyWorkspace Work>
JOSTLE_HD void take_rest(const Certify<Team, Work>& certify, double& residual) {
  take_rest(
      certify, [&] { return residual_at_rest(certify); }, residual);
}

/// Tries the modes in work.mode(), then as they were, as the regularised problem of contacts that are tied may have
/// others, then those of sweeps. False if they and their corrections gave no answer. Where the problem follows another
/// one, modes that are certified stay: fixed points are found where an answer is not given up for another one of its
/// family.
template <class Team, AnyWorkspace Work>
JOSTLE_HD bool answer_by_modes(const Certify<Team, Work>& certify, const Guess<Team, Work>& guess, StepResult& result) {
  const bool follows = certify.of.whole.follows;
  GuessResult found = guess.answer(max_corrections, follows, max_near_corrections);
  if (!found.certified && !follows) {
    guess.take_first_modes();
    found = guess.answer(0, true);
    if constexpr (!Work::is_coupled) {
      if (!found.certified && certify.of.island.blocks >= least_gauss_seidel_blocks)
        found = guess.answer_of_gauss_seidel();
    }
  }
  if (!found.certified) return false;
  (found.corrections == 0 ? result.guessed : result.corrected) += 1;
  double residual = found.residual;
  take_rest(certify, residual);
  if (residual > result.residual) result.residual = residual;
  return true;
}

/// The last solve: from Lemke's answer to that of least norm, by its modes or else by proximal LCPs. If there is none,
/// Lemke's stands. Returns the residual.
template <class Team, AnyWorkspace Work>
JOSTLE_HD double least_norm_answer(const Certify<Team, Work>& certify, const Guess<Team, Work>& guess,
                                   StepResult& result) {
  const Team& team = certify.of.team;
  const Island& island = certify.of.island;
  const Work& work = certify.of.work;
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
    residual = proximal_answer(certify, guess, result);
    if (!(residual <= certify.tolerance())) {
      result.vertex += 1;
      residual = take_lemkes();
      guess.write_modes_of_answer();
    }
  }
  take_rest(certify, residual);
  return residual;
}

/// Sets what the exact certificate cannot tell from 0 in the LCP's vector to 0. Of a body in a jam that moves as it
/// may, q is nothing but the rounding errors of speeds, and along the impulses of the jam pivoting would take their
/// signs for a motion that nothing stops. Returns whether there were any. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD bool snap_vector(const IslandProblem<Team, Work>& of, double least) {
  const Team& team = of.team;
  const Island& island = of.island;
  const Work& work = of.work;
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
template <class Team, AnyWorkspace Work>
JOSTLE_HD bool is_without_impulses(const IslandProblem<Team, Work>& of) {
  return !any_of(of.team, of.island.blocks, [&](int i) {
    const Block& block = of.work.block(of.work.island_block(of.island.first_block + i));
    return block.normal >= 0 || block.is_moment() || block.bound != 0;
  });
}

/// Its answer is v0, which work.next_velocity() has. False if it is not certified. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE bool answer_without_impulses(const Certify<Team, Work>& certify, StepResult& result) {
  const Team& team = certify.of.team;
  const Island& island = certify.of.island;
  const Work& work = certify.of.work;
  for_each_block(team, island, work, [&](int c) {
    write_block_speeds(work, c);
    write_slip_without_impulse(work, c);
  });
  team.sync();
  double residual = certify_speeds(team, island, work, certify.scale.q_size);
  if (!(residual <= certify.tolerance())) return false;
  result.guessed += 1;
  take_rest(certify, residual);
  if (residual > result.residual) result.residual = residual;
  return true;
}

}  // namespace jostle::detail
