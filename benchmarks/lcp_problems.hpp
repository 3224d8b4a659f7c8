#pragma once
// Contact LCPs as a time stepper meets them, made from a seed: boxes and stacks at rest (every row ties with
// another), the same perturbed, clusters of bodies, and one body held by more contacts than it has freedoms.
//
//     M = [ D'A^-1 D  D'A^-1 n  E ;  n'A^-1 D  n'A^-1 n  0 ;  -E'  mu  0 ]     z = (beta, c_n, lambda)
//     q = ( D'v,  n'v + gap / h,  0 ),   v: velocities after the external forces of the step
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/lcp/equilibration.hpp"

namespace jostle {

enum class ContactScene { rest, perturbed, cluster, hyperstatic };
inline constexpr ContactScene contact_scenes[] = {ContactScene::rest, ContactScene::perturbed, ContactScene::cluster,
                                                  ContactScene::hyperstatic};

struct LcpSize {
  int contacts;
  int directions;
  int n() const { return contacts * (directions + 2); }
};
inline constexpr LcpSize contact_lcp_sizes[] = {{1, 2}, {1, 4}, {2, 2}, {1, 8},  {4, 2},
                                                {4, 4}, {4, 8}, {7, 8}, {16, 4}, {12, 8}};

/// What an LCP is made of.
struct ContactRows {
  std::vector<double> inverse_mass;         ///< 6 of each body; 0: locked
  std::vector<double> velocity;             ///< 6 of each body, after the external forces
  std::vector<std::array<int, 2>> bodies;   ///< of each contact; -1: the ground
  std::vector<double> friction, gap_speed;  ///< of each contact; gap / h
  std::vector<std::vector<double>> J;       ///< rows of M's impulses (beta, c_n) over all velocities
};

struct ContactLcp {
  LcpSize size;
  ContactScene scene;
  std::vector<double> M;      ///< n x n, row-major
  std::vector<double> q;      ///< n
  std::vector<double> scale;  ///< n, powers of two
  ContactRows rows;

  int n() const { return size.n(); }
  LcpView view() const { return {n(), n(), M.data(), q.data()}; }
};

/// S = diag(s, s, 1/s) per contact, s = 2^round(log2(1 / sqrt(n'A^-1 n))), read off the diagonal of M.
inline std::vector<double> contact_scale(LcpSize size, const std::vector<double>& M) {
  std::vector<double> scale(size.n());
  const int normals = size.contacts * size.directions;
  for (int c = 0; c < size.contacts; ++c) {
    const int normal = normals + c;
    const double s = nearest_power_of_two(1 / std::sqrt(M[normal * size.n() + normal]));
    for (int d = 0; d < size.directions; ++d) scale[c * size.directions + d] = s;
    scale[normal] = s;
    scale[normal + size.contacts] = 1 / s;
  }
  return scale;
}

class ContactLcpGenerator {
 public:
  explicit ContactLcpGenerator(std::uint64_t seed) : random_(seed) {}

  ContactLcp make(LcpSize size, ContactScene scene) {
    size_ = size;
    planar_ = size.directions == 2;
    bodies_.clear();
    contacts_.clear();
    if (scene == ContactScene::rest || scene == ContactScene::perturbed) {
      stack(scene == ContactScene::perturbed);
    } else {
      crowd(scene == ContactScene::hyperstatic ? 1 : 1 + size.contacts / 3);
    }
    return assemble(scene);
  }

 private:
  using Vector = std::array<double, 3>;
  using Twist = std::array<double, 6>;

  struct Body {
    Twist inverse_mass;
    Twist velocity;
  };
  struct Contact {
    int above, below;  ///< bodies; below = -1 is the ground
    Vector arm_above, arm_below, normal;
    double gap, friction;
  };

  static constexpr double step_ = 0.01;
  static constexpr double gravity_ = 9.81;
  static constexpr double pi_ = 3.14159265358979323846;

  double uniform(double low, double high) { return low + (high - low) * double(random_() >> 11) * 0x1p-53; }
  double around(double width) { return uniform(-width, width); }

  void add_body(double mass, double half_width, double speed) {
    const double inertia = mass * half_width * half_width * 2 / 3;
    Body body{{1 / mass, 1 / mass, 1 / mass, 1 / inertia, 1 / inertia, 1 / inertia}, {}};
    for (double& v : body.velocity) v = around(speed);
    if (planar_) body.inverse_mass[1] = body.inverse_mass[3] = body.inverse_mass[5] = 0;
    body.velocity[2] -= step_ * gravity_;
    for (int i = 0; i < 6; ++i) body.velocity[i] = body.inverse_mass[i] > 0 ? body.velocity[i] : 0;
    bodies_.push_back(body);
  }

  // Boxes on top of each other, touching at the corners of their common faces.
  void stack(bool disturbed) {
    const int corners = planar_ ? 2 : 4;
    const double mass = disturbed ? uniform(0.5, 2) : 1;
    const double disturbance = disturbed ? 1 : 0;
    int left = size_.contacts;
    for (int level = 0; left > 0; ++level) {
      add_body(mass, 0.5, disturbance * 0.5);
      const int here = left < corners ? left : corners;
      for (int c = 0; c < here; ++c) add_corner(level, c, here, disturbance);
      left -= here;
    }
  }

