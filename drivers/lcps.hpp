#pragma once
// Many LCPs of your own on all cores, with all that Lemke's method knows at its end.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/lcp/dense.hpp"

namespace jostle {

struct LcpAnswer {
  DenseLcpSolution solution;
  std::vector<std::uint8_t> basis;  ///< n: 1 where z_i is basic, all 0 unless the status is solved
  /// n, largest entry 1, if the status is ray and the last attempt ended on one that the data confirm: u >= 0, u is not
  /// zero, and (M u)_i <= 0 wherever u_i > 0; so u'M u <= 0. Else empty.
  std::vector<double> ray;
  /// Of Lemke's method, each with another covering vector and other tolerances; those without an answer included.
  int attempts = 1;
};

/// Solves w = M z + q, z, w >= 0, z'w = 0 for each problem; the bits of solve_dense_lcp. threads 0: all. The calling
/// thread calls `is_stopped` after each of its problems; if it returns true, the others are left out (`not_finite`).
std::vector<LcpAnswer> solve_lcps(std::span<const LcpView> problems, int threads = 0,
                                  const std::function<bool()>& is_stopped = {}, const LemkeOptions& options = {});

}  // namespace jostle
