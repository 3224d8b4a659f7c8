#pragma once
// Candidates of two cores of which one need not be convex. Far parts of such cores know nothing of each other, so each
// feature pair is judged by what is near it:
//
//   * Only convex corners and edges touch. A corner is over a face if its foot lies in the face, holes left out; two
//     edges cross inside both, a crossing at the end of an edge is left to the corner there (box_box.hpp).
//   * They face each other: the edges of a corner and the faces of an edge lead away, or towards the other core by at
//     most 30 degrees.
//   * A corner in the solid counts for the face that it is least deep under (surface_corner.hpp). Edges that have
//     passed each other count if each lies in the solid of the other one (surface_crossings.hpp).
//   * Of pairs that share a corner or an edge, those that are deeper than another one are ghosts.
//   * Rounded corners and edges touch where the point lies beside an edge or beyond a corner, over none of the faces
//     there.
#include "core/geometry/near_other.hpp"
#include "core/geometry/surface_corner.hpp"
#include "core/geometry/surface_crossings.hpp"
#include "core/geometry/wanted_features.hpp"

namespace jostle::detail {

/// `Wanted`: which candidates are looked for.
template <class Wanted>
class SurfacePair : private SurfaceCrossings {
 public:
  JOSTLE_HD SurfacePair(const Polyhedron& a, const Polyhedron& b, double highest, double deepest, const Wanted& wanted)
      : SurfaceCrossings(a, b, highest, deepest), wanted_(wanted) {}

  JOSTLE_HD void visit(bool is_rounded) {
    const int corners_a = a_.touching_corners, corners_b = b_.touching_corners, edges_a = a_.touching_edges,
              edges_b = b_.touching_edges;
    const int of_b = corners_a * b_.faces, across = of_b + corners_b * a_.faces, on_edge = across + edges_a * edges_b;
    for_each_corner(a_, b_from_a_, 0, b_.faces, [&](int i, int row) { insert_corner_of_a(i, row); });
    for_each_corner(b_, a_from_b_, of_b, a_.faces, [&](int i, int row) { insert_corner_of_b(i, row); });
    insert_crossings(across);
    if (!is_rounded) return;
    const int of_edge = on_edge + corners_a * edges_b, on_corner = of_edge + edges_a * corners_b;
    for_each_corner(a_, b_from_a_, on_edge, edges_b, [&](int i, int row) { insert_corner_on_edges(i, row); });
    for_each_edge(of_edge, corners_b, [&](int d, int row, const NearOther*) { insert_edge_on_corners(d, row); });
    for_each_corner(a_, b_from_a_, on_corner, corners_b, [&](int i, int row) { insert_corner_on_corners(i, row); });
  }

 private:
  /// How far a part that is a candidate reaches out of the other core at most, m.
  JOSTLE_HD double outside() const { return (highest_ > 0 ? highest_ : 0.0) + 4 * edge_; }
  /// How far a corner that is a candidate is from the surface of the other core at most, m.
  JOSTLE_HD double beside() const {
    const double deep = (1 + notch_reach) * deepest_;
    return (deep > outside() ? deep : outside()) + 4 * edge_;
  }
  /// How far edges that cross are apart at most, m: notches go on into the solid.
  JOSTLE_HD double between_edges() const {
    const int notched = (a_.touching_corners < a_.corners ? 1 : 0) + (b_.touching_corners < b_.corners ? 1 : 0);
    const double deep = (1 + notched * notch_reach) * deepest_;
    return (deep > highest_ ? deep : highest_) + 4 * edge_;
  }

  /// visit(i, row) for the corners of a core near the other one; the feature pairs of each, of which there are
  /// `columns`, begin at `row`. A corner that is deep lies in the box about the other core.
  JOSTLE_HD void for_each_corner(const Polyhedron& core, const CoreSeenFrom& other, int block, int columns,
                                 auto visit) const {
    if (columns == 0) return;
    const int begin = wanted_.first_row(block, columns),
              end = wanted_.end_of_rows(block, core.touching_corners, columns);
    const auto visit_row = [&](int i) {
      if (wanted_.has_part_of_row(block + i * columns, columns)) visit(i, block + i * columns);
    };
    if (core.nodes > 0) {
      for_each_corner_near(core, NearOther(other, beside()), begin, end, visit_row);
    } else if (begin < end) {
      const NearBox near = box_about(other, outside());
      for (int i = begin; i < end; ++i)
        if (near.holds(core.corner(i))) visit_row(i);
    }
  }
  /// visit(d, row, near) for the edges of a near b; of an a with a tree `near` has what of b they are near to.
  JOSTLE_HD void for_each_edge(int block, int columns, auto visit) const {
    if (columns == 0) return;
    const int begin = wanted_.first_row(block, columns), end = wanted_.end_of_rows(block, a_.touching_edges, columns);
    const auto visit_row = [&](int d, const NearOther* near) {
      if (wanted_.has_part_of_row(block + d * columns, columns)) visit(d, block + d * columns, near);
    };
    if (a_.nodes > 0) {
      NearOther near(b_from_a_, between_edges());
      for_each_edge_near(a_, near, begin, end, [&](int d) { visit_row(d, &near); });
    } else {
      for (int d = begin; d < end; ++d) visit_row(d, nullptr);
    }
  }

