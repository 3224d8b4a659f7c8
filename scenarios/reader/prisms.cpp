// Prisms: their outlines, arcs cut into facets, and the hulls of their corners.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/math/arc_tangent.hpp"
#include "core/math/trigonometry.hpp"
#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/parameters/polygon.hpp"
#include "scenarios/parts/prism_surface.hpp"
#include "scenarios/reader/number_sum.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

using PlanePoint = std::array<double, 2>;

/// An arc of a circle from one corner of an outline to the next.
class Arc {
 public:
  Arc(const PlanePoint& from, const PlanePoint& to, double bulge)
      : from_(from), angle_(4 * arc_tangent(bulge, 1)), radius_(0) {
    const double x = to[0] - from[0], y = to[1] - from[1], side = (1 - bulge * bulge) / (4 * bulge);
    centre_ = {0.5 * (from[0] + to[0]) - side * y, 0.5 * (from[1] + to[1]) + side * x};
    radius_ = std::sqrt(x * x + y * y) * (1 + bulge * bulge) / std::fabs(4 * bulge);
  }

  /// How many facets are at most `tolerance` from it; at most `most` + 1.
  int facets(double tolerance, int most) const {
    int count = 1;
    for (; count <= most; ++count) {
      double sine = 0, cosine = 0;
      sine_cosine(angle_ / (4 * count), sine, cosine);
      if (2 * radius_ * sine * sine <= tolerance) break;  // r (1 - cos x), without cancellation
    }
    return count;
  }

  PlanePoint at(double share) const {
    double sine = 0, cosine = 0;
    sine_cosine(share * angle_, sine, cosine);
    const double x = from_[0] - centre_[0], y = from_[1] - centre_[1];
    return {centre_[0] + cosine * x - sine * y, centre_[1] + sine * x + cosine * y};
  }

 private:
  PlanePoint from_, centre_{};
  double angle_, radius_;
};

/// The corners of an outline with those of its facets.
class Facets {
 public:
  /// `list`: the path of the outline.
  Facets(const Reading& reading, const std::string& path, const PrismSpec& prism, const OutlineSpec& outline,
         std::string list)
      : reading_(reading), path_(path), prism_(prism), outline_(outline), list_(std::move(list)) {
    for (std::size_t i = 0; i < outline.list.size(); ++i) add(i);
  }

  const std::vector<PointSpec>& corners() const { return corners_; }  ///< with two coordinates

 private:
  void add(std::size_t i) {
    const std::vector<OutlineCorner>& corners = outline_.list;
    const OutlineCorner &corner = corners[i], &next = corners[(i + 1) % corners.size()];
    corners_.push_back({{corner.at[0], corner.at[1], {}}, corner.where, i});
    if (!corner.is_arc || is_zero(corner.bulge)) return;
    const auto fail = [&](const std::string& message) {
      reading_.sources.fail(corner.where, item_path(list_, i) + message);
    };
    if (!is_constant(corner.at) || !is_constant(next.at) || !corner.bulge.code.empty())
      fail(": the bulge and the ends of an arc must not be random: write points on it");
    const double size = std::fabs(corner.bulge.constant);
    if (!(size >= least_bulge && size <= greatest_bulge)) fail(wrong_bulge + shortest(corner.bulge.constant));
    if (!(prism_.tolerance > 0))
      fail(" begins an arc: " + path_ + ".tolerance must say how far from it, in m, its facets may be");
    const Arc arc({corner.at[0].constant, corner.at[1].constant}, {next.at[0].constant, next.at[1].constant},
                  corner.bulge.constant);
    constexpr int most = static_cast<int>(max_hull_corners / 2);
    const int count = arc.facets(prism_.tolerance, most);
    if (count > most)
      fail(" begins an arc of more than " + std::to_string(most) + " facets at this tolerance, more than a prism has");
    for (int k = 1; k < count; ++k) {
      const auto [x, y] = arc.at(static_cast<double>(k) / count);
      corners_.push_back({{{x, {}, {}, corner.where}, {y, {}, {}, corner.where}, {}}, corner.where, i});
    }
  }

