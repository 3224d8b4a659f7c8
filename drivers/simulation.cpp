#include "drivers/simulation.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/batch/default_arithmetic.hpp"
#include "core/math/bits.hpp"
#include "drivers/devices/step_channels.hpp"
#include "drivers/errors.hpp"
#include "drivers/memory.hpp"
#include "drivers/parallel.hpp"
#include "drivers/ranks/together.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/text.hpp"
#include "drivers/watch.hpp"
#include "drivers/written_parameters.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

SimulationProducer producer_on(const Machine& machine, const Ensemble& ensemble,
                               const DatasetDescription& description) {
  constexpr int first_batch = 32;
  const Backend backend = machine.backend(ensemble.model());
  const int largest = largest_batch(machine, description);
  if (machine.gpu()) return {ensemble, description, backend, largest};
  return {ensemble, description, backend, 0, std::max(first_batch, machine.threads()), largest};
}

void check_samples(const Ensemble& ensemble, std::int64_t first, std::int64_t count) {
  if (count < 1) throw UsageError("at least one sample is needed, not " + std::to_string(count));
  if (first >= 0 && first <= ensemble.count() - count) return;
  const std::uint64_t last = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(count - 1);
  throw UsageError("there are no samples " + std::to_string(first) + " to " +
                   (first < 0 ? std::to_string(first + count - 1) : std::to_string(last)) + ", only " +
                   counted(ensemble.count(), "sample"));
}

/// A folder of samples that nobody can repeat is worse than none.
void check_can_be_repeated(const Scenario& scenario) {
  if (const std::string fault = fault_of_canonical(scenario); !fault.empty())
    throw std::logic_error(
        "the folder could not repeat its samples, as the scenario changes when its canonical text is "
        "read: " +
        fault);
}

/// A sample has all of its records in memory at once.
void check_room_for_records(const DatasetDescription& description, std::int64_t n) {
  if (description.record.most_of(0, n) == 0) return;
  const auto needed = static_cast<double>(trajectory_bytes(description) + waiting_states_bytes(description));
  const double memory = memory_of_machine();
  if (needed > memory)
    throw NotEnoughMemory("the records of a sample need about " + size_text(needed) +
                          " of memory, but there are only " + size_text(memory) +
                          "; a larger record.stride records fewer states");
}

/// A batch of as many systems, for which there is room.
Batch batch_of(const Ensemble& ensemble, std::size_t systems) {
  check_room(ensemble, static_cast<std::int64_t>(systems));
  return {ensemble.model(), static_cast<int>(systems)};
}

std::vector<std::int64_t> samples_from(const Ensemble& ensemble, std::int64_t first, int count) {
  check_samples(ensemble, first, count);
  std::vector<std::int64_t> samples(static_cast<std::size_t>(count));
  std::iota(samples.begin(), samples.end(), first);
  return samples;
}

}  // namespace

void check_room(const Ensemble& ensemble, std::int64_t systems) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (systems > most)
    throw UsageError("a batch has at most " + with_commas(most) + " systems, not " + with_commas(systems));
  const ModelView view = ensemble.model().view(0);
  const std::size_t numbers_shown = 13 * ensemble.model().bodies.size(), numbers_of_sample = 3;
  const auto bytes = static_cast<double>(view.parameter_layout.bytes + view.state_layout.bytes +
                                         sizeof(double) * (numbers_shown + numbers_of_sample));
  const double needed = bytes * static_cast<double>(systems), memory = memory_of_machine();
  if (needed > memory)
    throw NotEnoughMemory(counted(systems, "system") + " of this scenario need about " + size_text(needed) +
                          " of memory, but there are only " + size_text(memory) + "; make smaller batches");
}

int place_of_variable(const Scenario& scenario, const std::string& name) {
  const auto found = std::ranges::find(scenario.variables, name, &Variable::name);
  if (found != scenario.variables.end()) return static_cast<int>(found - scenario.variables.begin());
  throw UsageError("there is no variable '" + name + "'" + did_you_mean_or_known(name, names_in(scenario.variables)));
}

Simulation::Simulation(const Ensemble& ensemble, int count, const Machine& machine, std::int64_t first)
    : Simulation(ensemble, samples_from(ensemble, first, count), machine) {}

Simulation::Simulation(const Ensemble& ensemble, std::span<const std::int64_t> samples, const Machine& machine,
                       const std::function<bool()>& is_stopped)
    : ensemble_(ensemble),
      machine_(machine),
      batch_(batch_of(ensemble, samples.size())),
      backend_(machine_.backend(ensemble.model())),
      model_(ensemble.model().view(0)),
      is_written_(samples.size()) {
  const std::int64_t known = ensemble.count();
  if (samples.empty()) throw UsageError("at least one sample is needed");
  for (const std::int64_t sample : samples)
    if (sample < 0 || sample >= known)
      throw UsageError("there is no sample " + std::to_string(sample) + ", only " + counted(known, "sample") +
                       " from 0 on");
  const ThreadCount threads(machine_.threads());
  Watch watch(is_stopped);
  parallel_for(size(), [&](int i) {
    ensemble.draw(samples[static_cast<std::size_t>(i)], batch_, i);
    if (omp_get_thread_num() == 0) watch.look_or_throw(true);
  });
}

