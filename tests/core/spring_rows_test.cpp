// The row of a spring is the derivative of its length, wherever the bodies are and in the axes of any pose.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "core/batch/batch.hpp"
#include "core/dynamics/motion.hpp"
#include "core/dynamics/springs.hpp"
#include "tests/geometry/placements.hpp"

namespace jostle {
namespace {

using test::Random;

constexpr double stiffness = 30, damping = 4, rest = 0.7;
const Vec6* const none = nullptr;  // no body has prescribed motion

struct SpringCase {
  const char* name;
  int body_a, body_b;
  bool first_is_fixed = false, planar = false;
};

std::ostream& operator<<(std::ostream& stream, const SpringCase& spring) { return stream << spring.name; }

/// Two bodies anywhere, with a spring at random points.
class SprungBodies {
 public:
  SprungBodies(const SpringCase& spring, Random& random) {
    bool freedom[6];
    for (int k = 0; k < 6; ++k) freedom[k] = !spring.planar || (k < 3) == (k % 3 != 2);
    model_->add_body(spring.first_is_fixed, freedom);
    model_->add_body(false, freedom);
    model_->springs.push_back({spring.body_a, spring.body_b});
    batch_.emplace(*model_, 1);
    memory_.emplace(*model_, 1);
    const ParameterMemory parameters = batch_->parameters(0);
    set_vector(parameters.spring_point_a, 0, random_vector(random, 1));
    set_vector(parameters.spring_point_b, 0, random_vector(random, 1));
    parameters.spring_stiffness[0] = stiffness;
    parameters.spring_damping[0] = damping;
    parameters.spring_rest[0] = rest;
    for (int b = 0; b < 2; ++b) {
      const Vec3 position = random_vector(random, 2), turn = random_vector(random, 3);
      const Pose origin{Vec3::Zero(), {}, 0, Mat3::Identity()};
      const Vec6 far{position[0], position[1], position[2], turn[0], turn[1], turn[2]};
      poses[b] = moved(memory_->view(), b, origin, 1, free_part(b, far));
    }
  }

  Vec6 free_part(int body, Vec6 velocity) const {
    for (int k = 0; k < 6; ++k)
      if (!model_->bodies[static_cast<std::size_t>(body)].is_free(k)) velocity[k] = 0;
    return velocity;
  }
  int mover(int body) const { return model_->bodies[static_cast<std::size_t>(body)].mover; }

  /// After a time with velocities of the movers.
  void move(const Vec6 (&velocity)[2], double time, Pose (&to)[2]) const {
    for (int b = 0; b < 2; ++b)
      to[b] = mover(b) == no_body ? poses[b] : moved(memory_->view(), b, poses[b], time, velocity[mover(b)]);
  }

  System system() { return batch_->system(memory_->view(), 0); }

  Pose poses[2];

 private:
  std::unique_ptr<Model> model_ = std::make_unique<Model>();
  std::optional<Batch> batch_;
  std::optional<WorkspaceMemory> memory_;
};

class SpringRows : public testing::TestWithParam<SpringCase> {
 protected:
  void random_velocities(const SprungBodies& bodies, Random& random, Vec6 (&velocity)[2]) {
    for (int b = 0; b < 2; ++b) {
      const Vec3 v = random_vector(random, 1), w = random_vector(random, 1);
      if (bodies.mover(b) != no_body)
        velocity[bodies.mover(b)] = bodies.free_part(b, {v[0], v[1], v[2], w[0], w[1], w[2]});
    }
  }
};

TEST_P(SpringRows, AreTheDerivativeOfTheLength) {
  constexpr double difference = 1e-6;
  Random random(11);
  for (int trial = 0; trial < 30; ++trial) {
    SprungBodies bodies(GetParam(), random);
    Vec6 velocity[2] = {};
    random_velocities(bodies, random, velocity);
    const auto length_after = [&](double time) {
      Pose later[2];
      bodies.move(velocity, time, later);
      return spring_line(bodies.system(), 0, later).length;
    };
    const SpringRow row = spring_row(bodies.system(), 0, bodies.poses, bodies.poses, velocity, none);
    const double rate = (length_after(difference) - length_after(-difference)) / (2 * difference);
    EXPECT_NEAR(row.rate, rate, 1e-8 / row.length);
    EXPECT_EQ(row.rate, add_product(0, row.g, velocity));
    EXPECT_NEAR(row.length, length_after(0), 1e-15);
    EXPECT_EQ(row.stiffness, stiffness);
    EXPECT_EQ(row.damping, damping);
    EXPECT_EQ(row.tension, stiffness * (row.length - rest) + damping * row.rate);
  }
}

// The same force and torque in the world, and the same rate if the velocities are turned, too.
TEST_P(SpringRows, MayBeInTheAxesOfAnotherPose) {
  Random random(12);
  for (int trial = 0; trial < 30; ++trial) {
    SprungBodies bodies(GetParam(), random);
    Vec6 velocity[2] = {}, turned[2] = {};
    random_velocities(bodies, random, velocity);
    Pose other[2];
    Vec6 way[2] = {};
    random_velocities(bodies, random, way);
    bodies.move(way, 1, other);
    const auto change_axes = [&](int b, const Vec6& of_body) {
      const Vec3 w = rotate_back(other[b].axes, rotate(bodies.poses[b].axes, of_body.angular()));
      return Vec6{of_body[0], of_body[1], of_body[2], w[0], w[1], w[2]};
    };
    for (int b = 0; b < 2; ++b)
      if (bodies.mover(b) != no_body) turned[bodies.mover(b)] = change_axes(b, velocity[bodies.mover(b)]);
    const SpringRow here = spring_row(bodies.system(), 0, bodies.poses, bodies.poses, velocity, none);
    const SpringRow there = spring_row(bodies.system(), 0, bodies.poses, other, turned, none);
    EXPECT_EQ(there.length, here.length);
    EXPECT_NEAR(there.rate, here.rate, 1e-14);
    for (int b = 0; b < 2; ++b) {
      const int side = bodies.mover(b) == no_body ? -1 : side_of(here.g, bodies.mover(b));
      if (side < 0) continue;
      const Vec6 expected = change_axes(b, here.g.entry[side]);
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(there.g.entry[side][k], expected[k], 1e-15) << k;
    }
  }
}

const SpringCase cases[] = {{"TwoBodies", 0, 1},
                            {"LaterBodyFirst", 1, 0},
                            {"WorldAndBody", world_body, 1},
                            {"BodyAndWorld", 0, world_body},
                            {"FixedBody", 0, 1, true},
                            {"Planar", 0, 1, false, true}};

INSTANTIATE_TEST_SUITE_P(Springs, SpringRows, testing::ValuesIn(cases), [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace jostle
