#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "drivers/datasets/run_record.hpp"
#include "drivers/datasets/survey.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

constexpr double second = 1e9;          // ns
constexpr double most_silence = 120;    // s, of a job at work; it breathes every 10 s between batches
constexpr std::size_t most_hosts = 20;  // as text

struct StatusCommand {
  std::string folder, shards;
  bool json = false, reads_all = false;
};

/// What the jobs of a host have done.
struct Host {
  std::int64_t jobs = 0, at_work = 0, shards = 0;
  std::int64_t began = 0, seen = 0;  ///< ns: the first and the last sign of life
};

struct FolderStatus {
  std::int64_t n = 0, shards = 0, parts = 0;
  Survey survey;
  bool has_views = false;             ///< run.h5 and the summaries are those of all samples
  std::int64_t now = 0, began = 0;    ///< ns; 0: not known
  double rate = 0;                    ///< samples/s of the jobs at work
  std::map<std::string, Host> hosts;  ///< by name
  std::int64_t done() const { return samples_of(survey.there); }
  bool is_complete() const { return done() == n; }
};

double seconds_between(std::int64_t first, std::int64_t last) { return static_cast<double>(last - first) / second; }

/// Not negative, whatever the clocks of the hosts say.
double silence(const Host& host, const FolderStatus& status) {
  return std::max(0.0, seconds_between(host.seen, status.now));
}

std::string time_text(std::int64_t time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(time / 1'000'000'000)));
}

void add(const Job& job, FolderStatus& status) {
  Host& host = status.hosts[job.host];
  const bool is_at_work = !job.has_ended && seconds_between(job.seen, status.now) < most_silence;
  std::int64_t samples = 0, last = job.began;
  for (const LoggedShard& shard : job.shards) {
    if (!shard.is_made) continue;
    ++host.shards;
    samples += shard.count;
    last = std::max(last, shard.written);
  }
  ++host.jobs;
  host.at_work += is_at_work;
  host.began = host.began == 0 ? job.began : std::min(host.began, job.began);
  host.seen = std::max(host.seen, job.seen);
  if (is_at_work && last > job.began) status.rate += static_cast<double>(samples) / seconds_between(job.began, last);
}

FolderStatus status_of(const StatusCommand& command) {
  const std::filesystem::path folder = command.folder;
  const std::vector<Job> jobs = read_jobs(folder);
  const RecordedDataset dataset = describe_dataset(folder, jobs);
  FolderStatus status;
  status.n = dataset.n;
  status.shards = static_cast<std::int64_t>(shard_ranges(dataset.description, status.n).size());
  status.parts = command.shards.empty() ? status.shards : whole_number("--shards", command.shards, 1, most_samples);
  status.survey = survey(folder, dataset.description, status.n, jobs, command.reads_all);
  const auto record = read_run_record(folder);
  status.has_views = record && static_cast<std::int64_t>(record->shards.size()) == status.shards;
  status.now = time_on(folder);
  for (const Job& job : jobs) add(job, status);
  for (const auto& [name, host] : status.hosts)
    status.began = status.began == 0 ? host.began : std::min(status.began, host.began);
  return status;
}

double seconds_left(const FolderStatus& status) { return static_cast<double>(status.n - status.done()) / status.rate; }

Json json_of(const FolderStatus& status) {
  Json json{{"samples", status.n},
            {"samples_done", status.done()},
            {"shards", status.shards},
            {"shards_done", status.survey.whole()},
            {"complete", status.is_complete()},
            {"merged", status.has_views}};
  json["missing"] = Json::array();
  for (const ShardRange& shard : status.survey.missing) json["missing"].push_back(shard.index);
  json["broken"] = Json::array();
  for (const UnfitShard& shard : status.survey.broken) json["broken"].push_back(shard.range.index);
  json["shorter"] = Json::array();
  for (const UnfitShard& shard : status.survey.shorter) json["shorter"].push_back(shard.range.index);
  json["array"] = array_of(status.survey.to_make(), status.parts);
  json["array_shards"] = status.parts;
  json["since"] = status.began > 0 ? Json(time_text(status.began)) : Json();
  json["samples_per_second"] = status.rate;
  json["seconds_left"] = status.rate > 0 ? Json(seconds_left(status)) : Json();
  json["hosts"] = Json::array();
  for (const auto& [name, host] : status.hosts)
    json["hosts"].push_back({{"host", name},
                             {"jobs", host.jobs},
                             {"at_work", host.at_work},
                             {"shards_made", host.shards},
                             {"since", time_text(host.began)},
                             {"silent_seconds", silence(host, status)}});
  return json;
}

std::string hosts_text(const FolderStatus& status) {
  std::vector<std::vector<std::string>> rows = {
      {"host", "jobs", "at work", "shards made", "since", "last sign of life"}};
  for (const auto& [name, host] : status.hosts) {
    if (rows.size() > most_hosts) continue;
    rows.push_back({name, with_commas(host.jobs), with_commas(host.at_work), with_commas(host.shards),
                    time_text(host.began), duration_text(silence(host, status)) + " ago"});
  }
  if (rows.size() == 1) return {};
  std::string text = aligned(rows);
  if (status.hosts.size() > most_hosts) text += fmt::format("and {} more\n", status.hosts.size() - most_hosts);
  return text;
}

std::string text_of(const FolderStatus& status, const std::string& folder) {
  const double percent = 100.0 * static_cast<double>(status.done()) / static_cast<double>(status.n);
  std::string text =
      fmt::format("{}: {} of {}, {} of {} samples ({:.0f} %)\n", folder, with_commas(status.survey.whole()),
                  counted(status.shards, "shard"), with_commas(status.done()), with_commas(status.n), percent);
  text += status.survey.problems_text();
  if (!status.is_complete())
    text += fmt::format("missing: --array={} with --shard auto --shards {}\n",
                        array_of(status.survey.to_make(), status.parts), status.parts);
  else if (!status.has_views)
    text += fmt::format("run.h5 and the summaries are not made yet: jostle merge {}\n", shell_line({folder}));
  if (status.rate > 0)
    text += fmt::format("{}/s, {} left\n", per_second_text(status.rate), duration_text(seconds_left(status)));
  return text + hosts_text(status);
}

}  // namespace

void add_status(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<StatusCommand>();
  CLI::App* status =
      app.add_subcommand("status", "progress of a sweep: shards done, missing and broken; who works on it");
  add_value(*status, "folder", command->folder, "", "folder of a sweep")->required();
  add_value(*status, "--shards", command->shards, "N", "name what is missing as shares of N (default: of all shards)");
  status->add_flag("--all", command->reads_all, "read all shards again, also those that have not changed");
  status->add_flag("--json", command->json, "one JSON object instead of text");
  status->footer("Example: jostle status rod.out");
  status->callback([command, &invocation] {
    catch_interrupts();
    const FolderStatus found = status_of(*command);
    std::cout << (command->json ? json_of(found).dump(2) + '\n' : text_of(found, command->folder));
    invocation.status = ExitStatus::ok;
  });
}

}  // namespace jostle
