#pragma once
// The quantities of a scenario in the present state of a system, between its steps.
#include "core/batch/batch.hpp"

namespace jostle {

/// Writes the values of all of Model::recorded, in their order, as a record of the step that the system has taken last
/// has them. The system must have a state.
void write_present_quantities(Batch& batch, int system, WorkspaceMemory& memory, double* values);

}  // namespace jostle
