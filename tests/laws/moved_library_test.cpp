// Laws of the library's scenarios with prescribed motion.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// The variables of a sample by their names.
class Drawn {
 public:
  Drawn(const Ensemble& ensemble, std::int64_t sample) : ensemble_(ensemble), values_(ensemble.draw(sample)) {}
  double operator[](const std::string& name) const {
    const std::vector<Variable>& variables = ensemble_.scenario().variables;
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (variables[i].name == name) return values_[i];
    ADD_FAILURE() << "no variable " << name;
    return 0;
  }

 private:
  const Ensemble& ensemble_;
  std::vector<double> values_;
};

constexpr int samples = 64;

// A body on a plate hops if and only if the plate falls away faster than it.
TEST(Shaker, MakesABrickHopAboveGravity) {
  int hopped = 0;
  for (int sample = 0; sample < samples; ++sample) {
    Simulation simulation("shaker", {}, sample);
    const double strength = Drawn(simulation.ensemble(), sample)["strength"];
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << "sample " << sample;
    const bool hops = simulation.outcome("hops") != 0;
    if (strength <= 1 || strength > 1.03) {
      EXPECT_EQ(hops, strength > 1) << "sample " << sample << ": " << strength;
    }
    hopped += hops;
  }
  EXPECT_GT(hopped, samples / 2);
  EXPECT_LT(hopped, samples);
}

// Coulomb's law at two sides: 2 mu N against m (g + a). No sample is nearer to the limit than the discretisation.
TEST(Gripper, HoldsAboveTheLimitOfFriction) {
  int held = 0;
  for (int sample = 0; sample < samples; ++sample) {
    Simulation simulation("gripper", {}, sample);
    const Drawn drawn(simulation.ensemble(), sample);
    const double limit = drawn["mass"] * (standard_gravity + drawn["lift"]) / (2 * drawn["squeeze"]);
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << "sample " << sample;
    EXPECT_EQ(simulation.outcome("holds") != 0, drawn["mu"] >= limit)
        << "sample " << sample << ": mu " << drawn["mu"] << ", limit " << limit;
    EXPECT_LE(simulation.state().energy_gained(), 1e-10);
    held += simulation.outcome("holds") != 0;
  }
  EXPECT_GT(held, samples / 4);
  EXPECT_LT(held, samples);
}

// Two contacts whose friction cones carry the push: only where 2 mu e exceeds the depth, and deeper than at the start.
// The cones see each other, and the peg is wedged, where mu D exceeds the depth; the peg's tilt and the clearance shift
// that by 2 %.
TEST(PegInHole, JamsOnlyWhereFrictionCarriesThePush) {
  int jams = 0, wedges = 0;
  for (int sample = 0; sample < samples; ++sample) {
    Simulation simulation("peg_in_hole", {}, sample);
    const Drawn drawn(simulation.ensemble(), sample);
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << "sample " << sample;
    const double reach = 2 * drawn["mu"] * drawn["off"];
    if (simulation.outcome("jammed") != 0) {
      EXPECT_GT(reach, drawn["depth"]) << "sample " << sample;
      EXPECT_LT(simulation.outcome("end_depth"), reach) << "sample " << sample;
      const double cones = drawn["mu"] * 0.02 / simulation.outcome("end_depth");
      if (std::fabs(cones - 1) > 0.03) {
        EXPECT_EQ(simulation.outcome("wedged"), cones > 1 ? 1 : 0) << "sample " << sample;
        (cones > 1 ? wedges : jams) += 1;
      }
    } else {
      EXPECT_NEAR(simulation.outcome("end_depth"), 0.04, 1e-4) << "sample " << sample;
    }
    EXPECT_LE(simulation.outcome("pushing_force"), drawn["push"] * (1 + 1e-9)) << "sample " << sample;
  }
  EXPECT_GE(jams, 1);
  EXPECT_GE(wedges, 5);
}

// Wheels that cannot slip off the ground do not climb a step with less torque than its weight asks for.
TEST(Rover, ClimbsWithTorqueAlone) {
  const auto climbs = [](const std::string& torque) {
    Simulation simulation(
        "rover", {"variables.mu=0.8", "variables.first=0.08", "variables.second=0.06", "variables.torque=" + torque});
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_LT(simulation.state().energy_gained(), 0.5);
    return simulation.outcome("climbs") != 0;
  };
  EXPECT_TRUE(climbs("3"));
  EXPECT_FALSE(climbs("0.5"));
}

}  // namespace
}  // namespace jostle
