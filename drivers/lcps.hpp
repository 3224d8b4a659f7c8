#pragma once
// Many LCPs of your own on all cores.
#include <functional>
#include <span>
#include <vector>

#include "core/lcp/further_search.hpp"

namespace jostle {

/// take(number of the problem, its answer), on the thread that has solved it.
using TakeLcp = std::function<void(int, DenseLcpSolution&&)>;

struct LcpsOptions {
  int threads = 0;  ///< from 1 to 1,024, or 0 for one per processor
  LemkeOptions lemke{};
  LcpSearch search{};
  /// Null, or for each problem null or n: guesses of its basis, as solve_dense_lcp takes them.
  std::span<const std::uint8_t* const> start_bases{};
  /// The calling thread calls it after each of its problems; if it returns true, the others are left out.
  std::function<bool()> is_stopped{};
};

/// Solves w = M z + q, z, w >= 0, z'w = 0 for each problem: solve_dense_lcp, and search_further where that has no
/// answer. Throws UsageError for another number of threads.
void solve_lcps(std::span<const LcpView> problems, const LcpsOptions& options, const TakeLcp& take);
/// The answers as a list; those that are left out are `not_finite`, with what core/lcp/dense.hpp says of an answer that
/// is not solved, and no attempts.
std::vector<DenseLcpSolution> solve_lcps(std::span<const LcpView> problems, const LcpsOptions& options = {});

}  // namespace jostle
