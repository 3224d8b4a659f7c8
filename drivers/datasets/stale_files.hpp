#pragma once
#include <filesystem>

#include "drivers/datasets/folder_lock.hpp"

namespace jostle {

/// Removes the temporary files that killed writers have left in the folder of a dataset, and none of a running writer.
/// The caller holds `lock.folder()`, which whoever writes a file beside the shards must hold, so those have no writer.
/// Nor have those of a shard whose lock is free. Where there are no locks, only those are removed that nobody has
/// touched for an hour: jobs of other shares may be at work.
void remove_stale_files(const std::filesystem::path& folder, const FolderLock& lock);

}  // namespace jostle
