// A thousand spinning rods from C++, on the GPU if there is one; then a small sweep.
#include <cmath>
#include <cstdio>

#include "drivers/simulation.hpp"

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: example SCENARIO.yaml FOLDER\n"), 2;
  const jostle::Ensemble ensemble(jostle::read_scenario(argv[1]));
  const jostle::Machine machine = jostle::Machine::named("auto");

  jostle::Simulation simulation(ensemble, 1000, machine);  // samples 0 to 999
  simulation.parameters(7).friction[0] = 0.3;              // of the first pair of shapes
  simulation.step(100);
  const jostle::StateView state = simulation.state(7);
  std::printf("%s: system 7 after %d steps: y = %.17g m, status %d\n", machine.name().c_str(), simulation.steps(),
              state.position[4], state.status());

  jostle::SweepOptions options;
  options.folder = argv[2];
  options.n = 200;
  const jostle::SweepReport report = jostle::sweep(ensemble, machine, options);  // resumes where it was stopped
  for (const jostle::OutcomeStatistics& outcome : report.statistics.outcomes)
    std::printf("%s: %g\n", outcome.name.c_str(), outcome.estimate.value_or(std::nan("")));
}
