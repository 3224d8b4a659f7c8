// Every scenario is swept sample after sample until its time is over, first without a clock (steps/s),
// then with one that is read at the end of every step (mean and 99th percentile of those that are computed) and of
// every stage (shares). These include the reading of the clock.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "benchmarks/tables.hpp"
#include "emulation/timed_thread.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Totals {
  double seconds = 0;
  double steps = 0, contacts = 0, pivots = 0, failures = 0;
  double rest = 0, lcps = 0, guessed = 0, corrected = 0, pivoted = 0;

  void add(const StepResult& result) {
    steps += 1, contacts += result.all_contacts(), pivots += result.pivots;
    rest += result.rests, lcps += result.solves, guessed += result.guessed;
    corrected += result.corrected, pivoted += result.pivoted;
  }
};

/// Samples 0, 1, ... until the time is over, at least one, and one to warm up: simulate(batch of the sample, steps,
/// memory). Returns the seconds that they took.
template <class Simulate>
double sweep(const Ensemble& ensemble, double seconds, Simulate simulate) {
  WorkspaceMemory memory(ensemble.model(), 0);
  const int steps = static_cast<int>(ensemble.model().total_steps);
  double taken = 0;
  Clock::time_point start = Clock::now();
  for (std::int64_t sample = -1; taken < seconds && sample < ensemble.count(); ++sample) {
    Batch batch(ensemble.model(), 1);
    ensemble.load(std::max<std::int64_t>(sample, 0), batch, 0);
    simulate(batch, steps, memory, sample >= 0);
    if (sample < 0)
      start = Clock::now();
    else
      taken = seconds_since(start);
  }
  return taken;
}

/// Without a clock: the code that sweeps run.
Totals sweep_untimed(const Ensemble& ensemble, double seconds) {
  Totals totals;
  totals.seconds = sweep(ensemble, seconds, [&](Batch& batch, int steps, WorkspaceMemory& memory, bool counts) {
    run_system(batch, 0, steps, memory, [&](const System&, const Workspace&, const StepResult& result) {
      if (counts) totals.add(result);
    });
    totals.failures += counts && batch.status(0) != Status::ok;
  });
  return totals;
}

/// Microseconds of every step that is computed; with one step at least.
std::vector<double> step_times(const Ensemble& ensemble, double seconds) {
  std::vector<double> times;
  sweep(ensemble, seconds, [&](Batch& batch, int steps, WorkspaceMemory& memory, bool counts) {
    Clock::time_point last = Clock::now();
    run_system(batch, 0, steps, memory, [&](const System&, const Workspace&, const StepResult& result) {
      const Clock::time_point now = Clock::now();
      if (counts && !result.rests) times.push_back(std::chrono::duration<double, std::micro>(now - last).count());
      last = Clock::now();
    });
  });
  if (times.empty()) times.push_back(0);
  return times;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The value that so many per cent are not above.
double percentile(std::vector<double> values, double per_cent) {
  const auto at = static_cast<std::ptrdiff_t>(per_cent / 100 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

/// Seconds of every stage.
StageSeconds sweep_timed(const Ensemble& ensemble, double seconds) {
  StageSeconds stages{}, warm_up{};
  sweep(ensemble, seconds, [&](Batch& batch, int steps, WorkspaceMemory& memory, bool counts) {
    run_system_timed(batch, 0, steps, memory, counts ? stages : warm_up);
  });
  return stages;
}

void print_row(const std::string& name, double seconds, bool every_step) {
  ReadOptions options;
  options.every_step = every_step;
  const Ensemble ensemble{read_scenario("scenarios/library/" + name + ".yaml", options)};
  const Totals plain = sweep_untimed(ensemble, seconds);
  const std::vector<double> times = step_times(ensemble, seconds);
  const StageSeconds timed = sweep_timed(ensemble, seconds);
  std::printf("%-15s %10.0f %9.2f %8.2f", name.c_str(), plain.steps / plain.seconds, plain.contacts / plain.steps,
              plain.pivots / plain.steps);
  double all = 0;
  for (const double stage : timed) all += stage;
  for (const double stage : timed) std::printf(" %9.0f", 100 * stage / all);
  const double lcps = plain.lcps > 0 ? plain.lcps : 1;
  std::printf(" %8.0f %6.1f %7.1f %7.1f %7.1f %8.1f %8.1f\n", plain.failures, 100 * plain.rest / plain.steps,
              100 * plain.guessed / lcps, 100 * plain.corrected / lcps, 100 * plain.pivoted / lcps, mean(times),
              percentile(times, 99));
  std::fflush(stdout);
}

}  // namespace

void print_step_table(double seconds, std::vector<std::string> names, bool every_step) {
  if (names.empty()) names = library_scenarios;
  std::printf("%-15s %10s %9s %8s %9s %9s %9s %9s %9s %8s %6s %7s %7s %7s %8s %8s\n", "scenario", "steps/s", "contacts",
              "pivots", "collide%", "assemble%", "pivot%", "integr.%", "record%", "failures", "rest%", "guess%",
              "correc%", "lemke%", "mean us", "99% us");
  for (const std::string& name : names) print_row(name, seconds, every_step);
}

}  // namespace jostle
