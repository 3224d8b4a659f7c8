// Temporary files of writers that were killed.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drivers/files/atomic_file.hpp"
#include "drivers/sweeps/dataset_folder.hpp"
#include "scenarios/text/number.hpp"

namespace jostle {
namespace fs = std::filesystem;
namespace {

/// The number of "shard-00042.h5".
std::optional<std::int64_t> index_of_shard(const std::string& name) {
  constexpr std::string_view prefix = "shard-", suffix = ".h5";
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  const auto index = parsed<std::int64_t>(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
  return index && *index >= 0 ? index : std::nullopt;
}

/// Whether it is a file of the dataset, in its folder itself.
bool is_beside_shards(const std::string& name) {
  constexpr std::array names = {"run.json",     "scenario.yaml", "run.h5",    "summary.csv",
                                "summary.json", "report.html",   "meta.json", "trajectories.h5"};
  return std::ranges::find(names, name) != names.end();
}

/// When it was last written or named, ns. A second name of a file leaves the time of its content as it was.
std::int64_t time_of_last_touch(const fs::path& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? nanoseconds(status.st_ctim) : 0;
}

}  // namespace

void remove_stale_files(const fs::path& folder, const FolderLock& lock) {
  constexpr std::int64_t hour = 3600'000'000'000;
  const std::int64_t now = lock.works() ? 0 : time_on(folder);
  const auto may_be_in_use = [&](const fs::path& path) {
    return !lock.works() && now - time_of_last_touch(path) < hour;
  };
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const auto name = name_of_temporary(entry.path().filename().string());
    if (name && is_beside_shards(*name) && !may_be_in_use(entry.path())) fs::remove(entry.path(), ignored);
  }
  constexpr auto skip = fs::directory_options::skip_permission_denied;  // nothing of ours is in such a folder
  fs::recursive_directory_iterator entry(folder / "shards", skip, ignored);
  for (; entry != fs::recursive_directory_iterator(); entry.increment(ignored)) {
    const auto name = name_of_temporary(entry->path().filename().string());
    const auto index = name ? index_of_shard(*name) : std::nullopt;
    std::error_code gone;
    if (index && !may_be_in_use(entry->path()) && lock.try_shard(*index)) fs::remove(entry->path(), gone);
  }
}

}  // namespace jostle