ParameterMemory Simulation::parameters(int system) {
  const DefaultArithmetic arithmetic;
  if (status(system) == Status::not_loaded) load_system(batch_, system);
  wake(this->system(system));
  is_written_[static_cast<std::size_t>(system)] = true;
  return batch_.parameters(system);
}

void Simulation::set_variable(int system, const std::string& name, double value) {
  const int place = place_of_variable(ensemble_.scenario(), name);
  const DefaultArithmetic arithmetic;
  const bool has_moved = state(system).steps() > 0;
  if (has_moved || (has_begun(status(system)) && status(system) != Status::bad_parameters))
    throw UsageError("system " + std::to_string(system) + " has begun, its variables cannot change any more");
  batch_.parameters(system).variables[place] = value;
  load_system(batch_, system);
}

std::optional<Fault> Simulation::fault(int system) {
  const Status found = status(system);
  if (found != Status::bad_parameters && found != Status::overlap) return {};
  const double* const first = batch_.parameters(system).variables;
  const std::vector<double> variables(first, first + ensemble_.scenario().variables.size());
  if (found == Status::overlap) return ensemble_.overlap(variables);
  if (std::optional<Fault> drawn = ensemble_.fault(variables)) return drawn;
  if (const auto written = fault_of_written_by_caller(system)) return Fault{{}, *written};
  return {};
}

std::optional<std::string> Simulation::fault_of_written_by_caller(int system) {
  if (!is_written_[static_cast<std::size_t>(system)]) return {};
  return fault_of_written(model_.dimensions, this->system(system).parameters());
}

void Simulation::refuse_written() {
  for (int i = 0; i < size(); ++i) {
    const Status found = status(i);
    if ((found != Status::ok && found != Status::not_run) || !fault_of_written_by_caller(i)) continue;
    const StateView refused = state(i);
    refused.status() = static_cast<int>(Status::bad_parameters);
    if (found == Status::not_run) std::fill_n(refused.outcomes, model_.dimensions.outcomes, canonical_nan());
  }
}

void Simulation::step(int count) {
  const DefaultArithmetic arithmetic;
  refuse_written();
  const int last = steps_ + std::clamp(count, 0, last_step() - steps_);
  backend_.run(batch_, last, nullptr);
  steps_ = last;
}

void Simulation::finish() { step(last_step() - steps_); }

void Simulation::check_is_one() const {
  if (size() != 1)
    throw UsageError("only a simulation of one sample can be observed, not of " + std::to_string(size()));
}

void Simulation::finish(const StepObserver& observe) {
  check_is_one();
  if (!observe) return finish();
  const DefaultArithmetic arithmetic;
  refuse_written();
  backend_.run_observed(batch_, last_step(), observe);
  steps_ = last_step();
}

void Simulation::finish(const StepObserver& observe, const ChannelObservers& channels) {
  check_is_one();
  const DefaultArithmetic arithmetic;
  refuse_written();
  run_with_channels(ensemble_.scenario(), batch_, channels, observe);
  steps_ = last_step();
}

// What a batch records is read again as it ends. Where all samples are recorded, a thread's part is small enough to be
// in a cache until then.
int largest_batch(const Machine& machine, const DatasetDescription& description) {
  constexpr std::int64_t most = 4096, bytes_of_thread = std::int64_t{8} << 20;
  if (machine.gpu()) return static_cast<int>(samples_per_shard(description));
  if (description.record.which != RecordSettings::Which::all) return most;
  const std::int64_t bytes = trajectory_bytes(description) + waiting_states_bytes(description);
  return static_cast<int>(std::clamp<std::int64_t>(machine.threads() * bytes_of_thread / bytes, 1, most));
}

std::optional<std::int64_t> own_sample_count(const Ensemble& ensemble) {
  if (ensemble.scenario().sample.count >= 0) return ensemble.scenario().sample.count;
  if (ensemble.table()) return ensemble.count();
  if (!draws_anything(ensemble.scenario())) return 1;
  return {};
}

SweepReport sweep(const Ensemble& ensemble, const Machine& machine, const SweepOptions& options) {
  const DefaultArithmetic arithmetic;
  check_samples(ensemble, 0, options.n);
  const ThreadCount threads(machine.threads());
  const DatasetDescription description = describe(ensemble);
  OneRank alone;
  std::optional<SimulationProducer> producer;
  together(options.ranks ? *options.ranks : alone, [&] {
    check_can_be_repeated(ensemble.scenario());
    check_room_for_records(description, options.n);
    producer.emplace(producer_on(machine, ensemble, description));
  });
  return run_sweep(description, *producer, options);
}

}  // namespace jostle
