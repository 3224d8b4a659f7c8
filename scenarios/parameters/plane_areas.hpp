#pragma once
// Outlines of polygons as the file has them, their arcs and areas in the plane, over traced numbers.
#include <utility>
#include <vector>

#include "scenarios/parameters/bind.hpp"

namespace jostle {

struct TracedPoint {
  Traced x, y;
};
inline TracedPoint operator+(const TracedPoint& a, const TracedPoint& b) { return {a.x + b.x, a.y + b.y}; }
inline TracedPoint operator-(const TracedPoint& a, const TracedPoint& b) { return {a.x - b.x, a.y - b.y}; }
inline TracedPoint operator*(const Traced& s, const TracedPoint& a) { return {s * a.x, s * a.y}; }
inline Traced dot(const TracedPoint& a, const TracedPoint& b) { return a.x * b.x + a.y * b.y; }
inline Traced turn(const TracedPoint& a, const TracedPoint& b) { return a.x * b.y - a.y * b.x; }
inline TracedPoint outwards(const TracedPoint& along) { return {along.y, -along.x}; }

/// An arc as core/geometry/arc.hpp has it, from p to q; what needs a bulge is not finite if it is 0.
struct TracedArc {
  TracedPoint centre, middle;  ///< middle: unit, from the centre to its middle
  TracedPoint chord_middle;
  Traced radius, sense;     ///< m; 1 if it is convex, -1 if concave
  Traced cosine, sine;      ///< of half its angle
  Traced half_angle;        ///< rad
  Traced sagitta;           ///< m
  TracedPoint first, last;  ///< unit, the outward normals of the solid at its ends

  TracedArc(const TracedPoint& p, const TracedPoint& q, const Traced& bulge);

  /// Whether a point of its circle is on it.
  Traced has(const TracedPoint& x) const { return dot(x - centre, middle) >= cosine * radius; }
};

/// Sums over triangles, sectors and segments, about the origin. What runs clockwise counts against.
struct AreaSums {
  Traced area = 0, second_moment = 0;
  TracedPoint first_moment{0, 0};

  void add_triangle(const TracedPoint& p, const TracedPoint& q, const TracedPoint& r);
  /// Of a disc about p, between the directions m and n, by the angle from m to n.
  void add_sector(const TracedPoint& p, const Traced& radius, const TracedPoint& m, const TracedPoint& n);
  /// Between an arc and its chord.
  void add_segment(const TracedArc& arc);
  /// What a rim of this width adds along an arc.
  void add_rim(const TracedArc& arc, const Traced& width);

 private:
  /// About the arc's chord: the area, its first moment towards the middle of the arc, its second moment about the
  /// middle of the chord.
  void add_about_chord(const TracedArc& arc, const Traced& part, const Traced& first, const Traced& second);
};

/// Nearer points, relative to the size of the polygon, are one; so are angles (rad).
inline constexpr double polygon_rounding = 1e-9;

/// Corners, and the bulges of the edges that begin there.
struct TracedOutline {
  std::vector<TracedPoint> points;
  std::vector<Traced> bulges;  ///< 0: the edge is straight
  std::vector<bool> are_arcs;

  std::size_t size() const { return points.size(); }
  std::size_t after(std::size_t i) const { return (i + 1) % size(); }
  TracedArc arc(std::size_t i) const { return {points[i], points[after(i)], bulges[i]}; }

  /// Along an edge where it begins and where it ends.
  std::pair<TracedPoint, TracedPoint> directions(std::size_t i) const {
    if (are_arcs[i]) {
      const TracedArc arc = this->arc(i);
      return {{-arc.first.y, arc.first.x}, {-arc.last.y, arc.last.x}};
    }
    const TracedPoint along = points[after(i)] - points[i];
    return {along, along};
  }
};
TracedOutline outline_of(const PolygonSpec& polygon, Draw draw);

/// Twice the area, with that of arcs; positive if the corners run counter-clockwise.
Traced doubled_area(const TracedOutline& outline);

}  // namespace jostle
