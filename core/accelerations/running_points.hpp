#pragma once
// Contact points that run round a rim. The lowest point of a disc that is tilted by s moves along the rim at |w_h|/s,
// with w_h its horizontal spin, and n'dot v has R w_h^2/s of that (contact_acceleration.hpp): where it would run by
// more than a small angle, no stage says what it does in the next one. Then it counts as a point of the rim.
#include "core/accelerations/contact_acceleration.hpp"
#include "core/geometry/cylinder_features.hpp"

namespace jostle {

/// Cosine of .2 rad, by which a contact point may run round a rim in a step.
inline constexpr double longest_run = 0.98006657784124163;
/// Sine of the tilt above which a disc rolls on its rim, as smoothly as a ball does.
inline constexpr double rolling_tilt = 0.5;

namespace detail {

/// The shape of a pair, 0 or 1, round whose rim the contact point of a feature runs too far as the bodies go on from q^
/// for some time; -1: neither.
JOSTLE_HD JOSTLE_OUTLINE inline int runs_round(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                               int feature, double time) {
  const PosesAhead<decltype(work)> poses{system, work, time};
  const PlacedShape before[] = {work.placed(pair.shape_a), work.placed(pair.shape_b)};
  const PlacedShape after[] = {place_shape(system, pair.shape_a, poses[system.model.shapes[pair.shape_a].body]),
                               place_shape(system, pair.shape_b, poses[system.model.shapes[pair.shape_b].body])};
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

}  // namespace detail

/// n'dot v of a contact whose point runs too far round a rim within h, or has within h before: as if the point stayed
/// where it is on the rim. (Where a disc has just passed flat, differences would reach back to the point on its other
/// side.) Else that of normal_turning().
JOSTLE_HD inline double turning_without_run(const System& system, AnyWorkspace auto work, const Contact& contact,
                                            double h) {
  const PairModel& pair = system.model.pairs[contact.pair];
  const bool rim_of_a = system.model.shapes[pair.shape_a].rim >= 0,
             rim_of_b = system.model.shapes[pair.shape_b].rim >= 0;
  if (!rim_of_a && !rim_of_b) return normal_turning(system, work, contact);
  int side = detail::runs_round(system, work, pair, contact.feature, h);
  if (side < 0) side = detail::runs_round(system, work, pair, contact.feature, -h);
  if (side < 0) return normal_turning(system, work, contact);
  const int body_a = system.model.shapes[pair.shape_a].body, body_b = system.model.shapes[pair.shape_b].body;
  const RigidMotion a = motion_of_body(system, work, body_a), b = motion_of_body(system, work, body_b);
  const Vec3 passing = b.velocity_at(contact.arm_b) - a.velocity_at(contact.arm_a);
  const Vec3 turning = cross(side == 0 ? b.spin : a.spin, contact.normal);  // the normal is fixed to the other body
  return dot(contact.normal, Vec3(b.centripetal(contact.arm_b) - a.centripetal(contact.arm_a))) +
         2 * dot(turning, passing);
}

}  // namespace jostle
