#pragma once
// All LCPs that the steps of a system solve, each row with what it stands for.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/batch/batch.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

/// What a row of an LCP, and its unknown z_i, stand for.
struct LcpLabel {
  /// Of a contact: friction (z_i: impulse along `direction`, N s), normal (impulse, N s) or slip_speed (of its cone,
  /// m/s). Of a joint: joint_friction, motor, lower_limit, upper_limit, and slip_speed.
  std::string kind;
  int contact = -1;                      ///< its number in this LCP; -1: of a joint
  std::string joint;                     ///< its name; empty: of a contact
  std::array<std::string, 2> bodies;     ///< a and b of the contact; the impulse acts with + on b
  int feature = -1;                      ///< the number of the contact's feature pair, the same in every step
  std::array<double, 3> direction = {};  ///< of the impulse on b, world; 0 for slip_speed and joints
};

/// An LCP of a step: M, q, and a label for each row. Its islands stand one after the other.
struct StepLcp {
  std::int64_t step = 0;  ///< from 1
  int number = 0;         ///< in the step, from 1
  DenseLcp lcp;
  std::vector<LcpLabel> labels;
};

using LcpObserver = std::function<void(const StepLcp&)>;

/// Simulates system 0 of a batch to its end on the calling thread, and calls `see` for every LCP that has an answer,
/// and for one without that ends the simulation; after each step, `observe`. An LCP that was solved once more to hold a
/// jam is seen as it then was. Where a step was divided after it had begun, the LCPs given up are seen, too.
void run_with_lcps(const Scenario& scenario, Batch& batch, const LcpObserver& see,
                   const std::function<void(const System&, const Workspace&, const StepResult&)>& observe);

}  // namespace jostle
