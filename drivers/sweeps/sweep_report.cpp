#include "drivers/sweeps/sweep_report.hpp"

#include <fmt/format.h>

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

}  // namespace jostle
