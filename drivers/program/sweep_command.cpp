#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "drivers/datasets/dataset_folder.hpp"
#include "drivers/datasets/summary_files.hpp"
#include "drivers/datasets/training_meta.hpp"
#include "drivers/errors.hpp"
#include "drivers/program/auto_device.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/progress.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/program/sweep_plan.hpp"
#include "drivers/simulation.hpp"
#include "drivers/statistics/gates.hpp"
#include "drivers/statistics/outcome_report.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

struct SweepCommand {
  ScenarioOptions scenario;
  std::string count, folder, shard, fail_if, max_invalid = "0";
  bool dry_run = false, json = false;
  bool generates = false;  ///< training data
};

/// What training data have unless --set says otherwise.
const std::vector<std::string> training_records = {"record.trajectories=all", "record.contacts=true",
                                                   "record.dtype=f4"};

/// The conditions that decide the exit status of a sweep.
struct Gates {
  MaxInvalid max_invalid;
  std::optional<FailCondition> fail_if;
};

std::int64_t sample_count(const Ensemble& ensemble) {
  const Scenario& scenario = ensemble.scenario();
  std::int64_t n = scenario.sample.count;
  if (n < 0 && ensemble.table()) n = ensemble.count();
  if (n < 0 && !draws_anything(scenario)) n = 1;
  if (n < 0) throw error_at(scenario, {}, "how many samples? Give -n, or sample.count in the scenario");
  if (n > most_samples) throw error_at(scenario, {}, "at most " + with_commas(most_samples) + " samples");
  if (n > ensemble.count())
    throw error_at(scenario, {},
                   counted(n, "sample") + " asked for, but the table has " + counted(ensemble.count(), "row"));
  return n;
}

SweepOptions sweep_options(const SweepCommand& command, const Ensemble& ensemble) {
  SweepOptions options;
  options.n = sample_count(ensemble);
  if (!command.shard.empty()) parse_shard_part(command.shard, options);
  const std::filesystem::path file = command.scenario.file;
  options.folder = !command.folder.empty()               ? std::filesystem::path(command.folder)
                   : std::filesystem::is_directory(file) ? file
                                                         : file.filename().replace_extension(".out");
  return options;
}

bool has_too_many_invalid(const Gates& gates, std::int64_t invalid, std::int64_t samples, const SweepCommand& command) {
  if (!exceeds(gates.max_invalid, invalid, samples)) return false;
  std::cerr << with_commas(invalid) << " of " << with_commas(samples)
            << " samples are invalid, more than --max-invalid " << command.max_invalid << '\n';
  return true;
}

/// Exits as the sweep would, as far as this is known without running it.
ExitStatus dry_run(const SweepCommand& command, const Gates& gates, const Ensemble& ensemble,
                   const DatasetDescription& description, const SweepOptions& options, const Machine& machine) {
  check_dataset_folder(options.folder, description, options.n);
  SweepPlan plan = plan_sweep(ensemble, description, options, machine.backend(ensemble.model()),
                              largest_batch(machine, description));
  if (machine.gpu()) {
    const Model& model = ensemble.model();
    const RecordSpec& record = ensemble.scenario().record;
    plan.device_bytes_per_system = static_cast<double>(DeviceBatch::bytes_per_system(model));
    if (record.trajectories.which != RecordSpec::Which::none)
      plan.device_bytes_per_record = static_cast<double>(DeviceBatch::record_bytes(model, record.stride));
    if (description.record.steps) {
      RecordMemory steps(model, record.stride);
      plan.device_bytes_per_record += static_cast<double>(DeviceRecords::bytes_of(steps));
    }
  }
  if (*options.stop) {
    std::cerr << "interrupted; nothing was written\n";
    return ExitStatus::interrupted;
  }
  std::cout << (command.json ? plan_json(plan, description) : plan_text(plan, description)) << std::flush;
  check_room(options, plan.needs);
  return has_too_many_invalid(gates, plan.invalid, plan.tried, command) ? ExitStatus::invalid_samples : ExitStatus::ok;
}

void log(const Machine& machine, const Model& model) {
  if (machine.gpu())
    spdlog::debug("{}: {} a system", machine.name(),
                  size_text(static_cast<double>(DeviceBatch::bytes_per_system(model))));
  else
    spdlog::debug("cpu: {}", machine.name());
}

ExitStatus judge(const RunStatistics& statistics, const SweepCommand& command, const Gates& gates) {
  if (has_too_many_invalid(gates, statistics.invalid, statistics.samples, command)) return ExitStatus::invalid_samples;
  if (gates.fail_if && gates.fail_if->holds(statistics)) {
    std::cerr << "--fail-if '" << command.fail_if << "' holds\n";
    return ExitStatus::fail_if;
  }
  return ExitStatus::ok;
}

