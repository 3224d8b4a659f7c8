// Which feature pairs are in the LCP of a step: those that were active and are near still, those that overlap at q^,
// and those that the solution itself would make overlap.
#include <cmath>

#include "tests/core/built_system.hpp"

namespace jostle {
namespace {

constexpr double step = 0.01, radius = 0.1;

void set_height(BuiltSystem& built, double z, double velocity) {
  set_vector(built.state().position, 0, {0, 0, z});
  set_vector(built.state().velocity, 0, {0, 0, velocity});
}

/// A ball above a floor.
BuiltSystem ball_on_floor() {
  BuiltSystem built(step);
  const int ball = built.add_shape(built.add_body(), ShapeType::sphere, {radius, 0, 0});
  const int floor = built.add_shape(built.add_fixed_body(), ShapeType::half_space, Vec3::Zero());
  built.add_pair(ball, floor);
  built.build(0);
  return built;
}

void make_active(BuiltSystem& built) { built.state().active[0].insert(0); }

TEST(CandidateRule, AContactThatOverlapsAtThePredictedPositionsIsListed) {
  BuiltSystem built = ball_on_floor();
  set_height(built, radius + 0.005, -0.51);  // 0.1 mm too deep at q^
  EXPECT_EQ(built.list(), 1);
  set_height(built, radius + 0.005, -0.49);  // 0.1 mm above the floor
  EXPECT_EQ(built.list(), 0);
}

TEST(CandidateRule, AContactThatJustTouchesIsListed) {
  BuiltSystem built = ball_on_floor();
  set_height(built, radius, 0);
  EXPECT_EQ(built.list(), 1);
}

TEST(CandidateRule, OverlapNowDoesNotListWhatIsApartAtThePredictedPositions) {
  BuiltSystem built = ball_on_floor();
  set_height(built, radius - 0.001, 0.2);
  EXPECT_EQ(built.list(), 0);
}

TEST(CandidateRule, AnActiveContactStaysListedWhileItIsNear) {
  BuiltSystem built = ball_on_floor();
  make_active(built);
  const double size = 1e-3 * radius;  // of the margin, the rest of which is 2 h |v|
  set_height(built, radius + 0.9 * size, 0);
  EXPECT_EQ(built.list(), 1);
  set_height(built, radius + step * 0.3, 0.3);  // at q^ 2 h |v| above the floor
  EXPECT_EQ(built.list(), 1);
}

TEST(CandidateRule, AnActiveContactThatIsFarAwayIsDropped) {
  BuiltSystem built = ball_on_floor();
  make_active(built);
  const double size = 1e-3 * radius;
  set_height(built, radius + 1.1 * size, 0);
  EXPECT_EQ(built.list(), 0);
  set_height(built, radius + step * 0.3 + 1.1 * size, 0.3);
  EXPECT_EQ(built.list(), 0);
}

TEST(CandidateRule, WhatIsNearButWasNotActiveIsNotListed) {
  BuiltSystem built = ball_on_floor();
  set_height(built, radius + 1e-5, 0);
  EXPECT_EQ(built.list(), 0);
}

// 2 h (|v| + reach |w|) of both bodies, reach from the centre of mass, and a thousandth of the smaller shape.
TEST(CandidateMargin, IsWhatTwoStepsCanCloseAndAThousandthOfTheSmallerShape) {
  BuiltSystem built(step);
  const int a = built.add_body(), b = built.add_body();
  const int ball = built.add_shape(a, ShapeType::sphere, {radius, 0, 0}, {0, 0.5, 0});
  const int box = built.add_shape(b, ShapeType::box, {0.1, 0.2, 0.3});
  built.add_pair(ball, box);
  built.build(0);
  set_vector(built.state().velocity, a, {3, 0, 4});
  set_vector(built.state().spin, a, {0, 0, 2});
  set_vector(built.state().velocity, b, {0, -1, 0});
  set_vector(built.state().spin, b, {0, 3, 0});
  built.predict_step();
  const double speed_a = 5 + (0.5 + radius) * 2, speed_b = 1 + std::sqrt(0.14) * 3;
  EXPECT_NEAR(candidate_margin(built.system(), built.work(), built.model().pairs[0], built.model().step),
              2 * step * (speed_a + speed_b) + 1e-3 * radius, 1e-14);
}

TEST(CandidateMargin, OfAPlaneIsThatOfTheOtherShape) {
  BuiltSystem built = ball_on_floor();
  set_height(built, 1, -5);
  built.predict_step();
  EXPECT_NEAR(candidate_margin(built.system(), built.work(), built.model().pairs[0], built.model().step),
              2 * step * 5 + 1e-3 * radius, 1e-15);
}

/// After a solve: the ball's next height and what add_missed_contacts says of it.
bool misses(BuiltSystem& built, double next_height) {
  const Workspace work = built.work();
  work.next_placed(0) = work.placed(0);
  work.next_placed(1) = work.placed(1);
  work.next_placed(0).position[2] = next_height;
  return add_missed_contacts(SerialTeam{}, built.system(), work);
}

TEST(MissedContacts, JoinIfTheyOverlapAtTheNextPositions) {
  BuiltSystem built = ball_on_floor();
  set_height(built, radius + 1, 0);
  ASSERT_EQ(built.list(), 0);
  EXPECT_FALSE(misses(built, radius - 0.5 * missed_penetration));
  EXPECT_TRUE(built.work().listed(0).empty());
  EXPECT_TRUE(misses(built, radius - 2 * missed_penetration));
  EXPECT_TRUE(built.work().listed(0).contains(0));
}

TEST(MissedContacts, AreNotThoseThatAreListed) {
  BuiltSystem built = ball_on_floor();
  set_height(built, radius, -1);
  ASSERT_EQ(built.list(), 1);
  EXPECT_FALSE(misses(built, radius - 0.01));
  EXPECT_TRUE(built.work().listed(0).contains(0)) << "none ever leaves";
}

// A ball at 1 m/s meets a ramp of 45 degrees without friction: alone it would send the ball up at (.5, 0, .5) m/s, into
// a ceiling 2 cm above, which the prediction does not reach. With both, v_z <= .02 / h and v_x <= v_z.
TEST(MissedContacts, AreSolvedForInTheSameStep) {
  constexpr double long_step = 0.1, clearance = 0.02;
  const double s = std::sqrt(0.5);
  Mat3 up_the_ramp, down;
  up_the_ramp << s, 0, -s, 0, 1, 0, s, 0, s;  // third column: (-s, 0, s)
  down << 1, 0, 0, 0, -1, 0, 0, 0, -1;
  BuiltSystem built(long_step);
  const int body = built.add_body(), fixed = built.add_fixed_body();
  const int ball = built.add_shape(body, ShapeType::sphere, {radius, 0, 0});
  built.add_pair(
      ball, built.add_shape(fixed, ShapeType::half_space, Vec3::Zero(), Vec3(radius * s, 0, -radius * s), up_the_ramp));
  built.add_pair(ball,
                 built.add_shape(fixed, ShapeType::half_space, Vec3::Zero(), Vec3(0, 0, radius + clearance), down));
  built.build(0);
  set_vector(built.state().velocity, body, {1, 0, 0});
  ASSERT_EQ(built.list(), 1) << "the ramp alone";
  const StepResult result = make_step_on_thread(built.system(), built.work(), 1);
  ASSERT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.contacts, 2);
  EXPECT_EQ(result.solves, 2);
  EXPECT_NEAR(built.work().next_velocity(body)[0], clearance / long_step, 1e-14);
  EXPECT_NEAR(built.work().next_velocity(body)[2], clearance / long_step, 1e-14);
  const Workspace work = built.work();
  EXPECT_NEAR(signed_distance(work.next_placed(0), work.next_placed(2)), 0, 1e-14);
}

}  // namespace
}  // namespace jostle
