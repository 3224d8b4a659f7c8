// Random mechanisms: chains and loops of every kind of joint, with contacts, in a plane and in space.

#include "tests/laws/random_texts.hpp"
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

/// Texts of random mechanisms of 2 to 5 bodies above a floor, with masses of 0.03 to 30 kg.
class MechanismGenerator : RandomTexts {
 public:
  MechanismGenerator(bool planar, unsigned seed) : RandomTexts(seed, 9), planar_(planar) {}

  std::string make() {
    const int bodies = 2 + pick(4);
    std::string text = "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}\n";
    for (int b = 0; b < bodies; ++b) text += "  " + name(b) + ": {" + body(b) + "}\n";
    text += "joints:\n";
    for (int b = 0; b + 1 < bodies; ++b) text += "  j" + name(b) + ": {" + joint(b) + "}\n";
    if (pick(3) == 0) text += "  hook: {ball: [world, b0], at: " + point(-0.2) + "}\n";
    if (pick(3) == 0 && bodies > 2) text += "  loop: {distance: [b0, " + name(bodies - 1) + "]}\n";
    return text + "contacts:\n  - {between: [floor, any], friction: " + number(0, 1) +
           "}\n  - {between: any, contact: false}\n";
  }

 private:
  std::string vector(double size) {
    return joined(
        {"[", number(-size, size), ", ", number(-size, size), ", ", planar_ ? "0" : number(-size, size), "]"});
  }
  std::string point(double x) {
    return joined({"[", written(x), ", ", number(0, 0.5), ", ", planar_ ? "0" : number(-0.3, 0.3), "]"});
  }

  /// A ball on or above the floor, or a box that stands on it; box corners are up to four contacts.
  std::string body(int b) {
    const double radius = uniform(0.05, 0.15), height = pick(2) == 0 ? radius : radius + uniform(0, 0.01);
    const std::string r = written(radius), edge = written(2 * radius);
    const std::string shape = pick(2) == 0 ? "sphere: {radius: " + r : "box: {size: [0.2, " + edge + ", 0.2]";
    std::string text = "mass: " + written(std::exp(uniform(-3.4, 3.4))) + (planar_ ? ", freedom: [x, y, rz]" : "");
    text += ", shape: {" + shape + "}}, position: [" + written(0.4 * b) + ", " + written(std::max(radius, height));
    text += ", 0], velocity: " + vector(2);
    return text + ", spin: " + (planar_ ? "[0, 0, " + number(-5, 5) + "]" : vector(5));
  }

  std::string joint(int b) {
    static constexpr const char* kinds[] = {"distance", "ball", "revolute", "prismatic", "fixed"};
    const int kind = pick(5);
    const std::string pair = std::string(kinds[kind]) + ": [" + name(b) + ", " + name(b + 1) + "]";
    const std::string at = ", at: " + point(0.4 * b + 0.2);
    const std::string friction = joined({", friction: ", number(0, 3), pick(2) == 0 ? ", limits: [0, 2]" : ""});
    switch (kind) {
      case 1: return pair + at;
      case 2: return pair + at + ", axis: " + (planar_ ? "[0, 0, 1]" : vector(1)) + friction;
      case 3: return pair + ", axis: " + vector(1) + friction;
      default: return pair;
    }
  }

  bool planar_;
};

class RandomMechanism : public testing::TestWithParam<bool> {};

// Anitescu & Potra 1997, theorem 2.3: there is an answer, and v' M v <= r' M^-1 r, the energy that the bodies would
// have without impulses; in 3,000 steps of joints, friction and limits of joints, and contacts. gamma = 0. With A in
// place of M where light bodies carry large forces; so that is off.
TEST_P(RandomMechanism, NeverGainsEnergyByImpulses) {
  constexpr int mechanisms = 600, steps = 5;
  MechanismGenerator random(GetParam(), 23);
  int solved = 0, compared = 0, touching = 0, loops = 0;
  double worst = -1;
  for (int trial = 0; trial < mechanisms; ++trial) {
    const std::string text = random.make();
    SCOPED_TRACE(std::to_string(trial) + "\n" + text);
    Simulation mechanism(tied_scenario(0.005, 0.005 * steps,
                                       "gravity: [0, -9.81, 0], method: anitescu_potra, stabilisation: 0, "
                                       "geometric_stiffness: false, events: {collisions: false}",
                                       text));
    loops += text.find("loop") != std::string::npos;
    mechanism.observe([&](const System& system, const Workspace& work, const StepResult& result) {
      ASSERT_EQ(result.status, Status::ok);
      EXPECT_EQ(result.held, false);
      touching += result.contacts > 0;
      ++solved;
      if (result.projections > 0) return;  // the workspace has the problem of positions
      double energy = 0, free_energy = 0;
      for (int m = 0; m < system.model.dimensions.movers; ++m) {
        for (int k = 0; k < 6; ++k) {
          const double inv_mass = work.inv_mass(m)[k], v = work.next_velocity(m)[k], r = work.momentum(m)[k];
          if (inv_mass == 0) continue;
          energy += v * v / inv_mass;
          free_energy += r * r * inv_mass;
        }
      }
      EXPECT_LE(energy, free_energy * (1 + 1e-12)) << system.state().steps();
      worst = std::max(worst, energy / free_energy - 1);
      ++compared;
    });
    ASSERT_EQ(mechanism.status(), Status::ok);
  }
  EXPECT_EQ(solved, mechanisms * steps);
  EXPECT_GT(compared, solved / 2);
  EXPECT_GT(touching, solved / 2);
  EXPECT_GT(loops, mechanisms / 6);
  RecordProperty("largest_gain", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(Scenes, RandomMechanism, testing::Bool(),
                         [](const auto& planar) { return planar.param ? "Planar" : "Spatial"; });

}  // namespace
}  // namespace jostle
