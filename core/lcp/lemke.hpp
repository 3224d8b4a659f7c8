#pragma once
// Lemke's complementary pivoting [Cottle, Pang, Stone 1992, Section 4.4] on an equilibrated LCP, with the
// lexicographic ratio test [ibid., Section 4.9] and a certificate computed from the original data.
// One team of lanes per problem.
//
//     z = S z',  M' = S M S,  q' = S q        S = diag(scale), powers of two: the scaling is exact
//     w' = M' z' + d z0 + q'                  d: covering vector, z0: artificial variable
//
// z0 enters first and lifts every w' above zero. Then the complement of the variable that left enters, until z0 leaves
// (a solution) or nothing blocks (a ray). Contact LCPs are copositive: a ray then yields a z /= 0 with 0 <= z,
// M z >= 0, z'M z = 0 and q'z < 0, which is rare in the LCPs of Stewart and Trinkle's method. A ray does not prove that
// there is no solution, and rounding errors also end on rays, so there are other attempts. The lexicographic rule never
// repeats a basis; if rounding errors repeat one, the attempt has failed.
//
// A sequence of pivots is not backward stable: after a slope of 1e-8 the constants of the dictionary are accurate to
// eight digits, and rows that were taken for ties leave w slightly below zero: a box at rest then slides at 1e-13 m/s.
// If an answer is not exact, the method refactorises: it computes the dictionary of that basis from the original data
// by elimination with row exchanges. Most often that gives the solution, or is one pivot away from it.
#include <type_traits>

#include "core/lcp/answer.hpp"
#include "core/lcp/attempt.hpp"
#include "core/lcp/basis_history.hpp"
#include "core/lcp/column_dictionary.hpp"
#include "core/lcp/lcp.hpp"
#include "core/lcp/places.hpp"
#include "core/lcp/ratio_test.hpp"
#include "core/lcp/ray.hpp"
#include "core/lcp/row_dictionary.hpp"
#include "core/lcp/workspace.hpp"
#include "core/math/bits.hpp"
#include "core/team.hpp"

namespace jostle {

template <class Team, class Lcp, class Certify>
class Lemke {
 public:
  JOSTLE_HD JOSTLE_INLINE Lemke(const Team& team, const Lcp& lcp, const double* scale, const LemkeWorkspace& workspace,
                                const LemkeOptions& options, double* z, Certify& certify)
      : team_(team),
        lcp_(lcp),
        scale_(scale),
        workspace_(workspace),
        options_(options),
        z_(z),
        certify_(certify),
        dictionary_(team, lcp.n, workspace),
        places_(lcp.n, workspace),
        max_pivots_(options.max_pivots > 0 ? options.max_pivots : 50 * lcp.n) {}

  /// Makes one attempt after the other. A failure has the status of the first attempt.
  JOSTLE_HD JOSTLE_INLINE LcpResult solve() {
    LcpResult result;
    for (int number = 0; number == 0 || number < options_.attempts; ++number) {
      const LcpResult next = attempt(number);
      attempts_ = number + 1;
      if (number == 0 || next.status == LcpStatus::solved) result = next;
      result.pivots = pivots_;
      if (result.status != LcpStatus::ray && result.status != LcpStatus::uncertified) break;
    }
    return result;
  }

  /// Writes the answer of the basis { z_k : is_guessed(k) } to z and returns its residual; infinity if that basis is
  /// singular or makes a variable negative.
  template <class IsGuessed>
  JOSTLE_HD JOSTLE_INLINE double try_basis(IsGuessed is_guessed) {
    team_.for_each(n(), [&, this](int k) { places_.traded[k] = is_guessed(k) ? 1 : 0; });
    return begin(Start{0, true}) && lowest_row(Covering{0}) < 0 ? read_answer() : infinity();
  }

  JOSTLE_HD JOSTLE_INLINE bool is_basic(int k) const { return places_.is_basic(k); }
  JOSTLE_HD JOSTLE_INLINE int attempts() const { return attempts_; }
  /// Of the last attempt, if it has ended on a ray: core/lcp/ray.hpp.
  JOSTLE_HD JOSTLE_INLINE void write_ray(double* u) const {
    write_ray_of(team_, lcp_, places_, dictionary_.rows(), scale_, u);
  }

