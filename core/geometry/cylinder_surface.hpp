#pragma once
// A cylinder against a core that is not convex: the feature pairs of cylinder_and_core.hpp, judged by what is near
// them, with the rules of surface_pairs.hpp.
#include "core/geometry/cylinder_and_core.hpp"
#include "core/geometry/passed_edges.hpp"
#include "core/geometry/surface_corner.hpp"

namespace jostle::detail {

class CylinderAndSurface : private CylinderAndCore {
 public:
  JOSTLE_HD CylinderAndSurface(const PlacedShape& a, const PlacedShape& b)
      : CylinderAndCore(a, b), edge_(border * (bounding_radius(a) + bounding_radius(b))) {}

  /// Of one page.
  JOSTLE_HD FeatureSet candidates(double margin, int first) const {
    FeatureSet set;
    for (int feature = first; feature < at_.features && feature < first + page_features; ++feature) {
      if (!may_touch(feature, margin)) continue;
      const ContactGeometry c = contact(feature);
      if (c.gap <= margin && touches(feature, c, margin) && !(c.gap < -edge_ && is_ghost(feature, c, margin)))
        set.insert(feature - first);
    }
    return set;
  }

  /// Apart, m: the shapes are nearest at a point of a rim over a face, or at a corner or an edge of the core, and the
  /// point of the cylinder closest to it. Where they overlap, minus the depth of the deepest of some points: corners of
  /// the core, the middle of what the cylinder has of an edge, points where a face cuts through it; the ends of the
  /// cylinder towards each face, its middle, and the middles of what the core has of its axis.
  JOSTLE_HD double distance() {
    for (int i = 0; i < core_.corners; ++i) look_at(core_.corner_in_world(i));
    for (int e = 0; e < core_.edges; ++e) look_at_edge(e);
    for (int f = 0; f < core_.faces; ++f) look_at_face(f);
    look_along_axis();
    return deepest_ > 0 ? -deepest_ : std::sqrt(squared_);
  }

 private:
  /// A feature of the core; the others are no_part.
  struct Part {
    int face = no_part, edge = no_part, corner = no_part;
    static constexpr int no_part = -1;
  };
  JOSTLE_HD Part part_of(int feature) const {
    Part part;
    if (feature < at_.on_cap)
      part.face = feature / rim_points % core_.faces;
    else if (feature < at_.edge_on_side || feature >= at_.on_rim)
      part.corner = corner_of(feature);
    else
      part.edge = edge_number(feature);
    return part;
  }

  /// Whether features of the core share an edge or a corner that is convex.
  JOSTLE_HD bool meet(const Part& x, const Part& y) const {
    if (x.face >= 0) return y.face < 0 && is_of_face(x.face, y);
    if (y.face >= 0) return is_of_face(y.face, x);
    if (x.edge < 0) return y.edge < 0 ? x.corner == y.corner : ends_at(y.edge, x.corner);
    if (y.edge < 0) return ends_at(x.edge, y.corner);
    const PolyhedronEdge of_y = core_.edge(y.edge);
    return x.edge == y.edge || (of_y.from < core_.touching_corners && ends_at(x.edge, of_y.from)) ||
           (of_y.to < core_.touching_corners && ends_at(x.edge, of_y.to));
  }
  JOSTLE_HD bool ends_at(int e, int corner) const {
    const PolyhedronEdge edge = core_.edge(e);
    return edge.from == corner || edge.to == corner;
  }
  JOSTLE_HD bool is_of_face(int face, const Part& part) const {
    const auto has = [&](int e) {
      const PolyhedronEdge edge = core_.edge(e);
      return edge.left == face || edge.right == face;
    };
    if (part.edge >= 0) return has(part.edge);
    bool any = false;
    core_.for_each_edge_at(part.corner, [&](int e) { any = any || has(e); });
    return any;
  }