  JOSTLE_HD CornerOnFaces corner_of_a(int i) const {
    return {a_from_b_, i, b_, reach_b_, highest_, deepest_, point_width()};
  }
  JOSTLE_HD CornerOnFaces corner_of_b(int i) const { return {b_from_a_, i, a_, reach_a_, highest_, deepest_, edge_}; }

  /// Whether a pair with this gap is a ghost beside one with the other gap: it is deeper.
  JOSTLE_HD bool is_ghost(double gap, double other) const { return gap < CandidateBounds(other, 0, edge_).lowest; }

  JOSTLE_HD JOSTLE_OUTLINE void insert_corner_of_a(int i, int row) {
    corner_of_a(i).visit([&](int face, double height) {
      if (!crosses_less_deep(a_from_b_, i, b_, face, height)) wanted_.insert(row + face);
    });
  }

  JOSTLE_HD JOSTLE_OUTLINE void insert_corner_of_b(int i, int row) {
    corner_of_b(i).visit([&](int face, double height) {
      if (!is_covered(i) && !crosses_less_deep(b_from_a_, i, a_, face, height)) wanted_.insert(row + face);
    });
  }

  /// Does a corner of a stand for corner j of b, because it is a candidate over it?
  JOSTLE_HD JOSTLE_OUTLINE bool is_covered(int j) const {
    const Vec3 y = b_.corner(j);
    const double above = highest_ > deepest_ ? highest_ : deepest_;
    bool is_covered = false;
    for_each_corner_near(a_, NearBall{b_from_a_.corner(j), above + 4 * edge_},
                         [&](int i) { is_covered = is_covered || is_over_corner(i, y); });
    return is_covered;
  }
  JOSTLE_HD JOSTLE_OUTLINE bool is_over_corner(int i, const Vec3& y) const {
    const Vec3 away = a_from_b_.corner(i) - y;
    const double near = std::fabs(highest_) + reach_b_;
    if (dot(away, away) > near * near) return false;
    bool covered = false;
    corner_of_a(i).visit([&](int face, double) {
      const Vec3 m = b_.normal(face), across = away - dot(away, m) * m;
      covered = covered || (dot(across, across) <= 2 * edge_ * edge_ && std::fabs(b_.height(face, y)) <= edge_);
    });
    return covered;
  }

  JOSTLE_HD bool is_in_reach(const SeenEdge& of_a) const {
    const double t = -dot(of_a.from, of_a.along);
    const Vec3 nearest = of_a.from + (t < 0 ? 0.0 : t > of_a.length ? of_a.length : t) * of_a.along;
    const double most = reach_b_ + (highest_ > 0 ? highest_ : 0.0) + edge_;
    return dot(nearest, nearest) <= most * most;
  }

  /// `block`: where the crossings begin among the feature pairs.
  JOSTLE_HD JOSTLE_OUTLINE void insert_crossings(int block) {
    const int edges_a = a_.touching_edges, edges_b = b_.touching_edges;
    if (edges_b == 0 || wanted_.first_row(block, edges_b) >= wanted_.end_of_rows(block, edges_a, edges_b)) return;
    const NearBox about_a = box_about(a_from_b_, outside()), about_b = box_about(b_from_a_, outside());
    FeatureSet near_a;  // of the first edges of b those that may cross some of a
    const bool all_count = b_.nodes > 0 || a_.faces == 0;
    for (int e = 0; e < edges_b && e < page_features && !all_count; ++e)
      if (may_cross(b_, e, about_a)) near_a.insert(e);
    for_each_edge(block, edges_b, [&](int d, int row, const NearOther* near) {
      if (may_cross(a_, d, about_b)) insert_crossings_of(d, row, near, all_count ? nullptr : &near_a);
    });
  }

