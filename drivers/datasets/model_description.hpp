#pragma once
#include <string>

#include "core/model/model.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

/// What the numbers in records stand for, as JSON in one line, the attribute `model` of a dataset:
///   {bodies: [{name, kind, freedom}], shapes: [{name, body, type}], pairs: [{name, a, b, features}],
///    joints: [{name, type, a, b}], features: {"box half_space": [names by number]}, directions, friction_cone, step,
///    frames}
/// Bodies, shapes, pairs and joints stand in the order of their numbers; `features` of a pair is a key of the last map.
/// `shapes`: their names.
std::string describe_model(const Scenario& scenario, const Model& model, const std::vector<std::string>& shapes);

}  // namespace jostle
