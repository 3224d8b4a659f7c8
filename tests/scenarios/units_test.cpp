// Files in other units: the same scenario, to the last digit of its canonical text.
#include "scenarios/reader/units.hpp"

#include <gmock/gmock.h>

#include "scenarios/reader/doubts.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

std::string canonical(const std::string& text) { return parse_scenario(text, "units.yaml").canonical; }

TEST(Units, AreConvertedWhenTheFileIsRead) {
  EXPECT_EQ(canonical(R"(jostle: 1
units: {length: mm, mass: g, time: ms, angle: deg}
world: {step: 1, duration: 500}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1], offset: -20}}}
  arm: {mass: 250, inertia: 3000, shape: {box: {size: [40, 10, 3]}}, position: [20, 0, {uniform: [50, 70]}], velocity: [0.5, 0, 0]}
  hook: {density: 0.008, shape: {sphere: {radius: {normal: [4, 0.5], min: 3}}}, position: [100, 0, 50]}
joints:
  pivot: {revolute: [world, arm], at: [0, 0, 50], axis: [0, 1, 0], limits: [-90, 45], stiffness: 180, friction: 7}
  slide: {prismatic: [world, hook], axis: [0, 0, 1], limits: [-5, 5], stiffness: 2}
contacts: [{between: any, friction: 0.5, spin_friction: 2, rolling_friction: 0.1}]
forces: [{body: arm, torque: [0, 250, 0]}]
sample: {count: 4}
)"),
            canonical(R"(jostle: 1
world: {step: 0.001, duration: 0.5}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1], offset: -0.02}}}
  arm: {mass: 0.25, inertia: 0.000003, shape: {box: {size: [0.04, 0.01, 0.003]}}, position: [0.02, 0, {uniform: [0.05, 0.07]}], velocity: [0.5, 0, 0]}
  hook: {density: 8000, shape: {sphere: {radius: {normal: [0.004, 0.0005], min: 0.003}}}, position: [0.1, 0, 0.05]}
joints:
  pivot: {revolute: [world, arm], at: [0, 0, 0.05], axis: [0, 1, 0], limits: [-1.5707963267948966, 0.7853981633974483], stiffness: 10.313240312354818, friction: 0.007}
  slide: {prismatic: [world, hook], axis: [0, 0, 1], limits: [-0.005, 0.005], stiffness: 2000}
contacts: [{between: any, friction: 0.5, spin_friction: 0.002, rolling_friction: 0.0001}]
forces: [{body: arm, torque: [0, 0.25, 0]}]
sample: {count: 4}
)"));
}

TEST(Units, OfExpressionsAreFactors) {
  const std::string text = canonical(R"(jostle: 1
units: {length: mm}
variables: {gap: {uniform: [1, 2]}}
derived: {half: 0.5*$gap}
world: {step: 0.001, duration: 1}
bodies: {ball: {mass: 1, shape: {sphere: {radius: $half}}}}
outcomes: {x: {at_end: ball.position.x}}
)");
  EXPECT_THAT(text, testing::HasSubstr("radius: \"($half)*1/1000\""));
  EXPECT_EQ(canonical(text), text) << "canonical text has SI units";
}

TEST(Units, OfADensityMayBeTheirOwn) {
  const auto density = [](const std::string& units) {
    return parse_scenario("jostle: 1\nunits: {" + units +
                              "}\nworld: {step: 0.001, duration: 1}\nbodies: {ball: {density: 7.85, shape: {sphere: "
                              "{radius: 1}}}}\n",
                          "units.yaml")
        .bodies[0]
        .density.constant;
  };
  EXPECT_EQ(density("length: mm, density: g/cm^3"), 7850);
  EXPECT_EQ(density("density: kg/m^3, mass: g"), 7.85);
  EXPECT_NEAR(density("length: cm, mass: g"), 7850, 1e-9);
}

TEST(Units, OfFactors) {
  UnitsSpec units;
  units.length = LengthUnit::mm, units.force = ForceUnit::kilonewton, units.mass = MassUnit::t;
  EXPECT_EQ(factor_of(units, "N/m", false).convert(3), 3e6);
  EXPECT_EQ(factor_of(units, "N m", false).convert(3), 3);
  EXPECT_EQ(factor_of(units, "rad or m", true).convert(3), 0.003);
  EXPECT_EQ(factor_of(units, "rad or m", false).convert(3), 3);
  EXPECT_EQ(factor_of(units, "N m/rad or N/m", true).convert(3), 3e6);
  EXPECT_EQ(factor_of(units, "kg m^2", false).convert(3), 0.003);
  EXPECT_EQ(factor_of(units, "deg", false).convert(3), 3);
}

