#include "drivers/live/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "core/batch/batch.hpp"
#include "core/dynamics/joint_geometry.hpp"
#include "core/geometry/shape_pair.hpp"
#include "core/math/arc_tangent.hpp"
#include "core/model/frame.hpp"

namespace jostle {
namespace {

/// m or 1: a joint that is farther open cannot be closed by the stabilisation of a step.
constexpr double written_opening = 1e-6;

/// Of a component that the body does not have, relative to the others: what rotations leave by rounding.
constexpr double written_rounding = 1e-12;

bool differs(const double* written, const double* kept, int count) {
  bool different = false;
  for (int k = 0; k < count; ++k) different = different || !(written[k] == kept[k]);
  return different;
}

bool are_finite(const double* values, int count) {
  return std::all_of(values, values + count, [](double value) { return std::isfinite(value); });
}

bool is_planar(const BodyModel& body) { return body.rotation != RotationKind::free; }

/// What the arrays say cannot be.
struct Impossible : std::runtime_error {
  explicit Impossible(const std::string& reason, Status its_status = Status::bad_parameters)
      : std::runtime_error(reason), status(its_status) {}
  Status status;
};

/// Writes what the arrays say of one body into the state; throws Impossible.
class BodyWriter {
 public:
  BodyWriter(const System& system, const BodySpec& spec, int body, const ShownMotion& written)
      : system_(system), spec_(spec), body_(body), model_(system.model.bodies[body]), written_(written) {}

  void write(const ShownMotion& shown) {
    const StateView state = system_.state();
    bool has_new_place = differs(q_, shown.q, 3);
    const bool has_new_turn = differs(q_ + 3, shown.q + 3, 4);
    bool has_new_velocity = differs(v_, shown.v, 3);
    const bool has_new_spin = differs(v_ + 3, shown.v + 3, 3);
    if (!has_new_place && !has_new_turn && !has_new_velocity && !has_new_spin) return;
    if (model_.is_prescribed()) fail("has a prescribed motion, so its state cannot be written");
    if (!are_finite(q_, 7) || !are_finite(v_, 6)) fail("has been given a number that is not finite");
    if (has_own_frame(system_.model, body_)) {
      has_new_place = has_new_place || has_new_turn;
      has_new_velocity = has_new_velocity || has_new_turn || has_new_spin;
      take_from_frame(shown, has_new_turn, has_new_place, has_new_velocity);
    }
    if (has_new_place) write_free(state.position + 3 * body_, q_, "position");
    if (has_new_turn) write_turn();
    if (has_new_velocity) write_free(state.velocity + 3 * body_, v_, "velocity");
    if (has_new_turn || has_new_spin) write_spin();
  }

 private:
  /// From the frame of the file to the centre of mass and the principal axes, as far as something is new. A component
  /// that the body cannot have, and that nobody has written, stays.
  void take_from_frame(const ShownMotion& shown, bool has_new_turn, bool has_new_place, bool has_new_velocity) {
    const StateView state = system_.state();
    Quaternion turn = quaternion_at(state.orientation, body_);
    if (has_new_turn) {
      const Quaternion frame = turn_of_frame(system_, body_);
      turn = normalised(Quaternion{q_[3], q_[4], q_[5], q_[6]}) * Quaternion{frame.w, -frame.x, -frame.y, -frame.z};
      set_quaternion(written_.q + 3, 0, turn);
    }
    const Vec3 arm = arm_of_frame(system_, body_, rotation_matrix(turn));
    const Vec3 speed = cross(Vec3(v_[3], v_[4], v_[5]), arm);
    const auto back = [&](double* written, const double* seen, const double* kept, const Vec3& offset) {
      for (int k = 0; k < 3; ++k) {
        const bool stays = !model_.is_free(k) && written[k] == seen[k];
        written[k] = stays ? kept[3 * body_ + k] : written[k] - offset[k];
      }
    };
    if (has_new_place) back(written_.q, shown.q, state.position, arm);
    if (has_new_velocity) back(written_.v, shown.v, state.velocity, speed);
  }

  [[noreturn]] void fail(const std::string& what) const { throw Impossible("body '" + spec_.name + "' " + what); }

  void write_free(double* to, const double* from, const std::string& what) const {
    for (int k = 0; k < 3; ++k) {
      if (to[k] == from[k]) continue;
      if (!model_.is_free(k)) fail("cannot change its " + what + " along " + "xyz"[k]);
      to[k] = from[k];
    }
  }

