#pragma once
// What `--device auto` means for a sweep: a GPU, if a check has shown that it computes the same as the CPU.
#include <atomic>
#include <optional>

#include "drivers/program/options.hpp"

namespace jostle {

/// The first GPU that the build has code for, if a check, now or stored, found no difference for scenarios of this
/// structure; else none: the CPU. Warns if there is a GPU that is not used. Another process (`jostle check-device`)
/// executes the check, so that this one does not hang or crash; it does not touch the GPU before. None also once `stop`
/// is set. `local_rank`: of ranks on one host, each takes another GPU.
std::optional<Machine> open_checked_gpu(const ScenarioOptions& options, const Model& model, int threads,
                                        const std::atomic<bool>& stop, int local_rank = 0);

}  // namespace jostle
