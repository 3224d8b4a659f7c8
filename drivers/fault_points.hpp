#pragma once
// Named places in the writing of a dataset where a test can kill the process, as a power cut would.
//
//   JOSTLE_FAULT=shard.renamed jostle sweep ...       dies right after the first shard got its name
//   JOSTLE_FAULT=shard.renamed:3 jostle sweep ...     ... after the third
//
// Whatever the point, the same command run again must give the files of an undisturbed run.
#include <array>
#include <string_view>

namespace jostle {

/// Every file F of {run, scenario, shard, view, csv, summary} passes four points: F.half (half of the
/// bytes written to F.tmp), F.written (all bytes, nothing synced), F.synced (file synced, old name), F.renamed.
inline constexpr std::array<std::string_view, 24> fault_points = {
    "run.half",      "run.written",      "run.synced",      "run.renamed",       //
    "scenario.half", "scenario.written", "scenario.synced", "scenario.renamed",  //
    "shard.half",    "shard.written",    "shard.synced",    "shard.renamed",     //
    "view.half",     "view.written",     "view.synced",     "view.renamed",      //
    "csv.half",      "csv.written",      "csv.synced",      "csv.renamed",       //
    "summary.half",  "summary.written",  "summary.synced",  "summary.renamed"};

/// Dies by SIGKILL if this is the point, and the passage, that JOSTLE_FAULT names; else costs one
/// comparison. `file` and `step` are the two parts of the name.
void fault_point(std::string_view file, std::string_view step);

}  // namespace jostle
