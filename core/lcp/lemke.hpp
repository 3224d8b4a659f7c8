#pragma once
// Lemke's complementary pivoting [Cottle, Pang, Stone 1992, Section 4.4] on an equilibrated LCP, with the
// lexicographic ratio test [ibid., Section 4.9] and a certificate computed from the original data.
// One team of lanes per problem.
//
//     z = S z',  M' = S M S,  q' = S q        S = diag(scale), powers of two: the scaling is exact
//     w' = M' z' + d z0 + q'                  d: covering vector, z0: artificial variable
//
// z0 enters first and lifts every w' above zero. Then the complement of the variable that left enters,
// until z0 leaves (a solution) or nothing blocks (a ray). Contact LCPs are copositive: a ray then yields a z /= 0
// with 0 <= z, M z >= 0, z'M z = 0 and q'z < 0, which the LCPs of Stewart and Trinkle's method seldom have; it does
// not prove that there is no solution, and rounding errors end on rays too, so there are other attempts. The
// lexicographic rule meets no basis twice; where rounding errors make it do so, the attempt has failed.
//
// A sequence of pivots is not backward stable: after a slope of 1e-8 the constants of the dictionary are good to
// eight digits, and rows that were taken for ties leave w a little below zero: a box at rest then slides at 1e-13 m/s.
// An answer that is not exact is therefore where the method starts again, with a dictionary of that basis computed
// from the original data by elimination with row exchanges: most often it is the solution now, or a pivot away from it.
#include "core/lcp/basis_history.hpp"
#include "core/lcp/lcp.hpp"
#include "core/lcp/places.hpp"
#include "core/lcp/ratio_test.hpp"
#include "core/lcp/tile_dictionary.hpp"
#include "core/lcp/workspace.hpp"
#include "core/math/bits.hpp"
#include "core/team.hpp"

namespace jostle {

template <int N, class Team, class Dictionary, class Certify>
class Lemke {
 public:
  JOSTLE_HD JOSTLE_INLINE Lemke(const Team& team, const LcpView& lcp, const Real* scale,
                                const LemkeWorkspace& workspace, const LemkeOptions& options, Real* z, Certify& certify)
      : team_(team),
        lcp_(lcp),
        scale_(scale),
        workspace_(workspace),
        options_(options),
        z_(z),
        certify_(certify),
        extent_(lcp.n),
        dictionary_(team, extent_, workspace),
        places_(extent_, workspace),
        max_pivots_(options.max_pivots > 0 ? options.max_pivots : 50 * lcp.n) {}

  /// One attempt after the other. The status of a failure is that of the first.
  JOSTLE_HD JOSTLE_INLINE LcpResult solve() {
    LcpResult result;
    for (int number = 0; number == 0 || number < options_.attempts; ++number) {
      const LcpResult next = attempt(number);
      if (number == 0 || next.status == LcpStatus::solved) result = next;
      result.pivots = pivots_;
      if (result.status != LcpStatus::ray && result.status != LcpStatus::uncertified) break;
    }
    return result;
  }

  /// The residual of the answer of { z_k : is_guessed(k) }, written to z; infinity if that basis is singular or
  /// makes a variable negative.
  template <class IsGuessed>
  JOSTLE_HD JOSTLE_INLINE Real try_basis(IsGuessed is_guessed) {
    team_.for_each(n(), [&, this](int k) { places_.traded[k] = is_guessed(k) ? 1 : 0; });
    return restart() && lowest_row(Covering{0}) < 0 ? read_answer() : infinity();
  }

  JOSTLE_HD JOSTLE_INLINE bool is_basic(int k) const { return places_.is_basic(k); }

 private:
  // d = 1 suits equilibrated problems. The others are small fractions with a different pattern each.
  struct Covering {
    int attempt;
    JOSTLE_HD JOSTLE_INLINE Real operator()(int i) const {
      return attempt == 0 ? Real(1) : Real(8 + (5 * i + 3 * attempt * (i + 1)) % 11) / 8;
    }
  };

  // 1, 32, 1/32, 32^2, 1/32^2, ...: noise may have been taken for pivots, or pivots for noise.
  JOSTLE_HD JOSTLE_INLINE static Real slope_factor(int attempt) {
    const int step = 5 * ((attempt + 1) / 2);
    return power_of_two(attempt % 2 == 1 ? step : -step);
  }

  // A heavy body on a light one makes constants of size ratio |q'|, whose rounding errors are as much larger.
  JOSTLE_HD JOSTLE_INLINE static Real snap_factor(int attempt) {
    if (attempt == 0) return 1;
    return attempt % 2 == 1 ? Real(1e3) : Real(1e6);
  }

