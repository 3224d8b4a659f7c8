// The folder of a sweep has canonical text, and all commands that work on the folder read it to repeat samples. So it
// is the same scenario: the same text, the same names of random numbers in the same order, and the same bits.
#include <gmock/gmock.h>

#include <fstream>

#include "scenarios/library_digest.hpp"
#include "tests/support/library_digest.hpp"
#include "tests/support/round_meshes.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> names(const Scenario& scenario) {
  std::vector<std::string> all;
  for (const Variable& variable : scenario.variables) all.push_back(variable.name);
  return all;
}

/// The first samples after a few steps, bit by bit.
std::vector<std::uint64_t> digests(const Ensemble& ensemble) {
  constexpr int samples = 3;
  const Model model = with_all_tallies(ensemble);
  Batch batch(model, samples);
  for (int i = 0; i < samples; ++i) ensemble.load(i, batch, i);
  run_batch(batch, static_cast<int>(std::min<std::int64_t>(model.total_steps, 10)));
  std::vector<std::uint64_t> all;
  for (int i = 0; i < samples; ++i) all.push_back(state_digest(batch, i));
  return all;
}

/// Returns the scenario of the canonical text.
Scenario expect_same_names_and_text(const Scenario& scenario) {
  EXPECT_EQ(fault_of_canonical(scenario), "");
  const Scenario again = parse_scenario(scenario.canonical, "elsewhere/canonical.yaml");
  EXPECT_EQ(again.canonical, scenario.canonical);
  EXPECT_EQ(names(again), names(scenario));
  return again;
}

void expect_the_same(const Scenario& scenario) {
  const Scenario again = expect_same_names_and_text(scenario);
  const Ensemble first(scenario, Ensemble::Start::any), second(again, Ensemble::Start::any);
  for (std::int64_t sample = 0; sample < 3; ++sample) EXPECT_EQ(first.draw(sample), second.draw(sample));
  EXPECT_EQ(digests(first), digests(second)) << scenario.canonical;
}

const std::string head = "jostle: 1\nvariables: {r: {uniform: [0.05, 0.1]}}\nderived: {d: 2*$r}\n";
const std::string floor = "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n";
const std::string tail =
    "contacts: [{between: any, friction: {uniform: [0.2, 0.6]}}]\nsample: {method: random, seed: 3}\n";

/// A scene with the body `a`.
std::string with_body(const std::string& body, const std::string& more = "", const std::string& unit = "") {
  return head + unit + "world: {step: 0.01, duration: 0.1}\nbodies:\n" + floor + "  a: {" + body + "}\n" + tail + more;
}

/// A body with this under `shape` or `shapes`.
std::string moving(const std::string& shape) {
  return "density: 1000, " + shape + ", position: [0, 0, 0.3], velocity: [{uniform: [0, 1]}, 0, 0]";
}

const std::string sphere = "{sphere: {radius: {uniform: [0.05, 0.1]}}}";
const std::string tetrahedron =
    "{hull: {points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, {uniform: [0.1, 0.2]}]], radius: {uniform: [0, "
    "0.01]}}}";

TEST(Replays, OfOneShapeInAList) {
  const Scenario scenario = parse_scenario(with_body(moving("shapes: [" + sphere + "]")), "a.yaml");
  EXPECT_THAT(names(scenario),
              ElementsAre("r", "bodies.a.shapes[0].sphere.radius", "bodies.a.velocity[0]", "contacts[0].friction"));
  EXPECT_THAT(scenario.canonical, HasSubstr("    shapes:\n      - {sphere: {radius: {uniform: [0.05, 0.1]}}, "));
  expect_the_same(scenario);
  expect_the_same(parse_scenario(with_body(moving("shape: " + sphere)), "a.yaml"));
}

