#pragma once
// What a step is told and what it comes to.
#include "core/config.hpp"
#include "core/status.hpp"

namespace jostle {

/// The time that a step, or a part of one, begins at, and how long it is; s.
struct TimeStep {
  double time = 0;
  double h = 0;
};

/// What the solves of one step came to.
struct StepResult {
  Status status = Status::ok;
  int contacts = 0;     ///< in the LCP
  int pivots = 0;       ///< of all LCPs of the step
  double residual = 0;  ///< the largest certificate
  int solves = 0;       ///< number of LCPs
  int lcp_size = 0;     ///< n of the last one
  int path = 0;         ///< pivots of the last one that stand in work.pivot_path
};

/// A step on its way; the same on all lanes of a team.
struct StepProgress {
  TimeStep step;
  StepResult result;
  int phase = 0;  ///< what the method makes of it; 0 at the beginning
  int round = 0;
};

}  // namespace jostle