 private:
  /// The dictionary that pivoting starts with: that of the slacks (a cold start), with the tolerances and the covering
  /// vector of attempt `number`; or, refactorised from the original data, that of the basis that the cold start has
  /// reached.
  struct Start {
    int number;
    bool is_refactorised;
  };

  /// The best answer of an attempt; the workspace keeps it before another answer may overwrite z.
  struct Best {
    double residual;
    bool stands_in_z;
  };

  // A cold start and, if its answer is not exact, a second start from the basis that it has reached. (A loop, so that
  // the large pivoting code exists only once.)
  JOSTLE_HD JOSTLE_INLINE LcpResult attempt(int number) {
    team_.sync();  // lanes may still be reading data of the previous attempt
    team_.for_each(n(), [this](int k) { places_.traded[k] = 0; });
    Best best{infinity(), false};
    for (Start start{number, false};; start = {0, true}) {
      const LcpStatus end = pivot_from(start, best);
      if (start.is_refactorised) break;
      if (end != LcpStatus::solved) return {end, pivots_, infinity()};
      if (best.residual <= options_.exact_tolerance) break;
      keep_answer();
      team_.for_each(n(), [this](int k) { places_.traded[k] = places_.is_basic(k) ? 1 : 0; });
    }
    if (!best.stands_in_z) best.residual = restore_answer();
    const bool certified = best.residual <= options_.certificate_tolerance;
    return {certified ? LcpStatus::solved : LcpStatus::uncertified, pivots_, finite_or_infinity(best.residual)};
  }

  // Pivots to the end. A refactorised basis is also an answer by itself.
  JOSTLE_HD JOSTLE_INLINE LcpStatus pivot_from(const Start& start, Best& best) {
    best.stands_in_z = false;
    if (!begin(start)) return LcpStatus::not_finite;
    const int row = lowest_row(Covering{start.number});
    if (row < 0 || start.is_refactorised) compare_answer(start, best);
    if (row < 0) return LcpStatus::solved;
    const LcpStatus end = pivot(row);
    best.stands_in_z = false;
    if (end == LcpStatus::solved) compare_answer(start, best);
    return end;
  }

  // Writes the answer of the dictionary to z. It becomes the best if it is better than the one that is kept; after a
  // cold start it always is.
  JOSTLE_HD JOSTLE_INLINE void compare_answer(const Start& start, Best& best) {
    const double residual = read_answer();
    best.stands_in_z = !start.is_refactorised || residual < best.residual || is_nan(best.residual);
    if (!best.stands_in_z) return;
    best.residual = residual;
    if (start.is_refactorised) keep_answer();
  }

  JOSTLE_HD JOSTLE_INLINE void keep_answer() {
    team_.for_each(n(), [this](int k) { workspace_.answer[k] = z_[k]; });
  }

  JOSTLE_HD JOSTLE_INLINE double restore_answer() {
    team_.sync();
    places_.set_initial(team_);
    team_.for_each(n(), [this](int k) { z_[k] = workspace_.answer[k]; });
    team_.sync();
    return certify_();
  }

  // Computes the first dictionary. A refactorised one has the basis of the z_k with traded[k] = 1, whose w then take
  // their names. False if the data are not finite or the basis is singular.
  JOSTLE_HD JOSTLE_INLINE bool begin(const Start& start) {
    team_.sync();
    places_.set_initial(team_);
    const auto coefficient = [=](int i) { return start.is_refactorised ? 0.0 : Covering{start.number}(i); };
    dictionary_.load(team_, lcp_, scale_, coefficient, workspace_.ratios);
    const double matrix_size = largest_magnitude(team_, padded(n()), workspace_.ratios);
    const double vector_size = at_most_reached(largest_magnitude(team_, padded(n()), workspace_.constants));
    least_slope_ = options_.slope_tolerance * slope_factor(start.number) * matrix_size;
    snap_ = options_.snap_tolerance * snap_factor(start.number) * vector_size;
    vanish_ = options_.exact_tolerance * vector_size;
    return is_finite(matrix_size) && is_finite(vector_size) && (!start.is_refactorised || refactorise());
  }

