#pragma once
#include <vector>

#include "core/geometry/shape_pair.hpp"

namespace jostle::test {

/// The candidates of two cores, or of a cylinder and a core, on all pages, in ascending order.
inline std::vector<int> all_close(const PlacedShape& a, const PlacedShape& b, double margin) {
  const CoreCounts of_b = core_counts(b.type, b.corners, b.structure);
  const bool rounded = is_rounded(b.type, b.structure);
  const int features = a.type == ShapeType::cylinder
                           ? CylinderOnCore(of_b, rounded).features
                           : polyhedron_features(core_counts(a.type, a.corners, a.structure), of_b,
                                                 is_rounded(a.type, a.structure) || rounded);
  std::vector<int> list;
  for (int first = 0; first < features; first += page_features)
    close_features(a, b, margin, first).for_each(first, [&](int feature) { list.push_back(feature); });
  return list;
}

}  // namespace jostle::test
