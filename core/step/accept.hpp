#pragma once
// What becomes of a piece that is solved: its account of energy, its part of the state and of records, and whether
// positions are projected after it.
#include "core/accelerations/runge_kutta.hpp"
#include "core/cone/pointedness.hpp"
#include "core/contacts/hidden_overlap.hpp"
#include "core/events/blow.hpp"
#include "core/events/joint_impact.hpp"
#include "core/events/projection.hpp"
#include "core/records/record_steps.hpp"
#include "core/stages/divide.hpp"
#include "core/stages/growth.hpp"
#include "core/stages/integrate.hpp"
#include "core/stages/rest.hpp"
#include "core/stages/stage.hpp"

namespace jostle {

/// Whether a projection follows at the end of the sub-step; then it is the next piece.
template <class Team>
JOSTLE_HD void find_overlap(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
  if constexpr (decltype(work)::has_impacts) {
    if (!system.model.dimensions.has_impacts || progress.has_more_pieces()) return;
    if (progress.projections == Projection::most) return;
    const bool any_pair = progress.piece == Piece::projection || progress.result.events > 0;
    progress.overlap = Projection::deepest_overlap(team, system, work, any_pair);
    progress.settles = false;
    if (progress.overlap == 0 && progress.projections == 0 && has_stages_in(system.model, progress)) {
      progress.overlap = Projection::widest_held_gap(team, system, work, progress.result.contacts);
      progress.settles = progress.overlap > 0;
    }
    if (progress.overlap > 0) progress.next_piece = Piece::projection, ++progress.projections;
  }
}

/// Whether shapes are in each other after the last projection, though each of them had an answer; or, under a method
/// that does not look for collisions, after a motion, by more than contacts show. Begins and ends synced.
template <class Team>
JOSTLE_HD bool ends_in_overlap(const Team& team, const System& system, AnyWorkspace auto work,
                               const StepProgress& progress) {
  if constexpr (decltype(work)::has_impacts) {
    if (system.model.dimensions.has_impacts)
      return progress.piece == Piece::projection && progress.projections == Projection::most && !progress.stays &&
             Projection::leaves_overlap(team, system, work);
  }
  return progress.piece == Piece::motion && has_hidden_overlap(team, system, work, progress.halvings > 0);
}

/// What the piece adds to the kinetic energy beyond the work of forces; the same on all lanes.
JOSTLE_HD StepEnergy account_of_piece(const System& system, AnyWorkspace auto work, const StepProgress& progress) {
  if constexpr (decltype(work)::has_impacts) {
    if (has_stages_in(system.model, progress))
      return energy_of_stages(system, work, progress.result.contacts, progress.work, progress.work_of_drives);
  }
  StepEnergy account = step_energy(system, work);
  if (system.model.dimensions.prescribed > 0) account.add(prescribed_energy(system, work, progress));
  return account;
}

/// Makes the piece, with its account of energy, part of the state.
template <class Team, class Clock>
JOSTLE_HD void accept_piece(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                            const StepEnergy& account, const Clock& clock) {
  StepResult& result = progress.result;
  if constexpr (decltype(work)::has_impacts) {
    if (progress.piece == Piece::projection) return Projection::accept(team, system, work, progress);
  }
  const bool is_first = progress.pieces == 0, is_whole = is_first && !progress.has_more();
  if (is_first && !is_whole && progress.kept == 0) {
    progress.energy_at_start = detail::kinetic_energies(system, work).before;
    keep_state(team, system, work), progress.kept = 1;
  }
  if constexpr (decltype(work)::is_coupled) {
    if (progress.piece == Piece::joint_impact) {
      progress.energy.add(account);
      return JointImpact::accept(team, system, work, progress);
    }
    if (progress.piece == Piece::blow) {
      progress.energy.add(account);
      if constexpr (decltype(work)::has_records) record_piece(team, system, work, progress);
      return Blow::accept(team, system, work, progress);
    }
  }
  bool may_rest = is_whole;  // else the next step may be longer
  const bool has_stages = decltype(work)::has_impacts && has_stages_in(system.model, progress);
  if constexpr (decltype(work)::has_impacts) {
    if (has_stages && moves_in_stages(team, system, work)) may_rest = false;
  }
  progress.energy.add(account);
  keep_rest(team, system, work, progress);
  accept_step(team, system, work, result.contacts, facts_of(progress, has_stages), progress.step.h);
  if constexpr (decltype(work)::has_cones) accept_pointedness(team, system, work, result);
  if (!may_rest) team.once([&] { system.state().resting() = 0; });
  if constexpr (decltype(work)::has_records) record_piece(team, system, work, progress);
  const double depth = deepest_penetration(team, system, work, result.contacts);
  if (depth > result.penetration) result.penetration = depth;
  ++progress.pieces;
  team.sync();
  clock(Stage::integrate);
}

}  // namespace jostle