  // |q'|inf without constants that, as the certificate says, nothing reaches.
  JOSTLE_HD JOSTLE_INLINE double at_most_reached(double vector_size) const {
    if constexpr (requires { certify_.most_constant(); }) {
      const double most = certify_.most_constant();
      if (is_finite(vector_size) && most < vector_size) return most;
    }
    return vector_size;
  }

  // Exchanges every w_k with traded[k] = 1, whose z_k must become basic, by the largest pivots. False if there is none.
  JOSTLE_HD JOSTLE_INLINE bool refactorise() {
    constexpr double least_pivot = 1e-12;  // of entries that equilibration brought near 1
    for (int k = 0; k < n(); ++k) {
      if (places_.traded[k] == 0) continue;
      const int column = ~places_.place[n() + k];
      team_.sync();
      dictionary_.take_column(team_, column);
      const Candidate pivot = largest_traded();
      if (!(pivot.magnitude > least_pivot && is_finite(pivot.magnitude))) return false;
      dictionary_.update(team_, pivot.row, column, 0);
      places_.exchange(team_, pivot.row, column);
      team_.sync();
    }
    dictionary_.cover(team_, snap_);
    places_.trade_names(team_);
    team_.sync();
    return true;
  }

  struct Candidate {
    double magnitude;
    int row;
  };

  // The largest entry of the column taken, among the rows of the w that must still leave; infinity if any entry has
  // overflowed.
  JOSTLE_HD JOSTLE_INLINE Candidate largest_traded() const {
    return team_.select(
        n(),
        [this](int i) {
          const int variable = places_.basic[i];
          const bool leaves = variable < n() && places_.traded[variable] != 0;
          const double entry = dictionary_.rows().column(i);
          return Candidate{!is_finite(entry) ? infinity() : leaves ? std::fabs(entry) : -1.0, i};
        },
        [](const Candidate& a, const Candidate& b) {
          return a.magnitude != b.magnitude ? a.magnitude > b.magnitude : a.row < b.row;
        });
  }

  JOSTLE_HD JOSTLE_INLINE int n() const { return lcp_.n; }

  // The row that z0 must lift first: the least q'_i / d_i, of ties the last, which is the lexicographic minimum as long
  // as the basis is the identity. no_row if no row is below zero.
  JOSTLE_HD JOSTLE_INLINE int lowest_row(const Covering& covering) {
    double* const ratios = workspace_.ratios;
    const double* const constants = workspace_.constants;
    team_.for_each(padded(n()), [=, this](int i) {
      ratios[i] =
          i < n() ? finite_or_infinity(covering.is_one() ? constants[i] : constants[i] / covering(i)) : infinity();
    });
    const double lowest = least(team_, padded(n()), ratios);
    const double bound = std::fma(options_.tie_tolerance, std::fabs(lowest), lowest);
    const int row = team_.select(
        n(), [=](int i) { return ratios[i] <= bound ? i : -1; }, [](int a, int b) { return a > b; });
    return dictionary_.rows().constant(row) < -snap_ ? row : no_row;
  }

  // Pivots from the first pivot, in which z0 enters in `row`, to a complementary basis. Its answer is `solved` unless
  // the certificate rejects it.
  JOSTLE_HD JOSTLE_INLINE LcpStatus pivot(int row) {
    int column = n();
    BasisHistory history;
    dictionary_.take_column(team_, column);
    while (pivots_ < max_pivots_) {
      const int leaving = places_.basic[row];
      note_pivot(leaving);
      if (leaving == places_.artificial()) {
        dictionary_.update_constants(team_, row, snap_);
        places_.exchange(team_, row, column);
        return LcpStatus::solved;
      }
      if (history.repeats_after(leaving, places_.nonbasic[column])) return LcpStatus::uncertified;
      dictionary_.update(team_, row, column, snap_);
      places_.exchange(team_, row, column);
      team_.sync();
      if (artificial_has_vanished() && read_answer() <= options_.exact_tolerance) return LcpStatus::solved;
      column = ~places_.place[places_.complement(leaving)];
      dictionary_.take_column(team_, column);
      compute_ratios(team_, n(), dictionary_.rows(), least_slope_, workspace_.ratios);
      row = blocking_row(team_, dictionary_.rows(), places_, column, workspace_.ratios, options_.tie_tolerance);
      if (row < 0) return row == overflowed_row ? LcpStatus::uncertified : LcpStatus::ray;
    }
    return LcpStatus::pivot_limit;
  }

