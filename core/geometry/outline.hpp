#pragma once
// Outlines: what a planar scene has of a shape. The core is a simple polygon, convex or not, whose corners run
// counter-clockwise, and the shape is the set of points within a radius of it. A sphere has a core of one corner, a
// capsule of two (with an edge on either side), a box of four. Edge i leads from corner i to the next one, straight or
// as an arc.
#include "core/geometry/arc.hpp"
#include "core/geometry/candidates.hpp"
#include "core/geometry/contact_geometry.hpp"

namespace jostle {

/// A corner whose edges turn by less (sine) is flat, and touches nothing.
inline constexpr double flat_corner = 1e-9;

/// Circles whose radii differ by less, relative to them, are one.
inline constexpr double same_circle = 1e-9;

/// How many corners the outline of a shape has; `corners`: of a polygon.
JOSTLE_HD constexpr int outline_corners(ShapeType type, int corners) {
  return type == ShapeType::sphere ? 1 : type == ShapeType::capsule ? 2 : type == ShapeType::box ? 4 : corners;
}

/// A box along the axes of a plane.
struct PlaneBox {
  Vec2 low, high;

  /// About the line from p to q, further by `width` (m) on all sides.
  JOSTLE_HD PlaneBox(const Vec2& p, const Vec2& q, double width)
      : low{(p.x < q.x ? p.x : q.x) - width, (p.y < q.y ? p.y : q.y) - width},
        high{(p.x < q.x ? q.x : p.x) + width, (p.y < q.y ? q.y : p.y) + width} {}

  JOSTLE_HD void include(const PlaneBox& other) {
    low = {other.low.x < low.x ? other.low.x : low.x, other.low.y < low.y ? other.low.y : low.y};
    high = {other.high.x > high.x ? other.high.x : high.x, other.high.y > high.y ? other.high.y : high.y};
  }
  JOSTLE_HD bool meets(const PlaneBox& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y;
  }
  JOSTLE_HD double squared_distance(const Vec2& x) const {
    const double left = low.x - x.x, right = x.x - high.x, below = low.y - x.y, above = x.y - high.y;
    const double beside = left > right ? left : right, over = below > above ? below : above;
    return (beside > 0 ? beside * beside : 0.0) + (over > 0 ? over * over : 0.0);
  }
};

class Outline {
 public:
  /// `normal`: of the plane. A capsule across the plane is a disc.
  JOSTLE_HD Outline(const PlacedShape& shape, const Vec3& normal)
      : corners(outline_corners(shape.type, shape.corners)),
        middle(shape.position),
        points_(shape.corner),
        bulges_(shape.bulge) {
    int across = 2;  // the axis along the normal
    if (shape.type == ShapeType::box) {
      for (int k = 0; k < 2; ++k)
        if (std::fabs(dot(shape.axes.col(k), normal)) > 0.5) across = k;
      half_[0] = component(shape.size, (across + 1) % 3), half_[1] = component(shape.size, (across + 2) % 3);
      u = shape.axes.col((across + 1) % 3), v = cross(normal, u);
      return;
    }
    radius = shape.size[0];
    if (shape.type == ShapeType::polygon) {
      u = shape.axes.col(0), v = shape.axes.col(1);
      return;
    }
    u = shape.axes.col(2);
    if (shape.type == ShapeType::capsule) half_[0] = shape.size[1];
    if (std::fabs(dot(u, normal)) > 0.5) {
      u = shape.axes.col(0), half_[0] = 0;
      if (shape.type == ShapeType::capsule) corners = 1;
    }
    v = cross(normal, u);
  }

  int corners;
  double radius = 0;  ///< m
  Vec3 middle, u, v;  ///< origin and axes of the plane, world

  JOSTLE_HD int after(int i) const { return i + 1 < corners ? i + 1 : 0; }
  JOSTLE_HD int before(int i) const { return i > 0 ? i - 1 : corners - 1; }

