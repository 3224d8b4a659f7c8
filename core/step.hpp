#pragma once
// The only driver of a step, for every method, team and machine:
//
//     divide -> [ begin -> [ next problem -> solve -> take the answer ] ... -> end ] of every piece of every sub-step
//
// A step has several sub-steps only where bodies move fast, and a sub-step has several pieces only where a method finds
// collisions in it. Outcomes and trajectories see whole steps.
// Only the driver reports to the clock which stage has ended (`solve` reports its own parts), lets the teams of a
// block meet, and commits and records the result of the method.
#include "core/assembly/joint_certificate.hpp"
#include "core/events/impact.hpp"
#include "core/events/joint_impact.hpp"
#include "core/methods/methods.hpp"
#include "core/stages/energy_watch.hpp"
#include "core/stages/growth.hpp"
#include "core/stages/initialise.hpp"
#include "core/stages/load.hpp"
#include "core/stages/solve.hpp"
#include "core/step/accept.hpp"
#include "core/step/substeps.hpp"

namespace jostle {

/// f(the workspace with the traits of the code that a model needs on a CPU).
template <class Plain = RecordedPlainSystems, class All = AllSystems, class F>
auto with_traits(const Dimensions& d, AnyWorkspace auto work, F f) {
  return d.is_plain() ? f(work.template as<Plain>()) : f(work.template as<All>());
}

/// Whether the system has a step left up to `last_step`. Loads and initialises a system that has not run.
template <class Team>
JOSTLE_HD bool has_step(const Team& team, const System& system, AnyWorkspace auto work, int last_step) {
  if (system.state().status() == static_cast<int>(Status::not_loaded)) {
    team.sync();
    load(team, system, work.shared_number(), work.operands());
  }
  if (system.state().status() == static_cast<int>(Status::not_run)) {
    team.sync();
    initialise(team, system, work);
    if constexpr (decltype(work)::has_records) record_start(team, system, work);
  }
  return has_step_left(system, last_step);
}

/// with_piece(method, progress, work, f): f.operator()<M>() with what makes the current piece: the method, if it is a
/// motion.
template <class F>
JOSTLE_HD void with_piece(Method method, const StepProgress& progress, AnyWorkspace auto work, F f) {
  if constexpr (decltype(work)::has_impacts) {
    if (progress.piece == Piece::impact) return f.template operator()<Impact>();
    if (progress.piece == Piece::projection) return f.template operator()<Projection>();
  }
  if constexpr (decltype(work)::is_coupled) {
    if (progress.piece == Piece::joint_impact) return f.template operator()<JointImpact>();
    if (progress.piece == Piece::blow) return f.template operator()<Blow>();
  }
  using Methods = std::conditional_t<decltype(work)::has_impacts, AllMethods, PlainMethods>;
  Methods::with(method, f);
}

template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void begin_step(const Team& team, const System& system, AnyWorkspace auto work,
                                         StepProgress& progress, const Clock& clock) {
  if constexpr (decltype(work)::has_records) {
    if (progress.pieces == 0) record_attempt(team, system);
  }
  begin_rest(team, system, work, progress.halvings > 0);
  if constexpr (decltype(work)::is_coupled) {
    if (system.model.dimensions.has_joint_loops && system.state().redundant() == any_number)
      JointsAlone::find_redundant(team, system, work, progress);
    if (system.model.dimensions.blows > 0) Blow::begin_if_due(system, progress);
    if (progress.piece == Piece::motion && system.model.dimensions.has_impacts)
      JointImpact::begin_if_needed(team, system, work, progress);
  }
  const Piece wanted = progress.piece;
  with_piece(system.model.method, progress, work, [&]<class Method>() { Method::begin(team, system, work, progress); });
  if constexpr (decltype(work)::has_impacts) {  // a motion may find that an impact comes before it
    if (progress.piece != wanted) Impact::begin(team, system, work, progress);
  }
  clock(Stage::collide);
}

/// Solves a problem; of coupled bodies also the impulses of the joints, which the answer must keep together. Where it
/// does not keep those whose equations were left out because of errors of joints, fewer are left out.
template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL void solve_problem(const Team& team, MixedLcp problem, const ModelView& model,
                                                    AnyWorkspace auto work, const Clock& clock, StepResult& result) {
  const StepResult before = result;
  for (;;) {
    with_coupling(model.dimensions, work, [&](auto own) { solve(team, problem, model, own, clock, result); });
    if constexpr (!decltype(work)::is_coupled) {
      return;
    } else {
      if (result.status != Status::ok || problem.joints == 0) return;
      write_joint_impulses(team, model.dimensions, problem, work);
      const double share = share_of_bias(problem, work, result.held);
      const double residual = certify_joints(team, model.dimensions, share, model.lemke, work);
      if (residual > model.lemke.certificate_tolerance) result.status = Status::uncertified;
      if (is_nan(residual)) result.status = Status::not_finite;
      if (!(residual <= result.residual)) result.residual = residual;
      if (result.status != Status::uncertified || !(work.joint_dependence() > zero_pivot)) return;
      const bool is_held = result.held;  // and so stays: the problem has been changed
      result = before, result.held = before.held || is_held;
      problem.most_dependence = work.joint_dependence() * 0x1p-6;
    }
  }
}

/// Solves all problems of the step, up to the first that fails.
template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void solve_step(const Team& team, const System& system, AnyWorkspace auto work,
                                         StepProgress& progress, const Clock& clock) {
  with_piece(system.model.method, progress, work, [&]<class Method>() {
    MixedLcp problem;
    const bool held_before = progress.result.held;  // in a piece before
    while (progress.result.status == Status::ok && Method::next(team, system, work, progress, problem)) {
      progress.result.held = held_before;  // of the problems of a piece the last one counts
      if constexpr (decltype(work)::is_coupled) {
        if (system.model.dimensions.has_joint_loops) problem.most_redundant = system.state().redundant();
      }
      solve_problem(team, problem, system.model, work, clock, progress.result);
      if (progress.result.status != Status::ok) {
        if constexpr (requires { Method::recover(team, system, work, progress); }) {
          if (Method::recover(team, system, work, progress)) continue;
        }
        return;
      }
      if constexpr (decltype(work)::has_records) {
        if (problem.blocks > 0 && progress.piece != Piece::projection &&
            !record_lcps(team, system, work, progress.pieces, problem.stage)) {
          progress.result.status = Status::capacity, progress.result.no_rows = true;
          return;
        }
      }
      take_islands_at_rest(team, system, work, progress.result);
      Method::take(team, system, work, progress);
      clock(Stage::integrate);
    }
  });
}

/// What is told of a step that repeats the one before, whether or not it was computed; only a computed one has an LCP.
JOSTLE_HD inline StepResult as_repeated(const StepResult& computed) {
  StepResult result;
  result.status = computed.status;
  result.contacts = computed.contacts;
  result.resting = computed.resting;
  result.held = computed.held;
  result.lcp_size = computed.lcp_size;
  result.path = computed.path;
  result.no_rows = computed.no_rows;
  result.rests = true;
  return result;
}

/// Ends a piece: accepts the new state, or divides the step again, or stores the status of a failure with the state
/// before the step. `capacity`, of the workspace or of a record, stores nothing. Returns whether the step has another
/// piece.
template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE bool end_step(const Team& team, const System& system, AnyWorkspace auto work,
                                       StepProgress& progress, const Clock& clock) {
  StepResult& result = progress.result;
  if (result.status == Status::ok && !next_is_finite(team, system, work)) result.status = Status::not_finite;
  if constexpr (decltype(work)::is_coupled) {
    if (result.status == Status::ok && makes_first_step_again(team, system, work, progress)) return true;
  }
  const bool is_too_fast = result.status == Status::ok && (moves_too_far(team, system, work, progress.step.h) ||
                                                           ends_in_overlap(team, system, work, progress));
  const bool is_motion = progress.piece != Piece::projection;  // or an impact
  StepEnergy account;
  EnergyWatch watch = energy_watch(system.state());
  if (result.status == Status::ok && !is_too_fast && is_motion) {
    account = account_of_piece(system, work, progress);
    if (energy_grows(team, system, work) ||
        (progress.step.h > 0 && explodes(team, system, work, progress, account, watch.before)) ||
        (may_outgrow(system.model) && outgrows(team, system, work, progress, account, watch)))
      result.status = Status::energy_growth;
  }
  if constexpr (decltype(work)::has_records) {
    if (result.status == Status::ok && !is_too_fast && has_contacts(progress.piece) &&
        lacks_rows(team, system, result.contacts + filtered_rows(work, result.contacts)))
      result.status = Status::capacity, result.no_rows = true;
  }
  team.sync();
  if (result.status == Status::ok && !is_too_fast) {
    find_overlap(team, system, work, progress);
    accept_piece(team, system, work, progress, account, clock);
    if (is_motion && may_outgrow(system.model)) team.once([&] { keep_energy(system.state(), watch); });
    if (progress.has_more()) {
      start_next(system, progress);
      return true;
    }
    result.energy_gain = progress.energy.gain();
    result.substeps = progress.halvings > 0 ? 1 << progress.halvings : 0;
    result.projections = progress.projections;
    record_step(team, system, work, result);
    if constexpr (decltype(work)::has_records) record_end(team, system, work, progress);
    clock(Stage::record);
    return false;
  }
  if (progress.kept != 0) restore_state(team, system, work);
  if (is_too_fast) divide_again(system, progress);
  if (result.status == Status::ok) return true;
  if constexpr (decltype(work)::is_coupled) {
    if (progress.knows_forces) forget_forces(team, system);
  }
  if (result.status != Status::capacity) team.once([&] { system.state().status() = static_cast<int>(result.status); });
  team.sync();
  return false;
}

/// Takes a step that repeats the one before, or up to `most` of them.
template <class Team>
JOSTLE_HD StepResult take_repeated_step(const Team& team, const System& system, AnyWorkspace auto work, int most) {
  if constexpr (decltype(work)::has_records) {
    if (lacks_repeated_rows(team, system)) {
      StepResult none;
      none.status = Status::capacity, none.no_rows = true;
      return none;
    }
  }
  const StepResult result = repeat_step(team, system, work, most);
  if constexpr (decltype(work)::has_records) record_repeated(team, system, work);
  return result;
}

/// The meeting of a team that shares its block with no other: see make_step.
struct MeetNobody {
  JOSTLE_HD void operator()() const {}
  JOSTLE_HD bool any(bool goes_on) const { return goes_on; }
};

/// Makes one step if `is_wanted`. The status `capacity` means that the step was not made: it needs a workspace for more
/// contacts or, with StepResult::no_rows, a record for more rows. Teams of a block wait for each other at
/// `meet()` between the parts of a piece, and go on as long as `meet.any(goes_on)` of all of them; a team without a
/// piece only waits. A step that begins in the bits of the step before has its
/// result and is not computed, unless the model asks for it; then up to `most_repeated` such steps are taken at once.
template <class Team, class Clock, class Meet>
JOSTLE_HD StepResult make_step(const Team& team, const System& system, AnyWorkspace auto work, bool is_wanted,
                               int most_repeated, const Clock& clock, Meet meet) {
  StepProgress progress;
  progress.result.rests = is_wanted && system.state().resting() != 0;
  bool is_computed = is_wanted && (!progress.result.rests || system.model.every_step);
  if constexpr (decltype(work)::has_records) is_computed = is_computed || (is_wanted && is_needed_by_record(system));
  if (is_computed) divide_step(team, system, progress);
  if constexpr (decltype(work)::has_impacts) {
    if (is_computed) divide_by_stiffness(team, system, progress);
  }
  start_substep(system, 0, progress);
  for (bool goes_on = is_computed; meet.any(goes_on);) {
    const bool is_solvable = goes_on && progress.result.status == Status::ok;
    if (is_solvable) begin_step(team, system, work, progress, clock);
    meet();
    if (is_solvable) solve_step(team, system, work, progress, clock);
    meet();
    if (goes_on) goes_on = end_step(team, system, work, progress, clock);
  }
  if (is_wanted && !is_computed) return take_repeated_step(team, system, work, most_repeated);
  return progress.result.rests ? as_repeated(progress.result) : progress.result;
}

/// The loop over steps of `simulate`: `has_step()` and `make_step(most_repeated)` are those of one team and system.
template <class HasStep, class MakeStep, class Observe>
JOSTLE_HD Pause take_steps(const System& system, int last_step, int most_repeated, HasStep has_step, MakeStep make_step,
                           Observe observe) {
  while (has_step()) {
    const int left = last_step - system.state().steps();
    const StepResult result = make_step(most_repeated < left ? most_repeated : left);
    if (result.status == Status::capacity) return result.no_rows ? Pause::records_full : Pause::overflow;
    observe(result);
  }
  return Pause::finished;
}

/// Simulates the system up to step `last_step`, or to the step that fails. `overflow`: the next step needs a workspace
/// for more contacts than `work.contacts()`; a call with a larger one continues with bit-identical results.
/// `records_full`: the same with a record for more rows than RecordView::capacity. Every lane calls
/// `observe(StepResult)` after every step, but only after the last of up to `most_repeated` that repeat each other.
template <class Team, class Observe>
JOSTLE_HD Pause simulate(const Team& team, const System& system, AnyWorkspace auto work, int last_step, Observe observe,
                         int most_repeated = 1) {
  return take_steps(
      system, last_step, most_repeated, [&] { return has_step(team, system, work, last_step); },
      [&](int repeated) { return make_step(team, system, work, true, repeated, NoClock{}, MeetNobody{}); }, observe);
}

}  // namespace jostle