  void add_corner(int level, int corner, int corners, double disturbance) {
    const double angle = planar_ ? pi_ * corner : 2 * pi_ * corner / corners + pi_ / 4;
    const double radius = corners == 1 ? 0 : planar_ ? 0.5 : 0.5 * std::sqrt(2.0);
    const double x = radius * std::cos(angle) + disturbance * around(0.02);
    const double y = planar_ ? 0 : radius * std::sin(angle) + disturbance * around(0.02);
    const Vector tilted = unit({disturbance * around(0.05), planar_ ? 0 : disturbance * around(0.05), 1});
    const double gap = disturbance * uniform(-1e-4, 1e-3);
    const double friction = disturbance > 0 ? uniform(0.1, 1) : 0.5;
    contacts_.push_back({level, level - 1, {x, y, -0.5}, {x, y, 0.5}, tilted, gap, friction});
  }

  void crowd(int bodies) {
    for (int b = 0; b < bodies; ++b) {
      const double half_width = uniform(0.2, 1), mass = uniform(0.2, 5);  // in this order with every compiler
      add_body(mass, half_width, 1);
    }
    for (int c = 0; c < size_.contacts; ++c) {
      const int above = c % bodies;
      const int below = bodies > 1 && c >= bodies ? (above + 1 + int(random_() % (bodies - 1))) % bodies : -1;
      contacts_.push_back({above, below, point(), point(), unit(point()), uniform(0, 5e-3), uniform(0, 1)});
    }
  }

  Vector point() { return {around(1), planar_ ? 0 : around(1), around(1)}; }

  static Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }

  static Vector unit(const Vector& a) {
    const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    return {a[0] / length, a[1] / length, a[2] / length};
  }

  // d_i = cos(2 pi i / k) t1 + sin(2 pi i / k) t2, the second half by negation.
  Vector direction(const Vector& normal, int i) const {
    const int half = size_.directions / 2;
    const double sign = i < half ? 1 : -1;
    const Vector t1 = planar_ ? Vector{normal[2], 0, -normal[0]} : unit(cross(normal, {0.3, 0.9, 0.1}));
    const Vector t2 = cross(normal, t1);
    const double angle = 2 * pi_ * (i % half) / size_.directions;
    const double c = sign * std::cos(angle);
    const double s = planar_ ? 0 : sign * std::sin(angle);
    return {c * t1[0] + s * t2[0], c * t1[1] + s * t2[1], c * t1[2] + s * t2[2]};
  }

  // One row of J: +direction on the body above, -direction on the one below.
  std::vector<double> row(const Contact& contact, const Vector& d) const {
    std::vector<double> J(6 * bodies_.size(), 0);
    const auto add = [&](int body, const Vector& arm, double sign) {
      if (body < 0) return;
      const Vector moment = cross(arm, d);
      for (int i = 0; i < 3; ++i) {
        J[6 * body + i] += sign * d[i];
        J[6 * body + 3 + i] += sign * moment[i];
      }
    };
    add(contact.above, contact.arm_above, 1);
    add(contact.below, contact.arm_below, -1);
    return J;
  }

  ContactLcp assemble(ContactScene scene) const {
    const int p = size_.contacts, k = size_.directions, n = size_.n(), impulses = p * (k + 1);
    ContactLcp lcp{size_, scene, std::vector<double>(n * n, 0), std::vector<double>(n, 0), {}, {}};
    std::vector<std::vector<double>>& J = lcp.rows.J;
    J.resize(impulses);
    for (int c = 0; c < p; ++c) {
      for (int d = 0; d < k; ++d) J[c * k + d] = row(contacts_[c], direction(contacts_[c].normal, d));
      J[p * k + c] = row(contacts_[c], contacts_[c].normal);
    }
    for (int i = 0; i < impulses; ++i) {
      for (int j = 0; j < impulses; ++j) lcp.M[i * n + j] = coupling(J[i], J[j]);
      for (std::size_t f = 0; f < J[i].size(); ++f) lcp.q[i] += J[i][f] * bodies_[f / 6].velocity[f % 6];
    }
    for (int c = 0; c < p; ++c) {
      const int normal = p * k + c, cone = normal + p;
      lcp.q[normal] += contacts_[c].gap / step_;
      lcp.M[cone * n + normal] = contacts_[c].friction;
      for (int d = c * k; d < (c + 1) * k; ++d) {
        lcp.M[d * n + cone] = 1;
        lcp.M[cone * n + d] = -1;
      }
    }
    lcp.scale = contact_scale(size_, lcp.M);
    for (const Body& body : bodies_) {
      lcp.rows.inverse_mass.insert(lcp.rows.inverse_mass.end(), body.inverse_mass.begin(), body.inverse_mass.end());
      lcp.rows.velocity.insert(lcp.rows.velocity.end(), body.velocity.begin(), body.velocity.end());
    }
    for (const Contact& contact : contacts_) {
      lcp.rows.bodies.push_back({contact.above, contact.below});
      lcp.rows.friction.push_back(contact.friction), lcp.rows.gap_speed.push_back(contact.gap / step_);
    }
    return lcp;
  }

  double coupling(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t f = 0; f < a.size(); ++f) sum += a[f] * bodies_[f / 6].inverse_mass[f % 6] * b[f];
    return sum;
  }

  std::mt19937_64 random_;
  LcpSize size_{};
  bool planar_ = false;
  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
};

}  // namespace jostle