  /// In the axes u and v, from the middle, m.
  JOSTLE_HD JOSTLE_OUTLINE Vec2 corner(int i) const {
    if (points_) return {points_[2 * i], points_[2 * i + 1]};
    return {i == 1 || i == 2 ? half_[0] : -half_[0], i >= 2 ? half_[1] : -half_[1]};
  }
  JOSTLE_HD Vec3 in_world(const Vec2& x) const { return x.x * u + x.y * v; }
  JOSTLE_HD Vec3 corner_in_world(int i) const { return middle + in_world(corner(i)); }
  JOSTLE_HD Vec2 in_plane(const Vec3& x) const {
    const Vec3 d = x - middle;
    return {dot(d, u), dot(d, v)};
  }

  JOSTLE_HD bool has_arcs() const { return bulges_ != nullptr; }
  /// Of an edge: 0 if it is straight, > 0 if it is a convex arc.
  JOSTLE_HD double bulge(int edge) const { return bulges_ ? bulges_[edge] : 0; }
  JOSTLE_HD bool is_arc(int edge) const { return bulge(edge) != 0; }
  JOSTLE_HD bool is_convex_arc(int edge) const { return bulge(edge) > 0; }
  JOSTLE_HD JOSTLE_OUTLINE CircularArc arc(int edge) const { return {corner(edge), corner(after(edge)), bulge(edge)}; }

  /// Unit vector along an edge, of an arc along its chord; (1, 0) if it has no length.
  JOSTLE_HD JOSTLE_OUTLINE Vec2 direction(int edge, double& length) const {
    const Vec2 d = corner(after(edge)) - corner(edge);
    length = std::sqrt(dot(d, d));
    return length > shortest_length ? Vec2{d.x / length, d.y / length} : Vec2{1, 0};
  }
  JOSTLE_HD static Vec2 outwards(const Vec2& direction) { return {direction.y, -direction.x}; }

  /// m: an edge from p to q, in any axes, is no further than that from its chord; with `past_end` neither is the circle
  /// of an arc where that goes on along the edge, has_normal().
  JOSTLE_HD double beside(int edge, const Vec2& p, const Vec2& q, bool past_end = false) const {
    if (!bulges_) return 0;
    const double share = 2.2 * std::fabs(bulges_[edge]) + (past_end ? 0.4 : 0.0);
    return share * (std::fabs(q.x - p.x) + std::fabs(q.y - p.y));
  }

  /// The outward normal of an edge, world.
  JOSTLE_HD Vec3 edge_normal(int edge) const {
    double length;
    return in_world(outwards(direction(edge, length)));
  }

  /// Unit vectors along an edge where it begins, and where it ends.
  JOSTLE_HD Vec2 start_direction(int edge) const { return end_tangent(edge, -1); }
  JOSTLE_HD Vec2 end_direction(int edge) const { return end_tangent(edge, 1); }

  JOSTLE_HD JOSTLE_OUTLINE FromEdge from_edge(int edge, const Vec2& x) const {
    return is_arc(edge) ? arc(edge).from(x) : from_chord(edge, x);
  }
  /// The same as if the edge were straight.
  JOSTLE_HD FromEdge from_chord(int edge, const Vec2& x) const {
    FromEdge from;
    const Vec2 along = direction(edge, from.length), d = x - corner(edge);
    from.normal = outwards(along);
    from.height = dot(from.normal, d), from.along = dot(along, d);
    return from;
  }

  /// Corner i turns outwards, > 0, or inwards: the sine of the turn.
  JOSTLE_HD JOSTLE_OUTLINE double turn(int i) const {
    if (corners < 3 && !bulges_) return 1;
    return turn_of(end_direction(before(i)), start_direction(i));
  }
  JOSTLE_HD bool is_convex(int i) const { return turn(i) > flat_corner; }
  JOSTLE_HD bool is_concave(int i) const { return turn(i) < -flat_corner; }

