#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "drivers/commands/commands.hpp"
#include "drivers/errors.hpp"
#include "drivers/fail_if.hpp"
#include "drivers/interrupt.hpp"
#include "drivers/max_invalid.hpp"
#include "drivers/outcome_report.hpp"
#include "drivers/progress.hpp"
#include "drivers/simulation_producer.hpp"
#include "drivers/summary_files.hpp"
#include "drivers/sweep.hpp"
#include "drivers/text.hpp"

namespace jostle {

namespace {

struct SweepCommand {
  ScenarioOptions scenario;
  std::optional<std::int64_t> count;
  std::optional<std::uint64_t> seed;
  std::string folder, shard, fail_if, max_invalid = "0";
  bool dry_run = false, json = false;
};

std::int64_t sample_count(const Ensemble& ensemble) {
  const Scenario& scenario = ensemble.scenario();
  std::int64_t n = scenario.sample.count;
  if (n < 0 && !draws_anything(scenario)) n = 1;
  if (n < 0) throw UsageError(scenario.file + ": how many samples? Give -n, or sample.count in the scenario");
  if (n > ensemble.count()) {
    throw UsageError(scenario.file + ": " + std::to_string(n) + " samples asked for, but the table has " +
                     std::to_string(ensemble.count()) + " rows");
  }
  return n;
}

/// --dry-run: what would be done, and three samples as drawn. Nothing is simulated or written.
void print_plan(const Ensemble& ensemble, const DatasetDescription& description, std::int64_t n) {
  const auto ranges = shard_ranges(description, n);
  std::cout << n << " samples of " << ensemble.model().total_steps << " steps in " << ranges.size() << " shards\n";
  for (std::int64_t sample = 0; sample < std::min<std::int64_t>(3, n); ++sample) {
    std::cout << "sample " << sample << ':';
    const std::vector<double> values = ensemble.draw(sample);
    for (std::size_t i = 0; i < values.size(); ++i) std::cout << ' ' << description.variables[i] << '=' << values[i];
    std::cout << '\n';
  }
  const auto columns = static_cast<std::int64_t>(description.variables.size() + description.outcomes.size()) + 6;
  std::int64_t recorded = 0;
  if (description.record.which == RecordSettings::Which::first) recorded = std::min(n, description.record.trajectories);
  if (description.record.which == RecordSettings::Which::all) recorded = n;
  std::cout << "disk: about " << with_commas((n * columns * 8 + recorded * trajectory_bytes(description)) / 1000000 + 1)
            << " MB\n";
}

ExitStatus finish(const SweepCommand& command, const DatasetDescription& description, const SweepReport& report,
                  const std::optional<FailCondition>& condition, const MaxInvalid& limit) {
  if (report.end == SweepReport::End::interrupted) {
    std::cerr << "interrupted: the same command goes on where this one stopped\n";
    return ExitStatus::interrupted;
  }
  if (command.json) {
    std::cout << summary_json(report.statistics).dump(2) << '\n';
  } else {
    std::cout << sweep_report_text(report, description.sampler == "sobol");
  }
  if (exceeds(limit, report.statistics.invalid, report.statistics.samples)) return ExitStatus::invalid_samples;
  if (condition && condition->holds(report.statistics)) return ExitStatus::fail_if;
  return ExitStatus::ok;
}

ExitStatus run_command(const SweepCommand& command) {
  check_device(command.scenario.device);
  const Ensemble ensemble(
      read_scenario(command.scenario.file, {command.scenario.set, command.count, command.seed}));
  const DatasetDescription description = describe(ensemble);
  const MaxInvalid limit = parse_max_invalid(command.max_invalid);
  std::optional<FailCondition> condition;
  if (!command.fail_if.empty()) condition.emplace(command.fail_if, description.outcomes);

  SweepOptions options;
  options.n = sample_count(ensemble);
  if (!command.shard.empty()) parse_shard_part(command.shard, options);
  if (command.dry_run) {
    print_plan(ensemble, description, options.n);
    return ExitStatus::ok;
  }
  options.folder = command.folder.empty()
                       ? std::filesystem::path(command.scenario.file).filename().replace_extension(".out")
                       : std::filesystem::path(command.folder);
  options.stop = &catch_interrupts();
  ProgressLine line(description, stderr);
  options.on_progress = [&](const SweepProgress& progress) { line.update(progress); };
  SimulationProducer producer(ensemble, description, command.scenario.threads);
  return finish(command, description, run_sweep(description, producer, options), condition, limit);
}

}  // namespace

void add_sweep(CLI::App& app, ExitStatus& status) {
  auto command = std::make_shared<SweepCommand>();
  CLI::App* sweep = app.add_subcommand("sweep", "Monte Carlo: simulate many samples; the same command resumes");
  add_scenario_options(*sweep, command->scenario);
  sweep->add_option("-n", command->count, "number of samples (overrides sample.count)");
  sweep->add_option("--seed", command->seed, "overrides sample.seed");
  sweep->add_option("-o", command->folder, "folder to write; default: FILE with .out in the present folder");
  sweep->add_option("--shard", command->shard, "k/n: make only the shards i with i mod n = k-1");
  sweep->add_option("--fail-if", command->fail_if, "exit 4 if it holds, e.g. 'lies < 0.99'");
  sweep->add_option("--max-invalid", command->max_invalid, "N or P%: more invalid samples give exit 3 (default 0)");
  sweep->add_flag("--dry-run", command->dry_run, "check, show three draws and the size; write nothing");
  sweep->add_flag("--json", command->json, "print summary.json instead of text");
  sweep->footer("Example: jostle sweep scenarios/library/rod.yaml -n 20000 -o out/");
  sweep->callback([command, &status] { status = run_command(*command); });
}

}  // namespace jostle
