// q (+) h v: bodies turn exactly about their new angular velocity.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "core/dynamics/motion.hpp"
#include "tests/core/built_system.hpp"

namespace jostle {
namespace {

constexpr double turn_step = 0.01;

Model one_body(const bool (&freedom)[6]) {
  Model model;
  model.step = turn_step;
  model.add_body(false, freedom);
  return model;
}

class Turning : public testing::Test {
 protected:
  double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(random_()) * 0x1p-32); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Pose pose() {
    const Quaternion q = normalised({uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
    return {vector(3), q, 0, rotation_matrix(q)};
  }

  std::mt19937 random_{1};
};

double norm_error(const Quaternion& q) { return std::fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1); }

TEST_F(Turning, KeepsTheAngularVelocityInTheWorld) {
  const Model model = one_body({true, true, true, true, true, true});
  const ModelView view = model.view(0);
  for (const double size : {0.0, 1e-12, 1e-6, 1.0, 100.0, 500.0}) {
    for (int i = 0; i < 200; ++i) {
      const Pose before = pose();
      const Vec3 v = vector(2), w = vector(size);
      const Vec6 velocity{v[0], v[1], v[2], w[0], w[1], w[2]};
      const Pose after = moved(view, 0, before, turn_step, velocity);
      EXPECT_LE(norm_error(after.orientation), 1e-15);
      EXPECT_LE((rotate(after.axes, w) - rotate(before.axes, w)).norm(), 4e-15 * w.norm());
      EXPECT_LE((after.position - (before.position + turn_step * v)).norm(), 1e-15);
    }
  }
}

TEST_F(Turning, IsTheRotationByTheAngularVelocityTimesTheStep) {
  const Model model = one_body({true, true, true, true, true, true});
  for (int i = 0; i < 1000; ++i) {
    const Pose before = pose();
    const Vec3 w = vector(300);
    const Vec6 velocity{0, 0, 0, w[0], w[1], w[2]};
    const Mat3 turn = Eigen::AngleAxisd(turn_step * w.norm(), w.normalized()).toRotationMatrix();
    const Pose after = moved(model.view(0), 0, before, turn_step, velocity);
    EXPECT_LE((after.axes - before.axes * turn).cwiseAbs().maxCoeff(), 3e-15);
    EXPECT_LE((after.axes - rotation_matrix(after.orientation)).cwiseAbs().maxCoeff(), 0);
  }
}

TEST_F(Turning, NeverLosesTheUnitNorm) {
  const Model model = one_body({true, true, true, true, true, true});
  Pose body = pose();
  for (int i = 0; i < 100'000; ++i) {
    const Vec6 velocity{0, 0, 0, 3, -20, 5};
    body = moved(model.view(0), 0, body, turn_step, velocity);
    ASSERT_LE(norm_error(body.orientation), 1e-15) << "step " << i;
  }
}

TEST_F(Turning, APlanarAngleAdvancesExactlyAndIsNotWrapped) {
  for (int axis = 0; axis < 3; ++axis) {
    bool freedom[6] = {};
    freedom[3 + axis] = true;
    const Model model = one_body(freedom);
    Pose body{Vec3::Zero(), {}, 0.3, planar_rotation_matrix(axis, 0.3)};
    for (int i = 0; i < 2000; ++i) {
      const double w = uniform(0, 20);
      Vec6 velocity{};
      velocity[3 + axis] = w;
      const Pose after = moved(model.view(0), 0, body, turn_step, velocity);
      ASSERT_EQ(after.angle, body.angle + turn_step * w) << "step " << i;
      body = after;
    }
    EXPECT_GT(body.angle, 100);
    EXPECT_NEAR(body.axes((axis + 1) % 3, (axis + 1) % 3), std::cos(body.angle), 1e-15);
    EXPECT_NEAR(body.axes((axis + 2) % 3, (axis + 1) % 3), std::sin(body.angle), 1e-15);
    EXPECT_LE((body.axes - rotation_matrix(body.orientation)).cwiseAbs().maxCoeff(), 1e-15);
  }
}

TEST_F(Turning, LockedBodiesKeepTheirOrientation) {
  Model model;
  model.add_body(false, {true, false, true, false, false, false});
  const Pose before = pose();
  const Vec6 velocity{1, 0, -2, 0, 0, 0};
  const Pose particle = moved(model.view(0), 0, before, turn_step, velocity);
  EXPECT_EQ(particle.position, before.position + turn_step * Vec3(1, 0, -2));
  EXPECT_EQ(particle.axes, before.axes);
}

TEST_F(Turning, FixedBodiesStayWhereTheyAre) {
  BuiltSystem built(turn_step);
  const int fixed = built.add_fixed_body(), body = built.add_body();
  built.build(0);
  const Pose before = pose();
  set_vector(built.state().position, fixed, before.position);
  set_quaternion(built.state().orientation, fixed, before.orientation);
  set_vector(built.state().velocity, body, {1, 2, 3});
  built.predict_step();
  EXPECT_EQ(built.work().predicted_pose(fixed).position, before.position);
  EXPECT_EQ(built.work().predicted_pose(fixed).axes, before.axes);
  EXPECT_EQ(built.work().predicted_pose(body).position, turn_step * Vec3(1, 2, 3));
}

}  // namespace
}  // namespace jostle