  JOSTLE_HD JOSTLE_INLINE LcpResult attempt(int number) {
    const Covering covering{number};
    team_.sync();  // lanes may still be reading what the attempt before left
    team_.for_each(n(), [this](int k) { places_.traded[k] = 0; });
    if (!begin(covering, slope_factor(number), snap_factor(number))) {
      return {LcpStatus::not_finite, pivots_, infinity()};
    }
    const LcpStatus end = pivot(lowest_row(covering));
    if (end != LcpStatus::solved) return {end, pivots_, infinity()};
    Real residual = read_answer();
    if (!(residual <= options_.exact_tolerance)) residual = refine(residual);
    const bool certified = residual <= options_.certificate_tolerance;
    return {certified ? LcpStatus::solved : LcpStatus::uncertified, pivots_, residual};
  }

  // Computes the answer of its basis anew and pivots on from there. The best of the three answers stays.
  JOSTLE_HD JOSTLE_INLINE Real refine(Real residual) {
    Real* const kept = workspace_.answer;
    const auto keep = [=, this](int k) { kept[k] = z_[k]; };
    const auto is_better = [&residual](Real other) { return other < residual || is_nan(residual); };
    team_.for_each(n(), keep);
    team_.for_each(n(), [this](int k) { places_.traded[k] = places_.is_basic(k) ? 1 : 0; });
    if (restart()) {
      const int row = lowest_row(Covering{0});
      const Real renewed = read_answer();
      if (is_better(renewed)) {
        if (row < 0) return renewed;
        residual = renewed;
        team_.for_each(n(), keep);
      }
      if (row >= 0 && pivot(row) == LcpStatus::solved) {
        const Real refined = read_answer();
        if (is_better(refined)) return refined;
      }
    }
    team_.sync();
    places_.set_initial(team_);
    team_.for_each(n(), [=, this](int k) { z_[k] = kept[k]; });
    team_.sync();
    return certify_();
  }

  // The dictionary of the slacks. False if the data are not finite.
  template <class Coefficient>
  JOSTLE_HD JOSTLE_INLINE bool begin(Coefficient covering, Real slope_factor, Real snap_factor) {
    places_.set_initial(team_);
    dictionary_.load(team_, lcp_, scale_, covering, workspace_.ratios);
    const Real matrix_size = largest_magnitude(team_, padded(n()), workspace_.ratios);
    const Real vector_size = largest_magnitude(team_, padded(n()), workspace_.constants);
    least_slope_ = options_.slope_tolerance * slope_factor * matrix_size;
    snap_ = options_.snap_tolerance * snap_factor * vector_size;
    vanish_ = options_.exact_tolerance * vector_size;
    return is_finite(matrix_size) && is_finite(vector_size);
  }

  // The dictionary of the basis of the z_k with traded[k] = 1, whose w then take their names. False if it is singular.
  JOSTLE_HD JOSTLE_INLINE bool restart() {
    constexpr Real least_pivot = 1e-12;  // of entries that equilibration brought near 1
    team_.sync();
    if (!begin([](int) { return Real(0); }, 1, 1)) return false;
    for (int k = 0; k < n(); ++k) {
      if (places_.traded[k] == 0) continue;
      const int column = ~places_.place[n() + k];
      team_.sync();
      dictionary_.take_column(team_, column);
      const Candidate pivot = largest_traded();
      if (!(pivot.magnitude > least_pivot)) return false;
      dictionary_.update(team_, pivot.row, column, 0);
      places_.exchange(team_, pivot.row, column);
      team_.sync();
    }
    dictionary_.restart(team_, snap_);
    places_.trade_names(team_);
    team_.sync();
    return true;
  }

  struct Candidate {
    Real magnitude;
    int row;
  };

  // The largest entry of the column taken, among the rows of the w that have still to leave.
  JOSTLE_HD JOSTLE_INLINE Candidate largest_traded() const {
    return team_.select(
        n(),
        [this](int i) {
          const int variable = places_.basic[i];
          const bool leaves = variable < n() && places_.traded[variable] != 0;
          return Candidate{leaves ? std::fabs(dictionary_.rows().column(i)) : Real(-1), i};
        },
        [](const Candidate& a, const Candidate& b) {
          return a.magnitude != b.magnitude ? a.magnitude > b.magnitude : a.row < b.row;
        });
  }

  JOSTLE_HD JOSTLE_INLINE int n() const { return extent_.n; }

  // The row that z0 must lift first: the least q'_i / d_i, among ties the last, which is the
  // lexicographic minimum as long as the basis is the identity. -1 if no row is below zero.
  JOSTLE_HD JOSTLE_INLINE int lowest_row(const Covering& covering) {
    Real* const ratios = workspace_.ratios;
    const Real* const constants = workspace_.constants;
    team_.for_each(padded(n()), [=, this](int i) { ratios[i] = i < n() ? constants[i] / covering(i) : infinity(); });
    const Real lowest = least(team_, padded(n()), ratios);
    const Real bound = std::fma(options_.tie_tolerance, std::fabs(lowest), lowest);
    const int row = team_.select(
        n(), [=](int i) { return ratios[i] <= bound ? i : -1; }, [](int a, int b) { return a > b; });
    return dictionary_.rows().constant(row) < -snap_ ? row : -1;
  }

