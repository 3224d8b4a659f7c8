#pragma once
// The solver that ours is compared with, behind plain C++ so that its headers stay in one file.
#include <memory>
#include <vector>

#include "core/config.hpp"

namespace jostle {

class LcpPeer {
 public:
  /// Null where the peer was not found when the benchmark was configured.
  static std::unique_ptr<LcpPeer> find();
  static const char* name();

  virtual ~LcpPeer() = default;

  /// The problem of the next solve() calls. M: n x n, row-major.
  virtual void set_problem(int n, const std::vector<double>& M, const std::vector<double>& q) = 0;
  virtual void solve() = 0;
  virtual const std::vector<double>& z() const = 0;
};

}  // namespace jostle
