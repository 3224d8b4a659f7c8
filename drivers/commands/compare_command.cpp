#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "cuda/host_device.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/commands/options.hpp"
#include "drivers/comparison.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

struct CompareCommand {
  ScenarioOptions scenario;
  std::string count = "1000", lanes_count = "8";
  bool json = false;
};

constexpr int lanes = 8;
constexpr int odd_batch = 7, odd_chunk = 100;

struct NamedComparison {
  std::string name;
  Comparison comparison;
};

nlohmann::ordered_json json_of(const StepAccount& account) {
  return {{"value", account.value},
          {"contacts", account.contacts},
          {"pivots", account.pivots},
          {"residual", account.residual},
          {"pivot_path", account.pivot_path}};
}

nlohmann::ordered_json json_of(const NamedComparison& named, const std::string& reference) {
  const Comparison& c = named.comparison;
  nlohmann::ordered_json json{{"reference", reference},
                              {"other", named.name},
                              {"samples", c.samples},
                              {"differing_samples", c.differing_samples},
                              {"differing_bits", c.differing_bits},
                              {"differing_fields", c.differing_fields},
                              {"largest_distance_ulp", c.largest_distance},  // infinity is written as null
                              {"first", nullptr}};
  if (c.equal()) return json;
  json["first"] = {{"sample", c.first_sample}, {"step", nullptr}};
  if (!c.first) return json;
  json["first"].update({{"step", c.first->step},
                        {"stage", c.first->stage},
                        {"field", c.first->field},
                        {"index", c.first->index},
                        {"reference", json_of(c.first->reference)},
                        {"other", json_of(c.first->other)}});
  return json;
}

std::string text_of(const StepAccount& account) {
  std::string path =
      account.pivot_path.empty() ? "" : ", leaving " + fmt::format("{}", fmt::join(account.pivot_path, " "));
  return fmt::format("{} ({} contacts, {} pivots{}, residual {:.2e})", account.value, account.contacts, account.pivots,
                     path, account.residual);
}

std::string text_of(const NamedComparison& named) {
  const Comparison& c = named.comparison;
  std::string text = fmt::format("  {:<28}{:>12} compared, ", named.name, with_commas(c.samples));
  if (c.equal()) return text + "0 bits differ\n";
  text += fmt::format("{} differ in {} bits, by up to {:g} units in the last place\n", with_commas(c.differing_samples),
                      with_commas(c.differing_bits), c.largest_distance);
  for (const auto& [field, samples] : c.differing_fields)
    text += fmt::format("    {:<18}differs in {} of them\n", field, with_commas(samples));
  if (!c.first) return text + fmt::format("    sample {} is the same on both when it is alone\n", c.first_sample);
  return text +
         fmt::format("    first in sample {}, step {}, stage {}: {}[{}]\n      reference  {}\n      other      {}\n",
                     c.first_sample, c.first->step, c.first->stage, c.first->field, c.first->index,
                     text_of(c.first->reference), text_of(c.first->other));
}

ExitStatus run_command(const CompareCommand& command) {
  const Machine machine = prepare(command.scenario, AutoDevice::gpu_if_there);
  const Ensemble ensemble(read_scenario(command.scenario.file, read_options(command.scenario)));
  const std::int64_t samples = std::min(whole_number("-n", command.count, 1, most_samples), ensemble.count());
  const std::int64_t by_lanes = whole_number("--lanes-samples", command.lanes_count, 0, most_samples);

  const Backend reference = threads_backend(1, 0);
  std::vector<NamedComparison> comparisons;
  const auto add = [&](const Backend& other, std::int64_t count) {
    comparisons.push_back({other.name, compare(ensemble, count, reference, other)});
    if (!command.json) std::cout << text_of(comparisons.back()) << std::flush;
  };
  if (!command.json) std::cout << "samples compared with " << reference.name << ":\n";
  add(threads_backend(machine.threads, odd_batch), samples);
  if (machine.device) {
    add(device_backend(*machine.device, ensemble.model()), samples);
  } else {
    HostDevice stand_in;
    add(device_backend(stand_in, ensemble.model(), odd_chunk), samples);
    if (by_lanes > 0) add(lanes_backend(lanes), std::min(by_lanes, samples));
  }

  if (command.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const NamedComparison& named : comparisons) list.push_back(json_of(named, reference.name));
    std::cout << list.dump(2) << '\n';
  }
  const bool equal = std::all_of(comparisons.begin(), comparisons.end(),
                                 [](const NamedComparison& named) { return named.comparison.equal(); });
  return equal ? ExitStatus::ok : ExitStatus::internal;
}

}  // namespace

void add_compare(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* compare = app.add_subcommand(
      "compare", "the same samples by CPU and GPU, or by other threads, batches and teams, bit by bit");
  add_scenario_options(*compare, command->scenario);
  add_value(*compare, "-n,--samples", command->count, "N", "number of samples (default 1000)");
  add_value(*compare, "--lanes-samples", command->lanes_count, "N",
            "without a GPU: of them by an emulated team of 8 lanes, which is slow (default 8)");
  compare->add_flag("--json", command->json, "a list of objects instead of text");
  compare->footer(
      "Exit status 0 only if no bit differs, else 1.\n"
      "Example: jostle compare scenarios/library/rod.yaml -n 100");
  compare->callback([command, &invocation] { invocation.status = run_command(*command); });
}

}  // namespace jostle