  /// Is a feature pair deeper than another one, not much further away than it is deep, whose feature of the core it
  /// meets?
  JOSTLE_HD bool is_ghost(int feature, const ContactGeometry& c, double margin) const {
    const Part part = part_of(feature);
    for (int other = 0; other < at_.features; ++other) {
      if (other == feature || !meet(part, part_of(other)) || !may_touch(other, margin)) continue;
      const ContactGeometry found = contact(other);
      if (found.gap > margin || !(c.gap < CandidateBounds(found.gap, 0, edge_).lowest)) continue;
      const Vec3 away = found.point_a - c.point_a;
      if (dot(away, away) <= 4 * c.gap * c.gap && touches(other, found, margin)) return true;
    }
    return false;
  }

  /// Do the projections of the features overlap, do they face each other, and does each, where they have passed each
  /// other, lie in the solid of the other one?
  JOSTLE_HD bool touches(int feature, const ContactGeometry& c, double margin) const {
    const CandidateBounds bounds(apart_from(part_of(feature)), margin, edge_);
    if (c.gap < bounds.lowest || !lead(feature, c, edge_, bounds.highest - bounds.lowest)) return false;
    if (c.gap < -edge_ && feature >= at_.on_side && feature < at_.edge_on_rim && is_under_cap(feature, c)) return false;
    if (feature < at_.on_cap) return is_on_face(feature, c, margin);
    if (!is_in_or_near(a_, c.point_a, edge_)) return false;
    if (feature < at_.edge_on_side || feature >= at_.on_rim)
      return is_real(feature, c, edge_, 0) && (c.gap >= -edge_ || is_in_or_near(a_, c.point_b, edge_));
    const BoxEdge edge = edge_of(feature);
    const PolyhedronEdge ends = core_.edge(edge_number(feature));
    const double along = dot(c.point_b - edge.middle, edge.direction), past = std::fabs(along) - edge.half_length;
    const bool is_notch = (along < 0 ? ends.from : ends.to) >= core_.touching_corners;
    const double most = (is_notch && c.gap < -edge_ ? -notch_reach * c.gap : 0.0) + edge_;
    if (past > most || !is_real(feature, c, edge_, is_notch ? most : -edge_)) return false;
    return c.gap >= -edge_ || (is_in_or_near(a_, c.point_b, edge_) && has_passed(feature, c));
  }

  /// Is the side or the rim in the solid behind an edge that it has passed?
  JOSTLE_HD bool has_passed(int feature, const ContactGeometry& c) const {
    const bool is_rim = feature >= at_.edge_on_rim;
    const Vec3 u = a_.axes.col(2),
               centre = is_rim ? end_point(a_, (feature - at_.edge_on_rim) / (2 * core_.touching_edges)) : a_.position;
    const Vec3 arm = c.point_a - centre, along = is_rim ? Vec3(cross(u, arm) / a_.size[0]) : u;
    const double at = dot(arm, along), half = is_rim ? a_.size[0] : a_.size[1];
    const PassingLine line{to_local(core_.shape, c.point_a), rotate_back(core_.shape.axes, along), -half - at,
                           half - at};
    const double away = along_to_between(line, {core_, core_.edge(edge_number(feature))}, -c.gap, edge_);
    const Vec3 between = arm + away * along;
    const double scale = is_rim && away != 0 ? a_.size[0] / std::sqrt(dot(between, between)) : 1.0;  // from the tangent
    const Vec3 x = to_local(core_.shape, centre + scale * between);
    return place_behind_edge(core_, x, away, -c.gap, edge_).is_solid(edge_);
  }

