#pragma once
// Ghosts: feature pairs of two shapes that another pair of the same shapes keeps from closing, docs/theory.md, "Which
// feature pairs are candidates".
//
// Convex shapes are apart as long as they are apart along one direction. A body that slides from a tile to the next
// one, with the same top, is above the second tile before and after its front has passed the seam. The pairs of that
// front and the tile's side close, and have a gap of 0 at the seam to within rounding, but are never contacts.
#include "core/contacts/closing_speed.hpp"
#include "core/geometry/shape_pair.hpp"

namespace jostle {

/// A contact that was left out is added if it would penetrate by more than this, m.
inline constexpr double missed_penetration = 1e-10;

/// Normals whose cosine is less belong to different sides of a shape.
inline constexpr double same_side = 0.7;

namespace detail {

/// A shape now and where it will be.
struct Passage {
  const PlacedShape& now;
  PlacedShape next;
};

/// Of a body that goes on from its predicted position for h.
JOSTLE_HD inline Passage passage_of(const System& system, AnyWorkspace auto work, int shape, double h) {
  const int body = system.model.shapes[shape].body;
  const BodyModel& own = system.model.bodies[body];
  const Pose& pose = work.predicted_pose(body);
  if (own.fixed) return {work.placed(shape), work.placed(shape)};
  const Vec6 velocity = velocity_of(own, work, work.velocity());
  return {work.placed(shape), place_shape(system, shape, moved(system.model, body, pose, h, velocity))};
}

/// The same along the normals of the edges of a polygon; `sign`: -1 if that is b.
JOSTLE_HD inline bool stays_apart_along_edges(const Passage& a, const Passage& b, const Passage& owner, double sign,
                                              const Vec3& normal, double touching) {
  const Outline now(owner.now, owner.now.axes.col(2)), next(owner.next, owner.next.axes.col(2));
  for (int e = 0; e < now.corners; ++e) {
    const Vec3 along = sign * now.edge_normal(e), later = sign * next.edge_normal(e);
    if (dot(along, normal) > same_side) continue;
    if (apart_along(a.now, b.now, along) >= -touching && apart_along(a.next, b.next, later) >= -touching) return true;
  }
  return false;
}

/// The same along the normals of the faces of a hull. Of one with a tree only faces near `point` can tell: a plane
/// along which shapes that touch there are apart goes through that point.
JOSTLE_HD inline bool stays_apart_along_faces(const Passage& a, const Passage& b, const Passage& owner, double sign,
                                              const Vec3& normal, const Vec3& point, double touching) {
  const Polyhedron now(owner.now), next(owner.next);
  bool apart = false;
  const NearBox near = NearBox::about(to_local(owner.now, point), 2 * touching);
  for_each_face_near(now, near, [&](int f) {
    if (apart) return;
    const Vec3 along = sign * now.in_world(now.normal(f)), later = sign * next.in_world(next.normal(f));
    if (dot(along, normal) > same_side) return;
    apart = apart_along(a.now, b.now, along) >= -touching && apart_along(a.next, b.next, later) >= -touching;
  });
  return apart;
}

/// Whether a and b are apart along the axes of `owner`, which is one of them, and stay so, though not along `normal`;
/// `point`: of the contact, on it.
template <bool HasPolytopes>
JOSTLE_HD JOSTLE_OUTLINE bool stays_apart(const Passage& a, const Passage& b, const Passage& owner, const Vec3& normal,
                                          [[maybe_unused]] const Vec3& point, double touching) {
  const ShapeType type = owner.now.type;
  if constexpr (HasPolytopes) {
    if (type == ShapeType::polygon)
      return stays_apart_along_edges(a, b, owner, &owner == &b ? -1.0 : 1.0, normal, touching);
    if (type == ShapeType::hull)
      return stays_apart_along_faces(a, b, owner, &owner == &b ? -1.0 : 1.0, normal, point, touching);
  }
  if (type != ShapeType::box && type != ShapeType::cylinder) return false;
  for (int k = type == ShapeType::box ? 0 : 2; k < 3; ++k) {
    const Vec3 axis = owner.now.axes.col(k), later = owner.next.axes.col(k);
    const double sign = side(dot(b.now.position - a.now.position, axis) > 0);
    if (sign * dot(axis, normal) > same_side) continue;
    if (apart_along(a.now, b.now, sign * axis) >= -touching && apart_along(a.next, b.next, sign * later) >= -touching)
      return true;
  }
  return false;
}

/// Takes from the pairs that are listed at the predicted positions, and did not act in the last step, those that close
/// while the shapes touch along another direction and stay apart along it. And those that only pass each other: they
/// are open, and will be after another step. `first`: of the page.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline void drop_ghosts(const System& system, AnyWorkspace auto work,
                                                               const PairModel& pair, int first,
                                                               const FeatureSet& fresh, double h, double margin,
                                                               FeatureSet& list) {
  const PlacedShape &placed_a = work.placed(pair.shape_a), &placed_b = work.placed(pair.shape_b);
  const double border_width = border * (bounding_radius(placed_a) + bounding_radius(placed_b));
  const double touching = margin > border_width ? margin : border_width;
  constexpr bool has_polytopes = decltype(work)::has_polytopes;
  fresh.for_each([&](int own) {
    const int feature = first + own;
    const ContactGeometry at = contact_geometry<decltype(work)::has_polytopes>(placed_a, placed_b, feature);
    const double closing = -h * closing_speed(system, work, pair, at, work.predicted_pose(), work.velocity());
    if (at.gap < -touching || !(closing > gap_rounding)) return;
    const Passage a = passage_of(system, work, pair.shape_a, h), b = passage_of(system, work, pair.shape_b, h);
    const double later = contact_geometry<decltype(work)::has_polytopes>(a.next, b.next, feature).gap;
    const bool closes = closing > touching;
    if (at.gap > -gap_rounding && later > (closes ? -gap_rounding : at.gap + gap_rounding)) return list.erase(own);
    if (closes && (stays_apart<has_polytopes>(a, b, a, at.normal, at.point_a, touching) ||
                   stays_apart<has_polytopes>(a, b, b, at.normal, at.point_b, touching)))
      list.erase(own);
  });
}

/// `missed`: the pairs that penetrate at the next positions and are not listed. Those that were past each other at the
/// predicted positions, while the shapes were apart there, are ghosts; in their place come the pairs that have closed.
/// close(a, b, margin): the candidates of the page, whose first feature pair is `first`.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline void replace_ghosts(AnyWorkspace auto work, const PairModel& pair,
                                                                  int first, auto close, FeatureSet& missed) {
  const PlacedShape &a = work.placed(pair.shape_a), &b = work.placed(pair.shape_b);
  const PlacedShape &next_a = work.next_placed(pair.shape_a), &next_b = work.next_placed(pair.shape_b);
  const double size = bounding_radius(a) + bounding_radius(b), border_width = border * size;
  FeatureSet real;
  bool has_ghosts = false;
  double apart = 0;
  missed.for_each([&](int feature) {
    const double gap = contact_geometry<decltype(work)::has_polytopes>(a, b, first + feature).gap;
    if (!has_ghosts && gap < -border_width) apart = signed_distance<decltype(work)::has_polytopes>(a, b);
    if (gap < (apart < 0 ? apart : 0.0) - border_width)
      has_ghosts = true;
    else
      real.insert(feature);
  });
  if (!has_ghosts) return;
  close(a, b, size).for_each([&](int feature) {
    if (contact_geometry<decltype(work)::has_polytopes>(next_a, next_b, first + feature).gap < -missed_penetration)
      real.insert(feature);
  });
  if (!real.empty()) missed = real;
}

}  // namespace detail

}  // namespace jostle
