#pragma once
// Solves your own LCP, dense and of any size that fits in memory: one call, which owns its working memory.
#include <vector>

#include "core/lcp/lcp.hpp"

namespace jostle {

struct DenseLcp {
  std::vector<double> M;  ///< n x n, row by row
  std::vector<double> q;  ///< n
};

struct DenseLcpSolution {
  LcpStatus status = LcpStatus::not_finite;
  std::vector<double> z;  ///< n, zero unless the status is solved
  std::vector<double> w;  ///< n, M z + q; empty unless the status is solved
  int pivots = 0;
  double residual = 0;  ///< max|min(z, w)| / max(1, |q|inf); infinity unless the status is solved
};

/// Solves w = M z + q, z, w >= 0, z'w = 0, with equilibration computed from M. M: n x n, row-major; q: n.
/// `solved` means a residual within options.certificate_tolerance both in the units of the caller and in
/// equilibrated ones, where a body of 1e-9 kg counts like one of 1 kg.
/// Throws std::invalid_argument unless M holds q.size() squared numbers.
DenseLcpSolution solve_dense_lcp(const std::vector<double>& M, const std::vector<double>& q,
                                 const LemkeOptions& options = {});

}  // namespace jostle
