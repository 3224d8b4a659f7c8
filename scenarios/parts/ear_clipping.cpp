#include "scenarios/parts/ear_clipping.hpp"

#include <numeric>

namespace jostle {
namespace {

using Triangle = std::array<std::size_t, 3>;

/// Newell's: twice the area, along the normal about which the corners go anticlockwise.
Vec3 area_of(std::span<const Vec3> corners) {
  Vec3 sum(0, 0, 0);
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  return sum;
}

class Outline {
 public:
  explicit Outline(std::span<const Vec3> corners) : corners_(corners), normal_(area_of(corners)) {}

  /// The area of a triangle, in the sense of the whole.
  double area(const Triangle& t) const { return turn(corners_[t[0]], corners_[t[1]], corners_[t[2]]); }

  bool has_inside(const Triangle& t, std::size_t corner) const {
    const Vec3& p = corners_[corner];
    for (std::size_t k = 0; k < 3; ++k)
      if (turn(corners_[t[k]], corners_[t[(k + 1) % 3]], p) < 0) return false;
    return true;
  }

 private:
  double turn(const Vec3& a, const Vec3& b, const Vec3& c) const { return dot(cross(b - a, c - a), normal_); }

  std::span<const Vec3> corners_;
  Vec3 normal_;
};

std::vector<Triangle> fan_of(std::size_t corners) {
  std::vector<Triangle> fan;
  for (std::size_t k = 2; k < corners; ++k) fan.push_back({0, k - 1, k});
  return fan;
}

/// The place in `left` of a corner that can be cut off, looked for from `first` on; its size if there is none.
std::size_t find_ear(const Outline& outline, const std::vector<std::size_t>& left, std::size_t first) {
  const std::size_t n = left.size();
  for (std::size_t tried = 0; tried < n; ++tried) {
    const std::size_t i = (first + tried) % n;
    const Triangle t = {left[(i + n - 1) % n], left[i], left[(i + 1) % n]};
    if (!(outline.area(t) > 0)) continue;
    bool is_free = true;
    for (std::size_t k = 2; k + 1 < n && is_free; ++k) is_free = !outline.has_inside(t, left[(i + k) % n]);
    if (is_free) return i;
  }
  return n;
}

}  // namespace

std::vector<Triangle> triangles_of(std::span<const Vec3> corners) {
  const Outline outline(corners);
  std::vector<Triangle> fan = fan_of(corners.size());
  bool covers_once = true;
  for (const Triangle& t : fan) covers_once = covers_once && outline.area(t) >= 0;
  if (covers_once || corners.size() > most_corners) return fan;

  std::vector<Triangle> triangles;
  std::vector<std::size_t> left(corners.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (std::size_t ear = 0; left.size() > 3;) {
    const std::size_t n = left.size();
    ear = find_ear(outline, left, ear);
    if (ear == n) return fan;
    triangles.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

}  // namespace jostle
