#pragma once
// Between the state of a system and the arrays that a caller sees and writes: positions with quaternions, and world
// velocities. The state itself keeps spins in body axes and the angles of planar bodies.
#include <optional>
#include <span>
#include <string>

#include "core/model/system.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

/// What is shown of a system: rows of a body that is not fixed, in the order of the file.
struct ShownSystem {
  double* q;       ///< [body, 7] m and quaternion: x y z, w x y z
  double* v;       ///< [body, 6] m/s and rad/s, world
  double* kept_q;  ///< the same as it was shown last, so that what somebody writes is noticed
  double* kept_v;
};

/// Writes what the arrays show.
void show(const System& system, std::span<const int> bodies, const ShownSystem& shown);

/// NaN everywhere: the system has no state.
void show_nothing(std::span<const int> bodies, const ShownSystem& shown);

/// Whether somebody has written to the arrays since they were shown.
bool is_written(std::span<const int> bodies, const ShownSystem& shown);

/// Makes the state what the arrays say. Quaternions are normalised; an angle of a planar body becomes the nearest one
/// to that before. Returns what is impossible (the state then stays): a number that is not finite, a quaternion without
/// direction, motion in a freedom that the body does not have, or of a prescribed body, or that opens a joint.
std::optional<std::string> take_over(const System& system, const Scenario& scenario, std::span<const int> bodies,
                                     const ShownSystem& shown);

/// The system is computed again even if it was at rest.
void wake(const System& system);

}  // namespace jostle
