#pragma once
// The tangent plane of a contact: directions of its polygon in the coordinates (t1, t2), docs/theory.md (6), (7), and
// what impulses, speeds and weights of the rows of d_0 .. d_{k/2 - 1} are there.
#include "core/model/system.hpp"

namespace jostle {

/// A vector in (t1, t2).
struct Direction {
  double x = 0, y = 0;
};
JOSTLE_HD inline double dot(const Direction& a, const Direction& b) { return a.x * b.x + a.y * b.y; }

/// d_i, a corner of a regular polygon.
JOSTLE_HD inline Direction direction(const ModelView& model, int i) {
  const int half = model.dimensions.directions / 2;
  if (i < half) return {model.direction_cosine[i], model.direction_sine[i]};
  return {-model.direction_cosine[i - half], -model.direction_sine[i - half]};
}
JOSTLE_HD inline int direction_after(const ModelView& model, int i) {
  return i + 1 == model.dimensions.directions ? 0 : i + 1;
}
/// ... in the world, i < k/2.
JOSTLE_HD inline Vec3 world_direction(const ModelView& model, const Contact& contact, int i) {
  return model.direction_cosine[i] * contact.tangent_1 + model.direction_sine[i] * contact.tangent_2;
}

/// A side of that polygon: its length, and its distance from the centre.
struct PolygonSide {
  double length, distance;
};
JOSTLE_HD inline PolygonSide polygon_side(const ModelView& model) {
  const double cosine = direction(model, 1).x;  // of 2 pi / k
  return {std::sqrt(2 - 2 * cosine), std::sqrt(0.5 + 0.5 * cosine)};
}

/// m: d_0 and d_m span the tangent plane; 0: the tangents of a planar scene are a line.
JOSTLE_HD inline int second_tangent(const ModelView& model) { return model.dimensions.directions / 4; }

/// Weights of d_0 (x) and d_m (y) whose sum is this vector.
JOSTLE_HD inline Direction row_weights(const ModelView& model, const Direction& vector) {
  if (second_tangent(model) == 0) return {vector.x, 0};
  if (vector.y == 0) return vector;
  const Direction across = direction(model, second_tangent(model));
  const double second = vector.y / across.y;
  return {vector.x - second * across.x, second};
}

/// The slip of a contact whose first tangent is row `tangent` of J, speed(row) being that along a row.
JOSTLE_HD Direction slip_of_rows(const ModelView& model, int tangent, auto speed) {
  const double first = speed(tangent);
  if (second_tangent(model) == 0) return {first, 0};
  const Direction across = direction(model, second_tangent(model));
  return {first, (speed(tangent + second_tangent(model)) - across.x * first) / across.y};
}

/// D beta of a block, N s.
JOSTLE_HD inline Direction tangential_impulse(const ModelView& model, AnyWorkspace auto work, const Block& block) {
  Direction sum;
  for (int i = 0; i < block.tangents; ++i) {
    const double impulse = work.row_impulse(block.tangent + i);
    sum.x += impulse * model.direction_cosine[i];
    sum.y += impulse * model.direction_sine[i];
  }
  return sum;
}

/// The first of 2 `half` directions along which the speed is least, so that friction acts along it; speed(i) is that
/// along the first half, whose opposites are the others.
JOSTLE_HD int slowest_of(int half, auto speed) {
  int first = 0, turned = 0;
  double least = infinity(), most = -infinity();
  for (int i = 0; i < half; ++i) {
    const double along = speed(i);
    if (along < least) least = along, first = i;
    if (along > most) most = along, turned = i;
  }
  return -most < least ? half + turned : first;
}
JOSTLE_HD inline int slowest_direction(const ModelView& model, const Direction& slip) {
  return slowest_of(model.dimensions.directions / 2, [&](int i) { return dot(direction(model, i), slip); });
}

/// i of a side of a polygon of k directions, from d_i to d_{i+1}: one end of it is `slowest`, and speed() of the other
/// is `most` or less. -1: there is none.
JOSTLE_HD int slowest_side(int k, int slowest, double most, auto speed) {
  const int before = (slowest + k - 1) % k;
  if (speed((slowest + 1) % k) <= most) return slowest;
  return speed(before) <= most ? before : -1;
}

/// visit(c, sign, arm) for the contacts of a body among the first ones of the last problem: impulses have this sign on
/// it, and act at the end of the arm.
JOSTLE_HD void for_each_contact_of(const ModelView& model, AnyWorkspace auto work, int contacts, int body, auto visit) {
  for (int c = 0; c < contacts; ++c) {
    const Contact& contact = work.contact(c);
    const PairModel& pair = model.pairs[contact.pair];
    const bool is_a = model.shapes[pair.shape_a].body == body;
    if (is_a || model.shapes[pair.shape_b].body == body)
      visit(c, is_a ? -1.0 : 1.0, is_a ? contact.arm_a : contact.arm_b);
  }
}

}  // namespace jostle
