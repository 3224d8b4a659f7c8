#pragma once
// The linear complementarity problem: find z >= 0 with w = M z + q >= 0 and z'w = 0.
#include <cstdint>

#include "core/config.hpp"

namespace jostle {

/// Views, not owners. M is row-major with `stride` Reals from row to row.
struct LcpView {
  int n;
  int stride;
  const Real* M;  ///< lcp_matrix
  const Real* q;  ///< lcp_vector
};

enum class LcpStatus : std::uint8_t { solved, ray, pivot_limit, uncertified, not_finite };

struct LcpResult {
  LcpStatus status;
  int pivots;     ///< of all attempts together
  Real residual;  ///< certificate of the answer; infinity if there is none
};

}  // namespace jostle
