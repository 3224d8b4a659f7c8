#pragma once
// The numbers that decide which feature pairs are candidates for contact.
//
// A feature must be the part of its shape that lies furthest towards the other shape. With a strict rule, a cube about
// to land flat would have one candidate, its lowest corner, and the other three would be added too late. So a corner
// also counts if along its edges the cube comes only a little nearer.
#include <cmath>

#include "core/config.hpp"

namespace jostle {

/// The end of an edge or a capsule is a feature up to this slope, away from the end and towards the other shape: the
/// sine of 30 degrees.
inline constexpr double nearing_limit = 0.5;

/// Width of the border, per size of the pair, in which a projection counts as inside or as outside, m/m. Wide enough
/// for rounding (flush faces keep their contacts), too narrow to support a body that has left the face.
inline constexpr double border = 1e-9;

/// Slope between a normal and a face normal below which one stands for the other.
inline constexpr double flat_slope = 0.01;

/// A corner that lies in a notch is at most so many times as far from its concave end as from the surface.
inline constexpr double notch_reach = 4;

/// A corner in the solid of an obtuse one, whose other side it does not face, is past the end of a side by at most so
/// many times its depth: cot 30 degrees, as it faces a side whose normal differs by less.
inline constexpr double past_obtuse = 1.7320508075688772;

/// Bounds that decide which feature pairs of a box with another convex shape are candidates.
struct CandidateBounds {
  double lowest;   ///< gap below which a pair is a ghost: deeper than the shapes overlap, m
  double highest;  ///< gap above which it cannot close, m
  double edge;     ///< width of the border, m

  /// A pair that lies at a slight angle may be deeper than the shapes by this fraction.
  static constexpr double ghost_share = 0.01;

  /// The signed distance of the shapes (along separating axes), the margin, the width of the border, all m.
  JOSTLE_HD CandidateBounds(double separation, double margin, double border_width)
      : lowest(separation - ghost_share * std::fabs(separation) - border_width), highest(margin), edge(border_width) {}

  /// May the end of an edge of this length be a feature if from there the edge approaches the other shape with this
  /// slope? Up to 30 degrees, if both its ends can lie between lowest and highest.
  JOSTLE_HD bool leads(double slope, double length) const {
    return slope <= nearing_limit && slope * length <= highest - lowest;
  }
};

}  // namespace jostle
