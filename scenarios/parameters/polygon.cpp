#include "scenarios/parameters/polygon.hpp"

#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/format/numbers.hpp"

namespace jostle {
namespace {

/// Nearer points, relative to the size of the polygon, are one; so are angles (rad).
constexpr double polygon_rounding = 1e-9;

struct Point {
  Traced x, y;
};
Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(const Traced& s, const Point& a) { return {s * a.x, s * a.y}; }
Traced dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
Traced turn(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }
Point outwards(const Point& along) { return {along.y, -along.x}; }

/// As the file has them.
std::vector<Point> points_of(const PolygonSpec& polygon, Draw draw) {
  std::vector<Point> points;
  for (const CornerSpec& corner : polygon.points.list)
    points.push_back({number_of(corner.at[0], draw), number_of(corner.at[1], draw)});
  return points;
}

/// Sums over triangles and sectors, about the origin.
struct Area {
  Traced area = 0, second_moment = 0;
  Point first_moment{0, 0};

  /// Positive if the corners run counter-clockwise.
  void add_triangle(const Point& p, const Point& q, const Point& r) {
    const Traced part = 0.5 * turn(q - p, r - p);
    area += part;
    first_moment = first_moment + part / 3 * (p + q + r);
    second_moment += part / 6 * (dot(p, p) + dot(q, q) + dot(r, r) + dot(p, q) + dot(q, r) + dot(r, p));
  }

  /// Of a disc about p, between the directions m and n, by the angle from m to n.
  void add_sector(const Point& p, const Traced& radius, const Point& m, const Point& n) {
    const Traced angle = arc_tangent(turn(m, n), dot(m, n)), part = 0.5 * angle * radius * radius;
    // The integral of the direction from m to n is its quarter turn back, from m to n.
    const Point of_directions = outwards(n - m);
    const Point first = radius * radius * radius / 3 * of_directions;  // about p
    area += part;
    first_moment = first_moment + part * p + first;
    second_moment += part * radius * radius / 2 + 2 * dot(p, first) + part * dot(p, p);
  }
};

/// A strip along every edge and, between them, a sector where corners turn outwards; where they turn inwards the strips
/// overlap in a kite.
void add_rim(const std::vector<Point>& corners, const Traced& radius, Area& sums) {
  const std::size_t n = corners.size();
  std::vector<Point> normals;
  for (std::size_t i = 0; i < n; ++i) {
    const Point along = corners[(i + 1) % n] - corners[i];
    normals.push_back(outwards(1 / sqrt(dot(along, along)) * along));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Point &p = corners[i], &q = corners[(i + 1) % n], &m = normals[i], &n_next = normals[(i + 1) % n];
    const Point rise = radius * m;
    sums.add_triangle(p, p + rise, q + rise);
    sums.add_triangle(p, q + rise, q);
    const Traced is_convex = turn(m, n_next) > 0;
    Area sector, kite;
    sector.add_sector(q, radius, m, n_next);
    const Point tip = q + radius / (1 + dot(m, n_next)) * (m + n_next);
    kite.add_triangle(q, q + rise, tip);
    kite.add_triangle(q, tip, q + radius * n_next);
    const auto choose = [&](const Traced& a, const Traced& b) { return where(is_convex, a) + where(!is_convex, b); };
    sums.area += choose(sector.area, kite.area);  // a kite that turns clockwise counts against
    sums.second_moment += choose(sector.second_moment, kite.second_moment);
    sums.first_moment = sums.first_moment + Point{choose(sector.first_moment.x, kite.first_moment.x),
                                                  choose(sector.first_moment.y, kite.first_moment.y)};
  }
}

/// Half the perimeter if no corner faces an edge.
Traced width_of(const std::vector<Point>& corners) {
  const std::size_t n = corners.size();
  Traced width = 0;
  for (std::size_t e = 0; e < n; ++e) {
    const Point along = corners[(e + 1) % n] - corners[e];
    width += 0.5 * sqrt(dot(along, along));
  }
  for (std::size_t e = 0; e < n; ++e) {
    const Point &p = corners[e], along = corners[(e + 1) % n] - p;
    const Traced squared = dot(along, along), length = sqrt(squared);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == e || i == (e + 1) % n) continue;
      const Point d = corners[i] - p;
      const Traced at = dot(along, d), depth = turn(along, d) / length, most = squared * (1 + polygon_rounding);
      const Traced faces = both(both(at >= squared - most, at <= most), depth > 0);
      width = where(faces, smaller(width, depth)) + where(!faces, width);
    }
  }
  return width;
}