  /// Whether an edge goes on along the circle of the one before it. Arcs that follow each other so are one: feature
  /// pairs have the number of the first, or 0 if they go all the way round.
  JOSTLE_HD JOSTLE_OUTLINE bool continues(int edge) const {
    const int last = before(edge);
    if (!has_arcs() || bulge(edge) * bulge(last) <= 0 || std::fabs(turn(edge)) > flat_corner) return false;
    const double own = arc(edge).radius;
    return std::fabs(arc(last).radius - own) <= same_circle * own;
  }
  JOSTLE_HD bool is_first_of_run(int edge) const {
    if (edge != 0 || !continues(edge)) return !continues(edge);
    for (int e = 1; e < corners; ++e)
      if (!continues(e)) return false;
    return true;
  }
  /// visit(e) for an edge and those that continue it.
  JOSTLE_HD void for_each_in_run(int edge, auto visit) const {
    visit(edge);
    for (int e = after(edge); e != edge && continues(e); e = after(e)) visit(e);
  }

  /// Whether an outward normal is one of a run of convex arcs, within `border_width` (m).
  JOSTLE_HD bool run_has_normal(int edge, const Vec2& n, double border_width) const {
    bool has = false;
    for_each_in_run(edge, [&](int e) { has = has || has_normal(e, arc(e), n, border_width); });
    return has;
  }

  /// Whether an outward normal is one of a convex arc, within `border_width` (m). At an end without a corner the circle
  /// goes on inside of the solid, unless the edge there turns more: up to 30 degrees, as far as the edge is long, and
  /// the part not so thin that the circle comes out of it again.
  JOSTLE_HD bool has_normal(int edge, const CircularArc& arc, const Vec2& n, double border_width) const {
    const double past = arc.past_end(n);
    if (past * arc.radius <= border_width) return true;
    if (past > nearing_limit) return false;
    const bool at_last = arc.is_in_second_half(n);
    const double turned = turn(at_last ? after(edge) : edge);
    if (turned > flat_corner || turned < -flat_slope) return false;
    const int next = at_last ? after(edge) : before(edge);
    double length;
    direction(next, length);
    if (past * arc.radius > length) return false;
    if (is_convex_arc(next) && !(this->arc(next).radius > arc.radius * (1 + same_circle))) return false;
    return is_solid(arc.centre + arc.radius * n, border_width);
  }

  /// Whether a point is in the core, or no further than `border_width` (m) from its edges.
  JOSTLE_HD bool is_solid(const Vec2& x, double border_width) const;

 private:
  JOSTLE_HD Vec2 end_tangent(int edge, double end) const {
    double length;
    const Vec2 d = direction(edge, length);
    if (!is_arc(edge)) return d;
    const double b = bulge(edge), scale = 1 / (1 + b * b), c = (1 - b * b) * scale, s = end * 2 * b * scale;
    return {c * d.x - s * d.y, c * d.y + s * d.x};
  }

  const double* points_;
  const double* bulges_;  ///< null: all edges are straight
  double half_[2] = {0, 0};
};

/// The corners of one outline in the plane of another one.
struct SeenFrom {
  const Outline& own;
  Vec2 middle, u, v;

  JOSTLE_HD SeenFrom(const Outline& own_outline, const Outline& other)
      : own(own_outline),
        middle(other.in_plane(own.middle)),
        u{dot(own.u, other.u), dot(own.u, other.v)},
        v{dot(own.v, other.u), dot(own.v, other.v)} {}

