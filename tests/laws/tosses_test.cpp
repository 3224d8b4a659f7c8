// Random tosses of two parts of every pair of kinds: they collide when a search of its own says that they touch first,
// and no step ends in an overlap.
#include "tests/laws/tosses.hpp"

namespace jostle {
namespace {

using test::random_toss;
using test::Toss;

#ifdef JOSTLE_ALL_TESTS
constexpr int tosses = 120;  // of every pair of kinds: 10,080 with all methods
#else
constexpr int tosses = 3;
#endif
constexpr const char* kinds[] = {"sphere", "capsule", "box", "cylinder", "needle", "coin"};

/// Steps to the first impact. Returns its time; -1: there was none; -2: several in one step, whose times nobody can
/// tell.
double first_impact(const Toss& toss, Simulation& sim, double& seen_until) {
  const Vec3 x0 = toss.flight[1].position, v0 = toss.flight[1].velocity;
  const int steps = static_cast<int>(std::lround(toss.duration / toss.step));
  const auto vector = [](double x, double y, double z) { return Vec3(x, y, z); };
  for (int step = 1; step <= steps; ++step) {
    sim.run_to(step);
    const Vec3 v = vector(sim.velocity("b", 0), sim.velocity("b", 1), sim.velocity("b", 2)), change = v0 - v;
    if (change.norm() <= 1e-9 * v0.norm()) continue;
    // x = x0 + v0 t + v (T - t)
    const Vec3 x = vector(sim.position("b", 0), sim.position("b", 1), sim.position("b", 2));
    const double end = step * toss.step, t = (x - x0 - v * end).dot(change) / change.squaredNorm();
    const bool is_single = (x - x0 - v0 * t - v * (end - t)).norm() <= 1e-11;
    seen_until = is_single ? t : end - toss.step;
    return is_single ? t : -2;
  }
  seen_until = toss.duration;
  return -1;
}

class Tosses : public testing::TestWithParam<std::string> {};

TEST_P(Tosses, CollideWhereTheyTouchFirstAndDoNotOverlap) {
  constexpr double looks = 40;  // in a step
  int met = 0, timed = 0, number = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j)
      for (int n = 0; n < tosses; ++n) {
        const Toss toss = random_toss(kinds[i], kinds[j], GetParam(), 7919 * static_cast<std::uint64_t>(++number) + 11);
        SCOPED_TRACE(std::string(kinds[i]) + " and " + kinds[j] + ", toss " + std::to_string(n) + "\n" + toss.yaml);
        Simulation sim(parse_scenario(toss.yaml, "toss.yaml"));
        double seen_until = 0;
        const double time = first_impact(toss, sim, seen_until);
        sim.run();
        ASSERT_EQ(sim.status(), Status::ok);
        EXPECT_GE(sim.outcome("gap"), -1e-6);
        met += time != -1, timed += time >= 0;
        const double off = time >= 0 ? std::fabs(toss.distance(time)) : 0.0;
        EXPECT_LE(off, 1e-9 * toss.flight[1].velocity.norm() + 1e-9);
        double least = 1;
        for (double t = 0; t < seen_until - 1e-9; t += toss.step / looks) least = std::min(least, toss.distance(t));
        EXPECT_GE(least, -1e-9) << "touched before";
      }
  EXPECT_GE(met, 0.9 * number);
  EXPECT_GE(timed, 0.8 * number);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Tosses,
                         testing::Values("anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"),
                         [](const auto& method) { return method.param; });

// Four boxes in a tray that is shaken: what overlaps in a step does not stay.
class Tray : public testing::TestWithParam<std::string> {};

TEST_P(Tray, ShakesFourBoxesThatDoNotOverlapAtTheEnd) {
#ifdef JOSTLE_ALL_TESTS
  constexpr double duration = 20;
#else
  constexpr double duration = 0.8;
#endif
  char text[4000];
  std::snprintf(text, sizeof text, R"yaml(
jostle: 1
world: {step: 0.002, duration: %g, method: %s}
bodies:
  tray:
    prescribed: {velocity: ["0.25*sin(15*t)", "0.2*sin(11*t)", "0.15*sin(23*t)"]}
    shapes:
      - {box: {size: [0.3, 0.3, 0.05]}, position: [0, 0, -0.025]}
      - {box: {size: [0.05, 0.3, 0.4]}, position: [0.125, 0, 0.2]}
      - {box: {size: [0.05, 0.3, 0.4]}, position: [-0.125, 0, 0.2]}
      - {box: {size: [0.2, 0.05, 0.4]}, position: [0, 0.125, 0.2]}
      - {box: {size: [0.2, 0.05, 0.4]}, position: [0, -0.125, 0.2]}
  a: {mass: 0.1, shape: {box: {size: [0.06, 0.05, 0.04]}}, position: [0, 0, 0.06], rotation: uniform}
  b: {mass: 0.1, shape: {box: {size: [0.06, 0.05, 0.04]}}, position: [0.01, 0, 0.15], rotation: uniform}
  c: {mass: 0.1, shape: {box: {size: [0.06, 0.05, 0.04]}}, position: [0, 0.01, 0.24], rotation: uniform}
  d: {mass: 0.1, shape: {box: {size: [0.06, 0.05, 0.04]}}, position: [0, 0, 0.33], rotation: uniform}
contacts: [{between: any, friction: 0.3, restitution: 0.6}]
sample: {method: random, count: 1000, seed: 3}
outcomes:
  boxes: {at_end: "min(min(min(gap(a, b), gap(a, c)), min(gap(a, d), gap(b, c))), min(gap(b, d), gap(c, d)))"}
  walls: {at_end: "min(min(gap(tray, a), gap(tray, b)), min(gap(tray, c), gap(tray, d)))"}
)yaml",
                duration, GetParam().c_str());
  Simulation sim(parse_scenario(text, "tray.yaml"), 2);
  sim.run();
  EXPECT_EQ(sim.status(), Status::ok);
  EXPECT_GE(sim.outcome("boxes"), -1e-6);
  EXPECT_GE(sim.outcome("walls"), -1e-6);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Tray, testing::Values("anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return method.param; });

}  // namespace
}  // namespace jostle
