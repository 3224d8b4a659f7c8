#include "drivers/simulation_producer.hpp"

#include <algorithm>

#include "drivers/sha256.hpp"
#include "scenarios/canonical.hpp"

namespace jostle {

namespace {

/// Systems that are simulated together; progress is reported and `stop` looked at in between.
constexpr int systems_per_batch = 1024;

const char* name_of(Reducer reducer) {
  switch (reducer) {
    case Reducer::at_end: return "at_end";
    case Reducer::minimum: return "minimum";
    case Reducer::maximum: return "maximum";
    case Reducer::first_time: return "first_time";
  }
  return "";
}

const char* name_of(SampleMethod method) {
  switch (method) {
    case SampleMethod::sobol: return "sobol";
    case SampleMethod::random: return "random";
    case SampleMethod::table: return "table";
  }
  return "";
}

OutcomeInfo describe(const OutcomeSpec& outcome) {
  OutcomeInfo info;
  info.name = outcome.name;
  info.kind = outcome.reducer == Reducer::first_time             ? OutcomeInfo::Kind::first_time
              : outcome.expression.kind == ValueKind::truth ? OutcomeInfo::Kind::truth
                                                                 : OutcomeInfo::Kind::number;
  info.reducer = name_of(outcome.reducer);
  info.expression = outcome.text;
  if (outcome.reducer == Reducer::first_time) info.units = "s";
  return info;
}

RecordSettings describe_record(const Scenario& scenario) {
  RecordSettings settings;
  switch (scenario.record.which) {
    case RecordSpec::Which::none: settings.which = RecordSettings::Which::none; break;
    case RecordSpec::Which::first: settings.which = RecordSettings::Which::first; break;
    case RecordSpec::Which::all: settings.which = RecordSettings::Which::all; break;
    case RecordSpec::Which::failures: settings.which = RecordSettings::Which::failures; break;
  }
  settings.trajectories = scenario.record.trajectories;
  const std::int64_t steps = scenario.world.steps;
  for (std::int64_t step = 0; step <= steps; step += scenario.record.stride) {
    settings.time.push_back(static_cast<double>(step) * scenario.world.step);
  }
  if (steps % scenario.record.stride != 0) settings.time.push_back(static_cast<double>(steps) * scenario.world.step);
  return settings;
}

}  // namespace

DatasetDescription describe(const Ensemble& ensemble) {
  const Scenario& scenario = ensemble.scenario();
  DatasetDescription description;
  description.scenario = canonical_yaml(scenario, false);
  description.scenario_yaml = scenario.canonical;
  description.seed = scenario.sample.seed;
  description.sampler = name_of(scenario.sample.method);
  if (ensemble.table()) {
    description.table_sha256 = sha256_hex(ensemble.table()->bytes());
    description.table_path = scenario.sample.table;
  }
  description.method = "stewart_trinkle";
  description.step = scenario.world.step;
  for (const BodySpec& body : scenario.bodies) description.bodies.push_back(body.name);
  for (const Variable& variable : scenario.variables) description.variables.push_back(variable.name);
  for (const OutcomeSpec& outcome : scenario.outcomes) description.outcomes.push_back(describe(outcome));
  description.record = describe_record(scenario);
  return description;
}

std::optional<ShardData> SimulationProducer::produce(std::int64_t first, std::int64_t count,
                                                     const std::function<void(const ProductionProgress&)>& progress,
                                                     const std::atomic<bool>& stop) {
  ShardData shard = make_shard(description_, first, count);
  const auto truth = std::find_if(description_.outcomes.begin(), description_.outcomes.end(),
                                  [](const OutcomeInfo& o) { return o.kind == OutcomeInfo::Kind::truth; });
  ProductionProgress done;
  for (std::int64_t begin = 0; begin < count; begin += systems_per_batch) {
    const int part = static_cast<int>(std::min<std::int64_t>(systems_per_batch, count - begin));
    if (!produce_part(shard, begin, part, stop)) return std::nullopt;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(begin + part); ++i) {
      const bool valid = shard.status[i] == static_cast<std::uint8_t>(Status::ok);
      done.invalid += !valid;
      const auto outcome = static_cast<std::size_t>(truth - description_.outcomes.begin());
      done.true_count += valid && truth != description_.outcomes.end() && shard.outcomes[outcome][i] == 1;
    }
    done.samples = begin + part;
    if (progress) progress(done);
  }
  return shard;
}

