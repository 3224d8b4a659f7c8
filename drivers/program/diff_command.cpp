#include <iostream>
#include <memory>
#include <string>

#include "drivers/program/commands.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/reports/difference.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

struct DiffCommand {
  std::string first, second;
  bool json = false;
};

ExitStatus run_command(const DiffCommand& command) {
  const RecordedDataset first = open_dataset(command.first), second = open_dataset(command.second);
  const DatasetDifference difference = compare_datasets({command.first, first.description, first.ranges},
                                                        {command.second, second.description, second.ranges});
  std::cout << (command.json ? json_text(json_of(difference)) : text_of(difference));
  return difference.is_equal() ? ExitStatus::ok : ExitStatus::internal;
}

}  // namespace

void add_diff(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<DiffCommand>();
  CLI::App* diff =
      app.add_subcommand("diff", "compare two folders sample by sample: settings, bits, and outcomes in pairs");
  add_value(*diff, "first", command->first, "", "folder of a sweep")->required();
  add_value(*diff, "second", command->second, "", "folder of another one")->required();
  diff->add_flag("--json", command->json, "one JSON object instead of text");
  diff->footer(
      "Sample i of both has the same random numbers if they have the same seed: so two variants of a design are told\n"
      "apart by far fewer samples than it would take without pairs.\n"
      "Exit status: 0 if no bit differs, 1 if any bit differs.\n"
      "Example: jostle diff plain.out chamfered.out");
  diff->callback([command, &invocation] { invocation.status = run_command(*command); });
}

}  // namespace jostle
