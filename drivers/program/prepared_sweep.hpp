#pragma once
// What `jostle sweep` and `jostle generate` are asked for, and what each rank makes of it before the first sample.
#include <optional>
#include <string>

#include "drivers/devices/machine.hpp"
#include "drivers/program/options.hpp"
#include "drivers/ranks/ranks.hpp"
#include "drivers/statistics/gates.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// The command line, as typed.
struct SweepCommand {
  ScenarioOptions scenario;
  std::string count, folder, shard, shards, scratch, fail_if, max_invalid = "0";
  bool dry_run = false, json = false;
  bool generates = false;  ///< training data
};

/// The conditions that decide the exit status of a sweep.
struct Gates {
  MaxInvalid max_invalid;
  std::optional<FailCondition> fail_if;
};

/// What a rank knows before the first sample.
struct PreparedSweep {
  /// `threads`: of this rank, unless the command says otherwise. Throws UsageError, ScenarioError, FileError and
  /// DeviceAbsent.
  PreparedSweep(const SweepCommand& command, Ranks& ranks, int threads);

  Machine machine;
  Gates gates;
  Ensemble ensemble;
  DatasetDescription description;
  SweepOptions options;
};

}  // namespace jostle
