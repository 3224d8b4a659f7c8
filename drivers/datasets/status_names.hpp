#pragma once
#include <array>

#include "core/lcp/dense.hpp"
#include "core/status.hpp"

namespace jostle {

inline constexpr std::array all_statuses = {Status::ok,
                                            Status::ray,
                                            Status::pivot_limit,
                                            Status::uncertified,
                                            Status::capacity,
                                            Status::not_finite,
                                            Status::not_converged,
                                            Status::overlap,
                                            Status::bad_parameters,
                                            Status::too_many_events,
                                            Status::energy_growth,
                                            Status::too_fast,
                                            Status::not_run};

/// The name in files and reports: "ok", "ray", "pivot_limit", ...
inline const char* name_of(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::ray: return "ray";
    case Status::pivot_limit: return "pivot_limit";
    case Status::uncertified: return "uncertified";
    case Status::capacity: return "capacity";
    case Status::not_finite: return "not_finite";
    case Status::not_converged: return "not_converged";
    case Status::overlap: return "overlap";
    case Status::bad_parameters: return "bad_parameters";
    case Status::too_many_events: return "too_many_events";
    case Status::energy_growth: return "energy_growth";
    case Status::too_fast: return "too_fast";
    case Status::not_loaded: return "not_loaded";
    case Status::not_run: return "not_run";
  }
  return "unknown";
}

/// A sentence for those who ask why; empty for what is no failure.
inline const char* meaning_of(Status status) {
  switch (status) {
    case Status::ok:
    case Status::not_loaded:
    case Status::not_run: return "";
    case Status::ray: return "pivoting finds no solution of the next step's LCP, nor of the one that holds a jam";
    case Status::pivot_limit: return "an LCP of the next step needs more pivots than there may be";
    case Status::uncertified: return "no answer to an LCP of the next step is accurate enough";
    case Status::capacity: return "the next step has more contacts than fit";
    case Status::not_finite: return "a number of the next step is not finite";
    case Status::not_converged: return "the iteration of the next step does not converge";
    case Status::overlap: return "bodies overlap at the start";
    case Status::bad_parameters: return "a parameter is not physical";
    case Status::too_many_events: return "the next step has more collisions and transitions than events.limit";
    case Status::energy_growth: return "the next step would gain more energy than anything puts in";
    case Status::too_fast: return "bodies would pass through one another in the next step, however often it is divided";
  }
  return "";
}

inline const char* name_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved: return "solved";
    case LcpStatus::ray: return "ray";
    case LcpStatus::pivot_limit: return "pivot_limit";
    case LcpStatus::uncertified: return "uncertified";
    case LcpStatus::not_finite: return "not_finite";
  }
  return "unknown";
}

/// "solved", "ray", ..., or the verdict of the further search: "infeasible", "exhausted".
inline const char* name_of(const DenseLcpSolution& solution) {
  switch (solution.verdict) {
    case LcpVerdict::none: return name_of(solution.status);
    case LcpVerdict::infeasible: return "infeasible";
    case LcpVerdict::exhausted: return "exhausted";
  }
  return "unknown";
}

}  // namespace jostle
