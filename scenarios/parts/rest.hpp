#pragma once
// On which faces of its convex hull a part can rest on a plane, and how often it does.
#include <vector>

#include "scenarios/parts/convex_hull.hpp"

namespace jostle {

struct RestingFace {
  int face = 0;       ///< of ConvexHull::faces
  double area = 0;    ///< m^2
  double height = 0;  ///< m, of the centre of mass above the plane
  double margin = 0;  ///< m, from the foot of the centre of mass to the nearest edge; negative: it tips over that edge
  double solid_angle = 0;  ///< of the face seen from the centre of mass, as a share of the sphere
  double share = 0;        ///< of parts that come to rest on it; 0 if it tips

  bool is_stable() const { return margin > 0; }
};

/// Every face of the hull, by falling share. The shares are quasi-static: a part with a random orientation that loses
/// its energy at once lands on the face that the vertical through its centre of mass pierces, and from a face that does
/// not hold it rolls over the edge that the vertical has passed, until one does (Wiegley, Rao and Goldberg 1997).
/// `centre` must lie inside the hull.
std::vector<RestingFace> resting_faces(const ConvexHull& hull, const Vec3& centre);

}  // namespace jostle
