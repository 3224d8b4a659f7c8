#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/folder_lock.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/program_ranks.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/ranks/together.hpp"
#include "drivers/reports/answers.hpp"
#include "drivers/reports/crossing.hpp"
#include "drivers/reports/report_page.hpp"
#include "drivers/statistics/outcome_report.hpp"
#include "drivers/statistics/run_statistics.hpp"
#include "drivers/sweeps/summary_files.hpp"
#include "drivers/text.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace fs = std::filesystem;
namespace {

struct ReportCommand {
  std::string folder, by, bins, out, where_rate, only;
  std::vector<std::string> curves;
  bool sensitivity = false, json = false;
};

constexpr std::int64_t most_bins = 100;

/// Of an archive, say: then the page goes nowhere unless it is told to.
bool is_read_only(const std::string& folder) { return ::access(folder.c_str(), W_OK) != 0; }

void write_page(const ReportCommand& command, const std::string& page) {
  if (!command.out.empty()) return write_atomically(command.out, page, "page");
  if (is_read_only(command.folder)) return;
  const FolderLock lock(command.folder, WithoutLocks::go_on);
  const auto held = lock.folder();
  write_atomically(fs::path(command.folder) / "report.html", page, "page");
}

std::string page_name(const ReportCommand& command) {
  return command.out.empty() ? (fs::path(command.folder) / "report.html").string() : command.out;
}

nlohmann::ordered_json answer_json(const ReportCommand& command, const RunStatistics& statistics,
                                   const std::optional<Samples>& samples, const std::optional<ByRequest>& by,
                                   const std::vector<Curve>& curves) {
  nlohmann::ordered_json json = summary_json(statistics);
  if (by) json["by"] = by_json(*samples, *by);
  if (!command.where_rate.empty())
    json["where_rate"] = crossing_json(*samples, by->factors[0], parse_where_rate(command.where_rate));
  if (command.sensitivity) json["sensitivity"] = sensitivity_json(*samples);
  for (const Curve& curve : curves) json["curves"].push_back(curve_json(curve));
  return json;
}

std::vector<CurveRequest> curve_requests(const ReportCommand& command, const RecordedDataset& dataset) {
  std::vector<CurveRequest> requests;
  for (const std::string& text : command.curves) requests.push_back(parse_curve(text, dataset.description));
  return requests;
}

std::vector<Curve> read_curves(const ReportCommand& command, const RecordedDataset& dataset) {
  std::vector<Curve> curves;
  for (const CurveRequest& request : curve_requests(command, dataset))
    curves.push_back(read_curve(command.folder, dataset.description, dataset.ranges, request));
  return curves;
}

/// The variables of a grid, if they are one or two; those with one value do not count.
std::optional<ByRequest> by_grid(const Samples& samples, const std::vector<std::string>& varied) {
  ByRequest request;
  for (const std::string& name : varied)
    if (std::ranges::find(samples.factors, name, &Factor::name) != samples.factors.end())
      request.factors.push_back(name);
  if (request.factors.empty() || request.factors.size() > 2) return {};
  return request;
}

/// What was asked for; the results of the sweep if nothing was.
std::string answer_text(const ReportCommand& command, const RecordedDataset& dataset, const RunStatistics& statistics,
                        const std::optional<Samples>& samples, const std::optional<ByRequest>& by,
                        const std::vector<Curve>& curves, const std::string& program) {
  std::string text;
  if (command.by.empty() && !command.sensitivity && curves.empty())
    text += results_text(statistics, dataset.description.sampler == "sobol", command.folder, program);
  if (by) text += (text.empty() ? "" : "\n") + by_text(*samples, *by);
  if (!command.where_rate.empty())
    text += crossing_text(*samples, by->factors[0], parse_where_rate(command.where_rate));
  for (const Curve& curve : curves) text += (text.empty() ? "" : "\n") + curve_text(curve);
  if (command.sensitivity) text += sensitivity_text(*samples, dataset.description.sampler != "table");
  if (command.out.empty() && is_read_only(command.folder))
    return fmt::format("{}\n{} is read-only: `--out PAGE` writes the same with charts, for a browser\n", text,
                       command.folder);
  return fmt::format("{}\n{}   the same with charts, for a browser\n", text, page_name(command));
}

/// The samples that every rank sees: shards may be coming.
std::vector<ShardRange> seen_by_all(const RecordedDataset& dataset, Ranks& ranks) {
  const std::vector<ShardRange> all = shard_ranges(dataset.description, dataset.n);
  std::vector<std::int64_t> missing;
  for (const ShardRange& range : all) missing.push_back(range.count);
  for (const ShardRange& range : dataset.ranges) missing[static_cast<std::size_t>(range.index)] -= range.count;
  ranks.largest(missing);
  std::vector<ShardRange> seen;
  for (const ShardRange& range : all) {
    const std::int64_t count = range.count - missing[static_cast<std::size_t>(range.index)];
    if (count > 0) seen.push_back({range.index, range.first, count});
  }
  return seen;
}

/// Of rank 0.
void answer(const ReportCommand& command, const RecordedDataset& dataset, const RunStatistics& statistics,
            std::optional<ByRequest> by, const std::string& program) {
  std::optional<Samples> samples;
  const bool has_grid = !dataset.varied.empty();
  if (by || command.sensitivity || has_grid)
    samples = read_samples(command.folder, dataset.description, dataset.ranges);
  if (!by && !command.sensitivity && command.curves.empty() && has_grid) by = by_grid(*samples, dataset.varied);
  const std::vector<Curve> curves = read_curves(command, dataset);
  const std::string text = command.json ? json_text(answer_json(command, statistics, samples, by, curves))
                                        : answer_text(command, dataset, statistics, samples, by, curves, program);
  const std::string name = command.out.empty() ? "" : fs::absolute(command.folder).lexically_normal().string();
  write_page(command, report_page(command.folder, dataset.description, dataset.ranges, statistics,
                                  {name, picture_of(command.folder), curve_requests(command, dataset)}));
  std::cout << text;
}

/// What `--by` asks for.
std::optional<ByRequest> requested(const ReportCommand& command) {
  const int bins = command.bins.empty() ? 0 : static_cast<int>(whole_number("--bins", command.bins, 2, most_bins));
  std::optional<ByRequest> by;
  if (!command.by.empty()) by = parse_by(command.by, bins);
  if (bins > 0 && !by) throw UsageError("--bins needs --by");
  if (!command.where_rate.empty()) {
    if (!by || by->factors.size() != 1)
      throw UsageError("--where-rate needs --by with the name of one random parameter");
    parse_where_rate(command.where_rate);
  }
  return by;
}

/// Throws UsageError if there is no such outcome.
void check_only(const std::vector<std::string>& wanted, const std::vector<OutcomeInfo>& outcomes) {
  std::vector<std::string> known;
  for (const OutcomeInfo& outcome : outcomes)
    for (const std::string& name : {outcome.name, outcome.category})
      if (!name.empty() && std::ranges::find(known, name) == known.end()) known.push_back(name);
  for (const std::string& name : wanted)
    if (std::ranges::find(known, name) == known.end())
      throw UsageError("--only: no outcome '" + name + "'" + did_you_mean_or_known(name, known));
}

/// Keeps the outcomes with these names, and all categories of a categorical outcome that is named. Some of the
/// categories alone are plain rates, without their common test.
void keep_only(const std::string& names, DatasetDescription& description, RunStatistics& statistics) {
  const std::vector<std::string> wanted = parts_at_commas(names);
  check_only(wanted, description.outcomes);
  const auto is_wanted = [&](const std::string& name) { return std::ranges::find(wanted, name) != wanted.end(); };
  std::vector<OutcomeInfo> infos;
  std::vector<OutcomeStatistics> kept;
  for (std::size_t i = 0; i < description.outcomes.size(); ++i) {
    OutcomeInfo& info = description.outcomes[i];
    const bool is_whole = !info.category.empty() && is_wanted(info.category);
    if (!is_whole && !is_wanted(info.name)) continue;
    if (!is_whole) info.category.clear(), statistics.outcomes[i].category.clear();
    infos.push_back(std::move(info));
    kept.push_back(std::move(statistics.outcomes[i]));
  }
  description.outcomes = std::move(infos);
  statistics.outcomes = std::move(kept);
}

ExitStatus run_command(const ReportCommand& command, Invocation& invocation) {
  catch_interrupts();
  Ranks& ranks = start_ranks(invocation);
  std::optional<ByRequest> by;
  std::optional<RecordedDataset> dataset;
  together(ranks, [&] {
    by = requested(command);
    keep_sources("--out", command.out, {command.folder});
    dataset = open_dataset(command.folder);
    for (const std::string& text : command.curves) parse_curve(text, dataset->description);
  });
  dataset->ranges = seen_by_all(*dataset, ranks);
  const std::int64_t there = samples_of(dataset->ranges);
  if (there < dataset->n && ranks.rank() == 0)
    spdlog::warn("{}: {} of {} are there; the sweep is not finished", command.folder, with_commas(there),
                 counted(dataset->n, "sample"));
  RunStatistics statistics =
      read_statistics(command.folder, dataset->description, dealt(dataset->ranges, ranks), ranks);
  together(ranks, [&] {
    if (ranks.rank() != 0) return;
    explain(statistics, [&](std::int64_t sample, Status status) {
      const Ensemble ensemble = open_ensemble(command.folder, {}, sample);
      return ensemble.reason(ensemble.draw(sample), status);
    });
    if (!command.only.empty()) keep_only(command.only, dataset->description, statistics);
    answer(command, *dataset, statistics, by, invocation.words[0]);
  });
  return ExitStatus::ok;
}

}  // namespace

