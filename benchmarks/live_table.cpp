// Two batches of the same samples take every step by turns: one as the engine does it, one with arrays that a caller
// may read and write. The difference of a step is that of its two calls, so a busy machine disturbs the median little.
#include <cstdio>
#include <numeric>
#include <vector>

#include "benchmarks/tables.hpp"
#include "benchmarks/timing.hpp"
#include "drivers/live/live_batch.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

void print_row(const std::string& name, int systems, int threads) {
  const Scenario scenario = read_scenario("scenarios/library/" + name + ".yaml");
  std::vector<std::int64_t> samples(static_cast<std::size_t>(systems));
  std::iota(samples.begin(), samples.end(), 0);
  const Ensemble ensemble(scenario);
  Batch batch(ensemble.model(), systems);
  for (int i = 0; i < systems; ++i) ensemble.draw(i, batch, i);
  run_batch(batch, 0, {threads});
  LiveBatch live(scenario, samples, Machine(threads));
  std::vector<double> own, lives, more;
  for (int step = 1; step <= ensemble.model().total_steps; ++step) {
    const auto step_own = [&] { own.push_back(microseconds_of([&] { run_batch(batch, step, {threads}); })); };
    const auto step_live = [&] { lives.push_back(microseconds_of([&] { live.step(1); })); };
    if (step % 2 == 0) step_own();
    step_live();
    if (step % 2 != 0) step_own();
    more.push_back(lives.back() - own.back());
  }
  std::printf("%-18s %8d %12.1f %12.1f %12.1f\n", name.c_str(), systems, median(own), median(lives), median(more));
}

}  // namespace

void print_live_table(int systems, int threads, std::vector<std::string> names) {
  if (names.empty()) names = {"rod", "tossed_box", "cube_toss"};
  std::printf("microseconds of a step of all systems, %d threads\n", Machine(threads).threads());
  std::printf("%-18s %8s %12s %12s %12s\n", "scenario", "systems", "engine", "live batch", "difference");
  for (const std::string& name : names) print_row(name, systems, threads);
}

}  // namespace jostle