// Names do not tell the two forms apart, so both have one identity.
TEST(Replays, WithoutRandomNumbersHaveOneForm) {
  const std::string box = "{box: {size: [0.1, 0.1, $r]}}";
  const Scenario listed = parse_scenario(with_body(moving("shapes: [" + box + "]")), "a.yaml");
  EXPECT_EQ(listed.canonical, parse_scenario(with_body(moving("shape: " + box)), "a.yaml").canonical);
  EXPECT_THAT(listed.canonical, Not(HasSubstr("shapes")));
  expect_the_same(listed);
  const std::string drawn = "{box: {size: [1, 1, 1]}, display: true}";
  const std::string body = "mass: 1, inertia: 1, position: [0, 0, {uniform: [1, 2]}], ";
  const Scenario shown = parse_scenario(with_body(body + "shape: " + drawn), "a.yaml");
  EXPECT_EQ(shown.canonical, parse_scenario(with_body(body + "shapes: [" + drawn + "]"), "a.yaml").canonical);
  EXPECT_THAT(shown.canonical, HasSubstr("    shapes:\n      - {box"));
  expect_the_same(shown);
}

TEST(Replays, OfShapesThatAreOnlyDrawn) {
  const std::string drawn = "{box: {size: [1, 1, {uniform: [1, 2]}]}, display: true}";
  const std::string body = "mass: 1, inertia: 1, position: [0, 0, 3], ";
  const Scenario one = parse_scenario(with_body(body + "shape: " + drawn), "a.yaml");
  EXPECT_EQ(names(one)[1], "bodies.a.shape.box.size[2]");
  EXPECT_THAT(one.canonical, HasSubstr("    shape: {box: {size: [1, 1, {uniform: [1, 2]}]}"));
  expect_the_same(one);
  expect_the_same(parse_scenario(with_body(body + "shapes: [" + drawn + "]"), "a.yaml"));
  expect_the_same(parse_scenario(with_body(body + "shapes: [" + drawn + ", " + sphere + "]"), "a.yaml"));
  expect_the_same(
      parse_scenario(with_body(body + "shapes: [" + sphere + ", " + drawn + ", " + sphere + "]"), "a.yaml"));
}

TEST(Replays, OfPatternsAndCopies) {
  const std::string row = "pattern: {count: 3, step: [0.3, 0, 0]}", one = "pattern: {count: 1, step: [1, 0, 0]}";
  const std::string item = "{box: {size: [0.1, 0.1, {uniform: [0.1, 0.2]}]}, ";
  for (const std::string& shapes :
       {std::string("[{box: {size: [0.1, 0.1, 0.1]}, " + one + "}]"), "[" + item + one + "}]", "[" + item + row + "}]",
        "[" + sphere + ", " + item + row + "}]", "[" + item + row + "}, " + sphere + "]",
        "[" + item + "display: true, " + row + "}, " + sphere + "]", "[" + sphere + "]"}) {
    expect_the_same(parse_scenario(with_body(moving("shapes: " + shapes)), "a.yaml"));
    expect_the_same(parse_scenario(with_body(moving("shapes: " + shapes) + ", copies: 2"), "a.yaml"));
    expect_the_same(parse_scenario(
        with_body(moving("shapes: " + shapes) + ", rotation: uniform, pattern: {count: 3, axis: z, at: [1, 0, 0]}"),
        "a.yaml"));
    expect_the_same(
        parse_scenario(with_body(moving("shapes: " + shapes) + ", pattern: {count: 1, axis: z}"), "a.yaml"));
  }
  const Scenario turned = parse_scenario(
      with_body(moving("shapes: [{capsule: {length: 0.1, radius: 0.01 + 0.001*copy}, rotation: uniform}]") +
                ", pattern: {count: 3, axis: z}, rotation: {axis: [0, 0, 1], degrees: {uniform: [0, 90]}}"),
      "a.yaml");
  expect_the_same(turned);
}

