#pragma once
// The code for plain systems (core/model/traits.hpp), which the kernels of plain models have, by emulated
// lanes.
#include "core/batch/batch.hpp"

namespace jostle {

/// As simulate_by_lanes (lanes.hpp), for plain systems alone.
Pause simulate_plain_by_lanes(int lanes, const System& system, const Workspace& work, int last_step,
                              const StepObserver& observe = {});

}  // namespace jostle
