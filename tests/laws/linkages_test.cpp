// Laws of several bodies that joints tie to each other.
#include "core/dynamics/joint_geometry.hpp"
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class Chain : public testing::TestWithParam<bool> {};

// A ton on a chain of links of a kilogram.
TEST_P(Chain, CarriesAMassAThousandTimesItsOwn) {
  const std::string freedom = GetParam() ? ", freedom: [x, y, rz]" : "";
  const std::string link = "{mass: 1, inertia: 0.02" + freedom, load = "{mass: 1000, inertia: 50" + freedom;
  Simulation simulation(tied_scenario(0.002, 2, falls_along_y,
                                      "bodies:\n  one: " + link + ", position: [0.25, 0, 0]}\n  two: " + link +
                                          ", position: [0.75, 0, 0]}\n  load: " + load +
                                          ", position: [1.5, 0, 0]}\njoints:\n"
                                          "  a: {ball: [world, one], at: [0, 0, 0]}\n"
                                          "  b: {ball: [one, two], at: [0.5, 0, 0]}\n"
                                          "  c: {ball: [two, load], at: [1, 0, 0]}\n"));
  double open = 0;
  simulation.observe([&](const System& system, const Workspace& work, const StepResult& result) {
    EXPECT_LE(result.residual, 1e-8);
    for (int j = 0; j < 3; ++j) {
      const Vec3 gap = place_joint(system, j, work.next_pose()).gap();
      open = std::max(open, std::sqrt(dot(gap, gap)));
    }
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_LE(open, 1e-5);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Chain, testing::Bool(),
                         [](const auto& planar) { return planar.param ? "Planar" : "Spatial"; });

TEST(FixedJoint, MakesTwoBodiesOne) {
  Simulation one(tied_scenario(0.001, 1, "", "bodies:\n  all: {mass: 2, inertia: [0.02, 0.52, 0.53]}\n"));
  Simulation two(tied_scenario(0.001, 1, "",
                               "bodies:\n  left: {mass: 1, inertia: [0.01, 0.01, 0.015], position: [-0.5, 0, 0]}\n"
                               "  right: {mass: 1, inertia: [0.01, 0.01, 0.015], position: [0.5, 0, 0]}\n"
                               "joints:\n  weld: {fixed: [left, right]}\n"));
  // The motion of the one at both centres of the other.
  for (Simulation* simulation : {&one, &two}) {
    simulation->run_to(0);
    StateView state = simulation->state();
    const Vec3 w(0.2, 1, 0.5), v(0.3, 0, 1);
    for (int b = 0; b < (simulation == &one ? 1 : 2); ++b) {
      set_vector(state.velocity, b, v + cross(w, vector_at(state.position, b)));
      set_vector(state.spin, b, w);
    }
    simulation->run();
    ASSERT_EQ(simulation->status(), Status::ok);
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(0.5 * (two.position("left", k) + two.position("right", k)), one.position("all", k), 1e-9);
    EXPECT_NEAR(two.spin("left", k), two.spin("right", k), 1e-5);
    EXPECT_NEAR(two.spin("left", k), one.spin("all", k), 5e-3) << "both are of first order";
  }
}

/// A four-bar linkage, driven by gravity; in space three of its 20 equations are redundant.
std::string four_bar(bool planar) {
  const std::string body = planar ? ", freedom: [x, y, rz], inertia: 0.01" : ", inertia: [0.02, 0.03, 0.01]";
  return "bodies:\n  crank: {mass: 1" + body + ", position: [0, 0.2, 0]}\n  coupler: {mass: 1" + body +
         ", position: [0.4, 0.5, 0]}\n  rocker: {mass: 1" + body +
         ", position: [0.8, 0.3, 0]}\n"
         "joints:\n  o: {revolute: [world, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n"
         "  a: {revolute: [crank, coupler], at: [0, 0.4, 0], axis: [0, 0, 1]}\n"
         "  b: {revolute: [coupler, rocker], at: [0.8, 0.6, 0], axis: [0, 0, 1]}\n"
         "  c: {revolute: [rocker, world], at: [0.8, 0, 0], axis: [0, 0, 1]}\n";
}

TEST(FourBar, MovesInSpaceAsInItsPlane) {
  const std::string gravity = "gravity: [2, -9.81, 0]";
  Simulation planar(tied_scenario(0.001, 2, gravity, four_bar(true)));
  Simulation spatial(tied_scenario(0.001, 2, gravity, four_bar(false)));
  int step = 0;
  spatial.observe([&](const System& system, const Workspace& work, const StepResult& result) {
    planar.run_to(++step);
    ASSERT_EQ(result.status, Status::ok);
    EXPECT_EQ(work.joint_rank(), 17);
    EXPECT_LE(result.residual, 1e-9);
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(system.state().joint_position[j], planar.state().joint_position[j], 1e-9) << "step " << step;
  });
  EXPECT_EQ(step, 2000);
  EXPECT_EQ(planar.status(), Status::ok);
  EXPECT_GT(std::fabs(planar.state().joint_position[0]), 0.1) << "it moves";
}

// In its plane the linkage could be pulled together; not in silence.
TEST(FourBar, ThatIsOpenByAMillimetreIsRefused) {
  for (int k = 0; k < 3; ++k) {
    const Ensemble ensemble(tied_scenario(0.001, 1, falls_along_y, four_bar(false)));
    Batch batch(ensemble.model(), 1);
    ensemble.load(0, batch, 0);
    batch.parameters(0).joint_point_b[3 * 2 + k] += 1e-3;
    run_batch(batch, 10);
    EXPECT_EQ(batch.status(0), Status::bad_parameters);
  }
}

// If it opens later, because an axis is not normal to the plane, redundant equations contradict each other.
TEST(FourBar, ThatCannotMoveIsNotOkInSilence) {
  const Ensemble ensemble(tied_scenario(0.001, 1, falls_along_y, four_bar(false)));
  Batch batch(ensemble.model(), 1);
  ensemble.load(0, batch, 0);
  WorkspaceMemory memory(ensemble.model(), 0);
  run_system(batch, 0, 5, memory);
  ASSERT_EQ(batch.status(0), Status::ok);
  batch.parameters(0).joint_point_b[3 * 2 + 2] += 1e-3;
  run_system(batch, 0, 1000, memory);
  EXPECT_EQ(batch.status(0), Status::uncertified);
}

TEST(FixedPoint, ClosesJointsExactly) {
  Simulation simulation(tied_scenario(0.01, 2, falls_along_y + ", linearisation: fixed_point",
                                      "bodies:\n  a: {mass: 1, inertia: 0.01, position: [0.5, 0, 0]}\n"
                                      "  b: {mass: 2, inertia: 0.02, position: [1, 0, 0.5]}\n"
                                      "joints:\n  p: {ball: [world, a], at: [0, 0, 0]}\n"
                                      "  q: {ball: [a, b], at: [1, 0, 0]}\n"));
  simulation.observe([&](const System& system, const Workspace& work, const StepResult& result) {
    ASSERT_EQ(result.status, Status::ok);
    for (int j = 0; j < 2; ++j) {
      const Vec3 gap = place_joint(system, j, work.next_pose()).gap();
      EXPECT_LE(std::sqrt(dot(gap, gap)), 1e-12);
    }
  });
  EXPECT_EQ(simulation.status(), Status::ok);
}

}  // namespace
}  // namespace jostle
