#include "scenarios/parameters/polygon.hpp"

#include <algorithm>

#include "scenarios/parameters/plane_areas.hpp"

namespace jostle {
namespace {

/// The other way round, from the same corner.
void reverse(TracedOutline& outline) {
  std::reverse(outline.points.begin() + 1, outline.points.end());
  std::reverse(outline.bulges.begin(), outline.bulges.end());
  std::reverse(outline.are_arcs.begin(), outline.are_arcs.end());
  for (Traced& bulge : outline.bulges) bulge = -bulge;
}

/// Outward normals of an edge where it begins and where it ends; of unit length.
std::pair<TracedPoint, TracedPoint> normals_of(const TracedOutline& outline, std::size_t edge) {
  const auto [first, last] = outline.directions(edge);
  if (outline.are_arcs[edge]) return {outwards(first), outwards(last)};
  const TracedPoint normal = outwards(1 / sqrt(dot(first, first)) * first);
  return {normal, normal};
}

/// A strip along every edge and, between them, a sector where corners turn outwards; where they turn inwards the strips
/// overlap in a kite.
void add_rim(const TracedOutline& outline, const Traced& radius, AreaSums& sums) {
  const std::vector<TracedPoint>& corners = outline.points;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const TracedPoint &p = corners[i], &q = corners[outline.after(i)];
    const TracedPoint m = normals_of(outline, i).second, n_next = normals_of(outline, outline.after(i)).first;
    const TracedPoint rise = radius * m;
    if (outline.are_arcs[i]) {
      sums.add_rim(outline.arc(i), radius);
    } else {
      sums.add_triangle(p, p + rise, q + rise);
      sums.add_triangle(p, q + rise, q);
    }
    const Traced is_convex = turn(m, n_next) > 0;
    AreaSums sector, kite;
    sector.add_sector(q, radius, m, n_next);
    const TracedPoint tip = q + radius / (1 + dot(m, n_next)) * (m + n_next);
    kite.add_triangle(q, q + rise, tip);
    kite.add_triangle(q, tip, q + radius * n_next);
    const auto choose = [&](const Traced& a, const Traced& b) { return where(is_convex, a) + where(!is_convex, b); };
    sums.area += choose(sector.area, kite.area);  // a kite that turns clockwise counts against
    sums.second_moment += choose(sector.second_moment, kite.second_moment);
    sums.first_moment = sums.first_moment + TracedPoint{choose(sector.first_moment.x, kite.first_moment.x),
                                                        choose(sector.first_moment.y, kite.first_moment.y)};
  }
}

/// Four chords for each arc: from these its width is taken.
std::vector<TracedPoint> points_on(const TracedOutline& outline) {
  std::vector<TracedPoint> points;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    points.push_back(outline.points[i]);
    if (!outline.are_arcs[i]) continue;
    const TracedArc arc = outline.arc(i);
    const auto on = [&](const TracedPoint& direction) {
      return arc.centre + arc.radius / sqrt(dot(direction, direction)) * direction;
    };
    const TracedPoint middle = on(arc.middle);
    // A quarter of the angle from an end lies along the sum of unit vectors to the end and to the middle.
    points.push_back(on(outline.points[i] + middle - arc.centre - arc.centre));
    points.push_back(middle);
    points.push_back(on(outline.points[outline.after(i)] + middle - arc.centre - arc.centre));
  }
  return points;
}

/// The smallest one, as a tree, not as a chain: what is traced would nest as deep as a chain is long.
Traced smallest_of(std::vector<Traced> numbers) {
  while (numbers.size() > 1) {
    for (std::size_t i = 0; 2 * i + 1 < numbers.size(); ++i) numbers[i] = smaller(numbers[2 * i], numbers[2 * i + 1]);
    if (numbers.size() % 2 == 1) numbers[numbers.size() / 2] = numbers.back();
    numbers.resize((numbers.size() + 1) / 2);
  }
  return numbers[0];
}

