#pragma once
// The parameters of a system: what is constant, programs for what follows from the variables, and what is wrong with a
// sample.
#include <optional>
#include <vector>

#include "core/model/model.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Adds to the model the programs that compute, for each sample, the parameters that depend on variables and whether
/// they are physical. Returns the memory of the parameters, in doubles, with those that are constant.
std::vector<double> compile_parameters(const Scenario& scenario, Model& model);

/// The first number of a sample that is not physical, if there is one: not finite, a mass or size that is not positive,
/// impossible moments of inertia, a direction of zero length, a spring without length, or a shape of a planar scene out
/// of the plane.
std::optional<Fault> find_fault(const Scenario& scenario, const Model& model, const std::vector<double>& variables);

}  // namespace jostle
