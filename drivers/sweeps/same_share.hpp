#pragma once
// Two jobs that have the same share by mistake do no harm: these lines on stderr say so to the second one.
#include <cstdint>
#include <filesystem>

#include "drivers/datasets/job_log.hpp"

namespace jostle {

/// Shard number `shard` of this job's share is locked.
void warn_of_same_share(const std::filesystem::path& folder, const Job& own, std::int64_t shard);

/// The file system has no locks, so a job with the same share can only be seen by its log.
void warn_of_missing_locks(const std::filesystem::path& folder, const Job& own);

}  // namespace jostle
