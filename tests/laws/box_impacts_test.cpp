// Two hundred impacts of two boxes in free space, each with its own orientations, spins and offset.
#include "tests/laws/balance.hpp"

namespace jostle {
namespace {

constexpr int impacts = 200;

/// `shape` of both boxes. The second comes in along x, off the line of centres by up to the width of a box.
Scenario thrown_boxes(const char* shape, double friction, double h) {
  char text[2000];
  std::snprintf(text, sizeof text, R"(
jostle: 1
world: {gravity: [0, 0, 0], step: %.17g, duration: 0.5, friction_directions: 8}
bodies:
  target:
    mass: 2
    shape: {box: {size: %s}}
    position: [0, 0, 0]
    rotation: uniform
    spin: [{normal: [0, 4]}, {normal: [0, 4]}, {normal: [0, 4]}]
  missile:
    mass: 1
    shape: {box: {size: %s}}
    position: [-0.6, {uniform: [-0.15, 0.15]}, {uniform: [-0.15, 0.15]}]
    rotation: uniform
    velocity: [3, 0, 0]
    spin: [{normal: [0, 4]}, {normal: [0, 4]}, {normal: [0, 4]}]
contacts: [{between: any, friction: %.17g}]
sample: {method: random, count: 1000, seed: 11}
)",
                h, shape, shape, friction);
  return parse_scenario(text, "boxes.yaml");
}

constexpr const char* brick_size = "[0.3, 0.2, 0.15]";
constexpr const char* cube = "[0.25, 0.25, 0.25]";

/// Calls see(step, system) after every step of every impact; returns how many boxes met.
template <class See>
int every_step(const char* shape, double friction, double h, See see) {
  int met = 0;
  for (int sample = 0; sample < impacts; ++sample) {
    Simulation boxes(thrown_boxes(shape, friction, h), sample);
    bool touched = false;
    boxes.observe([&](const System& system, const Workspace& work, const StepResult& result) {
      SCOPED_TRACE("impact " + std::to_string(sample) + ", step " + std::to_string(system.state().steps()));
      see(StepBalance(system, work, result), system);
      touched = touched || system.state().normal_impulse[0] > 0;
    });
    EXPECT_EQ(boxes.status(), Status::ok) << sample;
    met += touched;
  }
  return met;
}

Vec3 linear_momentum(const System& system) {
  return 2.0 * vector_at(system.state().velocity, 0) + 1.0 * vector_at(system.state().velocity, 1);
}

TEST(BoxImpacts, KeepLinearMomentum) {
  const int met = every_step(brick_size, 0.4, 0.002, [](const StepBalance&, const System& system) {
    EXPECT_LE((linear_momentum(system) - Vec3(3, 0, 0)).norm(), 3e-13);
  });
  EXPECT_GE(met, impacts * 3 / 4);
}

// About the predicted positions, where the impulses act, and in the axes at q_l: what the boxes get is the moment of
// the friction over the gap, and nothing without friction.
TEST(BoxImpacts, KeepAngularMomentumAboutThePredictedPositions) {
  for (const double friction : {0.0, 0.4}) {
    SCOPED_TRACE(friction);
    every_step(brick_size, friction, 0.002, [](const StepBalance& step, const System&) {
      Vec3 gained = Vec3::Zero(), over_the_gap = Vec3::Zero();
      for (const BodyStep& b : step.bodies)
        gained += cross(b.predicted, b.linear_change()) + b.angular_change(step.step);
      for (const ContactStep& c : step.contacts) over_the_gap += c.gap * cross(c.direction, c.tangential);
      EXPECT_LE((gained - over_the_gap).norm(), 1e-13);
    });
  }
}

Vec3 angular_momentum(const StepBalance& step, const System& system) {
  Vec3 sum = Vec3::Zero();
  for (int b = 0; b < 2; ++b) {
    const Vec3 J = step.bodies[b].inertia;
    sum += cross(vector_at(system.state().position, b), step.bodies[b].mass * vector_at(system.state().velocity, b));
    sum += rotate(pose_of(system, b).axes, J.cwiseProduct(vector_at(system.state().spin, b)));
  }
  return sum;
}

/// Change of angular momentum about the origin from the first step to the last, kg m^2/s: mean over all impacts.
double angular_drift(double h) {
  double sum = 0;
  Vec3 first;
  const auto last = std::lround(0.5 / h);
  every_step(brick_size, 0.4, h, [&](const StepBalance& step, const System& system) {
    if (system.state().steps() == 1) first = angular_momentum(step, system);
    if (system.state().steps() == last) sum += (angular_momentum(step, system) - first).norm();
  });
  return sum / impacts;
}

TEST(BoxImpacts, KeepAngularMomentumToFirstOrderInTheStep) {
  double before = angular_drift(0.004);
  for (const double h : {0.002, 0.001}) {
    const double drift = angular_drift(h);
    EXPECT_NEAR(before / drift, 2, 0.4) << h;
    before = drift;
  }
}

// A cube has no gyroscopic term: all that can raise its energy is the overlap that a corner on its arc is left with.
TEST(BoxImpacts, NeverGainEnergyButByTheGyroscopicTermAndByOverlap) {
  for (const char* shape : {cube, brick_size}) {
    SCOPED_TRACE(shape);
    double before = 0, pushed_out = 0, start = 0, lost = 0;
    every_step(shape, 0.4, 0.002, [&](const StepBalance& step, const System& system) {
      if (system.state().steps() == 1) {
        before = system.state().start_energy();
        start += before;
      }
      double gyroscopic = 0;
      for (const BodyStep& b : step.bodies) gyroscopic += dot(b.gyroscopic(step.step), b.next.angular());
      if (shape == cube) {
        EXPECT_NEAR(gyroscopic, 0, 1e-15);
      }
      const double after = system_energy(system);
      EXPECT_LE(after - before, gyroscopic + step.energy_from_overlap() + 1e-13);
      pushed_out += step.energy_from_overlap();
      lost += before - after;
      before = after;
    });
    EXPECT_LE(pushed_out, 0.01 * start);
    EXPECT_GE(lost, 0.1 * start);
  }
}

}  // namespace
}  // namespace jostle
