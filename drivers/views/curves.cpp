#include "drivers/views/curves.hpp"

#include <algorithm>

#include "core/expression/evaluate.hpp"
#include "core/stages/record.hpp"
#include "scenarios/model/result_unit.hpp"

namespace jostle {

Curves::Curves(const Ensemble& ensemble) : ensemble_(ensemble) {
  const Model& model = ensemble.model();
  const Scenario& scenario = ensemble.scenario();
  for (std::size_t i = 0; i < scenario.record.quantities.size(); ++i)
    add(scenario.record.quantities[i], model.recorded[i], {});
  if (!names_.empty()) return;
  for (std::size_t o = 0; o < scenario.outcomes.size(); ++o) {
    const OutcomeSpec& outcome = scenario.outcomes[o];
    const bool is_shown = outcome.reducer != Reducer::first_time;
    const std::string& label = outcome.label.empty() ? outcome.name : outcome.label;
    add(outcome.value(), model.outcomes[o].program, {label, is_shown ? outcome.unit : ""});
  }
}

void Curves::add(const Expression& expression, const ProgramModel& program, Shown shown) {
  if (std::ranges::find(names_, expression.text) != names_.end()) return;
  if (shown.unit.empty()) shown.unit = unit_of(ensemble_.scenario(), expression);
  names_.push_back(expression.text), programs_.push_back(program), shown_.push_back(std::move(shown));
  is_truth_.push_back(expression.kind == ValueKind::truth);
}

std::vector<double> Curves::of(const System& system, const Workspace& work) const {
  const double time = system.state().steps() * system.model.step;
  const auto quantity = [&](int q) { return quantity_value(system, work, system.model.quantities[q]); };
  std::vector<double> values;
  for (const ProgramModel& program : programs_)
    values.push_back(evaluate(system.model.program(program), system.parameters().variables, time, quantity));
  return values;
}

}  // namespace jostle
