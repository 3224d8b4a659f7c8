// Contacts that others of their pair of shapes make redundant are left out of LCPs.
#include <algorithm>

#include "core/contacts/candidate_contacts.hpp"
#include "core/team.hpp"
#include "tests/laws/sample_bits.hpp"
#include "tests/laws/shape_laws.hpp"

namespace jostle::filter_laws {
namespace {

using test::difference, test::Motion, test::motion_of, test::read, test::scene;

/// A comb of five teeth, 5 mm wide and 10 mm long, of which the middle one is longer by `longer` m.
std::string comb(const std::string& start, double longer = 0) {
  std::string points;
  for (int tooth = 0; tooth < 5; ++tooth) {
    const double x = -0.05 + 0.0225 * tooth + (tooth > 0 ? 0.0025 : 0), y = tooth == 2 ? -longer : 0;
    for (const auto& [px, py] : {std::pair{x, 0.01}, {x, y}, {x + 0.005, y}, {x + 0.005, 0.01}})
      points += "[" + std::to_string(px) + ", " + std::to_string(py) + "], ";
  }
  return "  comb: {mass: 0.5, inertia: 0.0004, freedom: [x, z, ry], " + start + ", shape: {polygon: {points: [" +
         points + "[0.065, 0.02], [-0.05, 0.02]]}}}\n";
}

const std::string floor = "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n";
const std::string table = "  floor: {fixed: true, shape: {polygon: {points: [[-1, -1], [1, -1], [1, 0], [-1, 0]]}}}\n";
/// Its top is three edges of one line.
const std::string steps =
    "  floor: {fixed: true, shape: {polygon: {points: [[-1, -1], [1, -1], [1, 0], [0.04, 0], [0.04, -0.1], [0.03, "
    "-0.1], "
    "[0.03, 0], [-0.01, 0], [-0.01, -0.1], [-0.02, -0.1], [-0.02, 0], [-1, 0]]}}}\n";

class FilterUnderEveryMethod : public test::ShapesUnderEveryMethod {
 protected:
  static bool restores() { return std::string(GetParam()) != "stewart_trinkle"; }
  static std::string scene_of(const std::string& ground, const std::string& body, const std::string& more = "",
                              const std::string& restitution = "") {
    return scene(world("step: 0.002, duration: 0.6" + more), ground + body, friction("0.3") + restitution);
  }
};
INSTANTIATE_TEST_SUITE_P(Laws, FilterUnderEveryMethod, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

/// What a simulation has in its LCPs: the most contacts, and the most that are left out.
struct Sizes {
  int contacts = 0, filtered = 0;
};
Sizes sizes_of(const std::string& text) {
  Simulation simulation(read(text));
  Sizes sizes;
  simulation.observe([&](const System&, const Workspace&, const StepResult& result) {
    sizes.contacts = std::max(sizes.contacts, result.contacts);
    sizes.filtered = std::max(sizes.filtered, result.filtered);
  });
  EXPECT_EQ(simulation.status(), Status::ok) << text;
  return sizes;
}

// Rows of contacts on one line in the plane are affine in the place, normals and tangents alike, and their bounds of
// friction are those of one pair: what the outer two can do is what all can do.
TEST_P(FilterUnderEveryMethod, ACombMovesAsItDoesWithAllContacts) {
  const std::string flat = comb("position: [0, 0, 0.02], velocity: [0.4, 0, -0.3]");
  const std::string turned =
      comb("position: [0, 0, 0.05], rotation: {axis: [0, 1, 0], degrees: 8}, velocity: [0.4, 0, -0.3]");
  const double off = has_friction() ? 1e-12 : 1e-9;  // m, rad
  for (const std::string& ground : {floor, table, steps}) {
    for (const std::string& body : {flat, turned}) {
      const std::string filtered = scene_of(ground, body), whole = scene_of(ground, body, ", filter: false");
      EXPECT_LT(difference(motion_of(filtered, true), motion_of(whole, true)), off) << ground << body;
    }
    if (restores()) {  // friction while it tilts depends on how the load is shared
      const std::string bouncing = ", restitution: 0.4";
      const Motion filtered = motion_of(scene_of(ground, turned, "", bouncing), true);
      EXPECT_LT(difference(filtered, motion_of(scene_of(ground, turned, ", filter: false", bouncing), true)), 1e-8);
    }
    const Sizes with = sizes_of(scene_of(ground, flat)), without = sizes_of(scene_of(ground, flat, ", filter: false"));
    EXPECT_LE(with.contacts, ground == steps ? 4 : 2) << "corners of either, whose normals differ once it tilts";
    EXPECT_GE(with.filtered, 6) << ground;
    EXPECT_GE(without.contacts, 8) << ground;
    EXPECT_EQ(without.filtered, 0) << ground;
  }
}

TEST_P(FilterUnderEveryMethod, ALongerToothInTheMiddleIsNotLeftOut) {
  const double longer = 1e-4;
  Simulation simulation(read(scene_of(floor, comb("position: [0, 0, 0.012]", longer))));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  Simulation same(read(scene_of(floor, comb("position: [0, 0, 0.012]", longer), ", filter: false")));
  same.run();
  EXPECT_NEAR(simulation.position("comb", 2), same.position("comb", 2), 1e-9);
  EXPECT_LT(simulation.state().penetration_max(), 1e-5);
}

// As a comb tips over onto its teeth, these are as deep, where a step predicts them, as it would turn in the step, and
// slip at other speeds: with all contacts some to the left and some to the right, with the outer two one of them
// sticks.
TEST(Filter, MayChooseAnotherAnswerWhereTeethSlipToBothSides) {
  std::string points;
  for (int tooth = 0; tooth < 4; ++tooth) {
    const double x = -0.1 + 0.4 * tooth / 7, y = x + 0.2 / 7;
    for (const auto& [px, pz] : {std::pair{x, -0.03}, {x, -0.05}, {y, -0.05}, {y, -0.03}})
      points += "[" + std::to_string(px) + ", " + std::to_string(pz) + "], ";
  }
  const std::string body =
      "  comb: {mass: 1, inertia: 0.005, centre_of_mass: [0, 0, 0], freedom: [x, z, ry], position: "
      "[0, 0, 0.0715], rotation: {axis: [0, 1, 0], degrees: -7.7}, shape: {polygon: {points: [" +
      points + "[0.1, 0.05], [-0.1, 0.05]]}}}\n";
  const auto run_of = [&](const std::string& more) {
    return read(scene("step: 0.004, duration: 0.5" + more, floor + body, "friction: 0.5"));
  };
  Simulation filtered(run_of("")), whole(run_of(", filter: false"));
  double apart = 0;  // m/s, along the floor
  for (int step = 1; step <= 125; ++step) {
    filtered.run_to(step), whole.run_to(step);
    const StateView a = filtered.state(), b = whole.state();
    apart = std::max(apart, std::fabs(a.velocity[3] - b.velocity[3]));
    EXPECT_NEAR(a.velocity[5], b.velocity[5], 1e-11) << step;
    EXPECT_NEAR(a.spin[4], b.spin[4], 1e-10) << step;
  }
  EXPECT_EQ(filtered.status(), Status::ok);
  EXPECT_EQ(whole.status(), Status::ok);
  EXPECT_NEAR(apart, 9.1e-4, 1e-5);
}

TEST(Filter, LeavesOutNothingBetweenConvexShapes) {
  const std::string bodies =
      "  low: {mass: 1, inertia: 0.001, freedom: [x, z, ry], position: [0, 0, 0.03], shape: {box: {size: [0.1, 0.2, "
      "0.06]}}}\n"
      "  high: {mass: 1, inertia: 0.001, freedom: [x, z, ry], position: [0.01, 0, 0.09], shape: {polygon: {points: "
      "[[-0.05, -0.03], [0.05, -0.03], [0.05, 0.03], [-0.05, 0.03]]}}}\n";
  EXPECT_EQ(sizes_of(scene("step: 0.002, duration: 0.2", table + bodies, "friction: 0.3")).filtered, 0);
}

// Every contact with adhesion pulls, so that all of them are in the LCP.
TEST(Filter, LeavesOutNoContactWithAdhesion) {
  const std::string body = comb("position: [0, 0, 0.02]");
  EXPECT_EQ(sizes_of(scene("step: 0.002, duration: 0.3", floor + body, "friction: 0.3, adhesion: 0.1")).filtered, 0);
}

TEST(Filter, AContactThatIsLeftOutAndClosesIsSolvedFor) {
  Simulation simulation(
      read(scene("step: 0.002, duration: 0.3", floor + comb("position: [0, 0, 0.0125]"), "friction: 0")));
  bool looked = false;
  simulation.observe([&](const System& system, const Workspace& work, const StepResult& result) {
    if (result.contacts < 2 || result.filtered == 0 || looked) return;
    looked = true;
    ASSERT_FALSE(add_missed_contacts(SerialTeam{}, system, work)) << "as the step was accepted";
    int last = -1;
    solved_features(system, work, 0).for_each([&](int feature) { last = feature; });
    work.filtered(0).insert(last);  // an outer one
    const PairModel& pair = system.model.pairs[0];
    PlacedShape& comb_ahead = work.next_placed(pair.shape_a);
    comb_ahead.position[2] -= 2 * missed_penetration;
    EXPECT_FALSE(add_missed_contacts(SerialTeam{}, system, work)) << "no deeper than those in the LCP";
    const double turn = 1e-6;
    const Mat3 axes = comb_ahead.axes;
    const double side = contact_geometry(comb_ahead, work.next_placed(pair.shape_b), last).point_a[0] > 0 ? 1 : -1;
    for (int k = 0; k < 3; ++k) {
      comb_ahead.axes(0, k) = axes(0, k) + side * turn * axes(2, k);
      comb_ahead.axes(2, k) = axes(2, k) - side * turn * axes(0, k);
    }
    EXPECT_TRUE(add_missed_contacts(SerialTeam{}, system, work));
    EXPECT_FALSE(work.filtered(0).contains(last));
  });
  EXPECT_TRUE(looked);
}

TEST(Filter, TheBitsDoNotDependOnTheTeam) {
  for (const std::string& ground : {table, steps}) {
    const SampleBits bits(
        read(scene("step: 0.002, duration: 0.2",
                   ground + comb("position: [0, 0, 0.02], rotation: {axis: [0, 1, 0], degrees: 2}"), "friction: 0.3")));
    const std::uint64_t expected = bits.digest_by_lanes(0, 60, 0);
    for (const int lanes : {1, 5, 32}) EXPECT_EQ(bits.digest_by_lanes(0, 60, lanes), expected) << lanes;
  }
}

}  // namespace
}  // namespace jostle::filter_laws
