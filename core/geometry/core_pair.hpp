#pragma once
// Which feature pairs of two convex cores (polyhedron.hpp), numbered as in polyhedron_pairs.hpp, are candidates. The
// rules are those of boxes (box_box.hpp) and of capsules with boxes (capsule_box.hpp).
#include "core/geometry/candidates.hpp"
#include "core/geometry/contact_geometry.hpp"
#include "core/geometry/lines.hpp"
#include "core/geometry/polyhedron_separation.hpp"
#include "core/geometry/wanted_features.hpp"

namespace jostle {

namespace detail {

/// The candidates of two cores. `Wanted`: which are looked for.
template <class Wanted>
class CorePair : private TwoCores {
 public:
  JOSTLE_HD CorePair(const Polyhedron& a, const Polyhedron& b, double highest, const Wanted& wanted)
      : TwoCores(a, b), bounds_(0, highest, border * size()), wanted_(wanted) {}

  /// Finds the candidates, if the cores are not further apart than the greatest gap of one.
  JOSTLE_HD void visit(bool is_rounded) {
    look_along_faces();
    if (apart_ > bounds_.highest) return;
    look_along_crossings();
    if (apart_ > bounds_.highest) return;
    bounds_ = CandidateBounds(apart_, bounds_.highest, bounds_.edge);
    overlaps_ = apart_ < -bounds_.edge;
    insert_all(is_rounded);
  }

 private:
  /// visit(i) for the rows of a block, each of so many columns, in which something is looked for.
  JOSTLE_HD void for_each_row(int block, int rows, int columns, auto visit) const {
    if (columns == 0) return;
    const int end = wanted_.end_of_rows(block, rows, columns);
    for (int i = wanted_.first_row(block, columns); i < end; ++i)
      if (wanted_.has_part_of_row(block + i * columns, columns)) visit(i);
  }

  JOSTLE_HD void insert_all(bool is_rounded) {
    const int of_b = a_.corners * b_.faces, across = of_b + b_.corners * a_.faces;
    for_each_row(0, a_.corners, b_.faces, [&](int i) { insert_corner_of_a(i, false, 0); });
    for_each_row(of_b, b_.corners, a_.faces, [&](int i) { insert_corner_of_b(i, of_b); });
    insert_crossings(across);
    if (!is_rounded) return;
    const int on_edge = across + a_.edges * b_.edges;
    for (int i = 0; i < a_.corners; ++i) insert_corner_of_a(i, true, on_edge);
    const int on_corner = on_edge + a_.corners * b_.edges;
    if (a_.edges > 0)
      for (int j = 0; j < b_.corners; ++j) insert_edge_on_corner(j, on_corner);
  }

  /// May a corner of a core be its end towards the other core, against a direction in its own axes?
  JOSTLE_HD bool leads(const Polyhedron& core, int i, const Vec3& towards) const {
    bool all = true;
    core.for_each_edge_at(i, [&](int number) {
      const PolyhedronEdge e = core.edge(number);
      const Vec3 d = core.corner(e.from == i ? e.to : e.from) - core.corner(i);
      const double length = std::sqrt(dot(d, d));
      all = all && bounds_.leads(-dot(d, towards) / length, length);
    });
    return all;
  }

  JOSTLE_HD bool is_beyond(const Polyhedron& core, const Vec3& x) const {
    for (int f = 0; f < core.faces; ++f)
      if (core.height(f, x) > bounds_.highest && core.height(f, x) > bounds_.edge) return true;
    return false;
  }

  /// The face of `other` that corner i of a core touches, given the part that it is nearest to; no_face if none.
  JOSTLE_HD int face_under(const CoreSeenFrom& seen, int i, const Polyhedron& other, const NearestPart& part) const {
    const auto faces = [&](int f) { return leads(seen.own, i, seen.turned_back(other.normal(f))); };
    if (part.kind == NearestPart::Kind::face) return faces(part.number) ? part.number : no_face;
    if (part.kind != NearestPart::Kind::inside) return no_face;
    int touched = no_face;
    double greatest = 0;
    for (int f = 0; f < other.faces; ++f) {
      if (!faces(f)) continue;
      const double apart = separation_along(seen, other, f);
      if (touched == no_face || apart > greatest) touched = f, greatest = apart;
    }
    return touched;
  }

