#pragma once
// Volume, centroid and moments of what a closed mesh encloses, at uniform density.
#include "scenarios/parts/triangle_mesh.hpp"

namespace jostle {

struct MassProperties {
  double volume = 0;  ///< m^3
  Vec3 centroid;      ///< m
  Mat3 inertia;       ///< m^5 about the centroid: kg m^2 for a density of 1 kg/m^3
};

/// Sums over the tetrahedra of the triangles with the centroid, after a first pass that finds it: what lies far from
/// the origin of the file loses no digits. Moments of a tetrahedron: Tonon (2004).
MassProperties mass_properties_of(const TriangleMesh& mesh);

}  // namespace jostle
