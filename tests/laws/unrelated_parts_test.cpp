// Parts of a scene that do not touch move as each does alone, whatever feature the other one brings: one of a
// scenario's features must not switch another one off. All pairs of the parts below, under every method.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

/// Sections of a scenario. The body `probe` is the one that is looked at; P stands for a prefix of its names, X for a
/// place far from those of others.
struct Part {
  std::string name, bodies, joints, springs, contacts, forces, impulses;
};

const std::string floor_of_part = "  Pfloor: {fixed: true, shape: {box: {size: [20, 2, 1]}}, position: [0, X, -0.5]}\n";

std::string box(const std::string& more) {
  return "  Pprobe: {mass: 2, shape: {box: {size: [0.4, 0.4, 0.2]}}, position: [0, X, 0.1]" + more + "}\n";
}
std::string ball(const std::string& more) {
  return "  Pprobe: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [0, X, 0.1]" + more + "}\n";
}
const std::string free_bob = "  Pprobe: {mass: 0.5, inertia: 0.01, position: [0.3, X, 1]}\n";

const Part parts[] = {
    {"StoppingBox", floor_of_part + box(", velocity: [0.4, 0, 0]"), "", "",
     "  - {between: [Pprobe, Pfloor], friction: 0.3}\n", "", ""},
    {"StickyBox", floor_of_part + box(", velocity: [1, 0, 0]"), "", "",
     "  - {between: [Pprobe, Pfloor], friction: 0.3, adhesion: 2}\n", "", ""},
    {"RollingBall", floor_of_part + ball(", velocity: [1, 0, 0]"), "", "",
     "  - {between: [Pprobe, Pfloor], friction: 0.5, rolling_friction: 0.002}\n", "", ""},
    {"SpinningBall", floor_of_part + ball(", spin: [0, 0, 3]"), "", "",
     "  - {between: [Pprobe, Pfloor], friction: 0.5, spin_friction: 0.003}\n", "", ""},
    {"PushedBox", floor_of_part + box(""), "", "", "  - {between: [Pprobe, Pfloor], friction: 0.3}\n",
     "  - {body: Pprobe, force: [\"8 - 2*Pprobe.velocity.x\", 0, 0]}\n", ""},
    {"Pendulum", free_bob, "  Phinge: {revolute: [world, Pprobe], at: [0, X, 1], axis: [0, 1, 0]}\n", "", "", "", ""},
    {"Drive", free_bob,
     "  Phinge: {revolute: [world, Pprobe], at: [0, X, 1], axis: [0, 1, 0], motor: {speed: 1, limit: 0.2}, friction: "
     "0.05, armature: 0.02, limits: [-1, 0.3]}\n",
     "", "", "", ""},
    {"Slider", free_bob,
     "  Pslide: {prismatic: [world, Pprobe], axis: [1, 0, 0], stiffness: 20, rest: 0.2, damping: 0.1, armature: 0.3}\n",
     "", "", "", ""},
    {"BallJoint", free_bob, "  Ppin: {ball: [world, Pprobe], at: [0, X, 1], friction: 0.3}\n", "", "", "", ""},
    {"Spring", free_bob, "",
     "  Pcoil: {between: [world, Pprobe], at: [[0, X, 2], [0.3, X, 1]], stiffness: 30, rest: 0.8}\n", "", "", ""},
    {"Carried",
     "  Phand: {prescribed: {velocity: [\"0.2 + 0.1*t\", 0, 0]}, position: [0, X, 1]}\n"
     "  Pprobe: {mass: 0.5, inertia: 0.01, position: [0.3, X, 1], velocity: [0.2, 0, 0]}\n",
     "  Pweld: {fixed: [Phand, Pprobe]}\n", "", "", "", ""},
    {"Struck", free_bob, "", "", "", "", "  - {body: Pprobe, time: 0.25, impulse: [0.1, 0.2, 0]}\n"},
};

class UnrelatedParts : public testing::TestWithParam<const char*> {
 protected:
  static constexpr double h = 0.0025, duration = 0.6;

  static std::string placed(std::string text, const std::string& prefix, const std::string& place) {
    for (const auto& [from, to] : {std::pair("P", prefix), std::pair("X", place)})
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, 1, to);
    return text;
  }

  /// What becomes of the probe of `part` beside `other`, if there is one.
  static std::vector<double> motion(const Part& part, const Part* other) {
    const auto section = [&](const std::string& title, auto member, const std::string& end = "") {
      std::string text = placed(part.*member, "a_", "0") + (other ? placed(other->*member, "b_", "50") : "") + end;
      return text.empty() ? text : title + ":\n" + text;
    };
    Simulation simulation(tied_scenario(
        h, duration, std::string("method: ") + GetParam(),
        section("bodies", &Part::bodies) + section("joints", &Part::joints) + section("springs", &Part::springs) +
            section("contacts", &Part::contacts, "  - {between: any, contact: false}\n") +
            section("forces", &Part::forces) + section("impulses", &Part::impulses)));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    std::vector<double> all;
    for (int k = 0; k < 3; ++k) {
      all.push_back(simulation.position("a_probe", k));
      all.push_back(simulation.velocity("a_probe", k));
      all.push_back(simulation.spin("a_probe", k));
    }
    return all;
  }

  /// Contacts and ball joints under Loetstedt's method have no friction.
  static bool is_allowed(const Part& part) {
    return std::string(GetParam()) != "loetstedt" || (part.contacts.empty() && part.name != "BallJoint");
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, UnrelatedParts,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& one) { return std::string(one.param); });

// A blow, or a transition under the trapezoidal methods, divides the step of all parts, so the others have the error of
// other steps. What lies still stays so.
TEST_P(UnrelatedParts, MoveAsEachDoesAlone) {
  const bool divides = std::string(GetParam()) != "stewart_trinkle";
  for (const Part& part : parts) {
    if (!is_allowed(part)) continue;
    const std::vector<double> alone = motion(part, nullptr);
    for (const Part& other : parts) {
      if (!is_allowed(other)) continue;
      SCOPED_TRACE(part.name + " beside " + other.name);
      const double tolerance = divides || !other.impulses.empty() ? 2e-3 : 1e-9;
      const std::vector<double> beside = motion(part, &other);
      for (std::size_t i = 0; i < alone.size(); ++i)
        EXPECT_NEAR(beside[i], alone[i], std::fabs(alone[i]) < 1e-12 ? 1e-9 : tolerance * (1 + std::fabs(alone[i])))
            << i;
    }
  }
}

}  // namespace
}  // namespace jostle