  const Reading& reading_;
  const std::string& path_;
  const PrismSpec& prism_;
  const OutlineSpec& outline_;
  std::string list_;
  std::vector<PointSpec> corners_;
};

/// Whether an outline of constant numbers turns to both sides, or back.
bool turns_inwards(const std::vector<PointSpec>& outline) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const auto at = [&](std::size_t k, int axis) { return outline[(i + k) % outline.size()].at[axis].constant; };
    const double x = at(1, 0) - at(0, 0), y = at(1, 1) - at(0, 1), u = at(2, 0) - at(1, 0), v = at(2, 1) - at(1, 1);
    const double sine = x * v - y * u, near = hull_tolerance * std::sqrt((x * x + y * y) * (u * u + v * v));
    left = left || sine > near, right = right || sine < -near;
  }
  return left && right;
}

using Outlines = std::vector<std::vector<PointSpec>>;

/// The outline, then the holes: what is no convex prism. All numbers are constant.
void make_prism_surface(const Reading& reading, const MapReader& map, const Outlines& outlines, ShapeSpec& shape) {
  const std::string path = map.path("prism");
  const auto list = [&](std::size_t l) { return l == 0 ? path + ".points" : item_path(path + ".holes", l - 1); };
  if (!is_zero(shape.prism.radius))
    reading.sources.fail(map.at("prism").where,
                         path + ".radius: the prism is not convex, so that its edges cannot be rounded");
  if (!shape.prism.height.code.empty())
    reading.sources.fail(map.at("prism").where, path +
                                                    ".height: the numbers of a prism that is not convex must not "
                                                    "be random: write several convex prisms in `shapes`");
  std::vector<PlaneLoop> loops;
  std::size_t corners = 0;
  for (std::size_t l = 0; l < outlines.size(); ++l) {
    PlaneLoop& loop = loops.emplace_back();
    for (const PointSpec& corner : outlines[l]) {
      if (!is_constant(corner.at))
        reading.sources.fail(corner.where, item_path(list(l), corner.item) +
                                               ": the numbers of a prism that is not convex must not be random: write "
                                               "several convex prisms in `shapes`");
      loop.push_back({corner.at[0].constant, corner.at[1].constant});
    }
    corners += 2 * loop.size();
  }
  if (corners > max_surface_corners)
    reading.sources.fail(map.at("prism").where, path + " has " + std::to_string(corners) + " corners, more than " +
                                                    std::to_string(max_surface_corners));
  double reach = 0;
  for (const PlanePoint& x : loops.front()) reach = std::max({reach, std::fabs(x[0]), std::fabs(x[1])});
  if (const auto fault = fault_of(loops, hull_tolerance * reach)) {
    const PointSpec& corner = outlines[fault->loop][fault->corner];
    reading.sources.fail(corner.where, item_path(list(fault->loop), corner.item) + fault->message);
  }
  set_closed_surface(reading, map.at("prism").where, path, shape, [&] {
    return prism_surface(loops, shape.prism.height.constant, static_cast<int>(shape.prism.axis), hull_tolerance);
  });
}

}  // namespace

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, HolesSpec& holes) {
  const std::vector<Node>& items = read_list(reading.sources, node, path);
  for (std::size_t i = 0; i < items.size(); ++i)
    read_value(reading, items[i], item_path(path, i), key, holes.list.emplace_back());
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, OutlineSpec& outline) {
  const std::vector<Node>& items = read_list(reading.sources, node, path);
  if (items.size() > max_hull_corners / 2)
    reading.sources.fail(node.where,
                         path + " has more than " + std::to_string(max_hull_corners / 2) + " points, a prism's most");
  outline.list = read_corners(reading, items, path, key);
}

