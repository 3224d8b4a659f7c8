#pragma once
// Scenarios of the library, run in tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "emulation/lanes.hpp"
#include "emulation/plain_lanes.hpp"
#include "tests/support/library_digest.hpp"

namespace jostle {

inline nlohmann::json reference() {
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/stewart_trinkle.json");
  return nlohmann::json::parse(file);
}

/// "path=value" for ReadOptions::set, with every digit.
inline std::string setting(const std::string& path, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "=%.17g", value);
  return path + text;
}

/// m/s^2: of scenarios that give none, and of those of the library.
inline constexpr double g = standard_gravity;
inline constexpr double pi = std::numbers::pi;

/// Takes system 0 of a batch to step `last` by a team of emulated lanes, with the code that a kernel for its model has;
/// 0: by this thread. The workspace must have room for all contacts.
inline void run_by_lanes(int lanes, Batch& batch, int last, WorkspaceMemory& memory) {
  if (lanes == 0) return run_system(batch, 0, last, memory);
  const System system = batch.system(memory.view(), 0);
  const auto simulate = memory.view().dimensions.is_plain() ? simulate_plain_by_lanes : simulate_by_lanes;
  EXPECT_EQ(simulate(lanes, system, memory.workspace(), last, {}), Pause::finished);
}

/// One sample of a scenario, stepped on this thread.
class Simulation {
 public:
  explicit Simulation(const std::string& name, const std::vector<std::string>& set = {}, std::int64_t sample = 0)
      : Simulation(read_scenario(library_file(name), {set, {}, {}}), sample) {}
  explicit Simulation(Scenario scenario, std::int64_t sample = 0)
      : ensemble_(std::move(scenario)), model_(with_all_tallies(ensemble_)), batch_(model_, 1), memory_(model_, 0) {
    ensemble_.load(sample, batch_, 0);
  }

  void run_to(int step) { run_system(batch_, 0, step, memory_); }
  void run_to_time(double time) { run_to(static_cast<int>(std::lround(time / ensemble_.model().step))); }
  void run() { run_to(static_cast<int>(ensemble_.model().total_steps)); }
  /// Steps to the end; `see` after every step, with what the step has left in its working memory. All of it is
  /// computed.
  void observe(const std::function<void(const System&, const Workspace&, const StepResult&)>& see) {
    Model model = model_;
    model.every_step = true;
    WorkspaceMemory memory(model, 0);
    run_system(batch_, 0, static_cast<int>(model.total_steps), memory, see);
  }
  /// Steps one by one to the end; `see` after every step.
  void watch(const std::function<void(const StateView&)>& see) {
    for (int step = 0; step <= ensemble_.model().total_steps; ++step) run_to(step), see(state());
  }

  StateView state() { return batch_.state(0); }
  Status status() { return batch_.status(0); }
  double outcome(const std::string& name) {
    const auto& outcomes = ensemble_.scenario().outcomes;
    for (std::size_t o = 0; o < outcomes.size(); ++o) {
      if (outcomes[o].name == name) return state().outcomes[static_cast<int>(o)];
    }
    ADD_FAILURE() << "no outcome " << name;
    return 0;
  }
  int body(const std::string& name) const {
    for (std::size_t b = 0; b < ensemble_.scenario().bodies.size(); ++b) {
      if (ensemble_.scenario().bodies[b].name == name) return static_cast<int>(b);
    }
    ADD_FAILURE() << "no body " << name;
    return 0;
  }
  double position(const std::string& name, int k) { return state().position[3 * body(name) + k]; }
  double velocity(const std::string& name, int k) { return state().velocity[3 * body(name) + k]; }
  double spin(const std::string& name, int k) { return state().spin[3 * body(name) + k]; }
  const Ensemble& ensemble() const { return ensemble_; }
  double step() const { return ensemble_.model().step; }

 private:
  Ensemble ensemble_;
  Model model_;
  Batch batch_;
  WorkspaceMemory memory_;
};

/// Laws that hold whatever answers the LCPs: each test of a suite runs with both, by a setting for the scenario.
class EverySolver : public testing::TestWithParam<const char*> {
 protected:
  static std::string solver() { return std::string("world.solver=") + GetParam(); }
};
inline const auto solvers = testing::Values("guess_first", "lemke");
inline std::string name_of_solver(const testing::TestParamInfo<const char*>& solver) { return solver.param; }

/// Steps first .. last of sample 0.
struct Window {
  int first, last;
};

/// What tests of slow teams run: from a little before sample 0 first touches something, and around the step with the
/// most contacts, the last of them.
inline std::vector<Window> eventful_windows(const std::string& name, const std::vector<std::string>& set = {},
                                            int after = 27) {
  constexpr int before = 3;
  Simulation simulation(name, set);
  int landing = -1, busiest = -1, most = 1;
  simulation.observe([&](const System& system, const Workspace&, const StepResult& result) {
    const int step = system.state().steps();
    if (landing < 0 && result.contacts > 0) landing = step;
    if (result.contacts >= most) most = result.contacts, busiest = step;
  });
  const int steps = static_cast<int>(simulation.ensemble().model().total_steps);
  if (landing < 0) landing = busiest = steps / 2;  // a mechanism in which nothing touches
  std::vector<Window> windows;
  for (const int event : {landing, busiest})
    windows.push_back({std::max(0, event - before), std::min(event + after, steps)});
  return windows;
}

/// N s: what the prescribed motion of a body has given it in the last step.
inline Vec3 given_impulse(Simulation& simulation, const std::string& name) {
  const Model& model = simulation.ensemble().model();
  return vector_at(simulation.state().given_impulse, model.bodies[simulation.body(name)].prescribed);
}

inline void expect_velocities(const std::vector<double>& found, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

}  // namespace jostle
