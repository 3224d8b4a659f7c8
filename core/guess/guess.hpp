#pragma once
// Most LCPs need no pivoting: in most steps the contacts do what they did in the step before. The modes of that step
// are tried, then a few times modes are changed whose signs the regularised problem violates, and at the end those
// whose signs the answer violates. An answer that the certificate accepts is as exact as one of Lemke's method.
#include <limits>

#include "core/assembly/schur.hpp"
#include "core/guess/gauss_seidel.hpp"
#include "core/guess/mode_end.hpp"

namespace jostle {

/// Changes of modes in each of the two phases, before an LCP goes to Lemke's method and after it.
inline constexpr int max_corrections = 6;
inline constexpr int max_corrections_after_lemke = 8;
/// Changes where contacts contradict each other: of a first guess, whose way begins at the regularised problem, and of
/// all others, which seldom lead there by more.
inline constexpr int max_near_corrections = 12;
inline constexpr int max_later_near_corrections = 4;
/// So many times all violated modes are changed, a step of a semismooth Newton method; then, as that may cycle, only
/// the first of them.
inline constexpr int joint_corrections = 3;
/// What counts as a violated sign, relative to |q'|inf.
inline constexpr double sign_tolerance = 5e-13;
/// ... in the answer of the regularised problem, which is that of one solve, and whose contacts yield 1e-6.
inline constexpr double regularised_tolerance = 1e-9;
/// The modes of an answer with at most this residual are right but for rounding, or for a contact that is tied.
inline constexpr double near_tolerance = 1e-6;
/// A contact is closed in an answer if it separates by less than this, relative to |q'|inf.
inline constexpr double closed_tolerance = 1e-9;
/// ... and sticks if it slips by less than this.
inline constexpr double stick_tolerance = 1e-11;

/// The result of a guess.
struct GuessResult {
  bool certified = false;
  int corrections = 0;  ///< of the modes that gave the answer
  double residual = infinity();
  bool is_regularised = false;  ///< the signs of the regularised problem are right, too
};

/// Tries modes for the LCP of an island. All members of the workspace that hold an answer belong to the last modes
/// tried.
template <class Team, AnyWorkspace Work>
class Guess {
 public:
  /// `q_size`: |q'|inf; `eps`: of the equations of modes; `allowance`: of the tolerances of exact answers, at least 1.
  JOSTLE_HD Guess(const Team& team, const Island& island, const ModelView& model, const Work& work, double q_size,
                  double eps, double allowance)
      : team_(team), island_(island), model_(model), work_(work), q_size_(q_size), eps_(eps), allowance_(allowance) {}

  /// Whether every block of the LCP has a mode.
  JOSTLE_HD bool is_possible() const {
    return !any_of(team_, island_.blocks, [&](int i) { return !is_described_by_mode(work_.block(block(i))); });
  }

  /// Gives new contacts the modes that they would have without impulses if this `guesses`; else they stick. Ends
  /// synced.
  JOSTLE_HD void begin(bool guesses) const {
    for_each_block(team_, island_, work_, [&](int c) {
      if (work_.mode(c).kind == Kind::unknown) begin_contact(c, guesses);
      if (guesses) work_.first_mode(c) = work_.mode(c);
    });
    team_.sync();
  }

  /// Back to the modes that begin() left.
  [[gnu::cold]] JOSTLE_HD void take_first_modes() const {
    team_.sync();
    for_each_block(team_, island_, work_, [&](int c) { work_.mode(c) = work_.first_mode(c); });
    team_.sync();
  }

  /// Tries work.mode(). If certified, work.z, .row_impulse, .next_velocity and .row_speed hold the answer, and
  /// work.mode() its modes. Modes are corrected by the signs of the regularised problem until these are right, then, or
  /// `at_end` from the start, by those of the modes' own answer; where contacts contradict each other, at most
  /// `most_near` times more, along the way of the proximal points (this needs work.proximal_impulse). Begins and ends
  /// synced.
  JOSTLE_HD JOSTLE_OUTLINE GuessResult answer(int most_corrections, bool at_end = false,
                                              int most_near = max_later_near_corrections) const {
    const double tolerance = allowance_ * model_.lemke.exact_tolerance;
    bool contradicts = false;  // contacts whose modes are nearly right: the way of their proximal points is followed,
                               // each time from where it has led to
    for (int corrections = 0, tried = 0;; ++corrections, ++tried) {
      solve_regularised(team_, island_, model_, work_, eps_, 0, contradicts);
      int changed = at_end ? no_block : correct(Signs::regularised);
      double distance = 0;  // along the way of the proximal points
      if (changed == no_block) {
        double residual = residual_of_modes();
        const bool is_near = residual <= near_tolerance;
        const bool leaves_out = is_near && has_roundings(tolerance);
        if (leaves_out && !(residual <= tolerance)) residual = residual_without_roundings(tolerance, contradicts);
        if (residual <= tolerance && contradicts) residual = residual_from_zero(tolerance, leaves_out);
        if (residual <= tolerance) return {true, corrections, residual, !at_end};
        if (is_near && !contradicts) contradicts = true, most_corrections = most_near, tried = 0;
        if (!at_end) tried = 0;
        at_end = true;
        changed = correct(contradicts ? Signs::near_answer : Signs::answer);
        if (changed == no_block && is_near) changed = end_first_mode(distance);
      }
      if (changed == no_block || tried >= most_corrections) return {};
      if (contradicts) keep_impulses_at(distance);
      take_next_modes(tried < joint_corrections && !contradicts ? -1 : changed);
      if (most_corrections > max_corrections && !contradicts && tried >= joint_corrections &&
          repeats(tried - joint_corrections + 1))
        return {};
    }
  }

