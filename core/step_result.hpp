#pragma once
// Input and result of a step.
#include "core/config.hpp"
#include "core/status.hpp"

namespace jostle {

/// When a step, or a part of one, begins, and how long it is; s.
struct TimeStep {
  double time = 0;
  double h = 0;
};

/// The result of the solves of one step.
struct StepResult {
  Status status = Status::ok;
  int contacts = 0;        ///< in the LCP
  int pivots = 0;          ///< of all LCPs of the step
  double residual = 0;     ///< the largest certificate
  double energy_gain = 0;  ///< J, beyond the work of forces
  int solves = 0;          ///< number of LCPs
  int lcp_size = 0;        ///< n of the last one
  int path = 0;            ///< pivots of the last one that work.pivot_path holds
};

/// A step in progress; the same on all lanes of a team.
struct StepProgress {
  TimeStep step;
  StepResult result;
  int phase = 0;  ///< its meaning is up to the method; 0 at the start
  int round = 0;
};

}  // namespace jostle
