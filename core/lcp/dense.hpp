#pragma once
// Solves your own LCP, dense and of any size that fits in memory: one call, which owns its working memory.
#include <cstdint>
#include <vector>

#include "core/lcp/lcp.hpp"
#include "core/lcp/workspace.hpp"

namespace jostle {

struct DenseLcp {
  std::vector<double> M;  ///< n x n, row by row
  std::vector<double> q;  ///< n
};

/// What a further search (core/lcp/further_search.hpp) has found out about a problem without an answer.
enum class LcpVerdict : std::uint8_t {
  none,
  infeasible,  ///< proven: no z >= 0 has M z + q >= 0
  exhausted    ///< no regular basis solves it; all were tried
};

struct DenseLcpSolution {
  LcpStatus status = LcpStatus::not_finite;
  std::vector<double> z;  ///< n, zero unless the status is solved
  std::vector<double> w;  ///< n, M z + q; empty unless the status is solved
  int pivots = 0;
  double residual = 0;              ///< max|min(z, w)| / max(1, |q|inf); infinity unless the status is solved
  std::vector<std::uint8_t> basis;  ///< n: 1 where z_i is basic, all 0 unless the status is solved
  /// n, largest entry 1, if the status is ray and the last attempt ended on one that the data confirm: u >= 0, and
  /// (M u)_i <= 0 wherever u_i > 0; so u'M u <= 0. Else empty.
  std::vector<double> ray;
  LcpVerdict verdict = LcpVerdict::none;
  /// n, largest entry 1, if the verdict is infeasible: u >= 0 with M'u <= 0 and q'u < 0. Else empty.
  std::vector<double> proof;
  /// Of Lemke's method, each with another covering vector and other tolerances; those without an answer included.
  int attempts = 0;

  /// Gives every vector n numbers; and clears those that have nothing to say.
  void resize(std::size_t n);
  void clear_unknown();
};

/// Solves w = M z + q, z, w >= 0, z'w = 0, with equilibration computed from M. M: n x n, row-major; q: n.
/// `solved` means a residual within options.certificate_tolerance both in the units of the caller and in
/// equilibrated ones, where a body of 1e-9 kg counts like one of 1 kg.
/// `start_basis`, n or null, guesses that z_i is basic where it is not 0: if that basis has an exact answer, it is the
/// answer, without a pivot; else it changes nothing.
/// Throws std::invalid_argument unless M holds q.size() squared numbers.
DenseLcpSolution solve_dense_lcp(const std::vector<double>& M, const std::vector<double>& q,
                                 const LemkeOptions& options = {}, const std::uint8_t* start_basis = nullptr);

/// The same in memory of the caller's: `scale` n, `workspace` of LemkeWorkspace::sizes(n). What `solution` holds before
/// is lost, but not its memory.
void solve_dense_lcp(const LcpView& lcp, const LemkeOptions& options, double* scale, const LemkeWorkspace& workspace,
                     DenseLcpSolution& solution, const std::uint8_t* start_basis = nullptr);

}  // namespace jostle
