#pragma once
// Most LCPs need no pivoting: in most steps the contacts do what they did in the step before. The modes of that step
// are tried, then a few times modes whose signs the answer violates are changed. An answer that the certificate accepts
// is as exact as one of Lemke's method.
#include "core/assembly/schur.hpp"
#include "core/guess/mode_answer.hpp"

namespace jostle {

/// Changes of modes before an LCP goes to Lemke's method, and after it.
inline constexpr int max_corrections = 6;
inline constexpr int max_corrections_after_lemke = 30;
/// So many times all violated modes are changed, a step of a semismooth Newton method; then, as that may cycle, only
/// the first of them.
inline constexpr int joint_corrections = 3;
/// What counts as a violated sign, relative to |q'|inf.
inline constexpr double sign_tolerance = 5e-13;
/// A contact is closed in an answer if it separates by less than this, relative to |q'|inf.
inline constexpr double closed_tolerance = 1e-9;
/// ... and sticks if it slips by less than this.
inline constexpr double stick_tolerance = 1e-11;

/// The sizes of an LCP.
struct LcpScale {
  int n = 0;
  double q_size = 0;  ///< |q'|inf
};

/// What came of trying modes.
struct GuessResult {
  bool certified = false;
  int corrections = 0;  ///< of the modes that gave the answer
  double residual = infinity();
};

/// Tries modes for one LCP. All members of the workspace that hold an answer belong to the last modes tried.
template <class Team, AnyWorkspace Work>
class Guess {
 public:
  JOSTLE_HD Guess(const Team& team, const MixedLcp& problem, const ModelView& model, const Work& work,
                  const LcpScale& lcp)
      : team_(team), problem_(problem), model_(model), work_(work), lcp_(lcp) {}

  /// Whether every block of the LCP has a mode.
  JOSTLE_HD bool is_possible() const {
    return team_.select(
        problem_.blocks, [&](int c) { return has_modes(work_.block(c)); }, [](bool a, bool b) { return !a && b; });
  }

  /// Tries work.mode(). If certified, work.z, .row_impulse, .next_velocity and .row_speed hold the answer, and
  /// work.mode() its modes. Begins and ends synced.
  JOSTLE_HD GuessResult answer(int most_corrections, double tolerance) const {
    GuessResult accepted;
    find_structure(team_, model_.dimensions, problem_.blocks, work_);
    for (int corrections = 0;; ++corrections) {
      const double residual = residual_of_modes();
      int changed = problem_.blocks;
      if (residual <= tolerance) {
        if (!accepted.certified) changed = close_redundant();
        accepted = {true, corrections, residual};
        if (changed == problem_.blocks) return accepted;
        team_.for_each(problem_.blocks, [&](int c) { work_.kept_mode(c) = work_.mode(c); });
      } else {
        changed = correct();
      }
      if (changed == problem_.blocks || corrections == most_corrections) break;
      take_modes(work_.next_mode(), residual <= tolerance || corrections < joint_corrections ? -1 : changed);
    }
    if (!accepted.certified) return {};
    take_modes(work_.kept_mode(), -1);
    residual_of_modes();
    return accepted;
  }

  /// The modes of the answer in work.z, whose velocities are in work.next_velocity. Ends synced.
  JOSTLE_HD void write_modes_of_answer() const {
    write_row_speeds(team_, problem_, work_);
    const ModeTolerance closed{closed_tolerance * lcp_.q_size}, sticks{stick_tolerance * lcp_.q_size};
    team_.for_each(problem_.blocks, [&](int c) { work_.mode(c) = mode_of_answer(work_, c, closed, sticks); });
    team_.sync();
  }

 private:
  using Kind = Mode::Kind;

  /// Solves the system of the modes; returns the certificate.
  JOSTLE_HD double residual_of_modes() const {
    solve_modes(team_, model_.dimensions, problem_.blocks, work_, lcp_.q_size);
    team_.for_each(problem_.blocks, [&](int c) { write_impulses(model_, work_, c); });
    team_.sync();
    velocity_from_impulses<false>(team_, model_.dimensions, problem_, work_);
    write_row_speeds(team_, problem_, work_);
    team_.for_each(problem_.blocks, [&](int c) { write_slip_speed(work_, c); });
    team_.sync();
    return certify_speeds(team_, work_, lcp_.n, lcp_.q_size);
  }

  /// Changes the modes whose signs are violated: writes work.next_mode(), returns the first block that changes.
  JOSTLE_HD int correct() const {
    const ModeTolerance tolerance{sign_tolerance * lcp_.q_size};
    team_.for_each(problem_.blocks, [&](int c) { work_.next_mode(c) = corrected_mode(model_, work_, c, tolerance); });
    return first_change();
  }

  /// The same for open contacts that touch without an impulse, and that the first solve made penetrate: the answer of
  /// least norm loads them. Friction makes the problem unsymmetric, so that it may have no such answer.
  JOSTLE_HD int close_redundant() const {
    const ModeTolerance zero{1e-12 * lcp_.q_size}, first_solve{0.01 * proximal_weight * lcp_.q_size};
    team_.for_each(problem_.blocks, [&](int c) {
      const double scale = work_.block_scale(c);
      const bool closes = work_.mode(c).kind == Kind::open &&
                          work_.row_speed(work_.block(c).normal) <= zero.speed(scale) &&
                          work_.mode_row(mode_rows_per_block * c).defect < -first_solve.speed(scale);
      work_.next_mode(c) = closes ? mode_of_first_slip(model_, work_, c) : work_.mode(c);
    });
    return first_change();
  }

  /// problem.blocks if no mode changes.
  JOSTLE_HD int first_change() const {
    return team_.select(
        problem_.blocks, [&](int c) { return work_.next_mode(c) == work_.mode(c) ? problem_.blocks : c; },
        [](int a, int b) { return a < b; });
  }

  /// `only`: the one block whose mode is taken; -1: all.
  JOSTLE_HD void take_modes(const auto& modes, int only) const {
    team_.sync();
    team_.for_each(problem_.blocks, [&](int c) {
      if (only < 0 || c == only) work_.mode(c) = modes[c];
    });
    team_.sync();
  }

  const Team& team_;
  const MixedLcp& problem_;
  const ModelView& model_;
  const Work& work_;
  const LcpScale& lcp_;
};

}  // namespace jostle
