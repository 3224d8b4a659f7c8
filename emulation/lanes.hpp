#pragma once
// Systems simulated by emulated lanes, with the code for all systems (core/model/traits.hpp), which gives plain
// ones the same bits.
#include "core/batch/batch.hpp"

namespace jostle {

/// Simulates a system up to `last_step` by a team of `lanes` emulated lanes, some thousand times slower than a thread.
/// One lane calls `observe`, which may be empty, after every step, while the others wait.
Pause simulate_by_lanes(int lanes, const System& system, const Workspace& work, int last_step,
                        const StepObserver& observe = {});

}  // namespace jostle
