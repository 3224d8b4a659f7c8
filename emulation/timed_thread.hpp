#pragma once
// A CPU thread that reads a clock at the end of every stage, for the table of steps of the benchmarks.
#include <array>

#include "core/batch/batch.hpp"
#include "core/stages/stage.hpp"

namespace jostle {

using StageSeconds = std::array<double, stage_count>;

/// run_system, with the seconds that every stage has taken added to `seconds`; those of reading the clock are among
/// them.
void run_system_timed(Batch& batch, int index, int last_step, WorkspaceMemory& memory, StageSeconds& seconds);

}  // namespace jostle
