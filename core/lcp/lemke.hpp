#pragma once
// Lemke's complementary pivoting [Cottle, Pang, Stone 1992, Section 4.4] on an equilibrated LCP, with the
// lexicographic ratio test [ibid., Section 4.9] and a certificate computed from the original data.
// One team of lanes per problem.
//
//     z = S z',  M' = S M S,  q' = S q        S = diag(scale), powers of two: the scaling is exact
//     w' = M' z' + d z0 + q'                  d: covering vector, z0: artificial variable
//
// z0 enters first and lifts every w' above zero. Then the complement of the variable that left enters,
// until z0 leaves (a solution) or nothing blocks (a ray). Contact LCPs are copositive: a ray then proves
// that there is no solution, as far as the arithmetic can be trusted; another covering vector is the check.
#include "core/lcp/lcp.hpp"
#include "core/lcp/ratio_test.hpp"
#include "core/lcp/start_basis.hpp"
#include "core/lcp/workspace.hpp"
#include "core/team.hpp"

namespace jostle {

template <class Team, class Dictionary, class Certify>
class Lemke {
 public:
  JOSTLE_HD Lemke(const Team& team, const LcpView& lcp, const Real* scale, const LemkeWorkspace& workspace,
                  const LemkeOptions& options, Real* z, Certify& certify)
      : team_(team),
        lcp_(lcp),
        scale_(scale),
        workspace_(workspace),
        options_(options),
        z_(z),
        certify_(certify),
        dictionary_(lcp.n, workspace),
        places_{lcp.n, workspace.basic, workspace.nonbasic, workspace.place},
        n_(lcp.n),
        max_pivots_(options.max_pivots > 0 ? options.max_pivots : 50 * lcp.n) {}

  /// z from a start basis, if that is the solution's.
  JOSTLE_HD LcpResult start_from(const std::uint8_t* start_basis) {
    const bool found = solve_start_basis(team_, lcp_, scale_, workspace_, options_, start_basis, z_);
    const Real residual = found ? certify_() : infinity();
    return {residual <= options_.start_tolerance ? LcpStatus::solved : LcpStatus::uncertified, 0, residual};
  }

  /// Tries one covering vector after the other. The status of a failure is that of the first attempt.
  JOSTLE_HD LcpResult solve() {
    LcpResult result = attempt(0);
    for (int number = 1; number < options_.attempts; ++number) {
      if (result.status != LcpStatus::ray && result.status != LcpStatus::uncertified) break;
      const LcpResult next = attempt(number);
      result.pivots = pivots_;
      if (next.status != LcpStatus::solved) continue;
      result = next;
    }
    return result;
  }

  /// Which z are basic at the end of a solve() with status solved.
  JOSTLE_HD void read_basis(std::uint8_t* basis) const {
    team_.for_each(n_, [=, this](int k) { basis[k] = places_.place[n_ + k] >= 0; });
  }

 private:
  // d = 1 suits equilibrated problems. The others are small fractions with a different pattern each.
  struct Covering {
    int attempt;
    JOSTLE_HD Real operator()(int i) const {
      return attempt == 0 ? Real(1) : Real(8 + (5 * i + 3 * attempt * (i + 1)) % 11) / 8;
    }
  };

  JOSTLE_HD LcpResult attempt(int number) {
    const Covering covering{number};
    load_constants();
    const Real size = largest_magnitude(team_, padded(n_), workspace_.constants);
    if (!is_finite(size)) return {LcpStatus::not_finite, pivots_, infinity()};
    snap_ = options_.snap_tolerance * size;
    vanish_ = options_.vanish_tolerance * size;

    const int lowest = lowest_row(covering);
    const Real matrix_size = load(covering, lowest);
    if (!is_finite(matrix_size)) return {LcpStatus::not_finite, pivots_, infinity()};
    if (!lifted_) return certified(options_.certificate_tolerance);
    return pivot(options_.slope_tolerance * matrix_size, lowest);
  }

  JOSTLE_HD void load_constants() {
    team_.for_each(padded(n_), [this](int i) { workspace_.constants[i] = i < n_ ? scale_[i] * lcp_.q[i] : 0; });
  }

  // The row that z0 must lift first: the least q'_i / d_i, among ties the last, which is the
  // lexicographic minimum as long as the basis is the identity.
  JOSTLE_HD int lowest_row(const Covering& covering) {
    Real* const ratios = workspace_.ratios;
    const Real* const constants = workspace_.constants;
    team_.for_each(padded(n_), [=, this](int i) { ratios[i] = i < n_ ? constants[i] / covering(i) : infinity(); });
    const Real lowest = least(team_, padded(n_), ratios);
    const Real bound = std::fma(options_.tie_tolerance, std::fabs(lowest), lowest);
    return team_.select(n_, [=](int i) { return ratios[i] <= bound ? i : -1; }, [](int a, int b) { return a > b; });
  }

