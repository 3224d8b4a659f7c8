#pragma once
#include <string>
#include <vector>

#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Values that the format allows but the user probably did not mean: the sine of more than a turn (angles are in
/// radians), a body larger than 10 m (lengths are in metres), an impulse after the end, and those below.
/// Messages begin with the name of the value.
std::vector<Fault> doubts_about(const Scenario& scenario);

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
