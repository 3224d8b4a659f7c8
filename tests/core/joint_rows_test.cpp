// The rows of joints are derivatives of their equations and coordinates, wherever the bodies are.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/accelerations/joint_acceleration.hpp"
#include "core/batch/batch.hpp"
#include "tests/geometry/placements.hpp"

namespace jostle {
namespace {

using test::Random;

constexpr double difference = 1e-6;
constexpr int joint_trials = 30;

struct JointCase {
  const char* name;
  JointType type;
  int body_a, body_b;
  int normal;  ///< of the plane of a planar scene; -1: spatial
  bool has_fixed_body = false;
};

std::ostream& operator<<(std::ostream& stream, const JointCase& joint) { return stream << joint.name; }

/// Two bodies anywhere, tied by a joint with random points and axes.
class TiedBodies {
 public:
  TiedBodies(const JointCase& joint, Random& random) {
    model_->step = 0.01;
    model_->planar = joint.normal >= 0;
    if (model_->planar) model_->plane_normal[joint.normal] = 1;
    model_->set_directions(model_->planar ? 2 : 4);
    bool freedom[6];
    for (int k = 0; k < 6; ++k) freedom[k] = !model_->planar || (k < 3) == (k % 3 != joint.normal);
    model_->add_body(joint.has_fixed_body, freedom);
    model_->add_body(false, freedom);
    JointModel tie{joint.type, joint.body_a, joint.body_b};
    tie.has_friction = tie.has_coordinate();
    model_->add_joint(tie);
    batch_.emplace(*model_, 1);
    memory_.emplace(*model_, 1);
    set_parameters(random);
    for (int b = 0; b < 2; ++b) {
      const Vec3 turn = random_vector(random, 3);
      Pose& pose = start_[b];
      pose = {Vec3::Zero(), {}, 0, Mat3::Identity()};
      if (b == 0 && joint.has_fixed_body) continue;
      const Vec3 position = random_vector(random, 2);
      const Vec6 far{position[0], position[1], position[2], turn[0], turn[1], turn[2]};
      pose = moved(memory_->view(), b, pose, 1, free_part(b, far));
    }
    place(start_);
    for (int b = 0; b < 2; ++b) work().pose(b) = start_[b];
  }

  Vec6 free_part(int body, Vec6 velocity) const {
    for (int k = 0; k < 6; ++k)
      if (!model_->bodies[static_cast<std::size_t>(body)].is_free(k)) velocity[k] = 0;
    return velocity;
  }
  Vec6 random_velocity(int body, Random& random) const {
    const Vec3 v = random_vector(random, 1), w = random_vector(random, 1);
    return free_part(body, {v[0], v[1], v[2], w[0], w[1], w[2]});
  }

  /// The value of f after the bodies have moved with their velocities for a time.
  double after(const Vec6 (&velocity)[2], double time, const std::function<double()>& f) const {
    Pose poses[2];
    for (int b = 0; b < 2; ++b) poses[b] = moved(memory_->view(), b, start_[b], time, velocity[b]);
    place(poses);
    const double value = f();
    place(start_);
    return value;
  }

  /// row . v
  double speed(const ConstraintRow& row, const Vec6 (&velocity)[2]) const {
    Vec6 of_movers[2];
    for (int b = 0; b < 2; ++b) {
      const int mover = model_->bodies[static_cast<std::size_t>(b)].mover;
      if (mover >= 0) of_movers[mover] = velocity[b];
    }
    return add_product(0, row, of_movers);
  }

  /// Turns the axes of b to those of a, and then about the third.
  void make_axes_parallel(double angle) {
    const PlacedJoint placed = place_joint(system(), 0, work().predicted_pose());
    Mat3 axes;
    for (int k = 0; k < 3; ++k) axes.col(k) = placed.axes_a.col(k);
    const Mat3 turned = product(axes, planar_rotation_matrix(2, angle));
    const Mat3 own = joint().body_b == world_body ? turned : product(start_[joint().body_b].axes.transpose(), turned);
    for (int k = 0; k < 9; ++k) batch_->parameters(0).joint_axes_b[k] = own(k / 3, k % 3);
  }

