#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "drivers/datasets/survey.hpp"
#include "drivers/errors.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/reports/report_page.hpp"
#include "drivers/statistics/outcome_report.hpp"
#include "drivers/statistics/run_statistics.hpp"
#include "drivers/sweeps/dataset_folder.hpp"
#include "drivers/sweeps/sweep_report.hpp"
#include "drivers/sweeps/training_meta.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace fs = std::filesystem;
namespace {

class Merge {
 public:
  explicit Merge(const fs::path& folder)
      : jobs_(read_jobs(folder)),
        dataset_(describe_dataset(folder, jobs_)),
        n_(dataset_.n),
        folder_(folder, dataset_.description, n_, WithoutLocks::go_on) {}

  /// Again if the last shards have come meanwhile: then their job may have written the files of all before these.
  SweepReport run() {
    do {
      found_ = look();
      if (has_none()) return report_;
      write();
    } while (!is_complete() && samples_of(look().there) == n_);
    return report_;
  }

  bool has_none() const { return found_.there.empty(); }
  bool is_complete() const { return samples_of(found_.there) == n_; }
  const DatasetDescription& description() const { return dataset_.description; }

  std::string problems_text() const { return found_.problems_text(); }
  std::string missing_text() const {
    const std::vector<ShardRange> shards = found_.to_make();
    const std::int64_t all = std::ssize(shards) + found_.whole();
    const std::string shorter =
        found_.shorter.empty() ? "" : fmt::format(", {} shorter", with_commas(std::ssize(found_.shorter)));
    return fmt::format(
        "{} of {} missing, {} of them broken{}; to make them: --array={} with --shard auto --shards {}\n",
        with_commas(std::ssize(shards)), counted(all, "shard"), found_.broken.size(), shorter, array_of(shards, all),
        all);
  }

 private:
  Survey look() const { return survey(folder_.path(), description(), n_, jobs_, false); }

  void write() {
    report_.folder = folder_.path();
    report_.n = n_;
    report_.groups = description().record.groups();
    report_.statistics = read_statistics(folder_.path(), description(), found_.there);
    explain(report_.statistics,
            [&](std::int64_t sample, Status status) { return reason_in(folder_.path(), sample, status); });
    folder_.write_views(found_.there, report_.statistics,
                        report_page(folder_.path(), description(), found_.there, report_.statistics,
                                    {"", picture_of(folder_.path()), {}}));
    // A folder that was put together, as from an object store, has no jobs that say that it is training data.
    const RecordSettings& record = description().record;
    const bool has_meta = jobs_.empty() ? record.which == RecordSettings::Which::all && record.contacts
                                        : std::ranges::any_of(jobs_, &Job::has_meta);
    if (has_meta && is_complete()) write_training_meta(folder_.path(), description(), report_.statistics);
  }

  std::vector<Job> jobs_;
  RecordedDataset dataset_;
  std::int64_t n_;
  DatasetFolder folder_;
  Survey found_;
  SweepReport report_;
};

}  // namespace

void add_merge(CLI::App& app, Invocation& invocation) {
  auto folder = std::make_shared<std::string>();
  CLI::App* merge = app.add_subcommand("merge", "run.h5, summaries and report of the shards that are there");
  add_value(*merge, "folder", *folder, "", "folder of a sweep, also one that is not finished")->required();
  merge->footer("Exit status 3: shards are missing; the files are about the others.\nExample: jostle merge rod.out");
  merge->callback([folder, &invocation] {
    catch_interrupts();
    Merge command(*folder);
    const SweepReport report = command.run();
    if (command.has_none()) {
      std::cerr << command.problems_text() << *folder << ": has no samples yet: " << command.missing_text();
      invocation.status = ExitStatus::invalid_samples;
      return;
    }
    std::cout << results_text(report.statistics, command.description().sampler == "sobol", report.folder,
                              invocation.words[0])
              << '\n'
              << paths_text(report) << std::flush;
    if (!command.is_complete()) std::cerr << command.problems_text() << command.missing_text();
    invocation.status = command.is_complete() ? ExitStatus::ok : ExitStatus::invalid_samples;
  });
}

}  // namespace jostle
