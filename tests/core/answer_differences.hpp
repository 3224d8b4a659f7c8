#pragma once
// Two answers to one LCP: separate ones, or of a family.
#include <gtest/gtest.h>

#include "tests/core/solved_problem.hpp"

namespace jostle {

/// Pairs of answers to the same problems with other velocities.
struct Differences {
  int separate = 0;    ///< what lies between them solves nothing
  int one_family = 0;  ///< all that lies between them solves the problem, too
};

/// Both must solve the problem as its whole matrix states it.
inline void add_difference(const MixedProblem& problem, const Solved& first, const Column& second, Differences& found) {
  const DenseSchur dense(problem);
  const auto residual = [&](const Column& z) { return natural_residual(dense.M, dense.q, first.scale, z); };
  EXPECT_LE(residual(first.z), 2e-12);
  EXPECT_LE(residual(second), 2e-12);
  const double between = residual((first.z + second) / 2);
  EXPECT_TRUE(between <= 2e-12 || between >= 1e-6) << between;
  (between <= 2e-12 ? found.one_family : found.separate) += 1;
}

}  // namespace jostle