  JOSTLE_HD Vec2 turned(const Vec2& x) const { return {x.x * u.x + x.y * v.x, x.x * u.y + x.y * v.y}; }
  JOSTLE_HD Vec2 turned_back(const Vec2& x) const { return {dot(x, u), dot(x, v)}; }
  JOSTLE_HD Vec2 placed(const Vec2& x) const { return middle + turned(x); }
  JOSTLE_HD Vec2 corner(int i) const { return placed(own.corner(i)); }
};

/// Where a point is relative to a whole outline's core.
struct PointAndOutline {
  bool is_inside = false;
  double squared_distance = infinity();  ///< from the edges, m^2
};

/// The winding number tells inside from outside, and the distance is that of the nearest edge. Between an arc and its
/// chord the winding number is that of the chords, one more or one less. `most`: the squared distance counts only if it
/// is less, m^2.
JOSTLE_HD inline PointAndOutline locate(const Outline& outline, const Vec2& x, double most = infinity()) {
  constexpr double further = 1 + 1e-8, rounding = 1e-21;  // rounding makes no edge nearest that is further by these
  PointAndOutline at{false, most};
  int winding = 0;
  const auto is_nearer = [&](double squared) {
    if (squared < at.squared_distance) at.squared_distance = squared;
  };
  for (int e = 0; e < outline.corners; ++e) {
    const Vec2 p = outline.corner(e), q = outline.corner(outline.after(e));
    const bool counts = (p.y <= x.y) != (q.y <= x.y);
    const double nearest = further * at.squared_distance + rounding * dot(x - p, x - p);
    if (!counts && PlaneBox(p, q, outline.beside(e, p, q)).squared_distance(x) > nearest) continue;
    const FromEdge from = outline.from_chord(e, x);
    if (p.y <= x.y && q.y > x.y && from.height < 0) ++winding;
    if (p.y > x.y && q.y <= x.y && from.height > 0) --winding;
    if (!outline.is_arc(e)) {
      const double beyond = from.along < 0 ? -from.along : from.along > from.length ? from.along - from.length : 0.0;
      is_nearer(from.height * from.height + beyond * beyond);
      continue;
    }
    const CircularArc arc = outline.arc(e);
    const Vec2 d = x - arc.centre;
    // A point on the chord counts for the side that the two lines above have it on.
    const bool counts_left = from.height < 0 || (from.height == 0 && (q.y < p.y || (q.y == p.y && q.x > p.x)));
    if (counts_left != arc.is_convex() && dot(d, d) < arc.radius * arc.radius) winding += arc.is_convex() ? 1 : -1;
    const double height = arc.from(x).height;
    if (arc.past_end(arc.towards(x)) <= 0)
      is_nearer(height * height);
    else
      is_nearer(dot(x - p, x - p)), is_nearer(dot(x - q, x - q));
  }
  at.is_inside = winding != 0;
  return at;
}

JOSTLE_HD JOSTLE_OUTLINE inline bool Outline::is_solid(const Vec2& x, double border_width) const {
  const PointAndOutline at = locate(*this, x);
  return at.is_inside || at.squared_distance <= border_width * border_width;
}

/// Whether is_near(p, q, beside) holds for an edge, from p to q, of those that may meet a box, or x may be inside,
/// which is a point of the box. That takes far less than locate(), which says the same of x where no edge is near.
JOSTLE_HD bool is_near_or_inside(const Outline& outline, const PlaneBox& box, const Vec2& x, double border_width,
                                 bool past_end, auto is_near) {
  int winding = 0;
  Vec2 q = outline.corner(0);
  for (int e = 0; e < outline.corners; ++e) {
    const Vec2 p = q;
    q = outline.corner(outline.after(e));
    const double beside = outline.beside(e, p, q, past_end), top = box.high.y + beside, bottom = box.low.y - beside;
    if ((p.y > top && q.y > top) || (p.y < bottom && q.y < bottom)) continue;
    if (box.meets({p, q, beside}) && is_near(p, q, beside)) return true;
    const bool rises = q.y > x.y;
    if ((p.y > x.y) == rises) continue;
    const Vec2 d = q - p;
    const double height = turn_of(x - p, d);  // times the length
    if (!(std::fabs(height) > border_width * (std::fabs(d.x) + std::fabs(d.y)))) return true;
    if (rises == (height < 0)) winding += rises ? 1 : -1;
  }
  return winding != 0;
}

}  // namespace jostle
