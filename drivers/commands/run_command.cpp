#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "drivers/commands/commands.hpp"
#include "drivers/errors.hpp"
#include "drivers/run_record.hpp"
#include "drivers/status_names.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

namespace {

struct RunCommand {
  ScenarioOptions scenario;
  std::int64_t sample = 0;
  std::optional<std::uint64_t> seed;
  bool json = false;
  std::vector<std::string> dump;  ///< STEP FILE
};

/// A folder of a sweep stands for the scenario, seed and table that it recorded.
Scenario scenario_of(const RunCommand& command) {
  const std::filesystem::path path = command.scenario.file;
  ReadOptions options{command.scenario.set, {}, command.seed};
  if (!std::filesystem::is_directory(path)) return read_scenario(path.string(), options);
  const std::optional<RunRecord> record = read_run_record(path);
  if (!record) throw UsageError(path.string() + ": no run.json here: not a folder of a sweep");
  if (!options.seed) options.seed = record->seed;
  return read_scenario((path / "scenario.yaml").string(), options);
}

void dump_lcp(const std::string& file, const Workspace& work, int n) {
  nlohmann::json lcp{{"M", nlohmann::json::array()}, {"q", nlohmann::json::array()}};
  for (int i = 0; i < n; ++i) {
    lcp["M"].push_back(std::vector<double>(work.lcp_matrix + i * n, work.lcp_matrix + (i + 1) * n));
    lcp["q"].push_back(work.lcp_vector[i]);
  }
  std::ofstream out(file);
  out << lcp.dump() << '\n';
  if (!out.flush()) throw FileError(file, "cannot be written");
}

nlohmann::ordered_json step_json(const System& system, const StepResult& result) {
  return {{"step", system.state.steps[0]},
          {"time", system.state.steps[0] * system.model.step},
          {"status", name_of(static_cast<Status>(system.state.status[0]))},
          {"contacts", result.contacts},
          {"pivots", result.pivots},
          {"residual", result.residual},
          {"energy", system_energy(system)}};
}

std::string step_line(const System& system, const StepResult& result) {
  return fmt::format("{:>8} {:>12.6g} {:>9} {:>7} {:>11.2e} {:>16.9g}\n", system.state.steps[0],
                     system.state.steps[0] * system.model.step, result.contacts, result.pivots, result.residual,
                     system_energy(system));
}

/// One system with a trace of every step.
ExitStatus run_command(const RunCommand& command) {
  check_device(command.scenario.device);
  const Ensemble ensemble(scenario_of(command));
  if (command.sample < 0 || command.sample >= ensemble.count()) throw UsageError("--sample: there is no such sample");
  Batch batch(ensemble.model(), 1);
  ensemble.load(command.sample, batch, 0);
  WorkspaceMemory memory(ensemble.model(), 0);
  const int dump_step = command.dump.empty() ? -1 : std::stoi(command.dump[0]);
  bool dumped = false;
  nlohmann::ordered_json trace = nlohmann::ordered_json::array();
  if (!command.json) {
    std::cout << fmt::format("{:>8} {:>12} {:>9} {:>7} {:>11} {:>16}\n", "step", "time", "contacts", "pivots", "residual", "energy");
  }
  run_system(batch, 0, static_cast<int>(ensemble.model().total_steps), memory,
             [&](const System& system, const Workspace& work, const StepResult& result) {
               const bool failed = result.status != Status::ok;
               if (system.state.steps[0] + (failed ? 1 : 0) == dump_step && result.contacts > 0) {
                 dump_lcp(command.dump[1], work, result.lcp_size);
                 dumped = true;
               }
               if (command.json) {
                 trace.push_back(step_json(system, result));
               } else {
                 std::cout << step_line(system, result);
               }
             });
  const Status status = batch.status(0);
  nlohmann::ordered_json outcomes;
  for (std::size_t o = 0; o < ensemble.scenario().outcomes.size(); ++o) {
    outcomes[ensemble.scenario().outcomes[o].name] = batch.state(0).outcomes[static_cast<int>(o)];
  }
  if (command.json) {
    const nlohmann::ordered_json result{{"sample", command.sample}, {"status", name_of(status)}, {"outcomes", outcomes}, {"trace", trace}};
    std::cout << result.dump(2) << '\n';
  } else {
    for (const auto& [name, value] : outcomes.items()) std::cout << name << ": " << value << '\n';
    std::cout << "status: " << name_of(status) << '\n';
  }
  if (dump_step >= 0 && !dumped) throw UsageError("--dump-lcp: step " + command.dump[0] + " has no LCP");
  return status == Status::ok ? ExitStatus::ok : ExitStatus::invalid_samples;
}

}  // namespace

void add_run(CLI::App& app, ExitStatus& status) {
  auto command = std::make_shared<RunCommand>();
  CLI::App* run = app.add_subcommand("run", "one sample with a trace of every step");
  add_scenario_options(*run, command->scenario);
  run->get_option("file")->description("scenario file, or the folder of a sweep");
  run->add_option("--sample", command->sample, "its number (default 0)");
  run->add_option("--seed", command->seed, "overrides sample.seed");
  run->add_flag("--json", command->json, "for machines");
  run->add_option("--dump-lcp", command->dump, "STEP FILE: write that step's last LCP for `jostle lcp`")->expected(2);
  run->footer("Example: jostle run scenarios/library/rod.yaml --sample 7");
  run->callback([command, &status] { status = run_command(*command); });
}

}  // namespace jostle
