// The free top J = (1, 2, 3.5) with both matrices of the linearly implicit gyroscopic torque.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/dynamics/implicit_mass.hpp"

namespace jostle {
namespace {

const Vec3 J(1, 2, 3.5), start(2, 1, 3);

double energy(const Vec3& w) { return 0.5 * (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]); }

/// The spin after `duration`, by steps (J - (h/2) k_v) (w_{l+1} - w_l) = -h w_l x J w_l; `see` after each of them.
template <class MatrixOf, class See>
Vec3 spin_after(double duration, double h, MatrixOf matrix_of, See see) {
  Vec3 w = start;
  for (int i = 0; i < std::lround(duration / h); ++i) {
    const Vec3 torque = -cross(w, Vec3(J[0] * w[0], J[1] * w[1], J[2] * w[2]));
    w += solved(matrix_of(w, h), Vec3(h * torque));
    see(w);
  }
  return w;
}

/// |w(h) - w(h/2)| / |w(h/2) - w(h/4)| for halved steps.
template <class MatrixOf>
std::vector<double> ratios_of(MatrixOf matrix_of) {
  std::vector<Vec3> ends;
  for (int i = 0; i < 7; ++i) ends.push_back(spin_after(1, 0.02 / (1 << i), matrix_of, [](const Vec3&) {}));
  const auto apart = [&](std::size_t i) {
    const Vec3 change = ends[i + 1] - ends[i];
    return std::sqrt(dot(change, change));
  };
  std::vector<double> found;
  for (std::size_t i = 0; i + 2 < ends.size(); ++i) found.push_back(apart(i) / apart(i + 1));
  return found;
}

TEST(FreeTop, IsOfOrderTwoWithBothTermsOfTheDerivative) {
  const auto both = [](const Vec3& w, double h) {
    const ImplicitInertia inertia = implicit_inertia(J, w, h);
    EXPECT_FALSE(inertia.is_first_order);
    return inertia.matrix;
  };
  for (const double ratio : ratios_of(both)) EXPECT_NEAR(ratio, 4, 0.1);
}

TEST(FreeTop, IsOfOrderOneWithJwAloneAndKeepsItsEnergy) {
  const auto alone = [](const Vec3& w, double h) { return first_order_inertia(J, w, h); };
  const std::vector<double> ratios = ratios_of(alone);
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    EXPECT_GE(ratios[i], 1.75);
    EXPECT_LE(ratios[i], i < 3 ? 1.96 : 2) << "they approach 2 as h shrinks";
  }
  double before = energy(start);
  spin_after(1, 0.02, alone, [&](const Vec3& w) {
    EXPECT_NEAR(energy(w) / before, 1, 4.5e-16) << "two units in the last place";
    before = energy(w);
  });
  EXPECT_NEAR(before / energy(start), 1, 2e-15) << "50 steps, each with its rounding error";
}

}  // namespace
}  // namespace jostle
