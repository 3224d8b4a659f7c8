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

  /// accept(face, height) for the candidates. A corner in the solid counts for one face: of those that it faces, the
  /// one that it is least deep under. In a notch it counts for the faces beside that one as well. A corner that is
  /// behind a face, but not in the solid, has nothing to do with it: thin parts have a far side.
  JOSTLE_HD void visit(auto accept) {
    if (!may_touch_) return;
    int least_deep = no_face;
    double least = -infinity();
    if (other_.nodes > 0 && !place().is_solid(2 * border_)) return visit_outside(accept);
    int over[most_kept], kept = 0;  // faces below the corner
    const NearBall near{x_, reach()};
    for_each_face_near(other_, near, [&](int f) {
      const double height = other_.height(f, x_);
      if ((height > highest_ && height > border_) || height < -deepest_ || !faces_(f) || !is_over(f, height)) return;
      if (height <= highest_ && kept++ < most_kept) over[kept - 1] = f;
      if (height > border_ || height < least || (height == least && f > least_deep)) return;
      least = height, least_deep = f;
    });
    if (kept == 0) return;
    const bool is_deep = least_deep != no_face && (least >= -border_ || place().is_solid(border_));
    const auto accept_if_real = [&](int f) {
      const double height = other_.height(f, x_);
      if (height >= -border_ || (is_deep && (f == least_deep || shares_notch(f, least_deep)))) accept(f, height);
    };
    if (kept <= most_kept) {
      for (int k = 0; k < kept; ++k) accept_if_real(over[k]);
      return;
    }
    for_each_face_near(other_, near, [&](int f) {
      const double height = other_.height(f, x_);
      if (height <= highest_ && height >= -deepest_ && faces_(f) && is_over(f, height)) accept_if_real(f);
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

  static constexpr int most_kept = 16;  ///< faces that are not looked for again

  /// How far a face is at most over which the corner is, m.
  JOSTLE_HD double reach() const {
    const double deep = (1 + notch_reach) * deepest_;
    return (deep > highest_ ? deep : highest_) + 3 * border_;
  }

  /// As far away as anything counts that visit() looks at. Once at the most.
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

  JOSTLE_HD JOSTLE_OUTLINE bool shares_notch(int f, int deep) const {
    bool shares = false;
    other_.for_each_edge_of(f, [&](int number) {
      const PolyhedronEdge edge = other_.edge(number);
      shares = shares || (number >= other_.touching_edges && (edge.left == deep || edge.right == deep));
    });
    return shares && f != deep;
  }

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
