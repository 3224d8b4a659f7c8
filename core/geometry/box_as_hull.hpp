#pragma once
// Two boxes of which one or both are written as hulls (is_box): their candidates and distance are those of boxes
// (box_box.hpp), with the numbers that hulls have. It is a fast way; that of all hulls (core_pair.hpp) finds the same.
#include "core/geometry/box_box.hpp"
#include "core/geometry/polyhedron.hpp"

namespace jostle {

/// A shape that is a box, as one, and the numbers that it has for the parts of a box.
class BoxAsHull {
 public:
  JOSTLE_HD explicit BoxAsHull(const PlacedShape& shape) : box{ShapeType::box, shape.size, shape.position, shape.axes} {
    if (shape.type == ShapeType::box) return;
    numbers_ = Polyhedron(shape).numbers_of_box();
    const Vec3 low = hull_corner(shape, corner(0)), high = hull_corner(shape, corner(box_corners - 1));
    box.size = 0.5 * (high - low);
    box.position = to_world(shape, 0.5 * (low + high));
  }

  PlacedShape box;
  JOSTLE_HD int corner(int i) const { return numbers_ ? numbers_[i] : i; }
  JOSTLE_HD int face(int f) const { return numbers_ ? numbers_[box_corners + f] : f; }
  JOSTLE_HD int edge(int e) const { return numbers_ ? numbers_[box_corners + box_faces + e] : e; }

 private:
  const int* numbers_ = nullptr;  ///< of a hull
};

JOSTLE_HD inline bool are_boxes(const PlacedShape& a, const PlacedShape& b) {
  return is_box(a.type, a.structure) && is_box(b.type, b.structure);
}

/// The candidates nearer than `margin` (m).
JOSTLE_HD inline FeatureSet close_boxes(const PlacedShape& shape_a, const PlacedShape& shape_b, double margin) {
  const BoxAsHull a(shape_a), b(shape_b);
  FeatureSet set;
  BoxBox::close(a.box, b.box, margin).for_each([&](int feature) {
    if (feature < BoxBox::b_on_a) {
      set.insert(a.corner(feature / box_faces) * box_faces + b.face(feature % box_faces));
    } else if (feature < BoxBox::edges_cross) {
      const int on_a = feature - BoxBox::b_on_a;
      set.insert(BoxBox::b_on_a + b.corner(on_a / box_faces) * box_faces + a.face(on_a % box_faces));
    } else {
      const int pair = feature - BoxBox::edges_cross;
      set.insert(BoxBox::edges_cross + a.edge(pair / box_edges) * box_edges + b.edge(pair % box_edges));
    }
  });
  return set;
}

}  // namespace jostle