  // From the first pivot, in which z0 enters in `row`, to a complementary basis, whose answer is `solved` until the
  // certificate says otherwise.
  JOSTLE_HD JOSTLE_INLINE LcpStatus pivot(int row) {
    if (row < 0) return LcpStatus::solved;
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
      compute_ratios(team_, extent_, dictionary_.rows(), least_slope_, workspace_.ratios);
      row = blocking_row(team_, dictionary_.rows(), places_, column, workspace_.ratios, options_.tie_tolerance,
                         [this](auto is_wanted) { dictionary_.expose(is_wanted); });
      if (row < 0) return LcpStatus::ray;
    }
    return LcpStatus::pivot_limit;
  }

  JOSTLE_HD JOSTLE_INLINE void note_pivot(int leaving) {
    if (pivots_ < workspace_.path_size) team_.once([=, this] { workspace_.path[pivots_] = leaving; });
    ++pivots_;
  }

  JOSTLE_HD JOSTLE_INLINE bool artificial_has_vanished() const {
    const int row = places_.place[places_.artificial()];
    return row >= 0 && dictionary_.rows().constant(row) <= vanish_;
  }

  // Writes the z of the dictionary's constants and returns its residual.
  JOSTLE_HD JOSTLE_INLINE Real read_answer() {
    team_.sync();
    team_.for_each(n(), [this](int k) {
      const int row = places_.place_of_z(k);
      const Real value = row >= 0 ? dictionary_.rows().constant(row) : Real(0);
      z_[k] = value > 0 ? scale_[k] * value : Real(0);
    });
    team_.sync();
    return certify_();
  }

  Team team_;
  LcpView lcp_;
  const Real* scale_;
  LemkeWorkspace workspace_;
  LemkeOptions options_;
  Real* z_;
  Certify& certify_;
  LcpExtent<N> extent_;
  Dictionary dictionary_;
  LemkePlaces<N> places_;
  int max_pivots_;
  int pivots_ = 0;
  Real least_slope_ = 0;
  Real snap_ = 0;
  Real vanish_ = 0;
};

/// The placement of the dictionary for a team: registers if the team names the shape of its tiles, else memory.
template <class Team, int N>
struct DictionaryChoice {
  using type = MemoryDictionary<N>;
};
template <class Team, int N>
requires requires { typename Team::Tiles; }
struct DictionaryChoice<Team, N> {
  using type = TileDictionary<typename Team::Tiles>;
};
template <class Team, int N>
using DictionaryOf = typename DictionaryChoice<Team, N>::type;

/// basis[k] = is_basic(k) for k in [0, n), unless basis is null. Ends synced.
template <class Team, class IsBasic>
JOSTLE_HD void write_basis(const Team& team, int n, std::uint8_t* basis, IsBasic is_basic) {
  if (basis) team.for_each(n, [&](int k) { basis[k] = is_basic(k) ? 1 : 0; });
  team.sync();
}

/// Solves an LCP. Every lane of the team gets the result.
///
///   scale        n powers of two, the diagonal of S (core/lcp/equilibration.hpp computes one)
///   workspace    of LemkeWorkspace::sizes(n)
///   z            n, output in the units of the LCP; zero unless the status is solved
///   certify      Real certify(): natural residual of what stands in z, the same on all lanes, computed from the
///                original data; NaN or infinity where there is none. Not called before z is written and synced.
///                Of several calls, the last before the return is for the z that is returned, if it is solved.
///   start_basis  n, or null: z_i is guessed to be basic where start_basis[i] != 0. A good guess needs no pivot, a
///                bad one costs its factorisation and changes no bit of the answer.
///   final_basis  n, or null: output, 1 where z_i is basic, zero unless the status is solved; may be start_basis
///
/// A NaN or infinity in M or q is refused before pivoting. n = 0 is solved.
template <class Team, class Certify>
JOSTLE_HD LcpResult solve_lcp(const Team& team, const LcpView& lcp, const Real* scale, const LemkeWorkspace& workspace,
                              const LemkeOptions& options, Real* z, Certify certify,
                              const std::uint8_t* start_basis = nullptr, std::uint8_t* final_basis = nullptr) {
  if (lcp.n == 0) return {LcpStatus::solved, 0, 0};
  return with_extent<Team>(lcp.n, [&]<int N>(LcpExtent<N>) {
    Lemke<N, Team, DictionaryOf<Team, N>, Certify> lemke(team, lcp, scale, workspace, options, z, certify);
    if (start_basis) {
      const Real residual = lemke.try_basis([=](int k) { return start_basis[k] != 0; });
      if (residual <= options.exact_tolerance) {
        write_basis(team, lcp.n, final_basis, [&](int k) { return lemke.is_basic(k); });
        return LcpResult{LcpStatus::solved, 0, residual};
      }
    }
    const LcpResult result = lemke.solve();
    const bool solved = result.status == LcpStatus::solved;
    if (!solved) team.for_each(lcp.n, [=](int k) { z[k] = 0; });
    write_basis(team, lcp.n, final_basis, [&](int k) { return solved && lemke.is_basic(k); });
    return result;
  });
}

}  // namespace jostle