TEST(Replays, OfFixedAndPrescribedBodies) {
  const std::string ball = "  b: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1]}\n";
  for (const std::string& a :
       {"fixed: true, shapes: [" + sphere + "]", "fixed: true, shapes: [" + sphere + ", " + sphere + "]",
        "fixed: true, copies: 3, shapes: [" + sphere + "], position: [copy, 0, {uniform: [-1, 0]}]",
        std::string(
            "fixed: true, shapes: [{half_space: {normal: [0, {uniform: [0, 0.1]}, 1], offset: {uniform: [-1, 0]}}}]"),
        "prescribed: {velocity: [{uniform: [0, 1]}, 0, \"0.1*sin(t*$r)\"], spin: [0, 0, {choice: {values: [1, 2]}}]}, "
        "shapes: [" +
            sphere + "]"})
    expect_the_same(
        parse_scenario(head + "world: {step: 0.01, steps: 10}\nbodies:\n  a: {" + a + "}\n" + ball + tail, "a.yaml"));
}

TEST(Replays, OfHullsPrismsAndSurfaces) {
  const std::string prism =
      "{prism: {points: [[0, 0], [0.1, 0], [0.05, {uniform: [0.1, 0.2]}]], axis: y, "
      "height: {uniform: [0.1, 0.2]}, radius: {uniform: [0, 0.01]}}}";
  const std::string ring =
      "{prism: {points: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]], holes: [[[-0.04, 0, 1], [0.04, 0, 1]]], "
      "tolerance: 0.001, height: 0.05}, position: [0, 0, {uniform: [0, 0.1]}]}";
  const std::string dent =
      "{surface: {points: [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0], [0.05, 0.05, 0.03], [0.05, 0.05, 0.1]], "
      "faces: [[0, 1, 5], [1, 2, 5], [2, 3, 5], [3, 0, 5], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]}, "
      "rotation: {axis: [0, 0, 1], degrees: {uniform: [0, 90]}}}";
  for (const std::string& shape : {tetrahedron, prism, ring, dent}) {
    expect_the_same(parse_scenario(with_body(moving("shape: " + shape)), "a.yaml"));
    expect_the_same(parse_scenario(with_body(moving("shapes: [" + shape + "]") + ", copies: 2"), "a.yaml"));
    expect_the_same(parse_scenario(with_body(moving("shapes: [" + shape + ", " + sphere + "]")), "a.yaml"));
  }
}

TEST(Replays, OfPolygonsWithRandomPoints) {
  const std::string plane = ", freedom: [x, z, ry]";
  const std::string polygon =
      "{polygon: {points: [[0, 0], [0.1, 0, {uniform: [0.1, 0.3]}], [0.1, {uniform: [0.1, 0.2]}], "
      "[0, 0.1]], radius: {uniform: [0, 0.01]}, thickness: {uniform: [0.1, 0.2]}}}";
  for (const std::string& shape : {"shape: " + polygon, "shapes: [" + polygon + "]"})
    expect_the_same(parse_scenario(with_body(moving(shape) + plane), "a.yaml"));
}

TEST(Replays, OfMeshesWithARandomRadius) {
  const test::ScratchFolder folder;
  std::ofstream(folder / "part.obj")
      << "v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nv 10 10 15\nf 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  const auto read = [&](const std::string& body) {
    return parse_scenario(with_body(moving(body)), (folder / "a.yaml").string());
  };
  for (const std::string as : {"hull", "surface"}) {
    const std::string mesh = "{mesh: {file: part.obj, scale: 0.001, as: " + as + ", radius: ";
    const Scenario scenario = read("shape: " + mesh + "{uniform: [0.001, 0.002]}}}");
    EXPECT_EQ(names(scenario)[1], "bodies.a.shape.mesh.radius");
    EXPECT_THAT(scenario.canonical, HasSubstr("shape: {mesh: {points: [["));
    EXPECT_THAT(scenario.canonical, HasSubstr("]], scale: 1, as: hull, radius: {uniform: [0.001, 0.002]}}, "));
    EXPECT_THAT(scenario.canonical, Not(HasSubstr("part.obj")));
    expect_the_same(scenario);
    expect_the_same(read("shapes: [" + mesh + "{uniform: [0.001, 0.002]}}}]"));
    expect_the_same(read("shapes: [" + mesh + "{uniform: [0.001, 0.002]}}}, " + sphere + "]"));
    const Scenario fixed = read("shape: " + mesh + "0.01*$r}}");
    EXPECT_THAT(fixed.canonical, HasSubstr("shape: {hull: {points: [["));
    expect_the_same(fixed);
  }
}