  JOSTLE_HD JOSTLE_INLINE void note_pivot(int leaving) {
    if (pivots_ < workspace_.path_size)
      team_.once([=, this] { workspace_.path[pivots_ * workspace_.path_step] = static_cast<std::int16_t>(leaving); });
    ++pivots_;
  }

  JOSTLE_HD JOSTLE_INLINE bool artificial_has_vanished() const {
    const int row = places_.place[places_.artificial()];
    return row >= 0 && dictionary_.rows().constant(row) <= vanish_;
  }

  JOSTLE_HD JOSTLE_INLINE double read_answer() {
    return read_answer_of(team_, places_, dictionary_.rows(), scale_, z_, certify_);
  }

  Team team_;
  Lcp lcp_;
  const double* scale_;
  LemkeWorkspace workspace_;
  LemkeOptions options_;
  double* z_;
  Certify& certify_;
  std::conditional_t<Thread<Team>, RowDictionary, ColumnDictionary> dictionary_;
  LemkePlaces places_;
  int max_pivots_;
  int pivots_ = 0;
  int attempts_ = 0;
  double least_slope_ = 0;
  double snap_ = 0;
  double vanish_ = 0;
};

/// basis[k] = is_basic(k) for k in [0, n), unless basis is null. Ends synced.
template <class Team, class IsBasic>
JOSTLE_HD void write_basis(const Team& team, int n, std::uint8_t* basis, IsBasic is_basic) {
  if (basis) team.for_each(n, [&](int k) { basis[k] = is_basic(k) ? 1 : 0; });
  team.sync();
}

/// Of a caller who asks for nothing more.
struct IgnoreEnd {
  template <class Method>
  JOSTLE_HD void operator()(const Method&, const LcpResult&) const {}
};

/// Solves an LCP. Every lane of the team gets the result.
///
///   scale        n powers of two, the diagonal of S (core/lcp/equilibration.hpp computes one)
///   workspace    of LemkeWorkspace::sizes(n)
///   z            n, output in the units of the LCP; zero unless the status is solved
///   certify      double certify(): natural residual of the current z, the same on all lanes, computed from the
///                original data; NaN or infinity if there is none. Called only after z is written and synced.
///                Of several calls, the last before the return is for the returned z, if it is solved.
///   start_basis  n, or null: guesses that z_i is basic where start_basis[i] != 0. A good guess needs no pivot; a
///                bad one costs its factorisation and changes no bit of the answer.
///   final_basis  n, or null: output, 1 where z_i is basic, zero unless the status is solved; may be start_basis
///   at_end       at_end(lemke, result) for what else Lemke's method knows, unless start_basis is the answer
///
/// A NaN or infinity in M or q is refused before pivoting. n = 0 is solved.
template <class Team, class Lcp, class Certify, class AtEnd = IgnoreEnd>
JOSTLE_HD LcpResult solve_lcp(const Team& team, const Lcp& lcp, const double* scale, const LemkeWorkspace& workspace,
                              const LemkeOptions& options, double* z, Certify certify,
                              const std::uint8_t* start_basis = nullptr, std::uint8_t* final_basis = nullptr,
                              AtEnd at_end = {}) {
  if (lcp.n == 0) return {LcpStatus::solved, 0, 0};
  Lemke<Team, Lcp, Certify> lemke(team, lcp, scale, workspace, options, z, certify);
  if (start_basis) {
    const double residual = lemke.try_basis([=](int k) { return start_basis[k] != 0; });
    if (residual <= options.exact_tolerance) {
      write_basis(team, lcp.n, final_basis, [&](int k) { return lemke.is_basic(k); });
      return {LcpStatus::solved, 0, residual};
    }
  }
  const LcpResult result = lemke.solve();
  const bool solved = result.status == LcpStatus::solved;
  if (!solved) team.for_each(lcp.n, [=](int k) { z[k] = 0; });
  write_basis(team, lcp.n, final_basis, [&](int k) { return solved && lemke.is_basic(k); });
  at_end(lemke, result);
  return result;
}

}  // namespace jostle