  JOSTLE_HD Real load(const Covering& covering, int lowest) {
    lifted_ = workspace_.constants[lowest] < -snap_;
    team_.for_each(n_, [this](int i) {
      places_.basic[i] = places_.place[i] = i;
      places_.nonbasic[i] = n_ + i;
      places_.place[n_ + i] = ~i;
    });
    team_.once([this] {
      places_.nonbasic[n_] = places_.artificial();
      places_.place[places_.artificial()] = ~n_;
    });
    team_.sync();
    const Real matrix_size = dictionary_.load(team_, lcp_, scale_, covering, lowest, snap_);
    if (lifted_) {
      exchange_places(lowest, n_);
      ++pivots_;
    }
    team_.sync();
    return matrix_size;
  }

  JOSTLE_HD LcpResult pivot(Real least_slope, int first_left) {
    int entering = places_.complement(first_left);
    while (pivots_ < max_pivots_) {
      const int column = ~places_.place[entering];
      dictionary_.take_column(team_, column);
      team_.sync();
      compute_ratios(team_, n_, dictionary_, least_slope, workspace_.ratios);
      const int row = blocking_row(team_, dictionary_, places_, column, workspace_.ratios, options_.tie_tolerance);
      if (row < 0) return {LcpStatus::ray, pivots_, infinity()};

      const int leaving = places_.basic[row];
      dictionary_.update(team_, row, column, snap_);
      exchange_places(row, column);
      ++pivots_;
      team_.sync();
      if (leaving == places_.artificial()) return certified(options_.certificate_tolerance);
      if (artificial_has_vanished()) {
        const LcpResult result = certified(options_.vanish_tolerance);
        if (result.status == LcpStatus::solved) return result;
      }
      entering = places_.complement(leaving);
    }
    return {LcpStatus::pivot_limit, pivots_, infinity()};
  }

  // One lane; the others may go on reading basic[row] only up to the sync() inside update or load.
  JOSTLE_HD void exchange_places(int row, int column) {
    team_.once([=, this] {
      const int leaving = places_.basic[row];
      const int entering = places_.nonbasic[column];
      places_.basic[row] = entering;
      places_.nonbasic[column] = leaving;
      places_.place[entering] = row;
      places_.place[leaving] = ~column;
    });
  }

  JOSTLE_HD bool artificial_has_vanished() const {
    const int row = places_.place[places_.artificial()];
    return row >= 0 && dictionary_.constant(row) <= vanish_;
  }

  // Reads z off the basis and has it certified.
  JOSTLE_HD LcpResult certified(Real tolerance) {
    team_.for_each(n_, [this](int k) {
      const int row = places_.place[n_ + k];
      const Real value = row >= 0 ? dictionary_.constant(row) : Real(0);
      z_[k] = value > 0 ? scale_[k] * value : Real(0);
    });
    team_.sync();
    const Real residual = certify_();
    return {residual <= tolerance ? LcpStatus::solved : LcpStatus::uncertified, pivots_, residual};
  }

  Team team_;
  LcpView lcp_;
  const Real* scale_;
  LemkeWorkspace workspace_;
  LemkeOptions options_;
  Real* z_;
  Certify& certify_;
  Dictionary dictionary_;
  LemkePlaces places_;
  int n_;
  int max_pivots_;
  int pivots_ = 0;
  Real snap_ = 0;
  Real vanish_ = 0;
  bool lifted_ = false;
};

/// Solves an LCP. Every lane of the team gets the result.
///
///   scale        n powers of two, the diagonal of S (core/lcp/equilibration.hpp computes one)
///   workspace    of LemkeWorkspace::sizes(n)
///   z            n, output in the units of the LCP; zero unless the status is solved
///   certify      Real certify(): natural residual of what stands in z, the same on all lanes, computed from the
///                original data; NaN or infinity where there is none. Not called before z is written and synced.
///   start_basis  n, or null: z_i is guessed to be basic where start_basis[i] != 0. A good guess needs no pivot, a
///                bad one costs its factorisation and changes no bit of the answer.
///   final_basis  n, or null: output, 1 where z_i is basic, zero unless the status is solved; may be the array of start_basis
///
/// A NaN or infinity in M or q is refused before pivoting. n = 0 is solved.
template <class Team, class Certify>
JOSTLE_HD LcpResult solve_lcp(const Team& team, const LcpView& lcp, const Real* scale, const LemkeWorkspace& workspace,
                              const LemkeOptions& options, Real* z, Certify certify,
                              const std::uint8_t* start_basis = nullptr, std::uint8_t* final_basis = nullptr) {
  if (lcp.n == 0) return {LcpStatus::solved, 0, 0};
  Lemke<Team, MemoryDictionary, Certify> lemke(team, lcp, scale, workspace, options, z, certify);
  if (start_basis) {
    const LcpResult guessed = lemke.start_from(start_basis);
    if (guessed.status == LcpStatus::solved) {
      team.for_each(lcp.n, [=](int i) {
        if (final_basis) final_basis[i] = start_basis[i] ? 1 : 0;
      });
      team.sync();
      return guessed;
    }
  }
  const LcpResult result = lemke.solve();
  if (result.status == LcpStatus::solved) {
    if (final_basis) lemke.read_basis(final_basis);
  } else {
    team.for_each(lcp.n, [=](int i) {
      z[i] = 0;
      if (final_basis) final_basis[i] = 0;
    });
  }
  team.sync();
  return result;
}

}  // namespace jostle