void add_report(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* report = app.add_subcommand("report", "what a sweep has shown: outcomes by variables, what explains them");
  add_value(*report, "folder", command->folder, "", "folder of a sweep")->required();
  add_value(*report, "--by", command->by, "NAMES",
            "outcomes in bins of a random parameter, or of two: mu,slot (default: a grid's)");
  add_value(*report, "--bins", command->bins, "N", "bins of each (default: 10 of one, 5 of each of two)");
  add_value(*report, "--where-rate", command->where_rate, "OUTCOME=P",
            "the value of the parameter of --by at which an outcome has this rate, as in edge=1/3");
  add_value(*report, "--only", command->only, "OUTCOMES", "these outcomes alone: jam,rest_x");
  add_values(*report, "--curve", command->curves, "X,Y",
             "a recorded quantity over another, or over the time: slide.position.x,slide.force.x; repeatable");
  report->add_flag("--sensitivity", command->sensitivity, "how much of each outcome each random parameter explains");
  add_value(*report, "-o,--out", command->out, "PAGE", "where the page goes (default: FOLDER/report.html)");
  report->add_flag("--json", command->json,
                   "summary.json instead of text, with `by`, `sensitivity` and `curves` if asked for");
  report->footer(
      "A random rotation has the names PATH.roll, .pitch, .yaw and .angle (rad), .qw, .qx, .qy and .qz.\n"
      "Example: jostle report rod.out --by mu --sensitivity");
  report->callback([command, &invocation] { invocation.status = run_command(*command, invocation); });
}

}  // namespace jostle
