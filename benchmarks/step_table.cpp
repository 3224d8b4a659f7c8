// Every scenario is swept sample after sample until its time is over, first without a clock (steps/s),
// then with one that is read at the end of every stage (shares). The shares include the reading of the clock.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "benchmarks/tables.hpp"
#include "core/step.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader.hpp"

namespace jostle {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Totals {
  double seconds = 0;
  double steps = 0, contacts = 0, pivots = 0, failures = 0;
  double rest = 0, lcps = 0, guessed = 0, corrected = 0, pivoted = 0;
  double stage_seconds[stage_count] = {};
};

/// Adds the time since the last call to the stage that has just ended.
struct StageClock {
  double* seconds;
  Clock::time_point* last;
  void operator()(Stage stage) const {
    const Clock::time_point now = Clock::now();
    seconds[static_cast<int>(stage)] += std::chrono::duration<double>(now - *last).count();
    *last = now;
  }
};

template <class StageWatch>
void simulate_sample(const Ensemble& ensemble, std::int64_t sample, WorkspaceMemory& memory, Totals& totals,
                     const StageWatch& watch) {
  Batch batch(ensemble.model(), 1);
  ensemble.load(sample, batch, 0);
  const int steps = static_cast<int>(ensemble.model().total_steps);
  const auto count = [&](const StepResult& result) {
    totals.steps += 1, totals.contacts += result.all_contacts(), totals.pivots += result.pivots;
    totals.rest += result.rests, totals.lcps += result.solves, totals.guessed += result.guessed;
    totals.corrected += result.corrected, totals.pivoted += result.pivoted;
  };
  const auto run = [&]<class Systems> {
    const System system = batch.system(memory.view(), 0);
    return simulate<Systems>(SerialTeam{}, system, memory.workspace(), steps, count, watch);
  };
  while (with_systems(memory.view().dimensions, run) != Pause::finished) {
    if (!memory.grow()) break;
  }
  totals.failures += batch.status(0) != Status::ok;
}

/// Samples 0, 1, ... until the time is over; at least one.
template <class MakeWatch>
Totals sweep(const Ensemble& ensemble, double seconds, MakeWatch make_watch) {
  WorkspaceMemory memory(ensemble.model(), 0);
  Totals totals, warm_up;
  simulate_sample(ensemble, 0, memory, warm_up, NoClock{});
  const Clock::time_point start = Clock::now();
  for (std::int64_t sample = 0; totals.seconds < seconds && sample < ensemble.count(); ++sample) {
    Clock::time_point last = Clock::now();
    simulate_sample(ensemble, sample, memory, totals, make_watch(totals, last));
    totals.seconds = seconds_since(start);
  }
  return totals;
}

void print_row(const std::string& name, double seconds, bool every_step) {
  ReadOptions options;
  options.every_step = every_step;
  const Ensemble ensemble{read_scenario("scenarios/library/" + name + ".yaml", options)};
  const Totals plain = sweep(ensemble, seconds, [](Totals&, Clock::time_point&) { return NoClock{}; });
  const Totals timed = sweep(ensemble, seconds, [](Totals& totals, Clock::time_point& last) {
    return StageClock{totals.stage_seconds, &last};
  });
  std::printf("%-15s %10.0f %9.2f %8.2f", name.c_str(), plain.steps / plain.seconds, plain.contacts / plain.steps,
              plain.pivots / plain.steps);
  double all = 0;
  for (const double stage : timed.stage_seconds) all += stage;
  for (const double stage : timed.stage_seconds) std::printf(" %9.0f", 100 * stage / all);
  const double lcps = plain.lcps > 0 ? plain.lcps : 1;
  std::printf(" %8.0f %6.1f %7.1f %7.1f %7.1f\n", plain.failures, 100 * plain.rest / plain.steps,
              100 * plain.guessed / lcps, 100 * plain.corrected / lcps, 100 * plain.pivoted / lcps);
  std::fflush(stdout);
}

}  // namespace

void print_step_table(double seconds, std::vector<std::string> names, bool every_step) {
  if (names.empty()) names = library_scenarios;
  std::printf("%-15s %10s %9s %8s %9s %9s %9s %9s %9s %8s %6s %7s %7s %7s\n", "scenario", "steps/s", "contacts",
              "pivots", "collide%", "assemble%", "pivot%", "integr.%", "record%", "failures", "rest%", "guess%",
              "correc%", "lemke%");
  for (const std::string& name : names) print_row(name, seconds, every_step);
}

}  // namespace jostle
