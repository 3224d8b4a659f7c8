#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "drivers/errors.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/program_ranks.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/ranks/together.hpp"
#include "drivers/sweeps/added_trajectories.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

struct RecordCommand {
  ScenarioOptions options;  ///< file: the folder
  std::string where, most = "20";
  std::vector<std::string> samples;
  bool json = false;
};

std::vector<std::int64_t> wanted_samples(const RecordCommand& command, const RecordedDataset& dataset) {
  if (command.where.empty() == command.samples.empty())
    throw UsageError("which samples? Give either --where 'CONDITION' or --sample I");
  if (!command.where.empty()) {
    const std::int64_t most = whole_number("--max", command.most, 1, std::numeric_limits<std::int64_t>::max());
    const SampleCondition condition("--where", command.where, dataset.description);
    return find_samples(command.options.file, dataset.description, dataset.ranges, condition, most);
  }
  std::vector<std::int64_t> samples;
  for (const std::string& text : command.samples)
    samples.push_back(whole_number("--sample", text, 0, std::numeric_limits<std::int64_t>::max()));
  std::sort(samples.begin(), samples.end());
  samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
  return samples;
}

/// What a rank knows before it simulates.
struct PreparedRecord {
  PreparedRecord(const RecordCommand& command, int local_rank, int threads)
      : machine(prepare(command.options, AutoDevice::cpu, local_rank, threads)),
        dataset(open_dataset(command.options.file)),
        samples(wanted_samples(command, dataset)),
        ensemble(open_ensemble(command.options.file, {}, 0)) {}

  Machine machine;
  RecordedDataset dataset;
  std::vector<std::int64_t> samples;
  Ensemble ensemble;
};

/// The samples are dealt out. A rank adds its own after those of the ranks before: the file is written as a whole, and
/// its bytes do not depend on who has added what.
AddedTrajectories add_in_turn(const RecordCommand& command, const PreparedRecord& prepared, Ranks& ranks,
                              const std::atomic<bool>& stop) {
  const std::filesystem::path folder = command.options.file;
  const std::vector<std::int64_t> own = dealt(prepared.samples, ranks);
  std::optional<NewTrajectories> made;
  together(ranks, [&] {
    made = simulate_trajectories(folder, prepared.ensemble, prepared.dataset.description, prepared.dataset.ranges,
                                 prepared.machine, own, stop);
  });
  AddedTrajectories report;
  for (int turn = 0; turn < ranks.size(); ++turn)
    together(ranks, [&] {
      if (turn == ranks.rank()) report = write_new_trajectories(folder, *made);
    });
  std::array numbers = {report.added, report.there, std::int64_t{!report.is_complete}};
  ranks.sum(numbers);
  ranks.largest(std::span(&report.in_file, 1));
  return {numbers[0], numbers[1], report.in_file, numbers[2] == 0};
}

ExitStatus tell(const RecordCommand& command, const PreparedRecord& prepared, const AddedTrajectories& report,
                const Invocation& invocation) {
  const std::string file = (std::filesystem::path(command.options.file) / added_trajectories_name).string();
  if (command.json)
    std::cout << json_text({{"samples", prepared.samples},
                            {"added", report.added},
                            {"there", report.there},
                            {"in_file", report.in_file},
                            {"file", file}});
  else
    std::cout << fmt::format("{}: {} added, {} had theirs already\n", counted(report.added + report.there, "sample"),
                             with_commas(report.added), with_commas(report.there))
              << (report.in_file > 0 ? fmt::format("{}   has {}\n", file, with_commas(report.in_file)) : "");
  if (report.is_complete) return ExitStatus::ok;
  std::cerr << "interrupted; "
            << (invocation.ranks->size() > 1 ? "the same command resumes"
                                             : "resume with: " + shell_line(invocation.words))
            << '\n';
  return ExitStatus::interrupted;
}

ExitStatus run_command(const RecordCommand& command, Invocation& invocation) {
  const std::atomic<bool>& stop = catch_interrupts();
  Ranks& ranks = start_ranks(invocation);
  const RankThreads threads = threads_of_rank(ranks, command.options.threads);
  std::optional<PreparedRecord> prepared;
  together(ranks, [&] { prepared.emplace(command, ranks.local_rank(), threads.own); });
  const AddedTrajectories report = add_in_turn(command, *prepared, ranks, stop);
  return ranks.rank() == 0 ? tell(command, *prepared, report, invocation) : ExitStatus::ok;
}

}  // namespace

void add_record(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<RecordCommand>();
  CLI::App* record = app.add_subcommand("record", "add trajectories to the folder of a sweep: simulate samples again");
  add_value(*record, "folder", command->options.file, "", "folder of a sweep")->required();
  add_value(*record, "--where", command->where, "CONDITION",
            "samples for which it holds: outcomes, variables and other columns, e.g. 'jam and mu < 0.4'");
  add_value(*record, "--max", command->most, "N", "at most the first N of them (default 20)");
  add_values(*record, "--sample", command->samples, "I", "sample number (repeatable), in place of --where")
      ->excludes("--max");
  add_device(*record, command->options.device, AutoDevice::cpu);
  add_teams(*record, command->options.teams);
  add_value(*record, "--threads", command->options.threads, "N", "threads (default: one per processor)");
  record->add_flag("--json", command->json, "one JSON object instead of text");
  record->footer(
      "The dataset stays as it is; the trajectories go to FOLDER/trajectories.h5.\n"
      "Example: jostle record rod.out --where 'not lies or rest_x > -0.02' --max 20");
  record->callback([command, &invocation] { invocation.status = run_command(*command, invocation); });
}

}  // namespace jostle
