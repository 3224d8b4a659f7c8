// The brick of the library, thrown with any orientation and spin.
#include "tests/laws/balance.hpp"

namespace jostle {
namespace {

constexpr int tossed_samples = 64;
constexpr int tossed_body = 1;

PlacedShape placed(const System& system) { return place_shape(system, 1, pose_of(system, tossed_body)); }

/// Height of the lowest corner above the floor, m.
double lowest_corner(const PlacedShape& box) {
  double lowest = box_corner(box, 0)[2];
  for (int corner = 1; corner < 8; ++corner) lowest = std::min<double>(lowest, box_corner(box, corner)[2]);
  return lowest;
}

TEST(TossedBox, LandsOnItsLowestCorner) {
  int on_one_corner = 0;
  for (int sample = 0; sample < tossed_samples; ++sample) {
    SCOPED_TRACE(sample);
    Simulation box("tossed_box", {}, sample);
    bool landed = false;
    box.observe([&](const System& system, const Workspace& work, const StepResult&) {
      const FeatureSet& active = system.state().active[0];
      if (landed || active.empty()) return;
      landed = true;
      const PlacedShape& predicted = work.placed(1);
      const double lowest = lowest_corner(predicted);
      EXPECT_LE(lowest, 0);
      bool found = false;
      active.for_each([&](int corner) { found = found || box_corner(predicted, corner)[2] == lowest; });
      EXPECT_TRUE(found);
      on_one_corner += active.size() == 1;
    });
    EXPECT_TRUE(landed);
  }
  EXPECT_GE(on_one_corner, tossed_samples * 9 / 10);
}

/// What happens from the first step that the brick does not move in until the end.
struct Rest {
  bool rests = false;
  double speed = 0;           ///< largest from then on, m/s
  double creep = 0;           ///< farthest from where it came to rest, m
  double lowest = 0;          ///< corner over the floor at the end, m
  int corners_on_floor = 0;   ///< to 1e-9 m
  double normal_impulse = 0;  ///< N s, last step
};

Rest rest_of(int sample) {
  Simulation box("tossed_box", {"world.duration=10"}, sample);
  Rest rest;
  Vec3 place;
  box.observe([&](const System& system, const Workspace&, const StepResult&) {
    const Vec3 v = vector_at(system.state().velocity, tossed_body), w = vector_at(system.state().spin, tossed_body);
    const Vec3 x = vector_at(system.state().position, tossed_body);
    const double speed = v.norm() + 0.1 * w.norm();
    if (!rest.rests && speed > 1e-12) return;
    if (!rest.rests) place = x;
    rest.rests = true;
    rest.speed = std::max(rest.speed, speed);
    rest.creep = std::max<double>(rest.creep, (x - place).norm());
    const PlacedShape shape = placed(system);
    rest.lowest = lowest_corner(shape);
    rest.corners_on_floor = 0;
    for (int corner = 0; corner < 8; ++corner) rest.corners_on_floor += std::fabs(box_corner(shape, corner)[2]) < 1e-9;
    rest.normal_impulse = system.state().normal_impulse[tossed_body];
  });
  EXPECT_EQ(box.status(), Status::ok);
  EXPECT_LE(box.state().residual_max(), 1e-12);
  return rest;
}

// In 10 s. Of an impact a corner may keep a gap of some 1e-14 m, which one step closes, later, at 1e-14 m / h.
TEST(TossedBox, ComesToRestOnAFaceAndDoesNotCreep) {
  int resting = 0;
  for (int sample = 0; sample < tossed_samples; ++sample) {
    SCOPED_TRACE(sample);
    const Rest rest = rest_of(sample);
    if (!rest.rests) continue;
    ++resting;
    EXPECT_EQ(rest.corners_on_floor, 4);
    EXPECT_NEAR(rest.lowest, 0, 1e-12);
    EXPECT_LE(rest.speed, 1e-10);
    EXPECT_LE(rest.creep, 1e-12);
    EXPECT_NEAR(rest.normal_impulse, 0.5 * 9.81 * 0.005, 1e-12) << "its weight";
  }
  EXPECT_GE(resting, tossed_samples * 95 / 100);
}

// Corners come down on arcs, of which the step sees the tangent: where they end below the floor, the next step pushes
// them out. That and the explicit gyroscopic term are all that can raise the energy.
TEST(TossedBox, GainsNoEnergyButByTheGyroscopicTermAndByOverlap) {
  for (int sample = 0; sample < tossed_samples; ++sample) {
    SCOPED_TRACE(sample);
    Simulation box("tossed_box", {}, sample);
    double before = 0, pushed_out = 0;
    box.observe([&](const System& system, const Workspace& work, const StepResult& result) {
      const StepBalance step(system, work, result);
      if (system.state().steps() == 1) before = system.state().start_energy();
      const double gyroscopic =
          dot(step.bodies[tossed_body].gyroscopic(step.step), step.bodies[tossed_body].next.angular());
      const double overlap = step.energy_from_overlap();
      const double after = system_energy(system);
      EXPECT_LE(after - before, gyroscopic + overlap + 1e-14);
      before = after;
      pushed_out += overlap;
    });
    EXPECT_LE(pushed_out, 0.05 * box.state().start_energy());
  }
}

}  // namespace
}  // namespace jostle
