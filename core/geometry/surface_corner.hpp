#pragma once
// A corner of one core, or another point of a shape, against the faces of another core, of which one need not be
// convex.
#include "core/geometry/candidates.hpp"
#include "core/geometry/surface.hpp"

namespace jostle {

namespace detail {

/// May a corner of a core be its end towards the other core, against a direction in its own axes? Its edges lead away,
/// or towards it by at most 30 degrees.
JOSTLE_HD JOSTLE_OUTLINE inline bool corner_leads(const Polyhedron& core, int i, const Vec3& towards) {
  bool all = true;
  core.for_each_edge_at(i, [&](int number) {
    const PolyhedronEdge e = core.edge(number);
    const Vec3 d = core.corner(e.from == i ? e.to : e.from) - core.corner(i);
    all = all && dot(d, towards) >= -nearing_limit * std::sqrt(dot(d, d));
  });
  return all;
}

/// In the axes of the other core. faces(f): whether the shape faces face f there.
template <class Faces>
class PointOnFaces {
 public:
  /// `reach`: of the other core from its middle, `highest`: the greatest height of a candidate, `deepest`: how deep one
  /// is at most, m.
  JOSTLE_HD PointOnFaces(const Vec3& x, const Polyhedron& other, const Faces& faces, double reach, double highest,
                         double deepest, double border_width)
      : faces_(faces), other_(other), x_(x), highest_(highest), deepest_(deepest), border_(border_width) {
    const double far = reach + (highest > 0 ? highest : 0.0) + border_width;
    may_touch_ = other.faces > 0 && dot(x_, x_) <= far * far;
  }

  /// accept(face, height) for the candidates, in no order. A corner in the solid counts for one face: of those that it
  /// faces, the one that it is least deep under. In a notch it counts for the faces beside that one as well. A corner
  /// that is behind a face, but not in the solid, has nothing to do with it: thin parts have a far side.
  JOSTLE_HD void visit(auto accept) {
    if (!may_touch_) return;
    if (other_.nodes > 0 && !place().is_solid(2 * border_)) return visit_outside(accept);
    const NearBall near{x_, reach()};
    int least_deep = no_face;
    double least = -infinity();
    const auto compare = [&](int f, double height) {
      if (height > least || (height == least && f < least_deep)) least = height, least_deep = f;
    };
    for_each_face_near(other_, near, [&](int f) {
      const double height = other_.height(f, x_);
      if (height < -border_ || (height > highest_ && height > border_)) return;
      if (!faces_(f) || !covers(other_, f, x_, border_)) return;
      if (height <= highest_) accept(f, height);
      if (height <= border_) compare(f, height);
    });
    if (least_deep == no_face) {
      for_each_face_near(other_, near, [&](int f) {
        const double height = other_.height(f, x_);
        if (height >= -border_ || height < least || height < -deepest_) return;
        if (faces_(f) && is_over(f, height)) compare(f, height);
      });
    }
    if (least_deep == no_face || (least < -border_ && !place().is_solid(border_))) return;
    if (least < -border_ && least <= highest_) accept(least_deep, least);
    other_.for_each_edge_of(least_deep, [&](int number) {
      if (number < other_.touching_edges) return;
      const PolyhedronEdge notch = other_.edge(number);
      const int beside = notch.left == least_deep ? notch.right : notch.left;
      const double height = other_.height(beside, x_);
      if (height < -border_ && height <= highest_ && height >= -deepest_ && faces_(beside) && is_over(beside, height))
        accept(beside, height);
    });
  }

 private:
  /// The same of a corner that is outside by more than the border: of faces above which it is.
  JOSTLE_HD void visit_outside(auto accept) {
    if (place().squared_distance > 2 * highest_ * highest_ || !(highest_ > 0)) return;
    for_each_face_near(other_, NearBall{x_, highest_ + 3 * border_}, [&](int f) {
      const double height = other_.height(f, x_);
      if (height <= highest_ && height >= -border_ && faces_(f) && covers(other_, f, x_, border_)) accept(f, height);
    });
  }

  /// How far a face is at most over which the corner is, m.
  JOSTLE_HD double reach() const {
    const double deep = (1 + notch_reach) * deepest_;
    return (deep > highest_ ? deep : highest_) + 3 * border_;
  }

  /// As far away as anything counts that visit() looks at. At most once.
  JOSTLE_HD const PlaceInCore& place() {
    const double outside = 1.5 * highest_ + 3 * border_;
    if (!is_placed_) place_ = locate(other_, x_, reach() > outside ? reach() : outside), is_placed_ = true;
    return place_;
  }

  /// At a concave edge a face goes on into the solid as far as the corner is in it, and at an obtuse one as far as the
  /// solid does.
  JOSTLE_HD JOSTLE_OUTLINE bool is_over(int f, double height) {
    if (covers(other_, f, x_, border_)) return true;
    if (height >= -border_) return false;
    const Vec3 foot = x_ - height * other_.normal(f);
    bool over = false;
    other_.for_each_edge_of(f, [&](int number) {
      if (over) return;
      const PolyhedronEdge edge = other_.edge(number);
      if (other_.height(edge.left == f ? edge.right : edge.left, x_) > border_) return;  // not in the solid there
      const double past_edge = std::sqrt(FaceEdge(other_, f, edge).squared_distance(foot));
      if (number < other_.touching_edges)
        over = past_edge <= -past_obtuse * height;
      else
        over = past_edge <= 2 * border_ ||
               (place().is_inside && past_edge <= notch_reach * least_of(std::sqrt(place().squared_distance)));
    });
    return over;
  }

  JOSTLE_HD double least_of(double depth) const { return depth < deepest_ ? depth : deepest_; }

  const Faces faces_;
  const Polyhedron& other_;
  Vec3 x_;
  double highest_, deepest_, border_;
  bool may_touch_, is_placed_ = false;
  PlaceInCore place_;
};

/// Which faces of another core a corner faces.
struct CornerFaces {
  const CoreSeenFrom& seen;
  int corner;
  const Polyhedron& other;

  JOSTLE_HD bool operator()(int f) const { return corner_leads(seen.own, corner, seen.turned_back(other.normal(f))); }
};

struct CornerOnFaces : PointOnFaces<CornerFaces> {
  JOSTLE_HD CornerOnFaces(const CoreSeenFrom& seen, int corner, const Polyhedron& other, double reach, double highest,
                          double deepest, double border_width)
      : PointOnFaces(seen.corner(corner), other, {seen, corner, other}, reach, highest, deepest, border_width) {}
};

}  // namespace detail

}  // namespace jostle
