#pragma once
#include <cstdint>

namespace jostle {

/// What happened to a system. Datasets store these numbers: they are a file format.
/// The state and records of a system whose status is not ok are those of its last good step.
enum class Status : std::uint8_t {
  ok = 0,
  ray = 1,             ///< Lemke ended on a ray: the LCP has no solution that pivoting can reach
  pivot_limit = 2,     ///< more pivots than allowed
  uncertified = 3,     ///< the residual of the answer is above the tolerance
  capacity = 4,        ///< the LCP is larger than the largest placement
  not_finite = 5,      ///< NaN or infinity in state or data
  not_converged = 6,   ///< the fixed-point iteration did not converge
  overlap = 7,         ///< bodies overlap at the start
  bad_parameters = 8,  ///< a sampled number is not physical
  too_many_events = 9,
  energy_growth = 10,  ///< a step has made more than half of the energy in play, or gyroscopic impulses that of a body
  too_fast = 11,       ///< 2^10 sub-steps are too few to keep bodies from passing through or staying in one another
  not_loaded = 254,    ///< not_run, and its parameters are not computed from its variables yet; never in a file
  not_run = 255,
};

/// Whether another problem may be tried in place of one with this result.
inline constexpr bool is_without_answer(Status status) {
  return status == Status::ray || status == Status::uncertified;
}

/// The same, or pivoting went on for too long: not for want of memory or of numbers.
inline constexpr bool is_unsolved(Status status) { return is_without_answer(status) || status == Status::pivot_limit; }

inline constexpr bool has_begun(Status status) { return status != Status::not_loaded && status != Status::not_run; }

}  // namespace jostle