TEST(Units, RefuseWhatIsNotInTheTable) {
  const auto error = [](const std::string& units, const std::string& radius = "1") {
    return test::error_of(
        "jostle: 1\nunits: {" + units +
        "}\nworld: {step: 0.001, duration: 1}\nbodies: {ball: {mass: 1, shape: {sphere: {radius: " + radius + "}}}}\n");
  };
  EXPECT_EQ(error("length: inch"), "rod.yaml:2:17: units.length must be one of m, cm, mm, um, not 'inch'");
  EXPECT_EQ(error("lenght: mm"), "rod.yaml:2:9: unknown key 'lenght' in units (did you mean 'length'?)");
  EXPECT_EQ(error("length: mm", "{integer: [1, 3]}"),
            "rod.yaml:4:51: bodies.ball.shape.sphere.radius: whole numbers have no unit; write a choice, or 'units' "
            "without this one");
}

TEST(Units, AreThoseOfTheFileInMessages) {
  UnitsSpec units;
  units.length = LengthUnit::mm, units.force = ForceUnit::millinewton, units.angle = AngleUnit::deg;
  EXPECT_EQ(unit_in_file(units, "N s/m", false), "mN s/mm");
  EXPECT_EQ(unit_in_file(units, "N m s/rad or N s/m", false), "mN mm s/deg");
  EXPECT_EQ(unit_in_file(units, "m/s^2", false), "mm/s^2");
  EXPECT_EQ(unit_in_file(units, "kg/m^3", false), "kg/mm^3");
  units.density = DensityUnit::g_per_cm3;
  EXPECT_EQ(unit_in_file(units, "kg/m^3", false), "g/cm^3");
  EXPECT_EQ(unit_in_file({}, "kg m^2 or kg", true), "kg");
  const auto error = [](const std::string& radius) {
    return test::error_of(
        "jostle: 1\nunits: {length: mm, time: ms}\nworld: {step: 1, duration: 1000}\nbodies: {ball: "
        "{mass: 1, shape: {sphere: {radius: " +
        radius + "}}}}\n");
  };
  EXPECT_EQ(error("5 mm"), "rod.yaml:4:53: bodies.ball.shape.sphere.radius: write no unit, this number is in mm");
  EXPECT_EQ(error("{uniform: [1, 2 mm]}"),
            "rod.yaml:4:67: bodies.ball.shape.sphere.radius.uniform[1]: write no unit, this number is in mm");
  EXPECT_EQ(error("{uniform: [1, 2], unit: mm}"),
            "rod.yaml:4:75: bodies.ball.shape.sphere.radius.unit has no meaning here: this number is in mm");
}

// 1e307 t are more than a double has of kg, and 1e-323 us less than one has of s.
TEST(Units, DoNotMakeNumbersInfiniteOrZero) {
  const auto error = [](const std::string& mass, const std::string& step = "1") {
    return test::error_of("jostle: 1\nunits: {mass: t, time: us}\nworld: {step: " + step +
                          ", steps: 3}\nbodies: {ball: {mass: " + mass + ", inertia: 1}}\n");
  };
  const std::string lost = " is too large or too small for a double in SI units";
  EXPECT_EQ(error("1e307"), "rod.yaml:4:23: bodies.ball.mass" + lost);
  EXPECT_EQ(error("{uniform: [1, 1e307]}"), "rod.yaml:4:23: bodies.ball.mass" + lost);
  EXPECT_EQ(error("{choice: {values: [1, 1e307]}}"), "rod.yaml:4:23: bodies.ball.mass" + lost);
  EXPECT_EQ(error("1", "1e-323"), "rod.yaml:3:15: world.step" + lost);
}

TEST(Units, WarnOfGravityInThem) {
  const auto doubts = [](const std::string& gravity) {
    std::vector<std::string> messages;
    for (const Fault& doubt :
         doubts_about(parse_scenario("jostle: 1\nunits: {length: mm}\nworld: {step: 0.001, duration: 1" + gravity +
                                         "}\nbodies: {ball: {mass: 0.001, shape: {sphere: {radius: 5}}}}\n",
                                     "units.yaml")))
      messages.push_back(doubt.message);
    return messages;
  };
  EXPECT_THAT(doubts(", gravity: [0, 0, -9.81]"),
              testing::ElementsAre("world.gravity is 0.00981 m/s^2, because it has the units of the file; leave it out "
                                   "for 9.81 m/s^2 along -z"));
  EXPECT_THAT(doubts(", gravity: [0, 0, -9810]"), testing::IsEmpty());
  EXPECT_THAT(doubts(""), testing::IsEmpty());
}

}  // namespace
}  // namespace jostle