  /// Whether an edge may cross one of the other core, by the box about that: edges that have passed each other do so in
  /// the solid. An edge that ends in a notch goes on.
  JOSTLE_HD JOSTLE_OUTLINE bool may_cross(const Polyhedron& core, int e, const NearBox& about_other) const {
    const PolyhedronEdge edge = core.edge(e);
    Vec3 from = core.corner(edge.from), to = core.corner(edge.to);
    const bool from_notch = edge.from >= core.touching_corners, to_notch = edge.to >= core.touching_corners;
    if (from_notch || to_notch) {
      const Vec3 along = to - from, past = notch_reach * most_depth() / std::sqrt(dot(along, along)) * along;
      if (from_notch) from -= past;
      if (to_notch) to += past;
    }
    return NearSegment(from, to, 0).meets(about_other);
  }

  /// The edges of b that edge d of a crosses. `near_a`: if there is one, of the first edges those that count.
  JOSTLE_HD void insert_crossings_of(int d, int row, const NearOther* near, const FeatureSet* near_a) {
    const PolyhedronEdge own = a_.edge(d);
    const SeenEdge of_a(a_from_b_, own);
    if (!is_in_reach(of_a)) return;
    const Vec3 end = of_a.from + of_a.length * of_a.along;
    const int first = wanted_.first_row(row, 1), last = wanted_.end_of_rows(row, b_.touching_edges, 1);
    const NearSegment segment(of_a.from, end, between_edges());
    for (int k = 0; k < (near != nullptr ? near->parts() : 1); ++k) {
      const NodeRange part = near != nullptr ? near->part(k) : all_nodes(b_);
      for_each_edge_near(b_, part, segment, first, last, [&](int e) {
        if (near_a != nullptr && e < page_features && !near_a->contains(e)) return;
        const PolyhedronEdge other = b_.edge(e);
        if (!may_meet(of_a, other)) return;
        const SeenEdge of_b(b_, other);
        const Crossing found = crossing_of(own, of_a, other, of_b);
        if (!found.is_real) return;
        if (found.gap < -edge_ && ends_less_deep(d, e, found)) return;
        wanted_.insert(row + e);
      });
    }
  }

  /// Whether a corner at an end of edges that have passed each other, not much further away than they are deep, lies
  /// less deep under a face.
  JOSTLE_HD JOSTLE_OUTLINE bool ends_less_deep(int d, int e, const Crossing& found) const {
    const double near = 4 * found.gap * found.gap;
    bool less = false;
    const auto look = [&](CornerOnFaces corner) {
      corner.visit([&](int, double height) { less = less || is_ghost(found.gap, height); });
    };
    const PolyhedronEdge of_a = a_.edge(d), of_b = b_.edge(e);
    for (const int i : {of_a.from, of_a.to}) {
      const Vec3 away = a_from_b_.corner(i) - found.x;
      if (!less && i < a_.touching_corners && dot(away, away) <= near) look(corner_of_a(i));
    }
    for (const int j : {of_b.from, of_b.to}) {
      const Vec3 away = b_.corner(j) - found.y;
      if (!less && j < b_.touching_corners && dot(away, away) <= near) look(corner_of_b(j));
    }
    return less;
  }

  /// Whether an edge at corner i crosses an edge of a face, under which the corner is deep, less deep and not much
  /// further away.
  JOSTLE_HD JOSTLE_OUTLINE bool crosses_less_deep(const CoreSeenFrom& seen, int i, const Polyhedron& other, int face,
                                                  double height) const {
    if (height >= -edge_) return false;
    const bool is_of_a = &seen == &a_from_b_;
    const Vec3 corner = is_of_a ? a_from_b_.corner(i) : b_.corner(i);
    bool less = false;
    seen.own.for_each_edge_at(i, [&](int d) {
      if (less || d >= seen.own.touching_edges) return;
      other.for_each_edge_of(face, [&](int e) {
        if (less || e >= other.touching_edges) return;
        const PolyhedronEdge edge_a = a_.edge(is_of_a ? d : e), edge_b = b_.edge(is_of_a ? e : d);
        const SeenEdge of_a(a_from_b_, edge_a);
        if (!may_meet(of_a, edge_b)) return;
        const SeenEdge of_b(b_, edge_b);
        const Crossing found = crossing_of(edge_a, of_a, edge_b, of_b);
        if (!found.is_real || !is_ghost(height, found.gap)) return;
        const Vec3 away = (is_of_a ? found.x : found.y) - corner;
        less = dot(away, away) <= 4 * height * height;
      });
    });
    return less;
  }

