#pragma once
// What can be done for an LCP on which Lemke's method has ended without an answer, which proves nothing unless M is
// copositive-plus: a proof that there is no solution, other ways to one, and all bases of a small problem.
#include "core/lcp/dense.hpp"

namespace jostle {

struct LcpSearch {
  /// Tries every basis of a problem with at most `largest_exhaustive` rows, as the last resort.
  bool exhaustive = false;
  /// Other covering vectors, and other bases from which Lemke's method starts.
  int restarts = 64;
  static constexpr int largest_exhaustive = 12;
};

/// For a problem whose `solution` has the status `ray` or `uncertified`; others stay as they are. In this order:
///
/// * a proof of Farkas: u >= 0 with M'u <= 0 and q'u < 0, so no z >= 0 has M z + q >= 0. It is the ray of the linear
///   program's own LCP [[0, -M'], [M, 0]], (0, q), which is copositive-plus, and is checked with the data:
///   LcpVerdict::infeasible, with `proof`;
/// * the paths of Lemke and Howson (1964), if M = [[0, A], [B, 0]] after an exchange of rows and columns: a bimatrix
/// game;
/// * Lemke's method with other covering vectors, and from other bases (principal pivot transforms; Cottle, Pang and
/// Stone
///   1992, sections 2.3 and 4.4);
/// * every basis, if it is asked for: LcpVerdict::exhausted if none of those that are regular solves it.
///
/// A solution that is found is certified as those of solve_dense_lcp are. `pivots` and `attempts` count those of
/// Lemke's method here as well, but for the linear program's. The answer depends on the problem alone.
void search_further(const LcpView& lcp, const LemkeOptions& options, const LcpSearch& search,
                    DenseLcpSolution& solution);

}  // namespace jostle
