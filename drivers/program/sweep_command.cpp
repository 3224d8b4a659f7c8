#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "cuda/device_batch.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/prepared_sweep.hpp"
#include "drivers/program/program_ranks.hpp"
#include "drivers/program/progress.hpp"
#include "drivers/program/sweep_plan.hpp"
#include "drivers/ranks/together.hpp"
#include "drivers/simulation.hpp"
#include "drivers/sweeps/dataset_folder.hpp"
#include "drivers/sweeps/summary_files.hpp"
#include "drivers/sweeps/sweep_report.hpp"
#include "drivers/sweeps/training_meta.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

bool has_too_many_invalid(const Gates& gates, std::int64_t invalid, std::int64_t samples, const SweepCommand& command) {
  if (!exceeds(gates.max_invalid, invalid, samples)) return false;
  std::cerr << with_commas(invalid) << " of " << with_commas(samples)
            << " samples are invalid, more than --max-invalid " << command.max_invalid << '\n';
  return true;
}

void log(const Machine& machine, const Model& model) {
  if (machine.gpu())
    spdlog::debug("{}: {} a system", machine.name(),
                  size_text(static_cast<double>(DeviceBatch::bytes_per_system(model))));
  else
    spdlog::debug("cpu: {}", machine.name());
}

/// A part without shards has nothing to judge.
ExitStatus judge(const RunStatistics& statistics, const SweepCommand& command, const Gates& gates) {
  if (statistics.samples == 0) return ExitStatus::ok;
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
    // The ranks of MPI do not know how their launcher was called.
    const bool is_known = invocation.ranks->size() == 1;
    std::cerr << fmt::format("interrupted with {} of {} samples on disk; {}\n",
                             with_commas(report.simulated + report.kept), with_commas(report.n),
                             is_known ? "resume with: " + shell_line(invocation.words) : "the same command resumes");
    return ExitStatus::interrupted;
  }
  if (command.json)
    std::cout << summary_json(report.statistics).dump(2) << '\n';
  else
    std::cout << sweep_report_text(report, description.sampler == "sobol", invocation.words[0]);
  std::cout.flush();
  return judge(report.statistics, command, gates);
}

/// Warnings, and whether there is room. Of rank 0.
void look_before(const SweepCommand& command, const PreparedSweep& sweep) {
  const Scenario& scenario = sweep.ensemble.scenario();
  warn_of_doubts(scenario);
  if (sweep.options.n > 1 && !draws_anything(scenario))
    spdlog::warn("{}: warning: no parameter is random, so all {} are equal", command.scenario.file,
                 counted(sweep.options.n, "sample"));
}

/// Exits as the sweep would, as far as this is known without running it.
ExitStatus dry_run(const SweepCommand& command, const PreparedSweep& sweep) {
  const auto& [machine, gates, ensemble, description, options] = sweep;
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

void log(const SweepCommand& command, const PreparedSweep& sweep) {
  spdlog::debug("{}: {} bodies, {} variables, {} outcomes, {} steps; {} samples by {}, seed {}, into {}",
                command.scenario.file, sweep.ensemble.model().bodies.size(), sweep.description.variables.size(),
                sweep.description.outcomes.size(), sweep.ensemble.model().total_steps, sweep.options.n,
                sweep.description.sampler, sweep.description.seed, sweep.options.folder.string());
  log(sweep.machine, sweep.ensemble.model());
}

SweepReport run_prepared(const SweepCommand& command, PreparedSweep& sweep, Ranks& ranks) {
  std::optional<ProgressLine> line;
  if (ranks.rank() == 0) {
    line.emplace(sweep.description, stderr);
    sweep.options.on_progress = [&](const SweepProgress& progress) { line->update(progress); };
  }
  SweepReport report = jostle::sweep(sweep.ensemble, sweep.machine, sweep.options);
  together(ranks, [&] {
    const bool has_meta = command.generates || std::filesystem::exists(report.folder / "meta.json");
    if (has_meta && report.end == SweepReport::End::complete && ranks.rank() == 0)
      write_training_meta(report.folder, sweep.description, report.statistics);
  });
  return report;
}

ExitStatus run_command(const SweepCommand& command, Invocation& invocation) {
  const std::atomic<bool>& stop = catch_interrupts();
  Ranks& ranks = start_ranks(invocation);
  const RankThreads threads = threads_of_rank(ranks, command.scenario.threads);
  std::optional<PreparedSweep> sweep;
  together(ranks, [&] { sweep.emplace(command, ranks, threads.own); });
  sweep->options.stop = &stop;
  agree_on(sweep->description, sweep->options.n, ranks);
  const bool is_first = ranks.rank() == 0;
  if (is_first && ranks.size() > 1) std::cerr << threads.text << '\n';
  std::optional<ExitStatus> end;
  together(ranks, [&] {
    if (is_first) look_before(command, *sweep);
    if (command.scenario.device == "auto")
      if (auto gpu = open_checked_gpu(command.scenario, sweep->ensemble.model(), sweep->machine.threads(), stop,
                                      ranks.local_rank()))
        sweep->machine = *gpu;
    if (command.dry_run) end = is_first ? dry_run(command, *sweep) : ExitStatus::ok;
    if (!command.dry_run && is_first)
      check_room(sweep->options,
                 needs_of(sweep->description, sweep->options, largest_batch(sweep->machine, sweep->description)));
  });
  if (end) return *end;
  if (is_first) log(command, *sweep);
  const SweepReport report = run_prepared(command, *sweep, ranks);
  return is_first ? finish(report, command, sweep->gates, sweep->description, invocation) : ExitStatus::ok;
}

/// The options that both commands have.
void add_options(CLI::App* sweep, const std::shared_ptr<SweepCommand>& command, Invocation& invocation) {
  add_scenario_options(*sweep, command->scenario);
  sweep->get_option("file")->description("scenario file, or the folder of a sweep to continue");
  add_value(*sweep, "-n,--samples", command->count, "N", "number of samples (overrides sample.count)");
  add_value(*sweep, "-o,--out", command->folder, "FOLDER",
            "output folder (default: FILE's name with .out, in the current folder; a folder continues in itself)");
  add_value(*sweep, "--shard", command->shard, "K/N|auto",
            "make only the shards i with i mod N = K - 1; auto: the K and N of a job array, or of srun");
  add_value(*sweep, "--shards", command->shards, "N", "with --shard auto: N, where the launcher does not say it");
  add_value(*sweep, "--scratch", command->scratch, "FOLDER",
            "write shards here first, on a fast disk of this machine, then copy them");
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
      "6 disk, file or memory, 75 stopped early by SIGINT, SIGTERM, SIGUSR1 or SIGHUP: the same command resumes.\n"
      "Under mpirun or srun --mpi, the ranks share the work.\n"
      "Example: jostle sweep scenarios/library/rod.yaml -n 20000 -o out/ --set world.step=0.001");
}

}  // namespace jostle