  /// Whether the foot of x on an edge lies in it, widened by `width` (m), and x beyond its faces; `away`: from the
  /// foot.
  JOSTLE_HD static bool is_beside(const Polyhedron& core, int e, const Vec3& x, double width, Vec3& away) {
    const PolyhedronEdge edge = core.edge(e);
    const Vec3 along = core.along(edge), d = x - core.corner(edge.from);
    const double length = std::sqrt(dot(along, along)), at = dot(d, along) / length;
    if (at < -width || at > length + width) return false;
    away = d - at / length * along;
    if (edge.left == no_face) return true;
    const double inwards_left = dot(cross(core.normal(edge.left), along), d),
                 inwards_right = dot(cross(along, core.normal(edge.right)), d);
    const double most = (width > 0 ? width : edge_of_rounding) * length;
    if (inwards_left > most || inwards_right > most) return false;
    return !covers(core, edge.left, x, width > 0 ? width : 0.0) &&
           !covers(core, edge.right, x, width > 0 ? width : 0.0);
  }

  JOSTLE_HD bool has_height(const Vec3& away) const {
    const double squared = dot(away, away);
    return squared > 0 && squared <= highest_ * highest_ && highest_ > 0;
  }

  JOSTLE_HD JOSTLE_OUTLINE void insert_corner_on_edges(int i, int row) {
    const Vec3 x = a_from_b_.corner(i);
    for_each_edge_near(b_, NearBall{x, outside()}, [&](int e) {
      Vec3 away;
      if (!is_beside(b_, e, x, point_width(), away) || !has_height(away)) return;
      if (corner_leads(a_, i, a_from_b_.turned_back(away / std::sqrt(dot(away, away))))) wanted_.insert(row + e);
    });
  }

  /// A ball is over one part at a time.
  JOSTLE_HD double point_width() const { return a_.edges > 0 ? edge_ : 0.0; }

  /// Whether every edge at a corner leads away from x by more than `width` (m).
  JOSTLE_HD static bool is_beyond(const Polyhedron& core, int j, const Vec3& x, double width) {
    bool beyond = true;
    const Vec3 d = x - core.corner(j);
    core.for_each_edge_at(j, [&](int number) {
      const PolyhedronEdge edge = core.edge(number);
      const Vec3 leaving = edge.from == j ? core.along(edge) : Vec3(-core.along(edge));
      beyond = beyond && dot(leaving, d) < -width * std::sqrt(dot(leaving, leaving));
    });
    return beyond;
  }

  JOSTLE_HD JOSTLE_OUTLINE void insert_corner_on_corners(int i, int row) {
    const Vec3 x = a_from_b_.corner(i);
    for_each_corner_near(b_, NearBall{x, outside()}, [&](int j) {
      const Vec3 away = x - b_.corner(j);
      if (!has_height(away) || !is_beyond(b_, j, x, point_width())) return;
      if (corner_leads(a_, i, a_from_b_.turned_back(away / std::sqrt(dot(away, away))))) wanted_.insert(row + j);
    });
  }

  /// Corners of b beside edge d of a.
  JOSTLE_HD JOSTLE_OUTLINE void insert_edge_on_corners(int d, int row) {
    const PolyhedronEdge ends = a_.edge(d);
    const NearSegment near(a_from_b_.corner(ends.from), a_from_b_.corner(ends.to), outside());
    for_each_corner_near(b_, near, [&](int j) {
      Vec3 away;
      if (!is_beside(a_, d, b_from_a_.corner(j), -edge_, away) || !has_height(away)) return;
      const Vec3 turned = b_from_a_.turned_back(away);
      bool is_end = true;  // the edges of the corner lead away
      b_.for_each_edge_at(j, [&](int number) {
        const PolyhedronEdge e = b_.edge(number);
        const Vec3 along = b_.along(e);
        is_end = is_end && (e.from == j ? 1 : -1) * dot(along, turned) >=
                               -border * std::sqrt(dot(along, along) * dot(turned, turned));
      });
      if (is_end) wanted_.insert(row + j);
    });
  }

  /// A rounding of lengths, m.
  static constexpr double edge_of_rounding = gap_rounding;

  Wanted wanted_;
};

/// Of one page.
JOSTLE_HD JOSTLE_OUTLINE inline FeatureSet surface_candidates(const Polyhedron& a, const Polyhedron& b, double highest,
                                                              int first, bool is_rounded) {
  FeatureSet set;
  SurfacePair<PageOfFeatures>(a, b, highest, infinity(), {first, set}).visit(is_rounded);
  return set;
}

/// insert(feature) for all, in no order; deeper than `deepest` (m) there are none.
JOSTLE_HD void visit_surface_candidates(const Polyhedron& a, const Polyhedron& b, double highest, double deepest,
                                        bool is_rounded, auto insert) {
  SurfacePair<AllFeatures<decltype(insert)>>(a, b, highest, deepest, {insert}).visit(is_rounded);
}

}  // namespace jostle::detail
