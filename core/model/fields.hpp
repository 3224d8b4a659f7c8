#pragma once
// The one list of fields. Layout, views, digest, comparison and names all come from it; a new field is
// one line here.
//
//   X(type, name, extent, unit, writer)
//
// `extent` is written with the Dimensions `d`. Vectors of bodies are stored body after body.
#include "core/geometry/contact_geometry.hpp"
#include "core/model/model.hpp"
#include "core/status.hpp"

namespace jostle {

// Parameters: what a scenario and its draw say of one system. Derived quantities are never stored.
#define JOSTLE_PARAMETERS(X)                                            \
  X(double, variables, d.variables, "", "sampler")                      \
  X(double, gravity, 3, "m/s^2", "scenario")                            \
  X(double, mass, d.bodies, "kg", "scenario")                           \
  X(double, inertia, 3 * d.bodies, "kg m^2", "scenario")                \
  X(double, start_position, 3 * d.bodies, "m", "scenario")              \
  X(double, start_orientation, 4 * d.bodies, "1", "scenario")           \
  X(double, start_angle, d.bodies, "rad", "scenario")                   \
  X(double, start_velocity, 3 * d.bodies, "m/s", "scenario")            \
  X(double, start_spin, 3 * d.bodies, "rad/s, world", "scenario")       \
  X(double, shape_size, 3 * d.shapes, "m", "scenario")                  \
  X(double, shape_position, 3 * d.shapes, "m, body", "scenario")        \
  X(double, shape_axes, 9 * d.shapes, "1, body, row-major", "scenario") \
  X(double, friction, d.pairs, "1", "scenario")

// State: what a step changes. Orientation quaternions are (w, x, y, z), spins are in body axes, a
// planar body's angle is kept unwrapped.
#define JOSTLE_STATE(X)                                     \
  X(double, position, 3 * d.bodies, "m", "integrate")       \
  X(double, orientation, 4 * d.bodies, "1", "integrate")    \
  X(double, angle, d.bodies, "rad", "integrate")            \
  X(double, velocity, 3 * d.bodies, "m/s", "integrate")     \
  X(double, spin, 3 * d.bodies, "rad/s, body", "integrate") \
  X(FeatureSet, active, d.pairs, "1", "integrate")          \
  X(double, normal_impulse, d.bodies, "N s", "integrate")   \
  X(double, friction_impulse, d.bodies, "N s", "integrate") \
  X(int, contacts, d.bodies, "1", "integrate")              \
  X(double, start_energy, 1, "J", "initialise")             \
  X(double, residual_max, 1, "1", "record")                 \
  X(double, penetration_max, 1, "m", "record")              \
  X(int, pivots_max, 1, "1", "record")                      \
  X(int, steps, 1, "1", "record")                           \
  X(int, status, 1, "1", "record")                          \
  X(double, outcomes, d.outcomes, "", "record")

/// Elements of one system's field, `stride` apart (1 for contiguous systems).
template <class T>
struct Span {
  T* data = nullptr;
  int stride = 1;
  JOSTLE_HD T& operator[](int i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
};

#define JOSTLE_MEMBER(type, name, extent, unit, writer) Span<const type> name;
struct ParameterView {
  JOSTLE_PARAMETERS(JOSTLE_MEMBER)
};
#undef JOSTLE_MEMBER

#define JOSTLE_MEMBER(type, name, extent, unit, writer) Span<type> name;
/// Parameters while they are filled in.
struct ParameterMemory {
  JOSTLE_PARAMETERS(JOSTLE_MEMBER)
};
struct StateView {
  JOSTLE_STATE(JOSTLE_MEMBER)
};
#undef JOSTLE_MEMBER

/// Bytes of one system's parameters or state, every field on an 8-byte boundary.
JOSTLE_HD constexpr std::size_t padded_bytes(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

#define JOSTLE_BYTES(type, name, extent, unit, writer) \
  bytes += padded_bytes(sizeof(type) * static_cast<std::size_t>(extent));
JOSTLE_HD inline std::size_t parameter_bytes(const Dimensions& d) {
  std::size_t bytes = 0;
  JOSTLE_PARAMETERS(JOSTLE_BYTES)
  return bytes;
}
JOSTLE_HD inline std::size_t state_bytes(const Dimensions& d) {
  std::size_t bytes = 0;
  JOSTLE_STATE(JOSTLE_BYTES)
  return bytes;
}
#undef JOSTLE_BYTES

/// Puts `count` elements of a field at `memory`, which moves on behind them.
template <class T, class Byte>
JOSTLE_HD void place_field(Span<T>& field, std::size_t count, Byte*& memory) {
  field = {reinterpret_cast<T*>(memory), 1};
  memory += padded_bytes(sizeof(T) * count);
}

#define JOSTLE_PLACE(type, name, extent, unit, writer) place_field(view.name, static_cast<std::size_t>(extent), memory);
JOSTLE_HD inline StateView state_view(const Dimensions& d, std::byte* memory) {
  StateView view;
  JOSTLE_STATE(JOSTLE_PLACE)
  return view;
}
JOSTLE_HD inline ParameterMemory parameter_memory(const Dimensions& d, std::byte* memory) {
  ParameterMemory view;
  JOSTLE_PARAMETERS(JOSTLE_PLACE)
  return view;
}
JOSTLE_HD inline ParameterView parameter_view(const Dimensions& d, const std::byte* memory) {
  ParameterView view;
  JOSTLE_PARAMETERS(JOSTLE_PLACE)
  return view;
}
#undef JOSTLE_PLACE

}  // namespace jostle
