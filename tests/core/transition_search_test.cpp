// The search for the time at which the modes of the step before end: docs/theory.md (60), (61).
#include <gtest/gtest.h>

#include <cmath>

#include "core/events/transition.hpp"

namespace jostle {
namespace {

constexpr double step = 0.01, tolerance = 1e-9;

/// The time that is found, and how often F is asked for.
struct Found {
  double time;
  int evaluations = 0, marks = 0;
};

Found search(auto F, bool all_falls = false) {
  Found found{};
  const auto counted = [&](double s) {
    ++found.evaluations;
    return F(s, found.marks > 0);
  };
  found.time = transition_time(
      counted, [&] { ++found.marks; }, step, F(step, false), tolerance, all_falls);
  return found;
}

TEST(TransitionSearch, EndsAtOnceWhereTheModesDoNotEvenBegin) {
  const Found found = search([](double s, bool) { return s - 0.02; });
  EXPECT_EQ(found.time, step);
  EXPECT_EQ(found.evaluations, 1);
}

TEST(TransitionSearch, LooksOnWhereTheModesBeginWithRoundingErrors) {
  const Found found = search([](double s, bool) { return s < 1e-7 ? -1e-12 : 0.003 - s; });
  EXPECT_NEAR(found.time, 0.003, 1e-16);
  EXPECT_EQ(found.marks, 1);
}

/// A slip that ends at 0.6 of the step; within 1e-14 of that it does not count, and the impulse of the contact is all
/// that is left, unless it is marked.
TEST(TransitionSearch, EndsWhereAMarkedSlipIsZero) {
  constexpr double end = 0.6 * step;
  const Found found = search([](double s, bool is_marked) {
    const double slip = (end - s) * (1 + 3 * s);
    if (std::fabs(slip) > 1e-14) return slip < 0.1 ? slip : 0.1;
    return is_marked ? 0.0 : 0.1;
  });
  EXPECT_NEAR(found.time, end, 1e-14);
  EXPECT_LE(found.evaluations, 12);
  EXPECT_EQ(found.marks, 1);
}

/// If F is of falling variables alone, the search takes as few steps as secants do, and no more in rounding errors.
TEST(TransitionSearch, TakesTheWholePieceForFallingVariables) {
  constexpr double end = 0.6 * step, error = 3e-14;
  const auto F = [](double s, bool) {
    const double slip = (end - s) * (1 + 3 * s);
    return slip + (slip > 0 ? error : -error);
  };
  const Found found = search(F, true);
  EXPECT_NEAR(found.time, end, 1e-13);
  EXPECT_LE(found.evaluations, 7);
  EXPECT_EQ(found.marks, 1);
}

}  // namespace
}  // namespace jostle