  /// The face of `other` through which corner i of a core, at x, has come and left `other` again behind it, where that
  /// is thin, as at an edge of less than 90 degrees. Only faces along which the cores overlap least; no_face if none.
  [[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE int face_passed(const CoreSeenFrom& seen, int i, const Polyhedron& other,
                                                         const Vec3& x) const {
    int passed = no_face;
    double greatest = bounds_.lowest;
    for (int f = 0; f < other.faces; ++f) {
      const double height = other.height(f, x);
      if (!(height < 0 && height >= bounds_.lowest) || !other.is_over(f, x, 0)) continue;
      if (!leads(seen.own, i, seen.turned_back(other.normal(f)))) continue;
      const double apart = separation_along(seen, other, f);
      if (apart >= greatest) passed = f, greatest = apart;
    }
    return passed;
  }

  /// How far from the other core a feature of a candidate may be, m: no further than the gap, and than the border
  /// beyond that core, which is wider at its sharp corners.
  JOSTLE_HD double reach() const {
    const double most = bounds_.highest > -bounds_.lowest ? bounds_.highest : -bounds_.lowest;
    return most + sharp_corners * bounds_.edge;
  }
  JOSTLE_HD bool may_touch_b(const Vec3& x) const { return may_reach_b(x, reach()); }
  JOSTLE_HD bool may_touch_a(const Vec3& y) const { return may_reach_a(y, reach()); }

  JOSTLE_HD bool is_within(double gap) const { return gap >= bounds_.lowest && gap <= bounds_.highest; }

  /// Of b, nearest to a corner of a. A ball is over one part at a time.
  JOSTLE_HD NearestPart part_of_b(const Vec3& x) const {
    return nearest_part(b_, x, a_.edges > 0 ? bounds_.edge : 0.0);
  }

  /// The face of b that corner i of a is a candidate on; no_face if none.
  JOSTLE_HD int touched_by_a(int i) const {
    const Vec3 x = a_from_b_.corner(i);
    if (!may_touch_b(x)) return no_face;
    const int face = is_beyond(b_, x) ? no_face : face_under(a_from_b_, i, b_, part_of_b(x));
    if (face != no_face && is_within(b_.height(face, x))) return face;
    return overlaps_ ? face_passed(a_from_b_, i, b_, x) : no_face;
  }

  /// Corner i of a on a face, or else (`on_edges`, whose block begins there) on an edge or corner.
  JOSTLE_HD void insert_corner_of_a(int i, bool on_edges, int block) {
    if (!on_edges) {
      const int face = touched_by_a(i);
      if (face != no_face) wanted_.insert(i * b_.faces + face);
      return;
    }
    const Vec3 x = a_from_b_.corner(i);
    if (!may_touch_b(x) || is_beyond(b_, x)) return;
    const NearestPart part = part_of_b(x);
    if (part.kind == NearestPart::Kind::inside || part.kind == NearestPart::Kind::face) return;
    const double distance = std::sqrt(dot(part.away, part.away));
    if (distance > bounds_.highest || !(distance > 0)) return;
    if (!leads(a_, i, a_from_b_.turned_back(part.away / distance))) return;
    const int on_corner = block + a_.corners * b_.edges + a_.edges * b_.corners;
    wanted_.insert(part.kind == NearestPart::Kind::edge ? block + i * b_.edges + part.number
                                                        : on_corner + i * b_.corners + part.number);
  }

  JOSTLE_HD void insert_corner_of_b(int i, int block) {
    if (!may_touch_a(b_.corner(i))) return;
    const Vec3 x = b_from_a_.corner(i);
    int face = is_beyond(a_, x) ? no_face : face_under(b_from_a_, i, a_, nearest_part(a_, x, bounds_.edge));
    if ((face == no_face || !is_within(a_.height(face, x))) && overlaps_) face = face_passed(b_from_a_, i, a_, x);
    if (face == no_face || !is_within(a_.height(face, x)) || is_covered(i)) return;
    wanted_.insert(block + i * a_.faces + face);
  }

  /// Does a corner of a stand for corner j of b, because it is a candidate over it?
  JOSTLE_HD bool is_covered(int j) const {
    const double edge = bounds_.edge, most = bounds_.highest > -bounds_.lowest ? bounds_.highest : -bounds_.lowest;
    const double near = most + 2 * edge;
    for (int i = 0; i < a_.corners; ++i) {
      const Vec3 away = a_from_b_.corner(i) - b_.corner(j);
      if (dot(away, away) > near * near) continue;
      const int face = touched_by_a(i);
      if (face == no_face || std::fabs(b_.height(face, b_.corner(j))) > edge) continue;
      const Vec3 m = b_.normal(face), across = away - dot(away, m) * m;
      if (dot(across, across) <= 2 * edge * edge) return true;
    }
    return false;
  }

  /// Which of its two faces lead towards the other core, and not too far?
  JOSTLE_HD bool edge_leads(const Polyhedron& core, const PolyhedronEdge& edge, double left, double right) const {
    if (left > nearing_limit || right > nearing_limit) return false;
    if (left > 0 && !bounds_.leads(left, core.width_from(edge.left, edge))) return false;
    return !(right > 0) || bounds_.leads(right, core.width_from(edge.right, edge));
  }

  /// `block`: where the crossings begin among the feature pairs.
  JOSTLE_HD void insert_crossings(int block) {
    EdgeSet of_b;
    for (int e = 0; e < b_.edges; ++e) {
      const PolyhedronEdge edge = b_.edge(e);
      if (may_touch_a(b_.corner(edge.from)) || may_touch_a(b_.corner(edge.to))) of_b.insert(e);
    }
    for_each_row(block, a_.edges, b_.edges, [&](int d) {
      const PolyhedronEdge edge = a_.edge(d);
      if (may_touch_b(a_from_b_.corner(edge.from)) || may_touch_b(a_from_b_.corner(edge.to)))
        insert_crossings_of(edge, of_b, block + d * b_.edges);
    });
  }

  /// Those of an edge of a.
  JOSTLE_HD void insert_crossings_of(const PolyhedronEdge& own, const EdgeSet& edges_of_b, int first_of_row) {
    const SeenEdge of_a(a_from_b_, own);
    edges_of_b.for_each(b_.edges, [&](int e) {
      const PolyhedronEdge other = b_.edge(e);
      const SeenEdge of_b(b_, other);
      const CrossedEdges crossed = cross_edges(of_a, of_b);
      if (crossed.is_apart() || !is_within(crossed.gap)) return;
      if (!edge_leads(a_, own, crossed.left_of_a, crossed.right_of_a)) return;
      if (!edge_leads(b_, other, crossed.left_of_b, crossed.right_of_b)) return;
      const double half_a = 0.5 * of_a.length, half_b = 0.5 * of_b.length, edge = bounds_.edge;
      const LineCrossing crossing =
          cross_lines(of_b.from + half_b * of_b.along - of_a.from - half_a * of_a.along, of_a.along, of_b.along);
      // Where a corner ends the edge, the corner is the contact, if there is a face for it.
      const bool a_is_flat = is_normal_of_face(a_, crossed.left_of_a, crossed.right_of_a);
      const bool b_is_flat = is_normal_of_face(b_, crossed.left_of_b, crossed.right_of_b);
      if (std::fabs(crossing.along_u) <= half_a + (b_is_flat ? -edge : edge) &&
          std::fabs(crossing.along_v) <= half_b + (a_is_flat ? -edge : edge))
        wanted_.insert(first_of_row + e);
    });
  }

  /// Corner j of b, beside an edge of a.
  JOSTLE_HD void insert_edge_on_corner(int j, int block) {
    const Vec3 y = b_from_a_.corner(j);
    if (!may_touch_a(b_.corner(j)) || is_beyond(a_, y)) return;
    const NearestPart part = nearest_part(a_, y, -bounds_.edge);
    if (part.kind != NearestPart::Kind::edge || dot(part.away, part.away) > bounds_.highest * bounds_.highest) return;
    const Vec3 away = b_from_a_.turned_back(part.away);
    bool is_end = true;  // the edges of the corner lead away
    b_.for_each_edge_at(j, [&](int number) {
      const PolyhedronEdge e = b_.edge(number);
      const Vec3 d = b_.along(e);
      is_end = is_end && (e.from == j ? 1 : -1) * dot(d, away) >= -border * std::sqrt(dot(d, d) * dot(away, away));
    });
    if (is_end) wanted_.insert(block + part.number * b_.corners + j);
  }

  /// A corner this sharp, 1e-4 rad, reaches so many times as far out of its faces' borders.
  static constexpr double sharp_corners = 1e4;

  CandidateBounds bounds_;
  Wanted wanted_;
  bool overlaps_ = false;  ///< by more than the border
};

}  // namespace detail

}  // namespace jostle
