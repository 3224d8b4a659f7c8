#pragma once
// One system as the stages see it.
#include "core/math/bits.hpp"
#include "core/model/model.hpp"
#include "core/model/record_fields.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

/// At the start bodies may touch, but not overlap by more than this, m.
inline constexpr double start_overlap = 1e-9;

/// Where a recorded system writes its trajectory. Entry 0 is the initial state; then every stride-th step, and the
/// last.
struct TrajectoryView {
  double* q = nullptr;  ///< [time, body, 7] m and quaternion: x y z, w x y z; null: not recorded
  double* v = nullptr;  ///< [time, body, 6] m/s and rad/s, world
  int stride = 1;

  /// Number of entries in a run of `total_steps`.
  JOSTLE_HD std::int64_t entries(std::int64_t total_steps) const {
    return total_steps / stride + (total_steps % stride == 0 ? 1 : 2);
  }
};

struct System {
  const ModelView& model;
  std::byte* parameter_memory;  ///< written only by `load`
  std::byte* state_memory;
  TrajectoryView trajectory;
  const RecordView* record = nullptr;  ///< null: contacts and quantities are not recorded

  JOSTLE_HD [[gnu::always_inline]] ParameterView parameters() const {
    return parameter_view(model.parameter_layout, parameter_memory);
  }
  JOSTLE_HD double& parameter(int number) const { return reinterpret_cast<double*>(parameter_memory)[number]; }
  JOSTLE_HD [[gnu::always_inline]] StateView state() const { return state_view(model.state_layout, state_memory); }
};

JOSTLE_HD inline Vec3 vector_at(const double* field, int i) {
  return {field[3 * i], field[3 * i + 1], field[3 * i + 2]};
}
JOSTLE_HD inline void set_vector(double* field, int i, const Vec3& value) {
  for (int k = 0; k < 3; ++k) field[3 * i + k] = value[k];
}
JOSTLE_HD inline Quaternion quaternion_at(const double* field, int i) {
  return {field[4 * i], field[4 * i + 1], field[4 * i + 2], field[4 * i + 3]};
}
JOSTLE_HD inline void set_quaternion(double* field, int i, const Quaternion& q) {
  field[4 * i] = q.w, field[4 * i + 1] = q.x, field[4 * i + 2] = q.y, field[4 * i + 3] = q.z;
}

/// A new motion begins, whose energy nothing is known of (stages/energy_watch.hpp).
JOSTLE_HD inline void forget_energy(const StateView& state) {
  for (int i = 0; i < 3; ++i) state.energy_watch[i] = 0;
}

/// Whether the condition that ends the system has held: outcome number `stop_outcome` of an initialised system.
JOSTLE_HD inline bool has_stopped(int stop_outcome, const StateView& state) {
  return stop_outcome >= 0 && !is_nan(state.outcomes[stop_outcome]);
}

/// Whether an initialised system has a step left up to `last_step`.
JOSTLE_HD inline bool has_step_left(const System& system, int last_step) {
  const StateView state = system.state();
  return state.status() == static_cast<int>(Status::ok) && state.steps() < last_step &&
         !has_stopped(system.model.stop_outcome, state);
}

/// Turns the first two axes about the third.
JOSTLE_HD inline void turn_about_axis(Mat3& axes, double cosine, double sine) {
  const Vec3 x = axes.col(0), y = axes.col(1);
  axes.col(0) = cosine * x + sine * y;
  axes.col(1) = cosine * y - sine * x;
}

/// A shape of the system with its body at `pose`.
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline PlacedShape place_shape(const System& system, int shape, const Pose& pose) {
  const double* const axes = system.parameters().shape_axes + 9 * shape;  // row by row
  PlacedShape placed{system.model.shapes[shape].type,
                     vector_at(system.parameters().shape_size, shape),
                     pose.position + rotate(pose.axes, vector_at(system.parameters().shape_position, shape)),
                     {}};
  for (int k = 0; k < 3; ++k) placed.axes.col(k) = rotate(pose.axes, {axes[k], axes[3 + k], axes[6 + k]});
  if (const ShapeModel& own = system.model.shapes[shape]; own.corners > 0) {
    placed.corners = own.corners, placed.corner = system.parameters().corners + 2 * own.first_corner;
    if (own.first_bulge >= 0) placed.bulge = system.parameters().bulges + own.first_bulge;
    if (own.type == ShapeType::hull) {
      placed.corner = (own.is_shared ? system.model.shared_hulls : system.parameters().hull_numbers) + own.first_corner;
      placed.structure = system.model.hull_structures + own.structure;
    }
  }
  if (const int rim = system.model.shapes[shape].rim; rim >= 0) {
    const double cosine = system.state().rim_turn[2 * rim], sine = system.state().rim_turn[2 * rim + 1];
    if (sine != 0 || cosine < 0) turn_about_axis(placed.axes, cosine, sine);
  }
  return placed;
}

/// The same with its body at poses[body].
JOSTLE_HD inline PlacedShape place_at(const System& system, int shape, const auto& poses) {
  return place_shape(system, shape, poses[system.model.shapes[shape].body]);
}

JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline Pose pose_of(const System& system, int body) {
  const StateView s = system.state();
  Pose pose{vector_at(s.position, body), quaternion_at(s.orientation, body), s.angle[body], Mat3::Identity()};
  const int axis = static_cast<int>(system.model.bodies[body].rotation);
  const bool planar = axis >= 0 && axis < 3;
  pose.axes = planar ? planar_rotation_matrix(axis, pose.angle) : rotation_matrix(pose.orientation);
  return pose;
}

/// Of the state: linear in the world, angular in the axes of the body.
JOSTLE_HD inline Vec6 velocity_in_state(const System& system, int body) {
  const Vec3 v = vector_at(system.state().velocity, body), w = vector_at(system.state().spin, body);
  return {v[0], v[1], v[2], w[0], w[1], w[2]};
}

}  // namespace jostle
