#pragma once
#include <vector>

#include "scenarios/model/shape_spec.hpp"
#include "scenarios/parameters/traced.hpp"

namespace jostle {

/// Integrals of 1, x and x x' over a solid.
struct Moments {
  Traced volume = 0;
  TracedVec3 first = TracedVec3::Zero();
  TracedMat3 second = TracedMat3::Zero();
};

/// Unit vectors out of the faces of a hull or surface with these corners.
std::vector<TracedVec3> face_normals(const HullStructure& structure, const std::vector<TracedVec3>& corners);

/// Of all points within `radius` of the hull. The origin is a point inside.
Moments moments_of(const HullStructure& structure, const std::vector<TracedVec3>& corners,
                   const std::vector<TracedVec3>& normals, const Traced& radius);

}  // namespace jostle