  /// Has its equations written one by one, whatever they are.
  void forget_whole_points() { model_->joints[0].has_point_equations = false; }

  System system() { return batch_->system(memory_->view(), 0); }
  Workspace work() const { return memory_->workspace(); }
  const JointModel& joint() const { return model_->joints[0]; }

  double equation(int i) {
    return joint_equation(memory_->view(), joint(), place_joint(system(), 0, work().predicted_pose()), 0.3, i).value;
  }
  double coordinate() { return joint_position_at(system(), 0, work().predicted_pose()); }

 private:
  void set_parameters(Random& random) {
    const ParameterMemory parameters = batch_->parameters(0);
    for (int b = 0; b < 2; ++b) parameters.mass[b] = 1;
    set_vector(parameters.joint_point_a, 0, random_vector(random, 1));
    set_vector(parameters.joint_point_b, 0, random_vector(random, 1));
    Mat3 axes[2];
    for (Mat3& own : axes) {
      own = rotation_matrix(exponential_map(random_vector(random, 1)));
      if (!model_->planar) continue;
      const int normal = model_->plane_normal[0] != 0 ? 0 : model_->plane_normal[1] != 0 ? 1 : 2;
      own = planar_rotation_matrix(normal, random.uniform(-1, 1));
      const Mat3 before = own;
      for (int k = 0; k < 3; ++k) own.col(k) = before.col((normal + 1 + k) % 3);
    }
    for (int k = 0; k < 9; ++k) {
      parameters.joint_axes_a[k] = axes[0](k / 3, k % 3);
      parameters.joint_axes_b[k] = axes[1](k / 3, k % 3);
    }
    parameters.joint_length[0] = 0.3;
  }
  void place(const Pose (&poses)[2]) const {
    for (int b = 0; b < 2; ++b) work().predicted_pose(b) = poses[b];
  }

