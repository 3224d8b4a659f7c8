#pragma once
// Random tosses of two parts in free space, and a distance of convex shapes that shares no code with core/geometry:
// the least norm of the Minkowski difference by the algorithm of Gilbert, Johnson and Keerthi (1988).
#include <Eigen/Dense>
#include <random>

#include "tests/laws/simulation.hpp"

namespace jostle::test {

/// A shape of a toss: what a scenario file says of it, and its numbers.
struct TossShape {
  std::string text;
  ShapeType type;
  Vec3 size;  ///< as in PlacedShape
  double thickness;

  /// Of the ball about its middle that holds it.
  double reach() const { return type == ShapeType::capsule ? size[0] + size[1] : size.norm(); }
};

/// One of the kinds "sphere", "capsule", "box", "cylinder", "needle" and "coin".
inline TossShape toss_shape(const std::string& kind, std::mt19937_64& random) {
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  char text[200];
  const auto print = [&](const char* format, auto... numbers) {
    std::snprintf(text, sizeof text, format, numbers...);
    return std::string(text);
  };
  if (kind == "sphere") {
    const double r = between(0.01, 0.03);
    return {print("{sphere: {radius: %.17g}}", r), ShapeType::sphere, {r, 0, 0}, 2 * r};
  }
  if (kind == "capsule" || kind == "needle") {
    const double r = kind == "needle" ? 0.002 : between(0.01, 0.02), half = between(0.02, 0.05);
    return {print("{capsule: {length: %.17g, radius: %.17g, axis: z}}", 2 * half, r),
            ShapeType::capsule,
            {r, half, 0},
            2 * r};
  }
  if (kind == "box") {
    const Vec3 half(between(0.01, 0.03), between(0.01, 0.03), between(0.01, 0.03));
    return {print("{box: {size: [%.17g, %.17g, %.17g]}}", 2 * half[0], 2 * half[1], 2 * half[2]), ShapeType::box, half,
            2 * half.minCoeff()};
  }
  const double r = between(0.01, 0.03), half = kind == "coin" ? 0.001 : between(0.01, 0.03);
  return {print("{cylinder: {radius: %.17g, length: %.17g, axis: z}}", r, 2 * half),
          ShapeType::cylinder,
          {r, half, 0},
          2 * std::min(r, half)};
}

/// The pose of a body in free flight: without torque, bodies with equal moments keep their spins.
struct Flight {
  Vec3 position, velocity, spin;
  Eigen::Quaterniond orientation;

  Eigen::Isometry3d at(double t) const {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    const double angle = spin.norm() * t;
    const Eigen::Vector3d axis = angle != 0 ? Eigen::Vector3d(spin.normalized()) : Eigen::Vector3d::UnitX();
    pose.linear() = (Eigen::AngleAxisd(angle, axis) * orientation).toRotationMatrix();
    pose.translation() = position + t * velocity;
    return pose;
  }
};

/// The point of the core of a shape (the shape itself, or the middle of a sphere or capsule) furthest along n.
inline Vec3 furthest(const TossShape& shape, const Eigen::Isometry3d& pose, const Vec3& n) {
  const Vec3 d = pose.linear().transpose() * n;
  const auto sign = [](double x) { return x < 0 ? -1.0 : 1.0; };
  Vec3 x = Vec3::Zero();
  if (shape.type == ShapeType::capsule) x[2] = sign(d[2]) * shape.size[1];
  if (shape.type == ShapeType::box)
    for (int k = 0; k < 3; ++k) x[k] = sign(d[k]) * shape.size[k];
  if (shape.type == ShapeType::cylinder) {
    const double across = std::hypot(d[0], d[1]);
    if (across > 0) x = Vec3(d[0], d[1], 0) * (shape.size[0] / across);
    x[2] = sign(d[2]) * shape.size[1];
  }
  return pose * x;
}

/// The point of the convex hull of up to four points that is nearest to 0; drops points that it does not need.
inline Vec3 nearest_of_hull(std::vector<Vec3>& points) {
  Vec3 best = points[0];
  double least = std::numeric_limits<double>::infinity();
  std::vector<Vec3> kept;
  for (unsigned set = 1; set < 1U << points.size(); ++set) {
    std::vector<Vec3> of;
    for (std::size_t i = 0; i < points.size(); ++i)
      if ((set >> i) & 1) of.push_back(points[i]);
    const int edges = static_cast<int>(of.size()) - 1;
    Eigen::MatrixXd spans(3, edges);
    for (int i = 0; i < edges; ++i) spans.col(i) = of[i + 1] - of[0];
    Eigen::VectorXd weights =
        edges > 0 ? Eigen::VectorXd(spans.colPivHouseholderQr().solve(-of[0])) : Eigen::VectorXd(0);
    if (edges > 0 && (weights.minCoeff() < 0 || weights.sum() > 1)) continue;
    const Vec3 x = edges > 0 ? Vec3(of[0] + spans * weights) : of[0];
    if (x.norm() < least * (1 - 1e-14)) least = x.norm(), best = x, kept = of;
  }
  points = kept;
  return best;
}

/// Distance of two shapes, m; a number below 0 if they overlap: exact where the cores do not.
inline double gjk_distance(const TossShape& a, const Eigen::Isometry3d& at_a, const TossShape& b,
                           const Eigen::Isometry3d& at_b) {
  const auto is_round = [](const TossShape& s) { return s.type == ShapeType::sphere || s.type == ShapeType::capsule; };
  const double radii = (is_round(a) ? a.size[0] : 0) + (is_round(b) ? b.size[0] : 0);
  std::vector<Vec3> simplex{at_b.translation() - at_a.translation()};
  Vec3 v = simplex[0];
  double bound = 0;
  for (int i = 0; i < 300; ++i) {
    if (v.norm() < 1e-13) return -radii - 1e-13;
    const Vec3 n = v.normalized(), w = furthest(b, at_b, -n) - furthest(a, at_a, n);
    bound = std::max(bound, w.dot(n));
    if (v.norm() - bound < 1e-13) break;
    if (simplex.size() == 4) simplex.erase(simplex.begin());
    simplex.push_back(w);
    const Vec3 next = nearest_of_hull(simplex);
    if (!(next.norm() < v.norm())) break;
    v = next;
  }
  return v.norm() - radii;
}

/// Two parts that fly at each other.
struct Toss {
  TossShape shape[2];
  Flight flight[2];
  double step, duration;
  std::string yaml;

