#pragma once
#include <string>
#include <vector>

#include "core/geometry/shape.hpp"

namespace jostle {

/// "sphere", "capsule", ...
const char* name_of(ShapeType type);

/// What the feature pairs of shapes a and b are, by their numbers: "corner -+- of a, face +z of b". Axes are those of
/// the shape; the headers in core/geometry number them. `a` <= `b`, a supported pair.
std::vector<std::string> feature_names(ShapeType a, ShapeType b);

}  // namespace jostle
