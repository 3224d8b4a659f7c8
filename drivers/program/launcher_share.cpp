#include "drivers/program/launcher_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "drivers/errors.hpp"
#include "scenarios/text/number.hpp"

namespace jostle {
namespace {

/// Numbers of a launcher for one job.
struct Task {
  std::string name;         ///< of the variable
  std::int64_t number = 0;  ///< its value
  std::int64_t first = 1;   ///< the number of the first job of all
  std::int64_t parts = 0;   ///< 0: the launcher does not say
};

class Launchers {
 public:
  Launchers(const Environment& environment, std::int64_t parts) : environment_(environment), parts_(parts) {}

  std::vector<Task> found(bool shares_tasks) {
    add_slurm_array();
    // In a batch script, too, SLURM_PROCID is set; only a step of srun has a number.
    if (!shares_tasks && environment_("SLURM_STEP_ID")) add("SLURM_PROCID", 0, number("SLURM_NTASKS"));
    add("AWS_BATCH_JOB_ARRAY_INDEX", 0, number("AWS_BATCH_JOB_ARRAY_SIZE"));
    add("JOB_COMPLETION_INDEX", 0, {});
    add("PBS_ARRAY_INDEX", 1, {});
    if (number("LSB_JOBINDEX") != 0) add("LSB_JOBINDEX", 1, {});
    if (environment_("SGE_TASK_ID") != "undefined") add("SGE_TASK_ID", 1, {});
    const auto is_all = [](const Task& task) { return task.parts == 1; };
    if (!std::ranges::all_of(tasks_, is_all)) std::erase_if(tasks_, is_all);  // a step of one task divides nothing
    return tasks_;
  }

 private:
  std::optional<std::int64_t> number(const std::string& name) const {
    const std::optional<std::string> text = environment_(name);
    if (!text || text == "undefined") return {};
    if (const auto number = whole_number_of(*text)) return number;
    throw UsageError(fmt::format("--shard auto: {} is '{}', not a whole number", name, *text));
  }

  void add(const std::string& name, std::int64_t first, std::optional<std::int64_t> parts) {
    if (const auto task = number(name)) tasks_.push_back({name, *task, first, parts.value_or(0)});
  }

  /// An array from 0 or 1 on, or its step, without gaps is the whole; another one (--array=17, 3-4 or 3,17) is a part
  /// of what --shards says.
  void add_slurm_array() {
    const char* const name = "SLURM_ARRAY_TASK_ID";
    const auto task = number(name), count = number("SLURM_ARRAY_TASK_COUNT");
    if (!task) return;
    const std::int64_t least = number("SLURM_ARRAY_TASK_MIN").value_or(0);
    const std::int64_t most = number("SLURM_ARRAY_TASK_MAX").value_or(-1);
    const std::int64_t step = std::max<std::int64_t>(1, number("SLURM_ARRAY_TASK_STEP").value_or(1));
    const bool has_gaps = !count || most != least + (*count - 1) * step || (*task - least) % step != 0;
    const bool is_whole = !has_gaps && (parts_ > 0 ? parts_ == *count : *count > 1 && least <= step);
    if (is_whole)
      tasks_.push_back({name, (*task - least) / step, 0, *count});
    else
      tasks_.push_back({name, *task});
  }

  const Environment& environment_;
  std::int64_t parts_;
  std::vector<Task> tasks_;
};

LauncherShare share_of(const Task& task, std::int64_t parts, const Environment& environment) {
  const std::string source = task.name + "=" + environment(task.name).value_or("");
  if (task.parts == 0 && parts == 0)
    throw UsageError("--shard auto: " + source + " does not say of how many; give --shards N");
  if (task.parts > 0 && parts > 0 && task.parts != parts)
    throw UsageError(fmt::format("--shard auto: {} is one of {}, but --shards says {}", source, task.parts, parts));
  LauncherShare share{task.number - task.first + 1, task.parts > 0 ? task.parts : parts, source};
  if (share.part < 1 || share.part > share.parts)
    throw UsageError(
        fmt::format("--shard auto: {} is not one of {} jobs numbered from {}", source, share.parts, task.first));
  return share;
}

}  // namespace

Environment own_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* const value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
}

LauncherShare share_of_launcher(const Environment& environment, std::int64_t parts, bool shares_tasks) {
  const std::vector<Task> tasks = Launchers(environment, parts).found(shares_tasks);
  if (tasks.empty() && shares_tasks)
    throw UsageError("--shard auto: this is no array of jobs; the ranks of MPI share the work without it");
  if (tasks.empty())
    throw UsageError(
        "--shard auto: none of SLURM_ARRAY_TASK_ID, SLURM_PROCID (under srun), AWS_BATCH_JOB_ARRAY_INDEX, "
        "JOB_COMPLETION_INDEX, PBS_ARRAY_INDEX, LSB_JOBINDEX, SGE_TASK_ID is set; give --shard k/n");
  LauncherShare share = share_of(tasks[0], parts, environment);
  for (const Task& task : tasks) {
    const LauncherShare other = share_of(task, parts, environment);
    if (other.part != share.part || other.parts != share.parts)
      throw UsageError(fmt::format("--shard auto: {} means {}/{}, but {} means {}/{}; give --shard k/n", share.source,
                                   share.part, share.parts, other.source, other.part, other.parts));
  }
  return share;
}

}  // namespace jostle