void make_prism(const Reading& reading, const MapReader& map, ShapeSpec& shape) {
  const PrismSpec& prism = shape.prism;
  const std::string path = map.path("prism");
  const Location& where = map.at("prism").where;
  Outlines outlines = {Facets(reading, path, prism, prism.points, path + ".points").corners()};
  for (std::size_t i = 0; i < prism.holes.list.size(); ++i)
    outlines.push_back(Facets(reading, path, prism, prism.holes.list[i], item_path(path + ".holes", i)).corners());
  const std::vector<PointSpec>& outline = outlines.front();
  const auto has_arc = [](const OutlineSpec& corners) {
    return std::ranges::any_of(corners.list, &OutlineCorner::is_arc);
  };
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    if (outlines[i].size() >= 3) continue;
    const OutlineSpec& corners = i == 0 ? prism.points : prism.holes.list[i - 1];
    const std::size_t points = corners.list.size();
    const std::string own = i == 0 ? path + ".points" : item_path(path + ".holes", i - 1);
    if (points >= 2 && has_arc(corners))
      reading.sources.fail(where, own + " has no area with this tolerance: it makes a chord of each arc");
    reading.sources.fail(where, own + " has " + std::to_string(points) + (points == 1 ? " point" : " points") +
                                    ", an outline needs at least 3, or 2 with arcs");
  }
  if (prism.tolerance > 0 && !has_arc(prism.points) && std::ranges::none_of(prism.holes.list, has_arc))
    reading.sources.fail(where, path + ".tolerance is that of arcs, and the outline has none");
  const auto is_known = [](const PointSpec& point) { return is_constant(point.at); };
  if (outlines.size() > 1 || (std::ranges::all_of(outline, is_known) && turns_inwards(outline)))
    return make_prism_surface(reading, map, outlines, shape);
  const int along = static_cast<int>(prism.axis), first = prism.axis == Axis::x ? 1 : 0, second = 3 - along - first;
  shape.type = ShapeType::hull;
  shape.hull.radius = prism.radius;
  for (const double side : {-0.5, 0.5}) {
    for (const PointSpec& corner : outline) {
      PointSpec& point = shape.hull.points.list.emplace_back(corner);
      NumberSum height(corner.where);
      height.add(side, prism.height);
      point.at[first] = corner.at[0], point.at[second] = corner.at[1], point.at[along] = height.take();
    }
  }
}

void check_outline(const Scenario& scenario, const ShapeSpec& shape, const std::string& path, const double* draw) {
  if (!shape.hull.structure.is_convex) return;
  const std::vector<PointSpec>& points = shape.hull.points.list;
  const int along = static_cast<int>(shape.prism.axis);
  const std::size_t count = points.size() / 2;
  const auto at = [&](std::size_t i) {
    const Vec3 point = value_of(points[i % count].at, draw);
    const int first = along == 0 ? 1 : 0;
    return PlanePoint{point[first], point[3 - along - first]};
  };
  const auto fail = [&](std::size_t i, const std::string& message) {
    const PointSpec& point = points[i % count];
    throw error_at(scenario, point.where, item_path(path + ".points", point.item) + message);
  };
  double turned = 0, direction = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const PlanePoint a = at(i), b = at(i + 1), c = at(i + 2);
    const double x = b[0] - a[0], y = b[1] - a[1], u = c[0] - b[0], v = c[1] - b[1];
    if (x == 0 && y == 0) fail(i + 1, " is the point before it");
    const double sine = x * v - y * u, cosine = x * u + y * v, size = std::sqrt((x * x + y * y) * (u * u + v * v));
    const bool is_straight = std::fabs(sine) <= hull_tolerance * size && cosine > 0;
    turned += arc_tangent(sine, cosine);
    if (is_straight) continue;
    const bool turns_back = cosine < 0 && std::fabs(sine) <= hull_tolerance * size;
    if (turns_back) fail(i + 1, ": the outline turns back here, along the edge before");
    if (direction * sine < 0)
      fail(i + 1,
           ": the outline is not convex here, as random numbers need it: write several convex prisms in `shapes`");
    direction = sine;
  }
  if (!(std::fabs(std::fabs(turned) - 2 * std::numbers::pi) < 1))
    fail(0, ": the outline does not run once around an area");
}

}  // namespace jostle
