#include "core/batch/quantities.hpp"

#include "core/stages/record.hpp"
#include "core/team.hpp"

namespace jostle {

void write_present_quantities(Batch& batch, int system_number, WorkspaceMemory& memory, double* values) {
  const SerialTeam team;
  const System system = batch.system(memory.view(), system_number);
  const Workspace work = memory.workspace();
  const ModelView& model = system.model;
  place_current(team, system, work);
  const StateView state = system.state();
  const double time = state.steps() * model.step;
  const auto quantity = [&](int q) { return quantity_value(system, work, model.quantities[q]); };
  for (int i = 0; i < model.dimensions.recorded_quantities; ++i)
    values[i] = canonical(evaluate(model.program(model.recorded[i]), system.parameters().variables, time, quantity));
}

}  // namespace jostle