  /// As answer(), of contacts alone and from the modes of sweeps, which lead there from impulses that are too small and
  /// from some that are too large. Where friction allows several answers, or a family of them, these seldom agree, or
  /// some sign of the regularised problem is wrong.
  [[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE GuessResult answer_of_gauss_seidel() const {
    GuessResult found = answer_of_gauss_seidel(without_impulses);
    if (!found.is_regularised) return {};
    keep_modes();
    const GuessResult other = answer_of_gauss_seidel(with_too_large_impulses);
    if (!other.is_regularised || !are_kept_modes()) return {};
    found.corrections += 1 + other.corrections, found.residual = other.residual;
    return found;
  }

  /// The modes of the answer in work.z, whose velocities are in work.next_velocity. Ends synced.
  JOSTLE_HD JOSTLE_OUTLINE void write_modes_of_answer() const {
    write_row_speeds(team_, island_, work_);
    const ModeTolerance closed{closed_tolerance * allowance_ * q_size_}, sticks{stick_tolerance * allowance_ * q_size_};
    for_each_block(team_, island_, work_, [&](int c) { work_.mode(c) = mode_of_answer(work_, c, closed, sticks); });
    team_.sync();
  }

  /// Whether each contact that is closed in work.mode() has an impulse in work.z.
  JOSTLE_HD bool are_loaded() const {
    return !any_of(team_, island_.blocks, [&](int i) {
      const int c = block(i);
      return work_.block(c).normal >= 0 && work_.mode(c).kind != Kind::open &&
             !(work_.z(work_.block_variables(c).normal) > 0);
    });
  }

  /// The modes that the impulses in work.z show, with nothing taken for zero. Ends synced.
  JOSTLE_HD void write_modes_of_impulses() const {
    for_each_block(team_, island_, work_, [&](int c) { work_.mode(c) = mode_of_impulses(work_, c); });
    team_.sync();
  }

 private:
  using Kind = Mode::Kind;

  JOSTLE_HD GuessResult answer_of_gauss_seidel(GaussSeidelStart start) const {
    write_modes_of_gauss_seidel(team_, island_, model_, work_, eps_, start);
    return answer(max_corrections);
  }

  /// Into work.first_mode(). Ends synced.
  JOSTLE_HD void keep_modes() const {
    team_.sync();
    for_each_block(team_, island_, work_, [&](int c) { work_.first_mode(c) = work_.mode(c); });
    team_.sync();
  }
  JOSTLE_HD bool are_kept_modes() const {
    return !any_of(team_, island_.blocks, [&](int i) { return !(work_.mode(block(i)) == work_.first_mode(block(i))); });
  }
  static constexpr int no_block = std::numeric_limits<int>::max();

  /// Solves the system of the modes to the end; returns the certificate.
  JOSTLE_HD JOSTLE_OUTLINE double residual_of_modes() const {
    solve_modes(team_, island_, work_, q_size_);
    for_each_block(team_, island_, work_, [&](int c) { write_impulses(model_, work_, c); });
    team_.sync();
    velocity_from_impulses(team_, model_.dimensions, island_, work_);
    for_each_block(team_, island_, work_, [&](int c) {
      write_block_speeds(work_, c);
      write_slip_speed(work_, c);
    });
    team_.sync();
    return certify_speeds(team_, island_, work_, q_size_);
  }

  [[gnu::cold]] JOSTLE_HD void begin_contact(int c, bool guesses) const {
    const std::uint16_t held = work_.mode(c).held;
    work_.mode(c) = guesses ? free_mode(work_.block(c)) : Mode{Kind::stick, 0};
    work_.mode(c).held = held;
  }

  /// The mode of a contact by its velocity without impulses: it slips if stopping this slip as well would take more
  /// than friction gives, of a body that responds alike in all directions.
  JOSTLE_HD Mode free_mode(const Block& block) const {
    if (block.normal < 0 || block.tangents == 0) return {Kind::stick, 0};
    const auto speed = [&](int r) { return add_product(work_.row_bias(r), work_.row(r), work_.free_velocity()); };
    const double separates = speed(block.normal);
    const Direction slip = slip_of_rows(model_, block.tangent, speed);
    const int slowest = slowest_direction(model_, slip);
    const double most = block.friction * (separates < 0 ? -separates : 0.0);
    if (!(-dot(direction(model_, slowest), slip) > most)) return {Kind::stick, 0};
    return Mode::slip(slowest);
  }

  /// Whether the certificate cannot tell some b_n from 0.
  JOSTLE_HD bool has_roundings(double tolerance) const {
    return any_of(team_, island_.blocks, [&](int i) {
      const int c = block(i), row = work_.block(c).normal;
      return row >= 0 && bias_above(tolerance * q_size_, work_, c, row) != work_.row_bias(row);
    });
  }

  /// ... without these b_n, from impulses 0 or from those that are kept.
  [[gnu::cold]] JOSTLE_HD double residual_without_roundings(double tolerance, bool from_kept) const {
    solve_regularised(team_, island_, model_, work_, eps_, tolerance * q_size_, from_kept);
    return residual_of_modes();
  }

  /// Of modes with an answer on the way of the proximal points: that of least norm, or, if it is not certified, the one
  /// on the way.
  [[gnu::cold]] JOSTLE_HD double residual_from_zero(double tolerance, bool leaves_out) const {
    const double without = leaves_out ? tolerance : 0.0;
    const double of_least_norm = residual_without_roundings(without, false);
    return of_least_norm <= tolerance ? of_least_norm : residual_without_roundings(without, true);
  }

  /// Changes the modes whose signs are violated: writes work.next_mode(), returns the first block that changes.
  JOSTLE_HD JOSTLE_OUTLINE int correct(Signs signs) const {
    const ModeTolerance tolerance{(signs != Signs::regularised ? allowance_ * sign_tolerance : regularised_tolerance) *
                                  q_size_};
    for_each_block(team_, island_, work_,
                   [&](int c) { work_.next_mode(c) = corrected_mode(model_, work_, c, signs, tolerance); });
    return first_change();
  }

  /// Keeps the impulses so far along the way of the proximal points. Ends synced.
  [[gnu::cold]] JOSTLE_HD void keep_impulses_at(double distance) const {
    for_each_block(team_, island_, work_, [&](int c) { keep_impulse(model_, work_, c, distance); });
    team_.sync();
  }

  struct End {
    double distance;
    int block;
  };

  /// Of contacts that contradict each other, the one whose mode ends first on the way of the proximal points: writes
  /// its work.next_mode() and returns its block, or no_block if none ends.
  [[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE int end_first_mode(double& distance) const {
    const End first = team_.select(
        island_.blocks,
        [&](int i) {
          const int c = block(i);
          return End{end_of_mode(model_, work_, c).distance, c};
        },
        [](const End& a, const End& b) {
          return a.distance != b.distance ? a.distance < b.distance : a.block < b.block;
        });
    if (!(first.distance < infinity())) return no_block;
    distance = first.distance;
    team_.once([&] { work_.next_mode(first.block) = end_of_mode(model_, work_, first.block).beyond; });
    team_.sync();
    return first.block;
  }

  /// no_block if no mode changes.
  JOSTLE_HD int first_change() const {
    return team_.select(
        island_.blocks,
        [&](int i) {
          const int c = block(i);
          return work_.next_mode(c) == work_.mode(c) ? no_block : c;
        },
        [](int a, int b) { return a < b; });
  }

  /// `only`: the one block whose mode is taken; -1: all.
  JOSTLE_HD void take_next_modes(int only) const {
    team_.sync();
    for_each_block(team_, island_, work_, [&](int c) {
      if (only < 0 || c == only) work_.mode(c) = work_.next_mode(c);
    });
    team_.sync();
  }

  /// Whether the modes after correction `number`, counted from 1, of those that change one mode are those after an
  /// earlier one: what follows would be the same again. Looks back at the last power of two [Brent 1980], whose modes
  /// take the place of the first ones, which nobody needs after Lemke's method.
  JOSTLE_HD bool repeats(int number) const {
    if (number > 1 && are_kept_modes()) return true;
    if ((number & (number - 1)) == 0) keep_modes();
    return false;
  }

  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }

  const Team& team_;
  const Island& island_;
  const ModelView& model_;
  const Work& work_;
  const double q_size_, eps_, allowance_;
};

}  // namespace jostle
