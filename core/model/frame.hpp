#pragma once
// The frame of a body as its file has it. The state has the centre of mass and the principal axes; quantities, records
// and the arrays of live batches have the frame of the file, which is fixed to the body: docs/theory.md, "The frame of
// a body". Where the two are one, nothing is computed.
#include "core/model/system.hpp"

namespace jostle {

/// Whether the frame of the file may differ from the centre of mass and the principal axes.
JOSTLE_HD inline bool has_own_frame(const ModelView& model, int body) { return model.bodies[body].frame >= 0; }

/// m, world: from the centre of mass to the origin of the frame; `axes` are the principal ones.
JOSTLE_HD inline Vec3 arm_of_frame(const System& system, int body, const Mat3& axes) {
  return rotate(axes, vector_at(system.parameters().frame_position, system.model.bodies[body].frame));
}

/// m, world: the origin of the frame.
JOSTLE_HD inline Vec3 written_position(const System& system, int body, const Vec3& position, const Mat3& axes) {
  if (!has_own_frame(system.model, body)) return position;
  return position + arm_of_frame(system, body, axes);
}

/// m/s, world: the velocity of the origin; `spin` is the world's.
JOSTLE_HD inline Vec3 written_velocity(const System& system, int body, const Vec3& velocity, const Vec3& spin,
                                       const Mat3& axes) {
  if (!has_own_frame(system.model, body)) return velocity;
  return velocity + cross(spin, arm_of_frame(system, body, axes));
}

/// From the principal axes to those of the frame.
JOSTLE_HD inline Quaternion turn_of_frame(const System& system, int body) {
  return quaternion_at(system.parameters().frame_orientation, system.model.bodies[body].frame);
}

JOSTLE_HD inline Quaternion written_orientation(const System& system, int body, const Quaternion& orientation) {
  if (!has_own_frame(system.model, body)) return orientation;
  return orientation * turn_of_frame(system, body);
}

/// Column `axis` is that axis of the frame.
JOSTLE_HD inline Mat3 written_axes(const System& system, int body, const Mat3& axes) {
  if (!has_own_frame(system.model, body)) return axes;
  return product(axes, rotation_matrix(turn_of_frame(system, body)));
}

/// The motion of a body in the frame of its file; all but the quaternion is in world axes.
struct WrittenMotion {
  Vec3 position, velocity, spin;  ///< m, m/s, rad/s
  Quaternion orientation;
};

/// Of the current state; `axes` are the principal ones.
JOSTLE_HD inline WrittenMotion written_motion(const System& system, int body, const Mat3& axes) {
  const StateView s = system.state();
  const Vec3 spin = rotate(axes, vector_at(s.spin, body));
  return {written_position(system, body, vector_at(s.position, body), axes),
          written_velocity(system, body, vector_at(s.velocity, body), spin, axes), spin,
          written_orientation(system, body, quaternion_at(s.orientation, body))};
}

}  // namespace jostle
