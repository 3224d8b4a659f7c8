// The canary for a compiler that fuses a * b + c without being asked:
//
//     (1 + 2^-27)^2 - (1 + 2^-26) = 2^-54 exactly, but 0 if the product is rounded first.
#include <gtest/gtest.h>

#include <cmath>

#include "core/math/vector.hpp"

namespace jostle {
namespace {

constexpr double factor = 1 + 0x1p-27;
constexpr double constant = -(1 + 0x1p-26);

// Not inlined, or the compiler would compute the answers itself, by the rules of the language.
[[gnu::noinline]] double product_plus_constant(double a, double b, double c) { return a * b + c; }
[[gnu::noinline]] double fused(double a, double b, double c) { return std::fma(a, b, c); }
[[gnu::noinline]] double dot_of(const Vec3& a, const Vec3& b) { return dot(a, b); }
[[gnu::noinline]] double eigen_dot(const Vec3& a, const Vec3& b) { return a.dot(b); }

TEST(Contraction, IsOff) { EXPECT_EQ(product_plus_constant(factor, factor, constant), 0); }

TEST(Contraction, IsOffInOurVectors) {
  EXPECT_EQ(dot_of({factor, constant, 0}, {factor, 1, 0}), 0);
  EXPECT_EQ(dot_of({constant, factor, 0}, {1, factor, 0}), 0);
}

TEST(Contraction, IsOffInEigen) {
  EXPECT_EQ(eigen_dot({factor, constant, 0}, {factor, 1, 0}), 0);
  EXPECT_EQ(eigen_dot({constant, factor, 0}, {1, factor, 0}), 0);
}

// A sum beside a difference: g++ 12 makes vfmaddsub of them, whatever -ffp-contract says.
struct Pair {
  double difference, sum;
};
[[gnu::noinline]] void difference_and_sum(Pair* __restrict__ result, const Pair* __restrict__ a,
                                          const Pair* __restrict__ b, const Pair* __restrict__ c) {
  result->difference = a->difference * b->difference - c->difference;
  result->sum = a->sum * b->sum + c->sum;
}

TEST(Contraction, IsOffWhereASumStandsBesideADifference) {
  auto* volatile call = &difference_and_sum;  // or the compiler would make a copy of the function for these arguments
  const Pair factors{factor, factor}, constants{-constant, constant};
  Pair result{1, 1};
  call(&result, &factors, &factors, &constants);
  EXPECT_EQ(result.difference, 0);
  EXPECT_EQ(result.sum, 0);
}

TEST(Contraction, IsThereByName) { EXPECT_EQ(fused(factor, factor, constant), 0x1p-54); }

// Subnormal numbers are not flushed to zero (a part of -ffast-math that linking alone can turn on).
TEST(Arithmetic, KeepsSubnormalNumbers) { EXPECT_EQ(product_plus_constant(0x1p-1022, 0.5, 0), 0x1p-1023); }

}  // namespace
}  // namespace jostle
