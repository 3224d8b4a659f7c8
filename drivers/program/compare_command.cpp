#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cuda/device_batch.hpp"
#include "drivers/devices/comparison.hpp"
#include "drivers/errors.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/options.hpp"
#include "emulation/host_device.hpp"

namespace jostle {
namespace {

struct CompareCommand {
  ScenarioOptions scenario;
  std::string count = "1000", lanes_count = "8";
  std::vector<std::string> teams;
  bool json = false;
};

constexpr int lanes = 8;
constexpr int odd_batch = 7, odd_chunk = 100;

/// The device, using some kinds of teams wherever they are large enough.
OtherBackend backend_of_teams(Device& device, const Model& model, const std::string& names, std::int64_t samples) {
  const unsigned kinds = team_kinds_of("--team", names);
  if ((kinds & device.limits().team_kinds) == 0)
    throw UsageError("--team: this build or --teams leaves out " + names + "; there are " +
                     names_of_team_kinds(device.limits().team_kinds));
  OtherBackend other{device_backend(device, model, {.team_kinds = kinds}), samples};
  other.backend.name += ", " + names;
  return other;
}

ExitStatus run_command(const CompareCommand& command) {
  const Machine machine = prepare(command.scenario, AutoDevice::gpu_if_there);
  const Ensemble ensemble(read_scenario(command.scenario.file, read_options(command.scenario)));
  warn_of_doubts(ensemble.scenario());
  const std::int64_t samples = std::min(whole_number("-n", command.count, 1, most_samples), ensemble.count());
  const std::int64_t by_lanes = whole_number("--lanes-samples", command.lanes_count, 0, most_samples);

  if (!machine.gpu() && !command.teams.empty()) throw UsageError("--team: there is no GPU to compare; see jostle info");

  // Next to a GPU, a single thread would take hours; without one, this compares numbers of threads, so it has one.
  const Backend reference = threads_backend(machine.gpu() ? machine.threads() : 1, 0);
  HostDevice stand_in;
  std::vector<OtherBackend> others;
  if (!machine.gpu() || command.scenario.device == "auto")
    others.push_back({threads_backend(machine.threads(), odd_batch), samples});
  if (machine.gpu()) {
    if (command.teams.empty()) others.push_back({device_backend(*machine.gpu(), ensemble.model()), samples});
    for (const std::string& names : command.teams)
      others.push_back(backend_of_teams(*machine.gpu(), ensemble.model(), names, samples));
  } else {
    others.push_back({device_backend(stand_in, ensemble.model(), odd_chunk), samples});
    if (by_lanes > 0) others.push_back({lanes_backend(lanes), std::min(by_lanes, samples)});
  }

  const std::vector<Comparison> comparisons = compare(ensemble, reference, others);
  if (command.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Comparison& comparison : comparisons) list.push_back(json_of(comparison, reference.name));
    std::cout << list.dump(2) << '\n';
  } else {
    std::cout << "samples compared with " << reference.name << ":\n";
    for (const Comparison& comparison : comparisons) std::cout << text_of(comparison);
  }
  return status_of(comparisons);
}

}  // namespace

void add_compare(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* compare = app.add_subcommand(
      "compare", "compare CPU and GPU (or other threads, batches and teams) bit by bit on the same samples");
  add_scenario_options(*compare, command->scenario);
  add_value(*compare, "-n,--samples", command->count, "N", "number of samples (default 1000)");
  add_value(*compare, "--lanes-samples", command->lanes_count, "N",
            "without a GPU: samples also simulated by an emulated team of 8 lanes, which is slow (default 8)");
  add_values(*compare, "--team", command->teams, "KIND",
             "on a GPU: prefer this kind of team wherever it is large enough (repeatable)");
  compare->add_flag("--json", command->json, "a list of objects instead of text");
  compare->footer(
      "Exit status: 0 if no bit differs, 1 if any bit differs.\n"
      "Example: jostle compare scenarios/library/rod.yaml -n 100");
  compare->callback([command, &invocation] { invocation.status = run_command(*command); });
}

}  // namespace jostle
