#pragma once
// Between the state of a system and the arrays that a caller sees and writes: positions with quaternions, and world
// velocities. The state itself keeps spins in body axes and the angles of planar bodies.
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/system.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

/// What is shown of a system: rows of a body that is not fixed, in the order of the file.
struct ShownSystem {
  double* q;  ///< [body, 7] m and quaternion: x y z, w x y z
  double* v;  ///< [body, 6] m/s and rad/s, world
};

/// A body that is shown, and where its state lies in that of a system, in bytes.
struct ShownBody {
  int number = 0;              ///< in the order of the file
  bool has_own_frame = false;  ///< what is shown is the motion of another point than that of the state
  int axis = -1;               ///< of the world, about which alone it turns; -1: it has no such axis
  std::size_t position = 0, orientation = 0, velocity = 0, spin = 0;
};
std::vector<ShownBody> shown_bodies(const ModelView& model, std::span<const int> numbers);

/// What is written or shown of one body.
struct ShownMotion {
  double q[7], v[6];
};
/// Of a body that has its own frame.
ShownMotion motion_of_frame(const System& system, int body);

/// rad/s, world, of a body that turns about ShownBody::axis alone: its spin, and beside it zeros with the signs that
/// they have in records, where R w rotates them as well. They are +0, unless the spin is negative.
Vec3 spin_about(const System& system, const ShownBody& body);

/// f(what is to be shown, its place in the arrays, bytes) for every piece of a body, as long as it returns true;
/// f.about_axis(system, body, place) for the spin of one that turns about one axis. Inlined, as what calls it, because
/// a step of a small system takes a few hundred nanoseconds.
template <class F>
[[gnu::always_inline]] inline bool for_each_piece(const System& system, const ShownBody& body, double* q, double* v,
                                                  F f) {
  constexpr std::size_t vector = 3 * sizeof(double), quaternion = 4 * sizeof(double);
  if (body.has_own_frame) {
    const ShownMotion now = motion_of_frame(system, body.number);
    return f(now.q, q, sizeof now.q) && f(now.v, v, sizeof now.v);
  }
  const std::byte* const state = system.state_memory;
  if (!f(state + body.position, q, vector) || !f(state + body.orientation, q + 3, quaternion) ||
      !f(state + body.velocity, v, vector))
    return false;
  if (body.axis >= 0) return f.about_axis(system, body, v + 3);
  const Mat3 axes = rotation_matrix(quaternion_at(reinterpret_cast<const double*>(state + body.orientation), 0));
  const Vec3 spin = rotate(axes, vector_at(reinterpret_cast<const double*>(state + body.spin), 0));
  const double world[3] = {spin[0], spin[1], spin[2]};
  return f(world, v + 3, sizeof world);
}

/// For for_each_piece: writes it.
struct WritePiece {
  bool operator()(const void* now, double* array, std::size_t bytes) const {
    std::memcpy(array, now, bytes);
    return true;
  }
  bool about_axis(const System& system, const ShownBody& body, double* spin) const {
    const double turning = reinterpret_cast<const double*>(system.state_memory + body.spin)[body.axis];
    if (std::signbit(turning)) {
      set_vector(spin, 0, spin_about(system, body));
    } else {
      spin[0] = spin[1] = spin[2] = 0;
      spin[body.axis] = turning;
    }
    return true;
  }
};

/// For for_each_piece: whether the arrays have it, to the bit, but for the signs of zeros in the spin about an axis.
struct ComparePiece {
  bool operator()(const void* now, const double* array, std::size_t bytes) const {
    return std::memcmp(array, now, bytes) == 0;
  }
  bool about_axis(const System& system, const ShownBody& body, const double* spin) const {
    const auto* const now = reinterpret_cast<const double*>(system.state_memory + body.spin);
    return spin[0] == now[0] && spin[1] == now[1] && spin[2] == now[2];
  }
};

/// Writes what the arrays show.
[[gnu::always_inline]] inline void show(const System& system, std::span<const ShownBody> bodies,
                                        const ShownSystem& shown) {
  double *q = shown.q, *v = shown.v;
  for (const ShownBody& body : bodies) {
    for_each_piece(system, body, q, v, WritePiece());
    q += 7, v += 6;
  }
}

/// NaN everywhere: the system has no state.
void show_nothing(std::span<const ShownBody> bodies, const ShownSystem& shown);

/// Whether the arrays differ in a bit from what `show` would write: somebody has written to them since. No copy of them
/// is kept for that, because the step reads the state anyway.
[[gnu::always_inline]] inline bool is_written(const System& system, std::span<const ShownBody> bodies,
                                              const ShownSystem& shown) {
  double *q = shown.q, *v = shown.v;
  for (const ShownBody& body : bodies) {
    if (!for_each_piece(system, body, q, v, ComparePiece())) return true;
    q += 7, v += 6;
  }
  return false;
}

/// Writes into the arrays those of the numbers `held` (q and then v of all bodies) that differ in a bit from `first`:
/// each component by itself, and a quaternion as a whole.
void keep_written(const double* held, const double* first, const ShownSystem& arrays, std::size_t bodies);

/// Why what was written cannot be: bad_parameters or overlap.
struct Refusal {
  Status status;
  std::string reason;
};

/// Makes the state what the arrays say. Quaternions are normalised; an angle of a planar body becomes the nearest one
/// to that before. Returns what is impossible (the state then stays): a number that is not finite, a quaternion without
/// direction, motion in a freedom that the body does not have, or of a prescribed body, or that opens a joint; or a
/// pose in which bodies overlap by more than they did.
std::optional<Refusal> take_over(const System& system, const Scenario& scenario, std::span<const ShownBody> bodies,
                                 const ShownSystem& shown);

}  // namespace jostle
