#include "drivers/sweeps/same_share.hpp"

#include <spdlog/spdlog.h>

#include <vector>

namespace jostle {
namespace {

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
