// Prints the tables of measured times; `benchmark --help` says which. To be called in the project's folder.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "benchmarks/tables.hpp"

namespace jostle {
namespace {

struct Tables {
  int problems = 200, repetitions = 9, stack = 10'000;
  double seconds = 2;
  bool every_step = false;
  std::vector<std::string> scenarios;
  std::int64_t missed_samples = 64;
  std::vector<std::string> missed;
  int systems = 4096, threads = 0;
  std::vector<std::string> live;
  GpuTable gpu;
  std::string device = "cuda:0", teams;
};

CLI::App* add_lcp(CLI::App& app, Tables& tables) {
  CLI::App* lcp = app.add_subcommand("lcp", "time of one LCP, beside a peer's where there is one");
  lcp->add_option("problems", tables.problems, "of each size (default 200)")->check(CLI::PositiveNumber);
  lcp->add_option("repetitions", tables.repetitions, "of each problem (default 9)")->check(CLI::PositiveNumber);
  return lcp;
}

CLI::App* add_stack(CLI::App& app, Tables& tables) {
  CLI::App* stack =
      app.add_subcommand("stack", "time of one LCP in a stack of different ones, as js.solve_lcp does it");
  stack->add_option("problems", tables.stack, "of each size (default 10000)")->check(CLI::PositiveNumber);
  stack->add_option("--threads", tables.threads, "0: one per processor (default)")->check(CLI::NonNegativeNumber);
  return stack;
}

CLI::App* add_steps(CLI::App& app, Tables& tables) {
  CLI::App* steps = app.add_subcommand("steps", "steps per second of one thread");
  steps->add_option("seconds", tables.seconds, "for each scenario (default 2)")->check(CLI::PositiveNumber);
  steps->add_flag("--every-step", tables.every_step, "compute steps at rest, too");
  steps->add_option("scenarios", tables.scenarios, "of the library, without joints (default: all)")
      ->check(CLI::IsMember(library_scenarios));
  return steps;
}

CLI::App* add_misses(CLI::App& app, Tables& tables) {
  CLI::App* misses = app.add_subcommand("misses", "what contacts changed where LCPs went to Lemke's method");
  misses->add_option("--samples", tables.missed_samples, "of each scenario (default 64)")->check(CLI::PositiveNumber);
  misses->add_option("scenarios", tables.missed, "of the library (default: all)")
      ->check(CLI::IsMember(library_scenarios));
  return misses;
}

CLI::App* add_live(CLI::App& app, Tables& tables) {
  CLI::App* live = app.add_subcommand("live", "one step of a batch with live arrays, beside the engine's own call");
  live->add_option("--systems", tables.systems, "of each scenario (default 4096)")->check(CLI::PositiveNumber);
  live->add_option("--threads", tables.threads, "0: one per processor (default)")->check(CLI::NonNegativeNumber);
  live->add_option("scenarios", tables.live, "of the library (default: rod tossed_box cube_toss)")
      ->check(CLI::IsMember(library_scenarios));
  return live;
}

CLI::App* add_gpu(CLI::App& app, Tables& tables) {
  CLI::App* gpu =
      app.add_subcommand("gpu", "steps and LCPs of a GPU as CSV, a row for every combination of the options");
  std::vector<std::string> names = library_scenarios, kinds = {"any"};
  names.emplace_back("lcp");
  for (const TeamKind& kind : team_kinds) kinds.emplace_back(kind.name);
  GpuTable& table = tables.gpu;
  table.names = names, table.kinds = kinds;
  const auto list = [&](const char* name, auto& values, const char* meaning) {
    return gpu->add_option(name, values, meaning)->delimiter(',');
  };
  gpu->add_option("--device", tables.device, "cuda:i (default cuda:0)")->check([](const std::string& name) {
    const bool is_device = name.size() == 6 && name.starts_with("cuda:") && name[5] >= '0' && name[5] <= '9';
    return is_device ? "" : "expected cuda:0 to cuda:9";
  });
  gpu->add_option("--systems", table.systems, "systems or LCPs at most (default 100000)")->check(CLI::PositiveNumber);
  list("--names", table.names, "scenarios of the library, lcp (default: all)")->check(CLI::IsMember(names));
  list("--kinds", table.kinds, "preferred kinds of teams; any: as jostle chooses (default: all)")
      ->check(CLI::IsMember(kinds));
  gpu->add_option("--teams", tables.teams, "kinds of teams that may be used at all (default: all)");
  list("--registers", table.registers, "bounds of registers that are built; 0: the usual one (default 0)")
      ->check(CLI::NonNegativeNumber);
  list("--dictionary", table.dictionaries, "auto: in shared memory where it fits; memory: never (default auto)")
      ->check(CLI::IsMember({"auto", "memory"}));
  list("--warps", table.warps, "of a block, which take their steps together; 0: as jostle chooses (default 0)")
      ->check(CLI::NonNegativeNumber);
  list("--occupancy", table.blocks, "most blocks on a multiprocessor; 0: all that have room (default 0)")
      ->check(CLI::NonNegativeNumber);
  return gpu;
}

int run(int argc, char** argv) {
  CLI::App app("Tables of measured times; without a subcommand those of LCPs and of steps on the CPU.");
  Tables tables;
  const CLI::App* const lcp = add_lcp(app, tables);
  const CLI::App* const stack = add_stack(app, tables);
  const CLI::App* const steps = add_steps(app, tables);
  const CLI::App* const misses = add_misses(app, tables);
  const CLI::App* const live = add_live(app, tables);
  const CLI::App* const gpu = add_gpu(app, tables);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const bool both = app.get_subcommands().empty();
  if (both || lcp->parsed()) print_lcp_table(tables.problems, tables.repetitions);
  if (stack->parsed()) print_stack_table(tables.stack, tables.threads);
  if (both) std::printf("\n");
  if (both || steps->parsed()) print_step_table(tables.seconds, tables.scenarios, tables.every_step);
  if (misses->parsed()) print_miss_table(tables.missed_samples, tables.missed);
  if (live->parsed()) print_live_table(tables.systems, tables.threads, tables.live);
  if (!gpu->parsed()) return 0;
  tables.gpu.device = std::stoi(tables.device.substr(tables.device.find(':') + 1));
  if (!tables.teams.empty()) tables.gpu.teams = team_kinds_named(tables.teams);
  print_gpu_table(tables.gpu);
  return 0;
}

}  // namespace
}  // namespace jostle

int main(int argc, char** argv) {
  try {
    return jostle::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark: %s\n", error.what());
    return 2;
  }
}
