// What the kernels cost in instructions, by the kind of team: the one thing about their speed that needs no GPU.
//
//     count_kernels      prints a table; a number is the instructions of all lanes of a team, divided by 32
//
// A warp carries out one instruction for all its lanes, so teams that fill it and stay together cost that many.
#include <cstdio>

#include "benchmarks/lcp_problems.hpp"
#include "core/simulate.hpp"
#include "cuda/device_runner.hpp"
#include "cuda/lcp_batch.hpp"
#include "tests/ptx/device.hpp"
#include "tests/support/library_digest.hpp"

namespace jostle {
namespace {

constexpr int lanes_of_warp = 32;

void print_head(const char* first, const char* second) {
  std::printf("%-12s%12s", first, second);
  for (const int kind : test::kinds_of_build()) std::printf("%10s", team_kinds[kind].name);
  std::printf("\n");
}

void print_count(std::int64_t instructions, double things) {
  std::printf("%10.0f", static_cast<double>(instructions) / lanes_of_warp / things);
}

/// Of an LCP of each size.
void count_lcps() {
  constexpr int count = 16;
  print_head("n", "pivots");
  for (const LcpSize size : contact_lcp_sizes) {
    ContactLcpGenerator generator(17);
    std::vector<DenseLcp> problems;
    double pivots = 0;
    for (int i = 0; i < count; ++i) {
      const ContactLcp lcp = generator.make(size, contact_scenes[i % 4]);
      problems.push_back({lcp.M, lcp.q});
      pivots += solve_dense_lcp(lcp.M, lcp.q).pivots;
    }
    std::printf("%-12d%12.1f", size.n(), pivots / count);
    for (const int kind : test::kinds_of_build()) {
      const int largest = team_kinds[kind].largest_lcp;
      test::PtxDevice device(1u << kind, count);
      if (largest > 0 && size.n() > largest) {
        std::printf("%10s", "-");
        continue;
      }
      solve_lcps(device, problems);
      print_count(device.instructions(), count);
    }
    std::printf("\n");
  }
}

/// Of a step of a scenario, around the middle of its duration.
void count_steps(const std::string& name, int steps) {
  constexpr int count = 8;
  const Ensemble ensemble(read_scenario(library_file(name)));
  Batch start(ensemble.model(), count);
  for (int i = 0; i < count; ++i) ensemble.load(i, start, i);
  const int middle = static_cast<int>(ensemble.model().total_steps) / 2;
  run_batch(start, middle);
  double pivots = 0;
  for (int i = 0; i < count; ++i) pivots += start.state(i).pivots_max[0];
  std::printf("%-12s%12.1f", name.c_str(), pivots / count);
  for (const int kind : test::kinds_of_build()) {
    Batch batch = start;
    test::PtxDevice device(1u << kind, count);
    DeviceRunner(device, ensemble.model()).run(batch, middle + steps);
    if (device.kinds_run() == 1u << kind)
      print_count(device.instructions(), static_cast<double>(count) * steps);
    else
      std::printf("%10s", "-");  // teams of another kind did what does not fit
  }
  std::printf("\n");
}

}  // namespace
}  // namespace jostle

int main() {
  jostle::count_lcps();
  std::printf("\n");
  jostle::print_head("step of", "most pivots");
  for (const char* name : {"rod", "tossed_box", "four_balls", "box_stack"}) jostle::count_steps(name, 5);
}
