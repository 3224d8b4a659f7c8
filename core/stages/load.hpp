#pragma once
// Computes parameters from the variables of a sample, with the programs of the model.
#include "core/expression/evaluate.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// Writes the parameters that depend on the variables; the constant ones are already set. status not_loaded becomes
/// not_run or, if a number is not physical, bad_parameters. `shared` and `operands` are memory for
/// Dimensions::shared_numbers, and for Dimensions::operands of each of Dimensions::evaluations().
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void load(const Team& team, const System& system, auto shared, auto operands) {
  const ModelView& model = system.model;
  const Dimensions& d = model.dimensions;
  const auto value = [&](const ProgramModel& program, int evaluation) {
    return evaluate(
        model.program(program), system.parameters().variables, 0, [&](int i) { return shared[i]; },
        operands.from(evaluation * d.operands));
  };
  team.once([&] {
    for (int i = 0; i < d.shared_numbers; ++i) shared[i] = value(model.shared_numbers[i], 0);
  });
  team.sync();
  const int together = d.evaluations();
  team.for_each(together, [&](int evaluation) {
    for (int i = evaluation; i < model.loaded_count; i += together)
      system.parameter(model.loaded[i].parameter) = value(model.loaded[i].program, evaluation);
  });
  team.sync();
  team.once([&] {
    const bool is_physical = model.physical.length == 0 || value(model.physical, 0) != 0;
    system.state().status() = static_cast<int>(is_physical ? Status::not_run : Status::bad_parameters);
    for (int o = 0; !is_physical && o < d.outcomes; ++o) system.state().outcomes[o] = canonical_nan();
  });
  team.sync();
}

}  // namespace jostle
