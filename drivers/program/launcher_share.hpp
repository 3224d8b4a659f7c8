#pragma once
// --shard auto: which part of the shards is this job's, from the variables that its launcher has set.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace jostle {

struct LauncherShare {
  std::int64_t part = 0, parts = 0;  ///< k/n
  std::string source;                ///< such as "SLURM_ARRAY_TASK_ID=3"
};

/// The value of an environment variable; nothing if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment own_environment();

/// `parts`: of --shards N; 0: not given. `shares_tasks`: the tasks of a step of srun are no shares, but ranks of MPI.
/// Throws UsageError if no launcher is known, if it does not say how many parts there are, or if two of them disagree.
LauncherShare share_of_launcher(const Environment& environment, std::int64_t parts, bool shares_tasks);

}  // namespace jostle