  /// How far the cylinder is from a feature of the core at least, along the normals of its faces, m: the most that one
  /// must move to part them.
  JOSTLE_HD double apart_from(const Part& part) const {
    double greatest = -infinity();
    const auto look = [&](int f) {
      const double apart = apart_from_face(f);
      if (apart > greatest) greatest = apart;
    };
    const auto look_at_both = [&](int e) { look(core_.edge(e).left), look(core_.edge(e).right); };
    if (part.face >= 0) look(part.face);
    if (part.edge >= 0) look_at_both(part.edge);
    if (part.corner >= 0) core_.for_each_edge_at(part.corner, look_at_both);
    return greatest;
  }

  /// Whether what is deep under the side is less deep under a cap, which it faces.
  JOSTLE_HD bool is_under_cap(int feature, const ContactGeometry& c) const {
    bool any = false;
    for (int end = 0; end < 2; ++end) {
      const Vec3 m = side(end) * a_.axes.col(2);
      const double height = dot(m, Vec3(c.point_b - a_.position)) - a_.size[1];
      any = any || (c.gap < CandidateBounds(height, 0, edge_).lowest && core_leads(feature, m, edge_, infinity()));
    }
    return any;
  }

  /// Whether a point of a rim is over its face, as corners are (surface_corner.hpp).
  JOSTLE_HD bool is_on_face(int feature, const ContactGeometry& c, double margin) const {
    if (!is_real(feature, c, edge_, 0)) return false;
    const auto faces = [&](int f) { return leads(a_, c.point_a, -core_.in_world(core_.normal(f)), edge_, infinity()); };
    bool found = false;
    PointOnFaces point(to_local(core_.shape, c.point_a), core_, faces, bounding_radius(core_.shape), margin, infinity(),
                       edge_);
    point.visit([&](int f, double) { found = found || f == part_of(feature).face; });
    return found;
  }

  JOSTLE_HD void take(double squared) {
    if (squared < squared_) squared_ = squared;
  }
  JOSTLE_HD void take_depth(double depth) {
    if (depth > deepest_) deepest_ = depth;
  }

  /// A point of the core's surface.
  JOSTLE_HD void look_at(const Vec3& x) {
    const Vec3 beyond = x - closest_point(a_, x), local = to_local(a_, x);
    take(dot(beyond, beyond));
    const double of_side = a_.size[0] - std::sqrt(local[0] * local[0] + local[1] * local[1]),
                 of_cap = a_.size[1] - std::fabs(local[2]);
    take_depth(of_side < of_cap ? of_side : of_cap);
  }

  /// A point of the cylinder.
  JOSTLE_HD void look_into_core(const Vec3& x) {
    const PlaceInCore at = locate(core_, to_local(core_.shape, x));
    if (at.is_inside) take_depth(std::sqrt(at.squared_distance));
  }

  JOSTLE_HD void look_at_edge(int number) {
    const BoxEdge edge = placed_edge(number);
    const Vec3 away = edge.middle - a_.position;
    const double least = std::sqrt(dot(away, away)) - edge.half_length - bounding_radius(a_);
    if (least > 0 && least * least > squared_) return;  // others are nearer
    const auto look = [&](const Vec3& x) {
      const double along = clamp_to(dot(x - edge.middle, edge.direction), edge.half_length);
      look_at(edge.middle + along * edge.direction);
    };
    look(side_across_edge(a_, edge).point_b);
    for (int k = 0; k < 4; ++k)
      look(rim_on_line(a_, k / 2, k % 2, edge.middle, edge.direction, 0, edge.outward).point_a);
    look_at_part_inside(edge);
  }

