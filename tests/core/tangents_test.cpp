// The tangent plane of a contact, for polygons with any number of sides.
#include "core/assembly/tangents.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle {
namespace {

class Tangents : public testing::TestWithParam<int> {
 protected:
  Tangents() {
    model_.set_directions(GetParam());
    view_ = model_.view(0);
  }

  int k() const { return GetParam(); }
  /// Vectors all around, along (t1, t2); in a plane there is no t2.
  template <class F>
  void for_each_vector(F f) const {
    for (int i = 0; i < 100; ++i) {
      const double angle = 0.07 * i, size = 0.5 + 0.01 * i;
      f(Direction{size * std::cos(angle), k() == 2 ? 0.0 : size * std::sin(angle)});
    }
  }

  Model model_;
  ModelView view_;
};

INSTANTIATE_TEST_SUITE_P(Sides, Tangents, testing::Values(2, 4, 6, 8, 10, 64));

TEST_P(Tangents, HaveTheSlipThatTheirRowsSee) {
  for_each_vector([&](const Direction& slip) {
    const int tangent = 5;  // any row
    const Direction found =
        slip_of_rows(view_, tangent, [&](int row) { return dot(direction(view_, row - tangent), slip); });
    EXPECT_NEAR(found.x, slip.x, 1e-15);
    EXPECT_NEAR(found.y, slip.y, 1e-14);
  });
}

TEST_P(Tangents, AreSumsOfTwoRows) {
  for_each_vector([&](const Direction& vector) {
    const Direction weights = row_weights(view_, vector);
    const Direction first = direction(view_, 0), second = direction(view_, second_tangent(view_));
    EXPECT_NEAR(weights.x * first.x + weights.y * second.x, vector.x, 1e-15);
    EXPECT_NEAR(weights.x * first.y + weights.y * second.y, vector.y, 1e-15);
  });
}

TEST_P(Tangents, HaveTheFirstDirectionOfLeastSpeed) {
  for_each_vector([&](const Direction& slip) {
    int slowest = 0;
    for (int i = 1; i < k(); ++i)
      if (dot(direction(view_, i), slip) < dot(direction(view_, slowest), slip)) slowest = i;
    EXPECT_EQ(slowest_direction(view_, slip), slowest);
  });
}

TEST_P(Tangents, OfAContactThatDoesNotSlipHaveNone) { EXPECT_EQ(slowest_direction(view_, {0, 0}), 0); }

TEST_P(Tangents, BoundARegularPolygon) {
  if (k() == 2) return;
  const PolygonSide side = polygon_side(view_);
  const Direction first = direction(view_, 0), next = direction(view_, 1);
  EXPECT_NEAR(std::hypot(next.x - first.x, next.y - first.y), side.length, 1e-15);
  EXPECT_NEAR(std::hypot(next.x + first.x, next.y + first.y) / 2, side.distance, 1e-15);
}

TEST_P(Tangents, BelongToTheRowsBehindTheNormal) {
  Dimensions d = view_.dimensions;
  d.has_spin_friction = d.has_rolling_friction = true;
  EXPECT_EQ(d.contact_rows(3).normal, d.contact_rows_end(3));
  EXPECT_EQ(d.contact_rows(3).tangent, d.contact_rows(3).normal + 1);
  EXPECT_EQ(d.contact_rows(3).spin, d.contact_rows(3).tangent + k() / 2);
  EXPECT_EQ(d.contact_rows(3).roll, d.contact_rows(3).spin + 1);
  EXPECT_EQ(d.contact_rows(4).normal, d.contact_rows(3).roll + k() / 2);
  EXPECT_EQ(d.bound_block(2, d.contact_rows_end(7) + 2), d.contact_blocks_end(7) + 2);
}

}  // namespace
}  // namespace jostle
