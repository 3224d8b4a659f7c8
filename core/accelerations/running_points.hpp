#pragma once
// Contact points that run round a rim. The lowest point of a disc that is tilted by s moves along the rim at |w_h|/s,
// with w_h its horizontal spin, and n'dot v has R w_h^2/s of that (contact_acceleration.hpp): where it would run by
// more than a small angle, no stage says what it does in the next one. Then it counts as a point of the rim. So does a
// point that runs along the side of a cylinder: where an edge comes to lie along it, their lines cross ever further
// off.
#include "core/accelerations/contact_acceleration.hpp"
#include "core/geometry/cylinder_features.hpp"

namespace jostle {

/// Cosine of .2 rad, by which a contact point may run round a rim in a step.
inline constexpr double longest_run = 0.98006657784124163;
/// Of the radius, by which a contact point may run along a side in a step, beyond what the shapes slide.
inline constexpr double longest_run_along = 0.2;
/// Sine of the tilt of the normal of a contact on the side of a cylinder, at least.
inline constexpr double side_tilt = 0.999999;
/// Sine of the tilt above which a disc rolls on its rim, as smoothly as a ball does.
inline constexpr double rolling_tilt = 0.5;

namespace detail {

/// The shape of a pair, 0 or 1, round whose rim the contact point of a feature runs too far as the bodies go on from q^
/// for some time; -1: neither.
JOSTLE_HD JOSTLE_OUTLINE inline int runs_round(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                               int feature, double time) {
  const PosesAhead<decltype(work)> poses{system, work, time};
  const PlacedShape before[] = {work.placed(pair.shape_a), work.placed(pair.shape_b)};
  const PlacedShape after[] = {place_at(system, pair.shape_a, poses), place_at(system, pair.shape_b, poses)};
  const ContactGeometry at_first = contact_geometry(before[0], before[1], feature);
  const ContactGeometry at_last = contact_geometry(after[0], after[1], feature);
  const auto runs = [&](int side) {
    if (before[side].type != ShapeType::cylinder) return false;
    if (!(sine_of_tilt(before[side], at_first.normal) < rolling_tilt) &&
        !(sine_of_tilt(after[side], at_last.normal) < rolling_tilt))
      return false;
    const auto in_shape = [&](const PlacedShape& shape, const ContactGeometry& at) {
      return rotate_back(shape.axes, Vec3((side == 0 ? at.point_a : at.point_b) - shape.position));
    };
    const Vec3 x = in_shape(before[side], at_first), y = in_shape(after[side], at_last);
    const double size = std::sqrt((x[0] * x[0] + x[1] * x[1]) * (y[0] * y[0] + y[1] * y[1]));
    return x[0] * y[0] + x[1] * y[1] < longest_run * size;
  };
  return runs(0) ? 0 : runs(1) ? 1 : -1;
}

/// The same of a contact point that runs too far along the side of a cylinder; `slides`: m, at most how far the shapes
/// slide on each other in that time.
JOSTLE_HD JOSTLE_OUTLINE inline int runs_along(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                               int feature, double time, double slides) {
  const PlacedShape &first_a = work.placed(pair.shape_a), &first_b = work.placed(pair.shape_b);
  const ContactGeometry first = contact_geometry(first_a, first_b, feature);
  const auto is_on_side = [&](const PlacedShape& shape) {
    return shape.type == ShapeType::cylinder && !(sine_of_tilt(shape, first.normal) < side_tilt);
  };
  const bool on_a = is_on_side(first_a), on_b = is_on_side(first_b);
  if (!on_a && !on_b) return -1;
  const PosesAhead<decltype(work)> poses{system, work, time};
  const PlacedShape last_a = place_at(system, pair.shape_a, poses), last_b = place_at(system, pair.shape_b, poses);
  const ContactGeometry last = contact_geometry(last_a, last_b, feature);
  const auto along = [](const PlacedShape& shape, const Vec3& point) {
    return dot(shape.axes.col(2), Vec3(point - shape.position));
  };
  const auto is_far = [&](double from, double to, double radius) {
    return std::fabs(to - from) > longest_run_along * radius + slides;
  };
  if (on_a && is_far(along(first_a, first.point_a), along(last_a, last.point_a), first_a.size[0])) return 0;
  return on_b && is_far(along(first_b, first.point_b), along(last_b, last.point_b), first_b.size[0]) ? 1 : -1;
}

}  // namespace detail

/// n'dot v of a contact whose point runs too far round a rim within h, or has within h before: as if the point stayed
/// where it is on the rim; the same of one that runs too far along a side. (Where a disc has just passed flat,
/// differences would reach back to the point on its other side.) Else that of normal_turning().
JOSTLE_HD inline double turning_without_run(const System& system, AnyWorkspace auto work, const Contact& contact,
                                            double h) {
  const PairModel& pair = system.model.pairs[contact.pair];
  const bool rim_of_a = system.model.shapes[pair.shape_a].rim >= 0,
             rim_of_b = system.model.shapes[pair.shape_b].rim >= 0;
  if (!rim_of_a && !rim_of_b) return normal_turning(system, work, contact);
  const int body_a = system.model.shapes[pair.shape_a].body, body_b = system.model.shapes[pair.shape_b].body;
  const RigidMotion a = motion_of_body(system, work, body_a), b = motion_of_body(system, work, body_b);
  const Vec3 passing = b.velocity_at(contact.arm_b) - a.velocity_at(contact.arm_a);
  int side = detail::runs_round(system, work, pair, contact.feature, h);
  if (side < 0) side = detail::runs_round(system, work, pair, contact.feature, -h);
  const bool is_round = side >= 0;
  if (!is_round) side = detail::runs_along(system, work, pair, contact.feature, h, 2 * h * length_of(passing));
  if (side < 0) return normal_turning(system, work, contact);
  // The normal is fixed to the other body, but that of a side to its own.
  const Vec3 turning = cross((side == 0) == is_round ? b.spin : a.spin, contact.normal);
  return dot(contact.normal, Vec3(b.centripetal(contact.arm_b) - a.centripetal(contact.arm_a))) +
         2 * dot(turning, passing);
}

}  // namespace jostle