/// Half the perimeter if no corner faces an edge.
Traced width_of(const std::vector<TracedPoint>& corners) {
  const std::size_t n = corners.size();
  Traced most = 0;
  for (std::size_t e = 0; e < n; ++e) {
    const TracedPoint along = corners[(e + 1) % n] - corners[e];
    most += 0.5 * sqrt(dot(along, along));
  }
  std::vector<Traced> widths = {most};
  for (std::size_t e = 0; e < n; ++e) {
    const TracedPoint &p = corners[e], along = corners[(e + 1) % n] - p;
    const Traced squared = dot(along, along), length = sqrt(squared), beyond = squared * (1 + polygon_rounding);
    const Traced before = squared - beyond;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == e || i == (e + 1) % n) continue;
      const TracedPoint d = corners[i] - p;
      const Traced at = dot(along, d), depth = turn(along, d) / length;
      const Traced faces = both(both(at >= before, at <= beyond), depth > 0);
      if (!faces.is_known())
        widths.push_back(where(faces, depth) + where(!faces, most));
      else if (faces.value() != 0)
        widths.push_back(depth);
    }
  }
  return smallest_of(std::move(widths));
}

}  // namespace

TracedMat3 axes_across(int axis) {
  const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  TracedMat3 axes = TracedMat3::Zero();
  axes(first, 0) = 1, axes(second, 1) = 1, axes(axis, 2) = axis == 1 ? -1 : 1;
  return axes;
}

TracedOutline outline_of(const PolygonSpec& polygon, Draw draw) {
  TracedOutline outline;
  for (const OutlineCorner& corner : polygon.points.list) {
    outline.points.push_back({number_of(corner.at[0], draw), number_of(corner.at[1], draw)});
    outline.bulges.push_back(corner.is_round() ? number_of(corner.bulge, draw) : Traced(0));
    outline.are_arcs.push_back(corner.is_round());
  }
  return outline;
}

Traced doubled_area(const TracedOutline& outline) {
  const std::vector<TracedPoint>& points = outline.points;
  Traced sum = 0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) sum += turn(points[i] - points[0], points[i + 1] - points[0]);
  AreaSums segments;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (outline.are_arcs[i]) segments.add_segment(outline.arc(i));
  return sum + 2 * segments.area;
}

bool is_clockwise(const PolygonSpec& polygon) {
  const Traced area = doubled_area(outline_of(polygon, nullptr));
  return area.is_known() && area.value() < 0;
}

TracedPolygon traced_polygon(const PolygonSpec& polygon, Draw draw) {
  TracedOutline outline = outline_of(polygon, draw);
  if (polygon.is_clockwise) reverse(outline);
  std::vector<TracedPoint>& corners = outline.points;
  const TracedPoint origin = corners[0];
  for (TracedPoint& corner : corners) corner = corner - origin;
  TracedPolygon traced;
  traced.radius = number_of(polygon.radius, draw);
  AreaSums sums;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) sums.add_triangle(corners[0], corners[i], corners[i + 1]);
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (outline.are_arcs[i]) sums.add_segment(outline.arc(i));
  if (!traced.radius.is_known() || traced.radius.value() != 0) add_rim(outline, traced.radius, sums);
  const TracedPoint centroid = 1 / sums.area * sums.first_moment;
  traced.area = sums.area;
  traced.second_moment = sums.second_moment - sums.area * dot(centroid, centroid);
  traced.centroid[0] = origin.x + centroid.x, traced.centroid[1] = origin.y + centroid.y;
  Traced squared = 0;
  for (const TracedPoint& corner : corners) {
    const TracedPoint from_centroid = corner - centroid;
    traced.corners.push_back(from_centroid.x);
    traced.corners.push_back(from_centroid.y);
    squared = larger(squared, dot(from_centroid, from_centroid));
  }
  traced.reach = sqrt(squared);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (!outline.are_arcs[i]) continue;
    // The circle's furthest point, if it is on the arc.
    const TracedArc arc = outline.arc(i);
    const TracedPoint d = arc.centre - centroid;
    const Traced far = sqrt(dot(d, d)), is_on = dot(d, arc.middle) >= arc.cosine * far;
    traced.reach = larger(traced.reach, where(is_on, far + arc.radius));
  }
  if (polygon.has_arcs()) traced.bulges = outline.bulges;
  traced.width = width_of(points_on(outline));
  return traced;
}

}  // namespace jostle