// Its canonical text has more points than a hull may have.
TEST(Replays, OfALargeMesh) {
  const test::ScratchFolder folder;
  const TriangleMesh ball = test::bumpy_ball(60, 90);
  std::ofstream part(folder / "part.obj");
  for (const Vec3& x : ball.points) part << "v " << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
  for (const auto& [a, b, c] : ball.triangles) part << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
  part.close();
  const Scenario scenario = parse_scenario(
      with_body(moving("shape: {mesh: {file: part.obj, scale: 0.1, as: surface}}")), (folder / "a.yaml").string());
  EXPECT_GT(scenario.bodies[1].shapes[0].surface.points.list.size(), max_hull_points);
  expect_same_names_and_text(scenario);
}

TEST(Replays, OfJointsSpringsForcesAndImpulses) {
  expect_the_same(parse_scenario(head + R"(world: {step: 0.01, duration: 0.1, gravity: [0, {uniform: [0, 1]}, -9.81]}
bodies:
  b: {mass: {uniform: [1, 2]}, inertia: {uniform: [1, 2]}, centre_of_mass: [{uniform: [0, 0.1]}, 0, 0], position: [0, 0, 1]}
  a: {mass: 1, inertia: [1, {uniform: [1, 1.5]}, 1], position: [1, 0, 1], spin: [0, {normal: [0, 1], max: 3}, 0]}
  c: {density: {uniform: [900, 1000]}, shapes: [{sphere: {radius: 0.1}, density: {integer: [1000, 1010]}}], position: [3, 0, 1]}
joints:
  z: {revolute: [a, b], at: [{uniform: [0, 1]}, 0, 1], axis: [0, 1, {uniform: [0, 0.1]}], friction: {uniform: [0, 1]},
      limits: [{uniform: [-2, -1]}, 1], stiffness: {uniform: [0, 1]}, motor: {speed: "sin(t)*$r", limit: {uniform: [0, 1]}}}
  d: {distance: [c, world], at: [[3, 0, 1], [3, 0, {uniform: [2, 3]}]]}
springs:
  s: {between: [a, world], at: [[1, 0, 1], [1, {uniform: [1, 2]}, 1]], stiffness: {log_uniform: [10, 100]}, damping: 1}
forces:
  - {body: b, force: [{uniform: [0, 1]}, "-0.1*b.velocity.y", "$d"], at: [0, {uniform: [0, 1]}, 0]}
  - {body: c, torque: [0, {uniform: [0, 1]}, "-c.spin.z + $bodies.b.mass"], reaction: b}
impulses:
  - {body: c, time: {uniform: [0.02, 0.05]}, impulse: [0, 0, {uniform: [0, 1]}]}
outcomes:
  x: {at_end: c.position.x + $bodies.b.mass}
  y: {first_time: "c.position.z > $forces[0].at[1]"}
sample: {method: sobol}
)",
                                 "a.yaml"));
}

TEST(Replays, OfOtherUnits) {
  expect_the_same(parse_scenario(
      head + "units: {length: mm, mass: g, angle: deg}\nworld: {rate: 300, steps: 20}\nbodies:\n" + floor +
          "  a: {mass: {uniform: [1, 2]}, shapes: [{box: {size: [{uniform: [1, 2]}, 1, 1]}}], position: [0, 0, 10*$r + "
          "5], "
          "spin: [{normal: [0, 10]}, 0, 0]}\n" +
          tail,
      "a.yaml"));
}

TEST(Replays, OfTheLibrary) {
  for (const std::string& name : whole_library()) {
    SCOPED_TRACE(name);
    expect_the_same(read_scenario(library_file(name)));
  }
}

}  // namespace
}  // namespace jostle