  void write_turn() const {
    const StateView state = system_.state();
    const Quaternion written{q_[3], q_[4], q_[5], q_[6]};
    const double length =
        std::sqrt(written.w * written.w + written.x * written.x + written.y * written.y + written.z * written.z);
    if (!(length > 0) || !std::isfinite(length)) fail("has been given a quaternion without direction");
    if (!is_planar(model_)) return set_quaternion(state.orientation, body_, normalised(written));
    const int axis = static_cast<int>(model_.rotation);
    for (int k = 0; k < 3; ++k)
      if (k != axis && std::fabs(q_[4 + k]) > written_rounding * length) fail("cannot turn out of its plane");
    if (axis < 0) fail("cannot turn");
    const double angle = 2 * arc_tangent(q_[4 + axis], q_[3]);
    state.angle[body_] = unwrapped(angle, state.angle[body_]);
    set_quaternion(state.orientation, body_, planar_quaternion(axis, state.angle[body_]));
  }

  void write_spin() const {
    const StateView state = system_.state();
    const Vec3 world{v_[3], v_[4], v_[5]};
    if (!is_planar(model_)) {
      const Mat3 axes = rotation_matrix(quaternion_at(state.orientation, body_));
      return set_vector(state.spin, body_, rotate_back(axes, world));
    }
    write_components(state.spin + 3 * body_, world);
  }

  void write_components(double* to, const Vec3& spin) const {
    for (int k = 0; k < 3; ++k) {
      if (!model_.is_free(3 + k) && std::fabs(spin[k]) > written_rounding * std::sqrt(dot(spin, spin)))
        fail(std::string("cannot spin about ") + "xyz"[k]);
      if (model_.is_free(3 + k)) to[k] = spin[k];
    }
  }

