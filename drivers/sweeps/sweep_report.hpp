#pragma once
// What a sweep says on stdout at its end, and on stderr of other jobs.
#include <cstdint>
#include <filesystem>
#include <string>

#include "drivers/datasets/job_log.hpp"
#include "drivers/sweeps/sweep.hpp"

namespace jostle {

/// The files that were written, or why none was.
std::string paths_text(const SweepReport& report);

/// Everything a sweep prints at its end, paths included.
std::string sweep_report_text(const SweepReport& report, bool sobol, const std::string& program = "jostle");

// Two jobs that have the same share by mistake do no harm: these lines on stderr say so to the second one.

/// Shard number `shard` of this job's share is locked.
void warn_of_same_share(const std::filesystem::path& folder, const Job& own, std::int64_t shard);

/// The file system has no locks, so a job with the same share can only be seen by its log.
void warn_of_missing_locks(const std::filesystem::path& folder, const Job& own);

}  // namespace jostle
