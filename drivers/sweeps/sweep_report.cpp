#include "drivers/sweeps/sweep_report.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "drivers/statistics/outcome_report.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

std::string speed_text(const SweepReport& report) {
  if (report.simulated + report.kept == 0) return "no shards for this part: the sweep has fewer shards than parts\n";
  const std::string kept = counted(report.kept, "sample") + (report.kept == 1 ? " was" : " were") + " there already\n";
  if (report.simulated == 0) return report.kept == 1 ? kept : "all " + kept;
  const double seconds = std::max(report.seconds, 1e-9);
  std::string text = fmt::format("{}, {} in {}: {} systems/s, {} steps/s\n", counted(report.simulated, "system"),
                                 counted(report.simulated_steps, "step"), duration_text(report.seconds),
                                 per_second_text(static_cast<double>(report.simulated) / seconds),
                                 per_second_text(static_cast<double>(report.simulated_steps) / seconds));
  return report.kept > 0 ? text + kept : text;
}

/// Other jobs that have the same share and still run, as far as they say.
std::vector<Job> twins_of(const Job& own, const std::filesystem::path& folder) {
  std::vector<Job> twins = read_jobs(folder);
  std::erase_if(twins, [&](const Job& job) {
    const bool is_own = job.host == own.host && job.process == own.process;
    return is_own || job.has_ended || own.share.empty() || job.share != own.share;
  });
  return twins;
}

}  // namespace

std::string paths_text(const SweepReport& report) {
  const std::string folder = report.folder.string();
  if (report.end != SweepReport::End::complete)
    return fmt::format("{}/shards: this part is done; run.h5 and the summaries follow with the last part\n", folder);
  return fmt::format(
      "{0}/run.h5        {1} samples (group{2} {3})\n"
      "{0}/summary.csv   one row per sample\n"
      "{0}/summary.json  the table above\n"
      "{0}/report.html   the same with charts, for a browser\n",
      folder, report.statistics.samples == report.n ? "all" : with_commas(report.statistics.samples),
      report.groups.size() == 1 ? "" : "s", fmt::join(report.groups, ", "));
}

std::string sweep_report_text(const SweepReport& report, bool sobol, const std::string& program) {
  if (report.end == SweepReport::End::interrupted)
    return fmt::format("interrupted after {} of {} samples; the same command resumes\n",
                       with_commas(report.simulated + report.kept), with_commas(report.n));
  std::string text = speed_text(report);
  if (report.statistics.samples == 0) return text;
  return text + '\n' + results_text(report.statistics, sobol, report.folder, program) + '\n' + paths_text(report);
}

void warn_of_same_share(const std::filesystem::path& folder, const Job& own, std::int64_t shard) {
  for (const Job& twin : twins_of(own, folder))
    spdlog::warn(
        "{}: {} has the share {}, too, and is making shard {}; the others come first, then this one is waited for",
        folder.string(), name_of(twin), own.share, shard);
}

void warn_of_missing_locks(const std::filesystem::path& folder, const Job& own) {
  constexpr std::int64_t minute = 60'000'000'000;
  spdlog::warn("{}: this file system has no locks; none is needed while every job has another share", folder.string());
  for (const Job& twin : twins_of(own, folder))
    if (own.began - twin.seen < minute)
      spdlog::warn("{}: {} has the share {}, too, and was at work less than a minute ago", folder.string(),
                   name_of(twin), own.share);
}

}  // namespace jostle
