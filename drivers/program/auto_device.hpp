#pragma once
// What `--device auto` means to a sweep: a GPU, if it has shown that it computes what the CPU does.
#include <atomic>
#include <memory>

#include "cuda/device.hpp"
#include "drivers/program/options.hpp"

namespace jostle {

/// The first GPU that the build has code for, if a check of it, now or remembered, found no difference for scenarios of
/// this structure; else null: the CPU. A warning tells of a GPU that is there but not used. The check is executed by
/// another process (`jostle check-device`), so that what hangs or dies is not this one, which does not touch the GPU
/// before. Null also once `stop` is set.
std::unique_ptr<Device> open_checked_gpu(const ScenarioOptions& options, const Model& model,
                                         const std::atomic<bool>& stop);

}  // namespace jostle
