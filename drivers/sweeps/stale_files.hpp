#pragma once
#include <filesystem>

#include "drivers/files/folder_lock.hpp"

namespace jostle {

/// Removes the temporary files that killed writers have left in the folder of a dataset, and none of a running writer.
/// The caller holds `lock.folder()`. A process that writes a file beside the shards holds it, too, so now there is
/// none. A shard whose lock is free has no writer either. Where there are no locks, only those are removed that nobody
/// has touched for an hour: jobs of other shares may be at work.
void remove_stale_files(const std::filesystem::path& folder, const FolderLock& lock);

}  // namespace jostle
