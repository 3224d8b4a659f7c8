// An island at rest beside bodies that move is not computed, and no bit depends on that.
#include <cstring>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// Two boxes on each other, two that stand alone, and a ball.
Scenario yard(const std::string& ball, const std::string& world = "") {
  return parse_scenario(R"(
jostle: 1
world: {step: 0.005, duration: 2)" +
                            world + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  low: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05]}
  first: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.5, 0, 0.05]}
  ball: {mass: 1, shape: {sphere: {radius: 0.05}}, )" +
                            ball + R"(}
  high: {mass: 2, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.01, 0, 0.15]}
  second: {mass: 1, shape: {box: {size: [0.1, 0.2, 0.1]}}, position: [1, 0, 0.05], rotation: {axis: [0, 0, 1], degrees: 20}}
contacts: [{between: any, friction: 0.5}]
)",
                        "yard.yaml");
}

/// Prisms of 16 sides on one of 30, whose pair has 2,800 feature pairs: that of corner c of the upper one on face f of
/// the lower one has the number 32 c + f, so that some of the contacts have numbers 256 apart.
Scenario prism_yard(const std::string& ball) {
  const auto outline = [](int sides, double radius) {
    std::string points;
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * 3.14159265358979 * i / sides;
      points += (i == 0 ? "[" : ", [") + std::to_string(radius * std::cos(angle)) + ", " +
                std::to_string(radius * std::sin(angle)) + "]";
    }
    return "[" + points + "]";
  };
  return parse_scenario(R"(
jostle: 1
world: {step: 0.005, duration: 2, filter: false}
bodies:
  plate: {fixed: true, shape: {prism: {height: 0.02, points: )" +
                            outline(30, 0.3) + R"(}}, position: [0, 0, -0.01]}
  coin: {mass: 1, shape: {prism: {height: 0.04, points: )" +
                            outline(16, 0.05) + R"(}}, position: [0, 0, 0.02]}
  other: {mass: 1, shape: {prism: {height: 0.04, points: )" +
                            outline(16, 0.05) + R"(}}, position: [0.15, 0, 0.02]}
  ball: {mass: 1, shape: {sphere: {radius: 0.02}}, )" +
                            ball + R"(}
contacts: [{between: any, friction: 0.5}]
)",
                        "prism_yard.yaml");
}

struct Yard {
  const char* name;
  Scenario (*scenario)();
};

class IslandRest : public testing::TestWithParam<Yard> {
 protected:
  Ensemble ensemble(bool every_step = false) const {
    Scenario scenario = GetParam().scenario();
    scenario.world.every_step = every_step;
    return Ensemble(scenario);
  }
};

const auto yards = testing::Values(
    Yard{"BesideABallThatRollsAway", [] { return yard("position: [0, 3, 0.05], velocity: [0, 1, 0]"); }},
    Yard{"BesideABallThatHitsABox", [] { return yard("position: [0.8, 0, 0.05], velocity: [-0.4, 0, 0]"); }},
    Yard{"BesideABallThatFallsOnTheStack", [] { return yard("position: [0.02, 0.01, 1]"); }},
    Yard{"AtAFixedPoint",
         [] { return yard("position: [0.8, 0, 0.05], velocity: [-0.4, 0, 0]", ", linearisation: fixed_point"); }},
    Yard{"OfPrismsBesideABall", [] { return prism_yard("position: [0, 0.2, 0.02], velocity: [0, 0.1, 0]"); }},
    Yard{"OfPrismsThatABallHits", [] { return prism_yard("position: [-0.2, 0.01, 0.02], velocity: [0.3, 0, 0]"); }},
    Yard{"AfterDividedSteps", [] { return yard("position: [-1, 0.05, 0.1], velocity: [25, 0, 0]"); }});
INSTANTIATE_TEST_SUITE_P(Yards, IslandRest, yards, [](const auto& yard) { return yard.param.name; });

/// All memory of a state: results, and what is known of islands at rest.
std::vector<std::byte> bytes_of(Batch& batch) {
  const std::byte* const first = batch.state_memory(0);
  return {first, first + batch.model().view(0).state_layout.bytes};
}

/// One sample with all tallies, step by step.
class Steps {
 public:
  explicit Steps(const Ensemble& ensemble)
      : model_(with_all_tallies(ensemble)), batch_(model_, 1), memory_(model_, 64) {
    ensemble.load(0, batch_, 0);
  }
  void run_to(int step) {
    run_system(batch_, 0, step, memory_,
               [this](const System&, const Workspace&, const StepResult& result) { last_ = result; });
  }
  void run_by_lanes(int lanes, int step) { jostle::run_by_lanes(lanes, batch_, step, memory_); }
  const StepResult& last() const { return last_; }
  int total() const { return static_cast<int>(model_.total_steps); }
  std::vector<std::byte> bytes() { return bytes_of(batch_); }
  int movers_at_rest() {
    int count = 0;
    for (std::size_t m = 0; m < model_.movers.size(); ++m) count += batch_.state(0).rest_island[m] != 0;
    return count;
  }

 private:
  Model model_;
  Batch batch_;
  WorkspaceMemory memory_;
  StepResult last_;
};

TEST_P(IslandRest, ChangesNoBit) {
  const Ensemble fewer = ensemble(), every = ensemble(true);
  Steps left_out(fewer), computed(every);
  int steps = 0;
  for (int step = 0; step <= left_out.total(); ++step) {
    left_out.run_to(step), computed.run_to(step);
    ASSERT_EQ(left_out.bytes(), computed.bytes()) << "step " << step;
    EXPECT_EQ(left_out.last().status, Status::ok);
    EXPECT_EQ(left_out.last().all_contacts(), computed.last().contacts) << "step " << step;
    if (left_out.last().rests) continue;
    EXPECT_EQ(left_out.last().residual, computed.last().residual) << "step " << step;
    EXPECT_EQ(left_out.last().solves, computed.last().solves) << "step " << step;
    EXPECT_EQ(left_out.last().guessed, computed.last().guessed) << "step " << step;
    EXPECT_EQ(computed.last().resting, 0);
    steps += left_out.last().resting > 0;
  }
  EXPECT_GT(steps, 20);
}

// From a little before the first islands begin to rest, and where one of them is woken.
TEST_P(IslandRest, HasTheSameBitsForEveryTeam) {
  const Ensemble ensemble = this->ensemble();
  Steps serial(ensemble);
  std::vector<int> events;
  int before = 0;
  for (int step = 1; step <= serial.total(); ++step) {
    serial.run_to(step);
    const int at_rest = serial.movers_at_rest();
    if ((before == 0 && at_rest > 0 && events.empty()) || (at_rest < before && events.size() < 2))
      events.push_back(step);
    before = at_rest;
  }
  ASSERT_FALSE(events.empty());
  for (const int event : events) {
    const int first = std::max(0, event - 2), last = std::min(event + 2, serial.total());
    Steps expected(ensemble);
    expected.run_to(last);
    for (const int lanes : {1, 2, 3, 8, 32}) {
      Steps steps(ensemble);
      steps.run_to(first);
      steps.run_by_lanes(lanes, last);
      EXPECT_EQ(steps.bytes(), expected.bytes()) << lanes << " lanes, up to step " << last;
    }
  }
}

TEST(IslandAtRest, IsWokenByABodyThatTouchesItAndByNoOther) {
  Simulation simulation(yard("position: [0.8, 0, 0.05], velocity: [-0.4, 0, 0]"));
  simulation.run_to_time(0.3);
  const int* const at_rest = simulation.state().rest_island;  // low, first, ball, high, second
  EXPECT_EQ(at_rest[0], 1);
  EXPECT_EQ(at_rest[1], 2);
  EXPECT_EQ(at_rest[2], 0);
  EXPECT_EQ(at_rest[3], 1);
  EXPECT_EQ(at_rest[4], 5);
  EXPECT_EQ(simulation.position("first", 0), 0.5);
  EXPECT_EQ(simulation.state().rest(), 0);
  simulation.run_to_time(1.5);
  EXPECT_LT(simulation.position("first", 0), 0.4999);
  EXPECT_EQ(simulation.position("second", 0), 1);
  EXPECT_EQ(at_rest[4], 5);
}

TEST(IslandAtRest, StaysComputedUnderAForceThatDependsOnTime) {
  Simulation simulation(parse_scenario(R"(
jostle: 1
world: {step: 0.005, duration: 1}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05]}
  ball: {mass: 1, shape: {sphere: {radius: 0.05}}, position: [0, 3, 0.05], velocity: [0, 1, 0]}
contacts: [{between: any, friction: 0.5}]
forces: [{body: box, force: ['20*max(0, min(1, 1000*(t - 0.5)))', 0, 0]}]
)",
                                       "push.yaml"));
  simulation.run_to_time(0.4);
  EXPECT_EQ(simulation.state().rest_island[0], 0);
  simulation.run();
  EXPECT_GT(simulation.position("box", 0), 0.1);
}

}  // namespace
}  // namespace jostle
