#pragma once
#include <cstdint>

namespace jostle {

/// What became of a system. The numbers are a file format: datasets store them.
/// State and records of a system with another status than ok are those of its last good step.
enum class Status : std::uint8_t {
  ok = 0,
  ray = 1,             ///< Lemke ended on a ray: the LCP has no solution that pivoting can reach
  pivot_limit = 2,     ///< more pivots than allowed
  uncertified = 3,     ///< the residual of the answer is above the tolerance
  capacity = 4,        ///< the LCP is larger than the largest placement
  not_finite = 5,      ///< NaN or infinity in state or data
  not_converged = 6,   ///< the fixed-point iteration did not converge
  overlap = 7,         ///< bodies overlap at the start
  bad_parameters = 8,  ///< a drawn number is not physical
  too_many_events = 9,
  not_loaded = 254,  ///< not_run, and its parameters have yet to follow from its variables; never in a file
  not_run = 255,
};

inline constexpr bool has_begun(Status status) { return status != Status::not_loaded && status != Status::not_run; }

}  // namespace jostle
