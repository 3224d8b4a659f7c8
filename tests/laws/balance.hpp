#pragma once
// What one step does to momentum and energy, added up from world vectors of bodies and contacts. No row of the
// assembled problem is used for momentum.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "core/assembly/tangents.hpp"
#include "core/contacts/candidate_contacts.hpp"
#include "tests/laws/simulation.hpp"

namespace jostle {

/// Zero for a fixed body.
inline Vec6 velocity_of(const System& system, const Workspace& work, const auto& velocity, int body) {
  const BodyModel& model = system.model.bodies[body];
  return model.fixed ? Vec6{} : velocity_of(model, work, velocity);
}

/// A body before and after a step. What a step keeps is seen in the axes at q_l, by which it turns.
struct BodyStep {
  Pose pose;       ///< q_l
  Vec3 predicted;  ///< centre of mass at q^, m
  Vec6 old, next;  ///< v_l and v_{l+1}
  double mass;
  Vec3 inertia;

  BodyStep(const System& system, const Workspace& work, int body)
      : pose(work.pose(body)),
        predicted(work.predicted_pose(body).position),
        old(velocity_of(system, work, work.velocity(), body)),
        next(velocity_of(system, work, work.next_velocity(), body)),
        mass(system.parameters().mass[body]),
        inertia(vector_at(system.parameters().inertia, body)) {}

  /// J dw with (J - (h/2) ([Jw]x - [w]x J)) dw = -h w x J w at the start of the step, body axes, N m s.
  Vec3 gyroscopic(double h) const {
    const Vec3 w = old.angular(), torque = -cross(w, Vec3(inertia.cwiseProduct(w)));
    if (torque.isZero(0)) return torque;
    Mat3 A;
    for (int k = 0; k < 3; ++k) {
      const Vec3 e = Vec3::Unit(k), of_inertia = inertia.cwiseProduct(e);
      A.col(k) = of_inertia - h / 2 * (cross(Vec3(inertia.cwiseProduct(w)), e) - cross(w, of_inertia));
    }
    return inertia.cwiseProduct(Vec3(A.inverse() * (h * torque)));
  }
  Vec3 linear_change() const { return mass * (next.linear() - old.linear()); }
  /// J (w_{l+1} - w_l) less the gyroscopic impulse, world.
  Vec3 angular_change(double h) const {
    return rotate(pose.axes, inertia.cwiseProduct(next.angular() - old.angular()) - gyroscopic(h));
  }
  double kinetic_energy(const Vec6& v) const {
    return (mass * dot(v.linear(), v.linear()) + dot(v.angular(), inertia.cwiseProduct(v.angular()))) / 2;
  }
};

/// A contact of the step's LCP with its impulse.
struct ContactStep {
  int body_a, body_b;
  double gap;                      ///< Phi(q^), m
  Vec3 direction;                  ///< n, from a to b
  Vec3 impulse;                    ///< on b, world, N s
  double normal;                   ///< c_n, N s
  double gap_at_start;             ///< Phi(q^) - h n'u: of the positions at the start to first order, m
  double gap_after;                ///< Phi(q^) + h n'(v - u): of the next positions to first order, m
  double normal_speed;             ///< n'v, m/s
  Vec3 arm_a, arm_b;               ///< m
  double normal_work = 0;          ///< c_n n'v, J
  double friction_work = 0;        ///< J
  double friction;                 ///< mu
  Vec3 tangential = Vec3::Zero();  ///< of the impulse, N s

  ContactStep(const System& system, const Workspace& work, int c) {
    const ModelView& model = system.model;
    const Contact& contact = work.contact(c);
    const Block& block = work.block(c);
    body_a = model.shapes[model.pairs[contact.pair].shape_a].body;
    body_b = model.shapes[model.pairs[contact.pair].shape_b].body;
    direction = contact.normal;
    gap = contact.gap, arm_a = contact.arm_a, arm_b = contact.arm_b, friction = block.friction;
    normal = work.row_impulse(block.normal);
    for (int i = 0; i < block.tangents; ++i) {
      tangential += work.row_impulse(block.tangent + i) * world_direction(model, contact, i);
    }
    impulse = normal * contact.normal + tangential;
    const Vec3 slip = slip_of(system, work, work.next_velocity());
    normal_speed = dot(contact.normal, slip);
    gap_at_start = gap - model.step * dot(contact.normal, slip_of(system, work, work.predicted_velocity()));
    gap_after = gap_at_start + model.step * normal_speed;
    normal_work = normal * normal_speed;
    friction_work = dot(tangential, slip);
  }

 private:
  /// Velocity of the point of b less that of the point of a, m/s.
  Vec3 slip_of(const System& system, const Workspace& work, const auto& velocity) const {
    const auto point_velocity = [&](int body, const Vec3& arm) {
      const Vec6 v = velocity_of(system, work, velocity, body);
      return Vec3(v.linear() + cross(rotate(work.pose(body).axes, v.angular()), arm));
    };
    return point_velocity(body_b, arm_b) - point_velocity(body_a, arm_a);
  }
};

/// One step of a system without prescribed forces.
struct StepBalance {
  double step;  ///< h, s
  Vec3 gravity;
  std::vector<BodyStep> bodies;
  std::vector<ContactStep> contacts;
  bool is_held;  ///< the step's last problem, which may have more contacts than one that was held before

  StepBalance(const System& system, const Workspace& work, const StepResult& result)
      : step(system.model.step), gravity(vector_at(system.parameters().gravity, 0)) {
    for (int b = 0; b < system.model.dimensions.bodies; ++b) bodies.emplace_back(system, work, b);
    is_held = result.held;
    for (int c = 0; c < result.contacts; ++c) {
      contacts.emplace_back(system, work, c);
      is_held = is_held && work.row_bias(work.block(c).normal) >= 0;
    }
  }

  /// Of all contacts of a body.
  Vec3 impulse_on(int body) const {
    Vec3 sum = Vec3::Zero();
    for (const ContactStep& c : contacts) sum += double((c.body_b == body) - (c.body_a == body)) * c.impulse;
    return sum;
  }
  Vec3 turning_impulse_on(int body) const {
    Vec3 sum = Vec3::Zero();
    for (const ContactStep& c : contacts) {
      if (c.body_b == body) sum += cross(c.arm_b, c.impulse);
      if (c.body_a == body) sum -= cross(c.arm_a, c.impulse);
    }
    return sum;
  }
  /// What a body does on the others by moving with its velocity, J.
  double work_of(int body) const {
    const BodyStep& b = bodies[body];
    const Vec3 turning = rotate_back(b.pose.axes, turning_impulse_on(body));
    return -dot(impulse_on(body), b.next.linear()) - dot(turning, b.next.angular());
  }
  /// What contacts give by pushing apart what overlaps, J.
  double energy_from_overlap() const {
    double sum = 0;
    for (const ContactStep& c : contacts) sum += std::max(c.normal_work, 0.0);
    return sum;
  }
  /// Rounding errors of the step, in units of the library: for the largest impulse or momentum, at least 1 N s.
  double rounding() const {
    double largest = 1;
    for (const ContactStep& c : contacts) largest = std::max(largest, c.impulse.norm());
    for (const BodyStep& b : bodies) largest = std::max(largest, b.mass * b.old.linear().norm());
    return 1e-13 * largest;
  }
};

}  // namespace jostle
