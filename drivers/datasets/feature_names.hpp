#pragma once
#include <string>
#include <vector>

#include "core/model/model.hpp"

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

}  // namespace jostle
