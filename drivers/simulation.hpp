#pragma once
// jostle from C++: samples of a scenario on a machine, their parameters and states, and datasets. Everything else in
// drivers/ serves these.
//
//     const jostle::Ensemble ensemble(jostle::read_scenario("rod.yaml"));
//     jostle::Simulation simulation(ensemble, 1000, jostle::Machine::named("auto"));
//     simulation.parameters(7).friction[0] = 0.3;
//     simulation.step(100);
//     simulation.state(7).position[3];
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "drivers/devices/machine.hpp"
#include "drivers/errors.hpp"
#include "drivers/memory.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "drivers/watch.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {

struct ChannelObservers;

/// Place of a variable in Scenario::variables. Throws UsageError if there is none of this name.
int place_of_variable(const Scenario& scenario, const std::string& name);

/// Throws UsageError if a batch cannot count so many systems, and NotEnoughMemory (drivers/memory.hpp) if they need
/// more memory than there is. A LiveBatch with arrays of numpy needs somewhat more than a Simulation; this counts it
/// all.
void check_room(const Ensemble& ensemble, std::int64_t systems);

/// Samples of a scenario that are simulated together. Views stay valid as long as it does and show the present state.
/// Systems are numbered from 0; what takes the number of one throws UsageError for another.
/// A sample has the same bits as in a sweep. A LiveBatch is one with arrays, which its caller writes between steps.
class Simulation {
 public:
  /// Draws `count` samples from number `first` on; they are the systems 0 .. count - 1. The ensemble must outlive the
  /// simulation, so it cannot be made in the call itself. Throws UsageError for what the ensemble does not have, and
  /// what check_room does.
  Simulation(const Ensemble& ensemble, int count, const Machine& machine = Machine(), std::int64_t first = 0);
  /// The same of these samples, in any order. The calling thread calls `is_stopped` about every 20 ms; if it returns
  /// true, Stopped is thrown (drivers/watch.hpp).
  Simulation(const Ensemble& ensemble, std::span<const std::int64_t> samples, const Machine& machine = Machine(),
             const std::function<bool()>& is_stopped = {});

  int size() const { return batch_.size(); }
  const Ensemble& ensemble() const { return ensemble_; }
  /// Steps that were asked for so far; a system that failed has taken fewer.
  int steps() const { return steps_; }

  /// Parameters of a system (core/model/fields.hpp has names, units and extents). Change them before the first step;
  /// later, only what no geometry depends on, such as gravity. Asking for them wakes a system at rest: its next step is
  /// computed. `step` and `finish` give a system the status bad_parameters if a friction, restitution, stiffness or the
  /// like is not a number that the scenario may have (drivers/written_parameters.hpp). Other numbers are not checked:
  /// whether a mass, a size or a pose makes sense is yours to know.
  /// What follows from a variable does not follow when you change it here; see set_variable. A sample with the status
  /// bad_parameters keeps it.
  ParameterMemory parameters(int system);
  /// Gives a variable of the scenario another value than the drawn one, and loads all parameters of the system that
  /// follow from variables again. Throws UsageError if there is no such variable, or if the system has begun.
  void set_variable(int system, const std::string& name, double value);
  /// What is wrong with the numbers of a sample whose status is bad_parameters, or which bodies overlap at its start.
  /// Nothing for other statuses, and if the numbers do not tell: where a joint is open at the start. Bodies that
  /// overlap only because of parameters that you have written are not found.
  std::optional<Fault> fault(int system);
  /// State, tallies and outcomes. Before the first call of `step`, which may be step(0), they are zeros and mean
  /// nothing. So they stay where numbers are not physical, but for outcomes, which are NaN then.
  StateView state(int system) { return check(system), batch_.state(system); }
  /// not_loaded or not_run before the first call of `step`.
  Status status(int system) { return check(system), batch_.status(system); }
  /// A system as the functions of core/ see it.
  System system(int index) { return check(index), batch_.system(model_, index); }
  /// The memory of all systems, what they have in common, and what steps them.
  Batch& batch() { return batch_; }
  const ModelView& model() const { return model_; }
  const Backend& backend() const { return backend_; }

  /// Takes all systems `count` steps further, at most to the last step of the scenario. A system that fails keeps
  /// its last good state and a status; the others go on.
  void step(int count = 1);
  /// To the last step of the scenario.
  void finish();
  /// The same for a simulation of one system; `observe`, which may be empty here and below, after every step.
  void finish(const StepObserver& observe);
  /// The same on the calling thread, on any machine, with what the steps record (drivers/devices/step_channels.hpp).
  void finish(const StepObserver& observe, const ChannelObservers& channels);
  /// Of the scenario.
  int last_step() const { return static_cast<int>(ensemble_.model().total_steps); }

 private:
  void check(int system) const { check_index("system", system, static_cast<std::size_t>(batch_.size())); }
  void check_is_one() const;
  std::optional<std::string> fault_of_written_by_caller(int system);
  void refuse_written();

  const Ensemble& ensemble_;
  Machine machine_;
  Batch batch_;
  Backend backend_;
  ModelView model_;
  std::vector<std::uint8_t> is_written_;  ///< [system] its parameters were asked for
  int steps_ = 0;
};

/// The most systems of a sweep that are simulated together. A GPU gets whole shards; threads get batches that end often
/// enough for a progress line.
int largest_batch(const Machine& machine, const DatasetDescription& description);

/// How many samples a sweep has that is not told: sample.count, or all rows of a table, or one if nothing is random.
std::optional<std::int64_t> own_sample_count(const Ensemble& ensemble);

/// A Monte Carlo sweep of samples 0 .. options.n - 1 into a dataset, as `jostle sweep` makes it: only shards that are
/// not there yet, with the same bytes on every machine. Uses HDF5 in two threads, one after the other, so use it
/// nowhere else meanwhile. Throws UsageError also if the ensemble has fewer samples, FileError, and DeviceFailure.
SweepReport sweep(const Ensemble& ensemble, const Machine& machine, const SweepOptions& options);

}  // namespace jostle
