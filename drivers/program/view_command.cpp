#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>

#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/sweeps/added_trajectories.hpp"
#include "drivers/text.hpp"
#include "drivers/views/motion.hpp"

namespace jostle {
namespace {

struct ViewCommand {
  ScenarioOptions scenario;
  std::vector<std::string> samples;
  std::string where, out;
};

constexpr std::size_t most_samples_shown = 4;

/// The first samples of a folder for which --where holds.
std::vector<std::int64_t> found_samples(const ViewCommand& command) {
  if (!command.samples.empty()) throw UsageError("--where and --sample exclude each other");
  const RecordedDataset dataset = open_dataset(command.scenario.file);
  const SampleCondition condition("--where", command.where, dataset.description);
  const auto numbers =
      find_samples(command.scenario.file, dataset.description, dataset.ranges, condition, most_samples_shown);
  if (numbers.empty()) throw UsageError("--where '" + command.where + "' holds for no sample");
  return numbers;
}

std::vector<std::int64_t> sample_numbers(const ViewCommand& command) {
  if (!command.where.empty()) return found_samples(command);
  std::vector<std::int64_t> numbers;
  for (const std::string& text : command.samples)
    numbers.push_back(whole_number("--sample", text, 0, std::numeric_limits<std::int64_t>::max()));
  if (numbers.empty()) numbers.push_back(0);
  if (numbers.size() > most_samples_shown)
    throw UsageError(fmt::format("--sample: a page shows at most {} samples", most_samples_shown));
  return numbers;
}

/// "rod-7.html", in the current folder.
std::string page_name(const ViewCommand& command, std::int64_t sample) {
  if (!command.out.empty()) return command.out;
  const auto name = std::filesystem::absolute(command.scenario.file).lexically_normal().stem().string();
  return fmt::format("{}-{}.html", name.empty() ? "sample" : name, sample);
}

ExitStatus run_command(const ViewCommand& command) {
  if (command.scenario.device != "auto" && command.scenario.device != "cpu")
    throw UsageError("--device: a view is simulated on the CPU only in this version, with the same bits");
  prepare(command.scenario, AutoDevice::cpu);
  const std::vector<std::int64_t> numbers = sample_numbers(command);
  ReadOptions read = read_options(command.scenario);
  read.every_step = true;
  const Ensemble ensemble = open_ensemble(command.scenario.file, read, numbers.front(), Ensemble::Start::any);
  const std::string name = page_name(command, numbers.front());
  keep_sources("--out", name, sources_of(command.scenario.file, ensemble.scenario()));
  std::vector<Motion> motions;
  for (const std::int64_t number : numbers) {
    check_that_it_has(number, ensemble);
    motions.push_back(simulate_motion(ensemble, number));
    if (const auto overlap = ensemble.overlap(ensemble.draw(number)))
      spdlog::warn("sample {}: {}", number, overlap->message);
  }
  const std::string page = motion_page(ensemble, motions);
  catch_interrupts();
  write_atomically(name, page, "page");
  std::cout << fmt::format("{}   {}, for a browser\n", name, size_text(static_cast<double>(page.size())));
  return ExitStatus::ok;
}

}  // namespace

void add_view(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<ViewCommand>();
  CLI::App* view = app.add_subcommand("view", "the motion of a sample in three dimensions, as one offline page");
  add_scenario_options(*view, command->scenario, AutoDevice::cpu);
  view->get_option("file")->description("scenario file, or the folder of a sweep");
  add_values(*view, "--sample", command->samples, "I",
             "sample number, from 0 (default 0); repeat to see several side by side");
  add_value(*view, "--where", command->where, "CONDITION",
            "of a folder: the first 4 samples for which it holds, e.g. 'jam and mu < 0.4'");
  add_value(*view, "-o,--out", command->out, "PAGE", "the page (default: NAME-I.html in the current folder)");
  view->footer("Example: jostle view rod.out --sample 7 -o rod.html");
  view->callback([command, &invocation] { invocation.status = run_command(*command); });
}

}  // namespace jostle