  const System& system_;
  const BodySpec& spec_;
  int body_;
  const BodyModel& model_;
  ShownMotion written_;
  const double *const q_ = written_.q, *const v_ = written_.v;
};

std::vector<Pose> poses_of(const System& system) {
  std::vector<Pose> poses;
  for (int b = 0; b < system.model.dimensions.bodies; ++b) poses.push_back(pose_of(system, b));
  return poses;
}

/// How far joints are open, m or as a sine, equation by equation.
std::vector<double> openings_of(const System& system) {
  const std::vector<Pose> poses = poses_of(system);
  std::vector<double> openings;
  for (int j = 0; j < system.model.dimensions.joints; ++j)
    for_each_opening(system, j, poses.data(), [&](double gap) { openings.push_back(gap); });
  return openings;
}

/// Coordinates of joints at new poses. Throws Impossible if one is open, further than it was `before`, by a method that
/// lets joints drift.
void write_joints(const System& system, const Scenario& scenario, const std::vector<double>& before) {
  const ModelView& model = system.model;
  const std::vector<Pose> poses = poses_of(system);
  const std::vector<double> openings = openings_of(system);
  std::size_t equation = 0;
  for (int j = 0; j < model.dimensions.joints; ++j) {
    const JointModel& joint = model.joints[j];
    for (int i = 0; i < joint.rows; ++i, ++equation) {
      const double gap = openings[equation];
      if (std::fabs(gap) <= std::fabs(before[equation]) + written_opening) continue;
      throw Impossible("joint '" + scenario.joints[static_cast<std::size_t>(j)].name + "' would be open by " +
                       std::to_string(gap));
    }
    if (joint.has_coordinate()) system.state().joint_position[j] = joint_position_at(system, j, poses.data());
  }
}

/// m, of every pair of shapes.
std::vector<double> gaps_of(const System& system) {
  const ModelView& model = system.model;
  std::vector<PlacedShape> placed;
  for (int s = 0; s < model.dimensions.shapes; ++s)
    placed.push_back(place_shape(system, s, pose_of(system, model.shapes[s].body)));
  std::vector<double> gaps;
  for (int p = 0; p < model.dimensions.pairs; ++p) {
    const PairModel& pair = model.pairs[p];
    gaps.push_back(signed_distance<true>(placed[static_cast<std::size_t>(pair.shape_a)],
                                         placed[static_cast<std::size_t>(pair.shape_b)]));
  }
  return gaps;
}

/// As at the start of a sample, but what overlapped before may stay so; throws Impossible.
void check_overlap(const System& system, const Scenario& scenario, const std::vector<double>& before) {
  const std::vector<double> gaps = gaps_of(system);
  std::size_t deepest = gaps.size();
  double least = -start_overlap;
  for (std::size_t p = 0; p < gaps.size(); ++p)
    if (gaps[p] < least && gaps[p] < before[p] - start_overlap) deepest = p, least = gaps[p];
  if (deepest == gaps.size()) return;
  const ModelView& model = system.model;
  const auto name = [&](int shape) {
    return "'" + scenario.bodies[static_cast<std::size_t>(model.shapes[shape].body)].name + "'";
  };
  char depth[32];
  std::snprintf(depth, sizeof depth, "%.3g", -least);
  const PairModel& pair = model.pairs[deepest];
  throw Impossible(name(pair.shape_a) + " and " + name(pair.shape_b) + " would overlap by " + depth + " m",
                   Status::overlap);
}

/// Whether the arrays have another pose of some body.
bool has_new_pose(const System& system, std::span<const ShownBody> bodies, const ShownSystem& shown) {
  const double* q = shown.q;
  for (const ShownBody& body : bodies) {
    ShownMotion now;
    show(system, {&body, 1}, {now.q, now.v});
    if (differs(q, now.q, 7)) return true;
    q += 7;
  }
  return false;
}

}  // namespace

std::vector<ShownBody> shown_bodies(const ModelView& model, std::span<const int> numbers) {
  const StateLayout& at = model.state_layout;
  const auto vectors = [](int count) { return static_cast<std::size_t>(count) * sizeof(double); };
  const auto axis_of = [](const BodyModel& body) { return is_planar(body) ? static_cast<int>(body.rotation) : -1; };
  std::vector<ShownBody> bodies;
  for (const int b : numbers)
    bodies.push_back({b, has_own_frame(model, b), axis_of(model.bodies[b]), at.position + vectors(3 * b),
                      at.orientation + vectors(4 * b), at.velocity + vectors(3 * b), at.spin + vectors(3 * b)});
  return bodies;
}

Vec3 spin_about(const System& system, const ShownBody& body) {
  return rotate(pose_of(system, body.number).axes, vector_at(system.state().spin, body.number));
}

ShownMotion motion_of_frame(const System& system, int body) {
  const WrittenMotion motion = written_motion(system, body, pose_of(system, body).axes);  // as in records, to the bit
  ShownMotion shown;
  set_vector(shown.q, 0, motion.position);
  set_quaternion(shown.q + 3, 0, motion.orientation);
  set_vector(shown.v, 0, motion.velocity);
  set_vector(shown.v + 3, 0, motion.spin);
  return shown;
}

void show_nothing(std::span<const ShownBody> bodies, const ShownSystem& shown) {
  std::fill_n(shown.q, 7 * bodies.size(), canonical_nan());
  std::fill_n(shown.v, 6 * bodies.size(), canonical_nan());
}

void keep_written(const double* held, const double* first, const ShownSystem& arrays, std::size_t bodies) {
  const auto keep = [&](double* array, std::size_t count) {
    if (std::memcmp(held, first, count * sizeof(double)) != 0) std::copy_n(held, count, array);
    held += count, first += count;
  };
  for (double* q = arrays.q; q != arrays.q + 7 * bodies; q += 7) {
    for (std::size_t k = 0; k < 3; ++k) keep(q + k, 1);
    keep(q + 3, 4);
  }
  for (double* v = arrays.v; v != arrays.v + 6 * bodies; ++v) keep(v, 1);
}

std::optional<Refusal> take_over(const System& system, const Scenario& scenario, std::span<const ShownBody> bodies,
                                 const ShownSystem& shown) {
  const std::vector<std::byte> before(system.state_memory, system.state_memory + system.model.state_layout.bytes);
  const bool moves = has_new_pose(system, bodies, shown);
  const std::vector<double> gaps = moves ? gaps_of(system) : std::vector<double>(),
                            openings = moves ? openings_of(system) : std::vector<double>();
  try {
    double *q = shown.q, *v = shown.v;
    for (const ShownBody& body : bodies) {
      ShownMotion written, now;
      std::copy_n(q, 7, written.q);
      std::copy_n(v, 6, written.v);
      show(system, {&body, 1}, {now.q, now.v});
      BodyWriter(system, scenario.bodies[static_cast<std::size_t>(body.number)], body.number, written).write(now);
      q += 7, v += 6;
    }
    if (moves) write_joints(system, scenario, openings), check_overlap(system, scenario, gaps);
  } catch (const Impossible& impossible) {
    std::copy(before.begin(), before.end(), system.state_memory);
    return Refusal{impossible.status, impossible.what()};
  }
  wake(system);
  forget_energy(system.state());
  return std::nullopt;
}

}  // namespace jostle