/// Segments that have a point in common.
Traced meet(const Point& a, const Point& b, const Point& p, const Point& q) {
  const Point ab = b - a, pq = q - p;
  const Traced of_p = turn(ab, p - a), of_q = turn(ab, q - a), of_a = turn(pq, a - p), of_b = turn(pq, b - p);
  const auto overlap = [](const Traced& x, const Traced& y, const Traced& u, const Traced& v) {
    return both(larger(x, y) >= smaller(u, v), larger(u, v) >= smaller(x, y));
  };
  const Traced near = both(overlap(a.x, b.x, p.x, q.x), overlap(a.y, b.y, p.y, q.y));
  const auto differ = [](const Traced& x, const Traced& y) { return !either(both(x > 0, y > 0), both(x < 0, y < 0)); };
  return both(near, both(differ(of_p, of_q), differ(of_a, of_b)));
}

Traced doubled_area(const std::vector<Point>& points) {
  Traced sum = 0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) sum += turn(points[i] - points[0], points[i + 1] - points[0]);
  return sum;
}

/// |x| + |y| of the vector to the point that is furthest from the first one by this measure.
Traced size_of(const std::vector<Point>& points) {
  Traced size = 0;
  for (const Point& point : points) size = larger(size, fabs(point.x - points[0].x) + fabs(point.y - points[0].y));
  return size;
}

std::string text_of(const Point& point) {
  return "[" + shortest(point.x.value()) + ", " + shortest(point.y.value()) + "]";
}

}  // namespace

TracedMat3 axes_across(int axis) {
  const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  TracedMat3 axes = TracedMat3::Zero();
  axes(first, 0) = 1, axes(second, 1) = 1, axes(axis, 2) = axis == 1 ? -1 : 1;
  return axes;
}

bool is_clockwise(const PolygonSpec& polygon) {
  const Traced area = doubled_area(points_of(polygon, nullptr));
  return area.is_known() && area.value() < 0;
}

TracedPolygon traced_polygon(const PolygonSpec& polygon, Draw draw) {
  std::vector<Point> corners = points_of(polygon, draw);
  if (polygon.is_clockwise) std::reverse(corners.begin() + 1, corners.end());
  const Point origin = corners[0];
  for (Point& corner : corners) corner = corner - origin;
  TracedPolygon traced;
  traced.radius = number_of(polygon.radius, draw);
  Area sums;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) sums.add_triangle(corners[0], corners[i], corners[i + 1]);
  if (!traced.radius.is_known() || traced.radius.value() != 0) add_rim(corners, traced.radius, sums);
  const Point centroid = 1 / sums.area * sums.first_moment;
  traced.area = sums.area;
  traced.second_moment = sums.second_moment - sums.area * dot(centroid, centroid);
  traced.centroid[0] = origin.x + centroid.x, traced.centroid[1] = origin.y + centroid.y;
  Traced squared = 0;
  for (const Point& corner : corners) {
    const Point from_centroid = corner - centroid;
    traced.corners.push_back(from_centroid.x);
    traced.corners.push_back(from_centroid.y);
    squared = larger(squared, dot(from_centroid, from_centroid));
  }
  traced.reach = sqrt(squared);
  traced.width = width_of(corners);
  return traced;
}

void require_simple(const PolygonSpec& polygon, const std::string& path, Draw draw, Requirements& require) {
  const std::vector<Point> points = points_of(polygon, draw);
  const std::vector<CornerSpec>& corners = polygon.points.list;
  const std::size_t n = points.size();
  const auto name = [&](std::size_t i) { return path + ".points[" + std::to_string(i) + "]"; };
  const Traced size = size_of(points), least = polygon_rounding * size;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = (i + 1) % n;
    const Point along = points[next] - points[i];
    require(fabs(along.x) + fabs(along.y) > least, corners[next].where,
            [&] { return name(next) + " repeats the point before it, " + text_of(points[i]); });
    const Point after = points[(i + 2) % n] - points[next];
    require(either(dot(along, after) >= 0, fabs(turn(along, after)) > -polygon_rounding * dot(along, after)),
            corners[next].where,
            [&] { return name(next) + ": the edge turns back on itself at " + text_of(points[next]); });
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j == n - 1) continue;
      require(!meet(points[i], points[i + 1], points[j], points[(j + 1) % n]), corners[j].where, [&] {
        return path + " crosses itself: the edge from " + name(i) + " = " + text_of(points[i]) + " meets that from " +
               name(j) + " = " + text_of(points[j]);
      });
    }
  }
  const Traced area = doubled_area(points);
  require(fabs(area) > least * size, corners[0].where, [&] { return path + " has no area"; });
  require(either(area > 0, polygon.is_clockwise), corners[0].where, [&] {
    return path + ".points must run counter-clockwise in every sample, because they depend on variables";
  });
}

}  // namespace jostle