  double distance(double t) const { return gjk_distance(shape[0], flight[0].at(t), shape[1], flight[1].at(t)); }
};

/// h v up to half of the least thickness, with spins that move ends as fast.
inline Toss random_toss(const std::string& first, const std::string& second, const std::string& method,
                        std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  std::normal_distribution<double> normal;
  const auto direction = [&] { return Vec3(normal(random), normal(random), normal(random)).normalized().eval(); };
  Toss toss;
  toss.shape[0] = toss_shape(first, random), toss.shape[1] = toss_shape(second, random);
  toss.step = 0.002;
  const double thinner = std::min(toss.shape[0].thickness, toss.shape[1].thickness);
  const double speed = between(0.1, 0.5) * thinner / toss.step;
  const double reach = toss.shape[0].reach() + toss.shape[1].reach();
  const Vec3 towards = direction(), aside = 0.35 * reach * between(0, 1) * towards.cross(direction());
  for (int b = 0; b < 2; ++b) {
    Flight& own = toss.flight[b];
    own.position = b == 0 ? Vec3::Zero() : Vec3(-(reach + speed * toss.step * between(0.1, 1)) * towards + aside);
    own.velocity = b == 0 ? Vec3::Zero() : Vec3(speed * towards);
    own.spin = between(0, 0.5) * speed / toss.shape[b].reach() * direction();
    own.orientation = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
  }
  const int steps = static_cast<int>(std::ceil(3 * reach / (speed * toss.step)));
  toss.duration = toss.step * steps;
  char text[4000];
  const auto body = [&](const char* name, int b) {
    const Flight& f = toss.flight[b];
    const double radius = toss.shape[b].reach(), mass = 0.1, inertia = 0.4 * mass * radius * radius;
    char part[1000];
    std::snprintf(part, sizeof part,
                  "  %s: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], shape: %s, position: [%.17g, %.17g, %.17g], "
                  "rotation: {quaternion: [%.17g, %.17g, %.17g, %.17g]}, velocity: [%.17g, %.17g, %.17g], "
                  "spin: [%.17g, %.17g, %.17g]}\n",
                  name, mass, inertia, inertia, inertia, toss.shape[b].text.c_str(), f.position[0], f.position[1],
                  f.position[2], f.orientation.w(), f.orientation.x(), f.orientation.y(), f.orientation.z(),
                  f.velocity[0], f.velocity[1], f.velocity[2], f.spin[0], f.spin[1], f.spin[2]);
    return std::string(part);
  };
  std::snprintf(text, sizeof text,
                "jostle: 1\nworld: {gravity: [0, 0, 0], step: %.17g, duration: %.17g, method: %s}\nbodies:\n%s%s"
                "contacts: [{between: any, restitution: 0.5}]\noutcomes: {gap: {minimum: \"gap(a, b)\"}}\n",
                toss.step, toss.duration, method.c_str(), body("a", 0).c_str(), body("b", 1).c_str());
  toss.yaml = text;
  return toss;
}

}  // namespace jostle::test
