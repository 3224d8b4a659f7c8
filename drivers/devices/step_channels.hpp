#pragma once
// What the steps of one system record, step by step: the channels of core/model/record_fields.hpp, without memory for a
// whole run.
#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/batch/batch.hpp"
#include "core/lcp/dense.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

/// What a row of an LCP, and its unknown z_i, stand for.
struct LcpLabel {
  /// Of a contact: friction (z_i: impulse along `direction`, N s), normal (impulse, N s) or slip_speed (of its cone,
  /// m/s). Of a joint: joint_friction, motor, lower_limit, upper_limit, and slip_speed.
  std::string kind;
  int contact = -1;                      ///< its number in the piece of the step; -1: of a joint
  std::string joint;                     ///< its name; empty: of a contact
  std::array<std::string, 2> bodies;     ///< a and b of the contact; the impulse acts with + on b
  int feature = -1;                      ///< the number of the contact's feature pair, the same in every step
  std::array<double, 3> direction = {};  ///< of the impulse on b, world; 0 for slip_speed and joints
};

/// An LCP of a step: M, q, and a label for each row. Each island has one of its own.
struct StepLcp {
  std::int64_t step = 0;  ///< from 1
  int number = 0;         ///< in the step, from 1
  DenseLcp lcp;
  std::vector<LcpLabel> labels;
};

/// What is wanted of the channels; null: it is not recorded.
struct ChannelObservers {
  /// For every LCP that has an answer, and for one without that ends the simulation. An LCP that was solved once more
  /// to hold a jam is seen as it then was.
  std::function<void(const StepLcp&)> lcps;
  /// For every step that counts: its contacts. Not of loetstedt.
  std::function<void(std::span<const ContactRow>)> contacts;
};

/// Simulates system 0 of a batch to its end on the calling thread. Calls those of `observers` and then `observe`,
/// which may be empty, after each step. Every step is computed.
void run_with_channels(const Scenario& scenario, Batch& batch, const ChannelObservers& observers,
                       const std::function<void(const System&, const Workspace&, const StepResult&)>& observe);

}  // namespace jostle
