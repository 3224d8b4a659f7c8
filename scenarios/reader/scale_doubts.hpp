#pragma once
#include <string>
#include <vector>

#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Numbers that look as if they had another unit: a density of no material, a body heavier than its shapes can be, a
/// joint far from its bodies, bodies of metres beside gaps of micrometres; and shapes of one body that weigh twice. Of
/// random numbers the medians are looked at.
std::vector<Fault> doubts_about_scales(const Scenario& scenario);

/// Springs that are too stiff for the step.
std::vector<Fault> doubts_about_stiffness(const Scenario& scenario);

/// A number in a sentence, with four digits.
std::string short_text(double value);

/// The medians of all variables.
std::vector<double> medians_of(const Scenario& scenario);

}  // namespace jostle