  std::unique_ptr<Model> model_ = std::make_unique<Model>();
  std::optional<Batch> batch_;
  std::optional<WorkspaceMemory> memory_;
  Pose start_[2];
};

class JointRows : public testing::TestWithParam<JointCase> {};

/// For write_joint_rows: s = Theta.
constexpr auto gap_as_bias = [](int, const PlacedJoint&) { return [](double gap, const auto&...) { return gap; }; };

TEST_P(JointRows, AreDerivativesOfTheEquations) {
  Random random(1);
  for (int trial = 0; trial < joint_trials; ++trial) {
    TiedBodies tied(GetParam(), random);
    MixedLcp problem;
    write_joint_rows(SerialTeam{}, tied.system(), tied.work(), problem, tied.work().pose(), gap_as_bias);
    ASSERT_EQ(problem.joints, tied.joint().rows);
    const Vec6 velocity[2] = {tied.random_velocity(0, random), tied.random_velocity(1, random)};
    for (int i = 0; i < problem.joints; ++i) {
      EXPECT_EQ(tied.work().joint_bias(i), tied.equation(i));
      const auto value = [&] { return tied.equation(i); };
      const double slope =
          (tied.after(velocity, difference, value) - tied.after(velocity, -difference, value)) / (2 * difference);
      EXPECT_NEAR(tied.speed(tied.work().joint_row(i), velocity), slope, 2e-8) << "equation " << i;
    }
  }
}

TEST_P(JointRows, OfWholePointsHaveTheBitsOfTheEquations) {
  Random random(5);
  for (int trial = 0; trial < joint_trials; ++trial) {
    TiedBodies tied(GetParam(), random);
    const auto write = [&] {
      MixedLcp problem;
      write_joint_rows(SerialTeam{}, tied.system(), tied.work(), problem, tied.work().pose(), gap_as_bias);
      std::vector<double> numbers;
      for (int i = 0; i < problem.joints; ++i) {
        const ConstraintRow& row = tied.work().joint_row(i);
        numbers.push_back(tied.work().joint_bias(i));
        for (int side = 0; side < 2; ++side) {
          numbers.push_back(row.body[side]);
          if (row.body[side] != no_body)
            numbers.insert(numbers.end(), row.entry[side].value, row.entry[side].value + 6);
        }
      }
      return numbers;
    };
    const bool is_whole = tied.joint().has_point_equations;
    const std::vector<double> at_once = write();
    tied.forget_whole_points();
    const std::vector<double> one_by_one = write();
    ASSERT_EQ(at_once.size(), one_by_one.size());
    for (std::size_t i = 0; i < at_once.size(); ++i) EXPECT_EQ(bits_of(at_once[i]), bits_of(one_by_one[i])) << i;
    const JointType type = tied.joint().type;
    const bool has_points = type == JointType::ball || type == JointType::revolute || type == JointType::fixed;
    EXPECT_EQ(is_whole, has_points);
  }
}

/// The second derivative at 0 of f(time), by five points.
double second_difference(const std::function<double(double)>& f) {
  constexpr double s = 0.01;
  return (16 * (f(s) + f(-s)) - (f(2 * s) + f(-2 * s)) - 30 * f(0)) / (12 * s * s);
}

/// Gives the bodies their velocities, as a stage has them.
void set_velocities(const TiedBodies& tied, const ModelView& model, const Vec6 (&velocity)[2]) {
  for (int b = 0; b < 2; ++b)
    if (model.bodies[b].mover >= 0) tied.work().velocity(model.bodies[b].mover) = velocity[b];
}

TEST_P(JointRows, TurnAsTheSecondDerivativesOfTheEquations) {
  Random random(3);
  for (int trial = 0; trial < joint_trials; ++trial) {
    TiedBodies tied(GetParam(), random);
    const Vec6 velocity[2] = {tied.random_velocity(0, random), tied.random_velocity(1, random)};
    const System system = tied.system();
    set_velocities(tied, system.model, velocity);
    const PlacedJoint placed = place_joint(system, 0, tied.work().predicted_pose());
    const EquationTurning turning(system, tied.work(), 0, placed);
    for (int i = 0; i < tied.joint().rows; ++i) {
      const double second =
          second_difference([&](double s) { return tied.after(velocity, s, [&] { return tied.equation(i); }); });
      const bool is_distance = tied.joint().type == JointType::distance;
      EXPECT_NEAR(turning(i), second, is_distance ? 1e-4 : 1e-8) << i;
    }
  }
}

class CoordinateRows : public testing::TestWithParam<JointCase> {};

// With parallel axes, as joints have them.
TEST_P(CoordinateRows, AreDerivativesOfTheCoordinate) {
  Random random(2);
  for (int trial = 0; trial < joint_trials; ++trial) {
    TiedBodies tied(GetParam(), random);
    tied.make_axes_parallel(random.uniform(-3, 3));
    MixedLcp problem;
    tied.work().listed_limits(0) = 0;
    write_joint_blocks(SerialTeam{}, tied.system(), tied.work(), problem, tied.work().pose(), 0, 0.01,
                       [](double, const ConstraintRow&, double, double) { return 0.0; });
    ASSERT_EQ(problem.rows, 1);
    ASSERT_EQ(problem.blocks, 1);
    const Vec6 velocity[2] = {tied.random_velocity(0, random), tied.random_velocity(1, random)};
    const auto value = [&] { return tied.coordinate(); };
    const double slope =
        (tied.after(velocity, difference, value) - tied.after(velocity, -difference, value)) / (2 * difference);
    EXPECT_NEAR(tied.speed(tied.work().row(0), velocity), slope, 1e-8);
  }
}

TEST_P(CoordinateRows, TurnAsTheSecondDerivativesOfTheCoordinate) {
  Random random(4);
  for (int trial = 0; trial < joint_trials; ++trial) {
    TiedBodies tied(GetParam(), random);
    tied.make_axes_parallel(random.uniform(-3, 3));
    Vec6 velocity[2] = {tied.random_velocity(0, random), tied.random_velocity(1, random)};
    if (tied.joint().type == JointType::revolute) {  // it turns about its axis only
      const PlacedJoint placed = place_joint(tied.system(), 0, tied.work().predicted_pose());
      for (int b = 0; b < 2; ++b) {
        const Vec3 spin = (b + 0.5) * rotate_back(tied.work().predicted_pose(b).axes, Vec3(placed.axes_a.col(2)));
        for (int k = 0; k < 3; ++k) velocity[b][3 + k] = spin[k];
        velocity[b] = tied.free_part(b, velocity[b]);
      }
    }
    set_velocities(tied, tied.system().model, velocity);
    const double second =
        second_difference([&](double s) { return tied.after(velocity, s, [&] { return tied.coordinate(); }); });
    const double turning =
        turning_of_coordinate(tied.system(), tied.work(), 0, tied.work().predicted_pose(), tied.work().velocity());
    EXPECT_NEAR(turning, second, 1e-8);
  }
}

std::vector<JointCase> all_cases() {
  using enum JointType;
  return {{"Ball", ball, 0, 1, -1},
          {"Revolute", revolute, 0, 1, -1},
          {"Prismatic", prismatic, 0, 1, -1},
          {"Fixed", fixed, 0, 1, -1},
          {"Distance", distance, 0, 1, -1},
          {"RevoluteBackwards", revolute, 1, 0, -1},
          {"PrismaticBackwards", prismatic, 1, 0, -1},
          {"RevoluteInTheWorld", revolute, world_body, 1, -1},
          {"PrismaticInTheWorld", prismatic, world_body, 1, -1},
          {"FixedToTheWorld", fixed, 0, world_body, -1},
          {"DistanceToTheWorld", distance, 1, world_body, -1},
          {"BallToAFixedBody", ball, 0, 1, -1, true},
          {"PrismaticToAFixedBody", prismatic, 1, 0, -1, true},
          {"PlanarBall", ball, 0, 1, 2},
          {"PlanarRevolute", revolute, 0, 1, 2},
          {"PlanarPrismatic", prismatic, 0, 1, 2},
          {"PlanarFixed", fixed, 0, 1, 2},
          {"PlanarDistance", distance, 0, 1, 2},
          {"PlanarRevoluteAcrossX", revolute, 1, 0, 0},
          {"PlanarPrismaticAcrossY", prismatic, 0, 1, 1},
          {"PlanarFixedAcrossY", fixed, world_body, 1, 1}};
}

INSTANTIATE_TEST_SUITE_P(Joints, JointRows, testing::ValuesIn(all_cases()),
                         [](const auto& joint) { return std::string(joint.param.name); });

std::vector<JointCase> cases_with_a_coordinate() {
  std::vector<JointCase> cases = all_cases();
  std::erase_if(cases,
                [](const JointCase& c) { return c.type != JointType::revolute && c.type != JointType::prismatic; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Joints, CoordinateRows, testing::ValuesIn(cases_with_a_coordinate()),
                         [](const auto& joint) { return std::string(joint.param.name); });

TEST(RevoluteJoint, KeepsItsAngleUnwrapped) {
  constexpr double pi = 0x1.921fb54442d18p+1;
  EXPECT_EQ(unwrapped(0.5, 0.25), 0.5);
  EXPECT_NEAR(unwrapped(-3, 3.1), 2 * pi - 3, 1e-15);
  EXPECT_NEAR(unwrapped(3, -3.1), 3 - 2 * pi, 1e-15);
  EXPECT_NEAR(unwrapped(1, 200 * pi), 1 + 200 * pi, 1e-12);
  EXPECT_EQ(unwrapped(1, canonical_nan()), 1);
}

}  // namespace
}  // namespace jostle
