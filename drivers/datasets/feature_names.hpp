#pragma once
#include <string>
#include <vector>

#include "core/model/model.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

/// What the feature pairs of shapes a and b are, by their numbers: "corner -+- of a, face +z of b". Axes are those of
/// the shape; the headers in core/geometry number them. `a` <= `b`, a supported pair.
std::vector<std::string> feature_names(ShapeType a, ShapeType b);
/// The same for two shapes of which one is a polygon, whose corners are numbered as in the file.
std::vector<std::string> polygon_feature_names(const ShapeModel& a, const ShapeModel& b);

/// Of more feature pairs there are no names.
inline constexpr int most_named_features = 100'000;

/// The same where one of two shapes is a hull, whose corners are numbered as in the file, without points inside. Empty
/// for meshes with more than most_named_features.
std::vector<std::string> hull_feature_names(const Model& model, const ShapeModel& a, const ShapeModel& b);

/// What the numbers in records stand for, as JSON in one line, the attribute `model` of a dataset:
///   {bodies: [{name, kind, freedom}], shapes: [{name, body, type}], pairs: [{name, a, b, features}],
///    joints: [{name, type, a, b}], features: {"box half_space": [names by number]}, directions, friction_cone, step,
///    frames}
/// Bodies, shapes, pairs and joints stand in the order of their numbers; `features` of a pair is a key of the last map.
/// `shapes`: their names.
std::string describe_model(const Scenario& scenario, const Model& model, const std::vector<std::string>& shapes);

}  // namespace jostle
