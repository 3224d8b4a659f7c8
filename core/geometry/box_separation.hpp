#pragma once
// Two boxes seen from each other, and the axis along which they are furthest apart.
//
// With the axes A_i and B_j, C_ij = A_i . B_j. Boxes are disjoint iff they are apart along one of the 15
// axes A_i, B_j, A_i x B_j; if they overlap, the least overlap among these is the depth of penetration.
//
// A_i x B_j has, along the two axes of a after i (k, l) and of b after j (k', l'), the components
//
//     (-C_lj, C_kj)   and   (C_il', -C_ik').                                                       (1)
//
#include "core/geometry/box_features.hpp"
#include "core/geometry/lines.hpp"
#include "core/math/unrolled.hpp"

namespace jostle {

struct BoxPair {
  Vec3 half_a, half_b;
  Mat3 c;       ///< c(i, j) = A_i . B_j
  Vec3 b_in_a;  ///< centre of b in the frame of a
  Vec3 a_in_b;

  JOSTLE_HD BoxPair(const PlacedShape& a, const PlacedShape& b)
      : half_a(a.size), half_b(b.size), b_in_a(to_local(a, b.position)), a_in_b(to_local(b, a.position)) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) c(i, j) = dot(a.axes.col(i), b.axes.col(j));
  }

  /// f(boxes, i, j) with the axes of a in cyclic order from i on, and those of b from j on. Code too large for nine
  /// copies is thus written for the first axes only.
  template <class F>
  JOSTLE_HD void for_each_pair_of_axes(F f) const {
    BoxPair boxes = *this;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        f(boxes, i, j);
        boxes.turn_b();
      }
      boxes.turn_a();
    }
  }

  /// The unit vector n along A_i x B_j by its components (1), and the distance of the boxes' centres along it.
  struct EdgeAxis {
    double sine;  ///< of the angle between the edges; the rest is valid only where it exceeds parallel_sine
    double a_next, a_last, b_next, b_last;
    double centres;  ///< centre of b minus centre of a along n, m

    JOSTLE_HD bool parallel() const { return !(sine > parallel_sine); }
  };

  JOSTLE_HD EdgeAxis edge_axis(int i, int j) const {
    const int k = axis_after(i, 1), l = axis_after(i, 2), b_k = axis_after(j, 1), b_l = axis_after(j, 2);
    EdgeAxis n{};
    n.sine = std::sqrt(c(l, j) * c(l, j) + c(k, j) * c(k, j));
    if (n.parallel()) return n;
    const double inverse = 1 / n.sine;
    n.a_next = -c(l, j) * inverse;
    n.a_last = c(k, j) * inverse;
    n.b_next = c(i, b_l) * inverse;
    n.b_last = -c(i, b_k) * inverse;
    n.centres = b_in_a[k] * n.a_next + b_in_a[l] * n.a_last;
    return n;
  }

  JOSTLE_HD double separation_along_faces() const {
    double largest = 0;
    for (int k = 0; k < 3; ++k) {
      double reach_b = 0, reach_a = 0;
      for (int other = 0; other < 3; ++other) {
        reach_b += half_b[other] * std::fabs(c(k, other));
        reach_a += half_a[other] * std::fabs(c(other, k));
      }
      const double along_a = std::fabs(b_in_a[k]) - half_a[k] - reach_b;
      const double along_b = std::fabs(a_in_b[k]) - half_b[k] - reach_a;
      const double apart = along_a > along_b ? along_a : along_b;
      if (k == 0 || apart > largest) largest = apart;
    }
    return largest;
  }

  /// How far the boxes reach towards each other along n, from centre to corner, m.
  JOSTLE_HD double reach_along(const EdgeAxis& n, int i, int j) const {
    const int k = axis_after(i, 1), l = axis_after(i, 2), b_k = axis_after(j, 1), b_l = axis_after(j, 2);
    return half_a[k] * std::fabs(n.a_next) + half_a[l] * std::fabs(n.a_last) + half_b[b_k] * std::fabs(n.b_next) +
           half_b[b_l] * std::fabs(n.b_last);
  }

  /// Largest separation along the 15 axes, m; negative in overlap.
  JOSTLE_HD double separation() const {
    double largest = separation_along_faces();
    unrolled<9>([&](auto axes) {
      constexpr int i = axes / 3, j = axes % 3;
      const EdgeAxis n = edge_axis(i, j);
      if (n.parallel()) return;
      const double apart = std::fabs(n.centres) - reach_along(n, i, j);
      if (apart > largest) largest = apart;
    });
    return largest;
  }

 private:
  JOSTLE_HD void turn_a() {
    half_a = turned(half_a), b_in_a = turned(b_in_a);
    for (int j = 0; j < 3; ++j) c.col(j) = turned(c.col(j));
  }

  JOSTLE_HD void turn_b() {
    half_b = turned(half_b), a_in_b = turned(a_in_b);
    const Vec3 first = c.col(0);
    c.col(0) = c.col(1), c.col(1) = c.col(2), c.col(2) = first;
  }
};

}  // namespace jostle
