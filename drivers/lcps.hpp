#pragma once
// Many LCPs of your own on all cores.
#include <functional>
#include <span>
#include <vector>

#include "core/lcp/dense.hpp"

namespace jostle {

/// take(number of the problem, its answer), on the thread that has solved it.
using TakeLcp = std::function<void(int, DenseLcpSolution&&)>;

/// Solves w = M z + q, z, w >= 0, z'w = 0 for each problem; the bits of solve_dense_lcp. threads 0: all. The calling
/// thread calls `is_stopped` after each of its problems; if it returns true, the others are left out.
void solve_lcps(std::span<const LcpView> problems, int threads, const std::function<bool()>& is_stopped,
                const TakeLcp& take, const LemkeOptions& options = {});
/// The answers as a list; those that are left out are `not_finite`.
std::vector<DenseLcpSolution> solve_lcps(std::span<const LcpView> problems, int threads = 0,
                                         const std::function<bool()>& is_stopped = {},
                                         const LemkeOptions& options = {});

}  // namespace jostle
