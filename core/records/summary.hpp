#pragma once
// The only list of what a summary says of a sample beside its number, variables and outcomes, in the order of files:
//
//   X(type, name, unit, description, value)
//
// `value` is an expression of the sample's `system` and `state` and of the model's `view`. A unit that is empty is not
// stored.
#include <cstdint>

#define JOSTLE_SUMMARY_COLUMNS(X)                                                                           \
  X(std::uint8_t, status, "", "what became of the sample", static_cast<std::uint8_t>(state.status()))       \
  X(std::int32_t, steps, "1", "steps taken", state.steps())                                                 \
  X(double, end_time, "s", "time of the last good step", state.steps() * view.step)                         \
  X(std::int32_t, pivots_max, "1", "most pivots in a step", state.pivots_max())                             \
  X(std::int32_t, filtered_max, "1", "most redundant contacts that a step left out",                        \
    view.dimensions.has_filter ? state.filtered_max() : 0)                                                  \
  X(std::int32_t, rest, "1", "steps that repeat the one before, at rest", state.rest())                     \
  X(std::int32_t, guessed, "1", "LCPs answered by the modes of the step before", state.guessed())           \
  X(std::int32_t, corrected, "1", "LCPs answered by corrected modes", state.corrected())                    \
  X(std::int32_t, pivoted, "1", "LCPs answered by Lemke's method", state.pivoted())                         \
  X(std::int32_t, vertex, "1", "LCPs whose answer is not that of least norm", state.vertex())               \
  X(double, residual_max, "1", "largest natural residual of a step", state.residual_max())                  \
  X(double, penetration_max, "m", "deepest penetration", state.penetration_max())                           \
  X(double, energy_gained, "J", "energy that steps added beyond the work of forces", state.energy_gained()) \
  X(double, energy_gain_max, "J", "the most of a step", state.energy_gain_max())                            \
  X(std::int32_t, held, "1", "steps in which a jam was held", state.held())                                 \
  X(std::int32_t, substeps, "1", "sub-steps of the steps that were divided", state.substeps())              \
  X(std::int32_t, events, "1", "impacts and transitions", view.dimensions.has_impacts ? state.events() : 0) \
  X(std::int32_t, poisson, "1", "impacts without a solution by Newton's law, made by Poisson's",            \
    view.dimensions.has_impacts ? state.poisson() : 0)                                                      \
  X(std::int32_t, first_order, "1", "steps with a gyroscopic torque of first order",                        \
    view.dimensions.has_mass_matrix ? state.first_order() : 0)                                              \
  X(double, energy_drift, "J", "drift of the total energy", canonical(system_energy(system) - state.start_energy()))
