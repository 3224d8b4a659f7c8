// The mass properties of hulls, and of the points within a radius of them.
#include <numbers>

#include "core/geometry/polyhedron.hpp"
#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/hull.hpp"

namespace jostle {
namespace {

Traced squared(const TracedVec3& x) { return dot<Traced>(x, x); }
TracedMat3 outer(const TracedVec3& a, const TracedVec3& b) { return a * b.transpose(); }
TracedMat3 both_outer(const TracedVec3& a, const TracedVec3& b) { return outer(a, b) + outer(b, a); }

/// The shape with which corners, faces and edges are summed up, from a point inside.
class HullSums {
 public:
  HullSums(const HullStructure& structure, const std::vector<TracedVec3>& corners,
           const std::vector<TracedVec3>& normals, const Traced& radius)
      : structure_(structure), corners_(corners), normals_(normals), radius_(radius) {}

  Moments of_core() const {
    Moments sums;
    for_each_triangle([&](const TracedVec3& a, const TracedVec3& b, const TracedVec3& c, std::size_t) {
      const Traced six = dot<Traced>(a, cross<Traced>(b, c));
      const TracedVec3 sum = a + b + c;
      sums.volume += six / 6;
      sums.first += six / 24 * sum;
      sums.second += six / 120 * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum));
    });
    return sums;
  }

  /// What the radius adds: a slab on every face, a wedge of a cylinder on every edge, a part of a ball on every corner.
  void add_rim(Moments& sums) const {
    add_slabs(sums);
    std::vector<TracedVec3> first(corners_.size(), TracedVec3::Zero());  // of the directions of a corner's normals
    std::vector<TracedMat3> second(corners_.size(), TracedMat3::Zero());
    for (int e = 0; e < structure_.packed[1]; ++e)
      add_wedge(structure_.packed.data() + structure_header + 4 * e, sums, first, second);
    const std::vector<Traced> angles = solid_angles();
    const Traced r3 = radius_ * radius_ * radius_;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const TracedVec3 &p = corners_[i], u = Traced(-0.5) * first[i];
      const TracedMat3 uu = angles[i] / 3 * TracedMat3::Identity() - Traced(1) / 6 * second[i];
      sums.volume += angles[i] * r3 / 3;
      sums.first += angles[i] * r3 / 3 * p + r3 * radius_ / 4 * u;
      sums.second +=
          angles[i] * r3 / 3 * outer(p, p) + r3 * radius_ / 4 * both_outer(p, u) + r3 * radius_ * radius_ / 5 * uu;
    }
  }

 private:
  const TracedVec3& at(int corner) const { return corners_[static_cast<std::size_t>(corner)]; }

  /// Of faces that are not convex some triangles run the other way round, as those of holes do: they are taken off.
  void for_each_triangle(auto visit) const {
    const auto fan = [&](const std::vector<int>& loop, std::size_t f) {
      for (std::size_t k = 1; k + 1 < loop.size(); ++k) visit(at(loop[0]), at(loop[k]), at(loop[k + 1]), f);
    };
    for (std::size_t f = 0; f < structure_.faces.size(); ++f) fan(structure_.faces[f], f);
    for (const FaceHole& hole : structure_.holes) fan(hole.corners, hole.face);
  }

  void add_slabs(Moments& sums) const {
    for_each_triangle([&](const TracedVec3& a, const TracedVec3& b, const TracedVec3& c, std::size_t f) {
      const TracedVec3& m = normals_[f];
      const Traced area = 0.5 * dot<Traced>(m, cross<Traced>(b - a, c - a)), r = radius_;
      const TracedVec3 sum = a + b + c;
      sums.volume += area * r;
      sums.first += area * r * (Traced(1) / 3 * sum + r / 2 * m);
      sums.second += area * r / 12 * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) +
                     area * r * r / 6 * both_outer(sum, m) + area * r * r * r / 3 * outer(m, m);
    });
  }

  /// `edge`: from, to, left, right. The arc of its normals bounds those of its ends.
  void add_wedge(const int* edge, Moments& sums, std::vector<TracedVec3>& first,
                 std::vector<TracedMat3>& second) const {
    const TracedVec3 &p = at(edge[0]), &q = at(edge[1]);
    const TracedVec3 &m = normals_[static_cast<std::size_t>(edge[2])], &n = normals_[static_cast<std::size_t>(edge[3])];
    const Traced length = sqrt(squared(q - p)), cosine = dot<Traced>(m, n), sine = sqrt(squared(cross<Traced>(m, n)));
    const TracedVec3 d = (q - p) / length, sum = m + n, y = Traced(0.5) * (p + q);
    const Traced angle = arc_tangent(sine, cosine), r = radius_, r2 = r * r;
    const TracedVec3 w = sine / (1 + cosine) * sum;  // the integral of the direction over the arc
    const TracedMat3 across = TracedMat3::Identity() - outer(d, d);
    const TracedMat3 ww = 0.5 * (angle - sine) * across + 0.5 * sine / (1 + cosine) * outer(sum, sum);
    sums.volume += length * angle * r2 / 2;
    sums.first += length * (angle * r2 / 2 * y + r2 * r / 3 * w);
    sums.second +=
        angle * r2 / 2 * length / 6 * (Traced(2) * outer(p, p) + Traced(2) * outer(q, q) + both_outer(p, q)) +
        r2 * r / 3 * length * both_outer(y, w) + r2 * r2 / 4 * length * ww;
    for (int end = 0; end < 2; ++end) {
      const auto corner = static_cast<std::size_t>(edge[end]);
      const TracedVec3 leaving = end == 0 ? d : TracedVec3(-d);
      first[corner] += angle * leaving;
      second[corner] += both_outer(leaving, w);
    }
  }

  /// Of the normals at each corner: what the angles of its faces leave of a full turn.
  std::vector<Traced> solid_angles() const {
    std::vector<Traced> angles(corners_.size(), Traced(2 * std::numbers::pi));
    for (const std::vector<int>& face : structure_.faces) {
      const std::size_t n = face.size();
      for (std::size_t k = 0; k < n; ++k) {
        const TracedVec3 one = at(face[(k + 1) % n]) - at(face[k]), other = at(face[(k + n - 1) % n]) - at(face[k]);
        auto& angle = angles[static_cast<std::size_t>(face[k])];
        angle = angle - arc_tangent(sqrt(squared(cross<Traced>(one, other))), dot<Traced>(one, other));
      }
    }
    return angles;
  }

  const HullStructure& structure_;
  const std::vector<TracedVec3>&corners_, &normals_;
  const Traced& radius_;
};

}  // namespace

std::vector<TracedVec3> face_normals(const HullStructure& structure, const std::vector<TracedVec3>& corners) {
  const auto at = [&](int corner) -> const TracedVec3& { return corners[static_cast<std::size_t>(corner)]; };
  std::vector<TracedVec3> normals;
  for (const std::vector<int>& face : structure.faces) {
    TracedVec3 area = TracedVec3::Zero();
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      area += cross<Traced>(at(face[k]) - at(face[0]), at(face[k + 1]) - at(face[0]));
    normals.push_back(unit(area));
  }
  return normals;
}

Moments moments_of(const HullStructure& structure, const std::vector<TracedVec3>& corners,
                   const std::vector<TracedVec3>& normals, const Traced& radius) {
  const HullSums hull(structure, corners, normals, radius);
  Moments sums = hull.of_core();
  if (!radius.is_known() || radius.value() != 0) hull.add_rim(sums);
  return sums;
}

}  // namespace jostle
