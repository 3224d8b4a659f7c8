#pragma once
// Where the fixed points of a rim are.
//
// A disc that stands on a plane has no lowest point, but four points that are fixed to it (cylinder_features.hpp). They
// support a square: the rim itself only at these points, .707 R between two of them. So the first one lies where the
// cap would tip. With r the momentum of the body and the impulse of its load, and L its moment of momentum about the
// middle of the cap with that of the load,
//
//     d = L x n / (-r . n)                                                                     (1)
//
// is where r meets the plane of the cap with the outward normal -n, from its middle: the cap tips towards d if |d| > R.
// Velocities are those relative to what it stands on. If that moves, the change of its velocity is a load, with the
// opposite sign: a tin stands on a plate that speeds up or turns as it does on a slope. It is that of the piece before;
// in the first step only that of bodies that move as told is known. While d is well within the square, or r does not
// press, the points stay where they are.
#include "core/contacts/rest.hpp"
#include "core/dynamics/forces.hpp"
#include "core/dynamics/motion.hpp"
#include "core/geometry/shape_pair.hpp"
#include "core/prescribed/prescribed_motion.hpp"

namespace jostle {

/// The points turn if d is longer than this share of R.
inline constexpr double aimed_share = 0.25;

/// Slope of an axis against a contact's normal below which a cap stands.
inline constexpr double standing_slope = 1e-3;

namespace detail {

/// Velocity and spin of a body in the state, world.
struct BodyMotion {
  Vec3 position, velocity, spin;
};
JOSTLE_HD inline BodyMotion motion_in_state(const System& system, AnyWorkspace auto work, int body) {
  const BodyModel& own = system.model.bodies[body];
  const Pose& pose = work.next_pose(body);
  if (own.fixed) return {pose.position, Vec3::Zero(), Vec3::Zero()};
  if (own.is_prescribed()) {  // the state has those of the start of the piece
    const Vec6 told = work.prescribed_velocity(own.prescribed);
    return {pose.position, told.linear(), rotate(pose.axes, told.angular())};
  }
  return {pose.position, vector_at(system.state().velocity, body),
          rotate(pose.axes, vector_at(system.state().spin, body))};
}

/// Velocity and spin, world.
struct Motion {
  Vec3 velocity, spin;
};

/// Of a body, which velocity and spin in its own axes move so at this pose, where it carries the point x along.
JOSTLE_HD inline Motion carried(const Pose& pose, const Vec6& velocity, const Vec3& x) {
  const Vec3 spin = rotate(pose.axes, velocity.angular());
  return {velocity.linear() + cross(spin, x - pose.position), spin};
}

/// Turns the points of a cap of shape s, which stands on another body with the normal `up` out of that.
/// change(base, body): of the motion that `base` gives to `body` in the time of the loads.
JOSTLE_HD inline void aim_rim(const System& system, AnyWorkspace auto work, int s, int other_body, const Vec3& up,
                              auto change) {
  const ModelView& model = system.model;
  const int own_body = model.shapes[s].body;
  // What tips: the cylinder, or what stands on it.
  const bool tips = model.bodies[own_body].mover != no_body;
  const int body = tips ? own_body : other_body, mover = model.bodies[body].mover;
  if (mover == no_body) return;
  if (model.dimensions.resting_movers() > 0 && system.state().rest_island[mover] != 0) return;  // nothing may change
  const PlacedShape& cylinder = work.next_placed(s);
  const Vec3 axis = cylinder.axes.col(2), middle = end_point(cylinder, dot(up, axis) < 0 ? 1 : 0);
  const Vec3 n = tips ? up : Vec3(-up);
  const BodyMotion of = motion_in_state(system, work, body);
  const BodyMotion base = motion_in_state(system, work, tips ? other_body : own_body);
  const Vec3 spin = of.spin - base.spin;
  const Vec3 speed = of.velocity - base.velocity - cross(base.spin, of.position - base.position);
  const Mat3& axes = work.next_pose(body).axes;
  const Motion with_base = change(tips ? other_body : own_body, body);
  const Vec3 own_spin = rotate_back(axes, Vec3(spin - with_base.spin)),
             J = vector_at(system.parameters().inertia, body);
  const Vec3 turning = angular_momentum(J, own_spin) + work.applied(mover).angular();
  const Vec3 r = system.parameters().mass[body] * (speed - with_base.velocity) + work.applied(mover).linear();
  const Vec3 L = cross(of.position - middle, r) + rotate(axes, turning);
  const double pressure = -dot(r, n);
  const Vec3 d = across_discs(cylinder, cross(L, n));
  const double length = std::sqrt(dot(d, d));
  if (!(pressure > 0 && length > aimed_share * cylinder.size[0] * pressure)) return;
  double* const turn = system.state().rim_turn + 2 * model.shapes[s].rim;
  const Vec3 x = turn[0] * cylinder.axes.col(0) - turn[1] * cylinder.axes.col(1);  // as if the rim were not turned
  const Vec3 y = turn[1] * cylinder.axes.col(0) + turn[0] * cylinder.axes.col(1);
  const double along_x = dot(d, x) / length, along_y = dot(d, y) / length;
  const double norm = std::sqrt(along_x * along_x + along_y * along_y);
  turn[0] = along_x / norm, turn[1] = along_y / norm;
}

/// Turns the points of rim shape s where it stands: on the first contact of `visit_contacts`(pair, visit(normal)) whose
/// normal is along the axis.
JOSTLE_HD void aim_rim_of(const System& system, AnyWorkspace auto work, int s, auto change, auto visit_contacts) {
  const ModelView& model = system.model;
  bool found = false;
  for (int p = 0; p < model.dimensions.pairs && !found; ++p) {
    const PairModel& pair = model.pairs[p];
    if (pair.shape_a != s && pair.shape_b != s) continue;
    visit_contacts(p, [&](const Vec3& normal) {
      if (found || sine_of_tilt(work.next_placed(s), normal) > standing_slope) return;
      found = true;
      const bool first = pair.shape_a == s;
      const int other_body = model.shapes[first ? pair.shape_b : pair.shape_a].body;
      aim_rim(system, work, s, other_body, first ? Vec3(-normal) : normal, change);
    });
  }
}

}  // namespace detail

/// The points of all rims for the first step. Begins and ends synced.
template <class Team>
JOSTLE_HD void start_rims(const Team& team, const System& system, AnyWorkspace auto work) {
  const ModelView& model = system.model;
  if (model.dimensions.rims == 0) return;
  load_masses(team, system, work);
  const auto poses = work.next_pose();
  load_momentum(team, system, work, poses, poses, 0, model.step);
  team.for_each(model.dimensions.prescribed, [&](int p) {
    work.prescribed_rate(p) =
        prescribed_velocity_at(system, work, p, model.step, work.next_pose(model.prescribed[p].body));
  });
  team.sync();
  const auto change = [&](int base, int body) {
    const int number = model.bodies[base].prescribed;
    if (number < 0) return detail::Motion{Vec3::Zero(), Vec3::Zero()};
    const Pose& pose = work.next_pose(base);
    const Vec3 x = work.next_pose(body).position;
    const detail::Motion now = detail::carried(pose, work.prescribed_velocity(number), x);
    const detail::Motion next = detail::carried(pose, work.prescribed_rate(number), x);
    const Vec3 turning = model.step * cross(now.spin, cross(now.spin, x - pose.position));
    return detail::Motion{next.velocity - now.velocity + turning, next.spin - now.spin};
  };
  team.for_each(model.dimensions.shapes, [&](int s) {
    if (model.shapes[s].rim < 0) return;
    detail::aim_rim_of(system, work, s, change, [&](int p, auto visit) {
      const PlacedShape &a = work.next_placed(model.pairs[p].shape_a), &b = work.next_placed(model.pairs[p].shape_b);
      for (int i = 0; i < model.pairs[p].pages; ++i) {
        const int first = i * page_features;
        close_features<decltype(work)::has_polytopes>(a, b, start_overlap, first).for_each(first, [&](int feature) {
          visit(contact_geometry<decltype(work)::has_polytopes>(a, b, feature).normal);
        });
      }
    });
  });
  team.sync();
}

/// For the next step, after the new state but for contacts and the velocities of told bodies; contacts of the last
/// problem have numbers below `contacts`. h: the length of the piece, s. Begins and ends synced.
template <class Team>
JOSTLE_HD void aim_rims(const Team& team, const System& system, AnyWorkspace auto work, int contacts, double h) {
  const ModelView& model = system.model;
  const auto change = [&](int base, int body) {
    const int number = model.bodies[base].prescribed, mover = model.bodies[base].mover;
    if ((number < 0 && mover == no_body) || h == 0) return detail::Motion{Vec3::Zero(), Vec3::Zero()};
    const Vec3 x = work.pose(body).position, next_x = work.next_pose(body).position;
    const Vec6 before = number < 0 ? work.velocity(mover) : velocity_in_state(system, base);
    const Vec6 after = number < 0 ? work.next_velocity(mover) : work.prescribed_velocity(number);
    const detail::Motion was = detail::carried(work.pose(base), before, x);
    const detail::Motion is = detail::carried(work.next_pose(base), after, next_x);
    return detail::Motion{is.velocity - was.velocity, is.spin - was.spin};
  };
  team.for_each(model.dimensions.shapes, [&](int s) {
    if (model.shapes[s].rim < 0) return;
    detail::aim_rim_of(system, work, s, change, [&](int p, auto visit) {
      if (is_left_out(system, work, p)) return;
      for (int c = work.first_contact(p); c < work.first_contact(p + 1) && c < contacts; ++c)
        visit(work.contact(c).normal);
    });
  });
  team.sync();
}

}  // namespace jostle