ExitStatus finish(const SweepReport& report, const SweepCommand& command, const Gates& gates,
                  const DatasetDescription& description, const Invocation& invocation) {
  if (report.end == SweepReport::End::interrupted) {
    std::cerr << fmt::format("interrupted with {} of {} samples on disk; resume with: {}\n",
                             with_commas(report.simulated + report.kept), with_commas(report.n),
                             shell_line(invocation.words));
    return ExitStatus::interrupted;
  }
  if (command.json)
    std::cout << summary_json(report.statistics).dump(2) << '\n';
  else
    std::cout << sweep_report_text(report, description.sampler == "sobol", invocation.words[0]);
  std::cout.flush();
  return judge(report.statistics, command, gates);
}

ExitStatus run_command(const SweepCommand& command, const Invocation& invocation) {
  const std::atomic<bool>& stop = catch_interrupts();
  Machine machine = prepare(command.scenario, AutoDevice::cpu);
  Gates gates{parse_max_invalid(command.max_invalid), {}};
  ReadOptions read = read_options(command.scenario);
  if (command.generates) read.set.insert(read.set.begin(), training_records.begin(), training_records.end());
  if (!command.count.empty()) read.count = whole_number("-n", command.count, 1, most_samples);
  const Ensemble ensemble = open_ensemble(command.scenario.file, read, 0);
  warn_of_doubts(ensemble.scenario());
  const DatasetDescription description = describe(ensemble);
  if (!command.fail_if.empty()) gates.fail_if.emplace(command.fail_if, description.outcomes);
  SweepOptions options = sweep_options(command, ensemble);
  options.stop = &stop;
  if (options.n > 1 && !draws_anything(ensemble.scenario()))
    spdlog::warn("{}: warning: no parameter is random, so all {} are equal", command.scenario.file,
                 counted(options.n, "sample"));
  if (command.scenario.device == "auto")
    if (auto gpu = open_checked_gpu(command.scenario, ensemble.model(), machine.threads(), stop)) machine = *gpu;
  if (command.dry_run) return dry_run(command, gates, ensemble, description, options, machine);
  check_room(options, needs_of(description, options, largest_batch(machine, description)));

  spdlog::debug("{}: {} bodies, {} variables, {} outcomes, {} steps; {} samples by {}, seed {}, into {}",
                command.scenario.file, ensemble.model().bodies.size(), description.variables.size(),
                description.outcomes.size(), ensemble.model().total_steps, options.n, description.sampler,
                description.seed, options.folder.string());
  log(machine, ensemble.model());
  SweepReport report;
  {
    ProgressLine line(description, stderr);
    options.on_progress = [&](const SweepProgress& progress) { line.update(progress); };
    report = sweep(ensemble, machine, options);
  }
  if (command.generates && report.end == SweepReport::End::complete)
    write_training_meta(report.folder, description, report.statistics);
  return finish(report, command, gates, description, invocation);
}

}  // namespace

namespace {

/// The options that both commands have.
void add_options(CLI::App* sweep, const std::shared_ptr<SweepCommand>& command, Invocation& invocation) {
  add_scenario_options(*sweep, command->scenario);
  sweep->get_option("file")->description("scenario file, or the folder of a sweep to go on with");
  add_value(*sweep, "-n,--samples", command->count, "N", "number of samples (overrides sample.count)");
  add_value(*sweep, "-o,--out", command->folder, "FOLDER",
            "output folder (default: FILE's name with .out, in the current folder; a folder goes on in itself)");
  add_value(*sweep, "--shard", command->shard, "K/N", "make only the shards i with i mod N = K - 1");
  add_value(*sweep, "--fail-if", command->fail_if, "CONDITION", "exit 4 if it holds, e.g. 'lies.lower < 0.99'");
  add_value(*sweep, "--max-invalid", command->max_invalid, "N|P%",
            "exit 3 if more than N (or P%) of the samples are invalid (default 0)");
  sweep->add_flag("--dry-run", command->dry_run,
                  "check; show three samples and the time, memory and disk needed; write nothing");
  sweep->add_flag("--json", command->json, "print summary.json instead of text");
  sweep->callback([command, &invocation] { invocation.status = run_command(*command, invocation); });
}

}  // namespace

void add_generate(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<SweepCommand>();
  command->generates = true;
  CLI::App* generate = app.add_subcommand(
      "generate", "Training data: states, contacts and impulses of all samples; the same command resumes");
  add_options(generate, command, invocation);
  generate->footer(
      "Records all samples with contacts, as f4, and what the scenario's `record` adds; --set record.dtype=f8\n"
      "or --set record.stride=4 says otherwise. meta.json in FOLDER tells what the numbers are and which samples\n"
      "are for training.\n"
      "Example: jostle generate scenarios/library/cube_toss.yaml -n 10000 -o data/");
}

void add_sweep(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<SweepCommand>();
  CLI::App* sweep = app.add_subcommand("sweep", "Monte Carlo: simulate many samples; the same command resumes");
  add_options(sweep, command, invocation);
  sweep->footer(
      "Exit status: 2 command line or scenario, 3 --max-invalid, 4 --fail-if, 5 no such device,\n"
      "6 disk, file or memory, 75 interrupted.\n"
      "Example: jostle sweep scenarios/library/rod.yaml -n 20000 -o out/ --set world.step=0.001");
}

}  // namespace jostle