  /// The middle of what the cylinder has of an edge.
  JOSTLE_HD void look_at_part_inside(const BoxEdge& edge) {
    const Vec3 x = to_local(a_, edge.middle), d = rotate_back(a_.axes, edge.direction);
    double begin = -edge.half_length, end = edge.half_length;
    const auto keep = [&](double from, double to) {
      begin = from > begin ? from : begin;
      end = to < end ? to : end;
    };
    if (std::fabs(d[2]) > 0) {
      const double p = (-a_.size[1] - x[2]) / d[2], q = (a_.size[1] - x[2]) / d[2];
      keep(p < q ? p : q, p < q ? q : p);
    }
    const double a = d[0] * d[0] + d[1] * d[1], b = x[0] * d[0] + x[1] * d[1],
                 root = b * b - a * (x[0] * x[0] + x[1] * x[1] - a_.size[0] * a_.size[0]);
    if (a > 0 && root > 0) keep((-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a);
    if (begin < end) look_at(edge.middle + 0.5 * (begin + end) * edge.direction);
  }

  JOSTLE_HD void look_at_face(int f) {
    const Vec3 m = core_.in_world(core_.normal(f));
    bool is_behind = false;
    for (int rim = 0; rim < 2; ++rim) {
      for (int i = 0; i < rim_points; ++i) {
        const Vec3 x = rim_point(a_, rim, i, m), local = to_local(core_.shape, x);
        const double height = core_.height(f, local);
        if (height < 0 && i == 0) look_into_core(x), is_behind = true;
        if (height * height < squared_ && covers(core_, f, local, 0)) take(height * height);
      }
    }
    const Vec3 across = a_.size[0] * unit_or(across_discs(a_, m), a_.axes.col(0));
    if (is_behind) look_into_core(a_.position - across);
    const Vec3 to_end = a_.size[1] * a_.axes.col(2);
    look_at_section(f, m, across);
    look_at_section(f, m, across + (dot(m, to_end) < 0 ? -1.0 : 1.0) * to_end);
  }

  /// Where a face cuts through the cylinder, although neither has an end in the other: a disc that has cut into a
  /// plate. `way`: from the middle of the cylinder to its surface; looks where the line there and back is in the face.
  JOSTLE_HD void look_at_section(int f, const Vec3& m, const Vec3& way) {
    const double height = core_.height(f, to_local(core_.shape, a_.position)), slope = dot(m, way);
    if (!(std::fabs(height) < std::fabs(slope))) return;
    const Vec3 x = a_.position - height / slope * way;
    if (covers(core_, f, to_local(core_.shape, x), 0)) look_at(x);
  }

  /// The middle, and those of the parts of the axis that the core has.
  JOSTLE_HD void look_along_axis() {
    look_into_core(a_.position);
    const Vec3 ends[] = {to_local(core_.shape, end_point(a_, 0)), to_local(core_.shape, end_point(a_, 1))};
    for (int f = 0; f < core_.faces; ++f) {
      const double begin = pierced_at(f, ends);
      if (!(begin < 1) || !(dot(core_.normal(f), Vec3(ends[1] - ends[0])) < 0)) continue;
      double end = 1;
      for (int g = 0; g < core_.faces; ++g) {
        const double at = pierced_at(g, ends);
        if (at > begin && at < end) end = at;
      }
      look_into_core(a_.position + (begin + end - 1) * a_.size[1] * a_.axes.col(2));
    }
  }

  /// Where the axis goes through a face, as a share of its length; infinity if it does not.
  JOSTLE_HD double pierced_at(int f, const Vec3 (&ends)[2]) const {
    const double first = core_.height(f, ends[0]), last = core_.height(f, ends[1]);
    if ((first < 0) == (last < 0)) return infinity();
    const double at = first / (first - last);
    return covers(core_, f, ends[0] + at * (ends[1] - ends[0]), 0) ? at : infinity();
  }

  double edge_, squared_ = infinity(), deepest_ = 0;
};

JOSTLE_HD JOSTLE_OUTLINE inline FeatureSet cylinder_candidates(const PlacedShape& a, const PlacedShape& surface,
                                                               double margin, int first) {
  return CylinderAndSurface(a, surface).candidates(margin, first);
}
JOSTLE_HD JOSTLE_OUTLINE inline double cylinder_distance(const PlacedShape& a, const PlacedShape& surface) {
  return CylinderAndSurface(a, surface).distance();
}

}  // namespace jostle::detail