bool SimulationProducer::is_recorded(std::int64_t sample) const {
  return description_.record.which == RecordSettings::Which::all ||
         (description_.record.which == RecordSettings::Which::first && sample < description_.record.trajectories);
}

bool SimulationProducer::produce_part(ShardData& shard, std::int64_t begin, int count,
                                      const std::atomic<bool>& stop) const {
  Batch batch(ensemble_.model(), count);
  for (int i = 0; i < count; ++i) ensemble_.load(shard.first + begin + i, batch, i);
  RunOptions options;
  options.threads = threads_;
  options.stop = &stop;
  if (!run_batch(batch, static_cast<int>(ensemble_.model().total_steps), options)) return false;
  collect(shard, batch, begin);
  for (int i = 0; i < count; ++i) {
    const std::int64_t sample = shard.first + begin + i;
    const bool failed = description_.record.which == RecordSettings::Which::failures && batch.status(i) != Status::ok;
    if (failed || is_recorded(sample)) keep_trajectory(shard, batch, i, sample);
  }
  return true;
}

void SimulationProducer::collect(ShardData& shard, Batch& batch, std::int64_t begin) const {
  for (int i = 0; i < batch.size(); ++i) {
    const auto at = static_cast<std::size_t>(begin + i);
    const StateView state = batch.state(i);
    const bool valid = batch.status(i) == Status::ok;
    const ParameterMemory parameters = batch.parameters(i);
    for (std::size_t k = 0; k < shard.variables.size(); ++k) {
      shard.variables[k][at] = parameters.variables[static_cast<int>(k)];
    }
    for (std::size_t k = 0; k < shard.outcomes.size(); ++k) {
      shard.outcomes[k][at] = valid ? state.outcomes[static_cast<int>(k)] : undefined_value;
    }
    const ModelView view = ensemble_.model().view(0);
    shard.status[at] = static_cast<std::uint8_t>(state.status[0]);
    shard.steps[at] = state.steps[0];
    shard.end_time[at] = state.steps[0] * description_.step;
    shard.pivots_max[at] = state.pivots_max[0];
    shard.residual_max[at] = state.residual_max[0];
    shard.penetration_max[at] = state.penetration_max[0];
    shard.energy_drift[at] = system_energy(batch.system(view, i)) - state.start_energy[0];
  }
}

// Simulates the sample once more, with a place to write to: the bits are the same.
void SimulationProducer::keep_trajectory(ShardData& shard, Batch& batch, int index, std::int64_t sample) const {
  Trajectories& kept = shard.trajectories;
  const std::size_t entries = description_.record.time.size() * description_.bodies.size();
  kept.q.resize(kept.q.size() + 7 * entries, undefined_value);
  kept.v.resize(kept.v.size() + 6 * entries, undefined_value);
  Batch again(ensemble_.model(), 1);
  again.record(0, {kept.q.data() + kept.q.size() - 7 * entries, kept.v.data() + kept.v.size() - 6 * entries,
                   ensemble_.scenario().record.stride});
  ensemble_.load(sample, again, 0);
  WorkspaceMemory memory(ensemble_.model(), 0);
  run_system(again, 0, static_cast<int>(ensemble_.model().total_steps), memory);
  kept.sample.push_back(sample);
  kept.valid_steps.push_back(batch.state(index).steps[0]);
}

}  // namespace jostle
