#include "drivers/sweeps/simulation_producer.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "drivers/datasets/record_collector.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/sha256.hpp"
#include "drivers/parallel.hpp"
#include "scenarios/format/canonical.hpp"
#include "scenarios/format/words.hpp"
#include "scenarios/model/result_unit.hpp"
#include "scenarios/sampling/table.hpp"

namespace jostle {

namespace {

// Progress is reported after every batch of systems that are simulated together. The size of a batch follows the time
// it takes; the results do not depend on it.
constexpr double batch_seconds = 0.2;

OutcomeInfo describe(const OutcomeSpec& outcome) {
  OutcomeInfo info;
  info.name = outcome.name;
  info.kind = outcome.reducer == Reducer::first_time ? OutcomeInfo::Kind::first_time
              : outcome.kind() == ValueKind::truth   ? OutcomeInfo::Kind::truth
                                                     : OutcomeInfo::Kind::number;
  info.reducer = word_for(outcome.reducer);
  info.expression = outcome.value().text;
  if (const Expression& condition = outcome.condition(); !condition.code.empty())
    info.expression += (outcome.reducer == Reducer::at_first ? ", when: " : ", while: ") + condition.text;
  if (outcome.reducer == Reducer::first_time) info.units = "s";
  info.category = outcome.category_name, info.share = outcome.share;
  info.shown = {outcome.label, outcome.unit.empty() ? info.units : outcome.unit};
  return info;
}

RecordSettings describe_record(const Scenario& scenario) {
  RecordSettings settings;
  settings.which = scenario.record.trajectories.which;
  settings.trajectories = scenario.record.trajectories.count;
  settings.list = scenario.record.trajectories.list;
  settings.where = scenario.record.trajectories.where.condition;
  settings.first_where = scenario.record.trajectories.where.first;
  if (settings.which != RecordSettings::Which::none) settings.time = recorded_times(scenario);
  for (std::size_t b = 0; b < scenario.bodies.size(); ++b)
    if (!scenario.bodies[b].fixed) settings.bodies.push_back(static_cast<int>(b));
  settings.simulated_bodies = static_cast<std::int64_t>(scenario.bodies.size());
  describe_step_records(scenario, settings);
  for (const Expression& quantity : scenario.record.quantities)
    settings.shown_quantities.push_back({"", unit_of(scenario, quantity)});
  return settings;
}

/// The number of systems that take about batch_seconds, between `least` and `largest`.
int next_batch(int size, double seconds, int least, int largest) {
  const double wanted = size * (batch_seconds / std::max(seconds, 1e-6));
  const int next = static_cast<int>(std::clamp(wanted, size / 4.0, 4.0 * size));
  return std::clamp(next, least, std::max(least, largest));
}

/// Moves the memory of a shard's records to a new one.
void take_memory(const DatasetDescription& description, ShardData& from, ShardData& shard) {
  shard.trajectories = std::move(from.trajectories);
  shard.step_records = std::move(from.step_records);
  shard.contacts = std::move(from.contacts);
  shard.lcps = std::move(from.lcps);
  from = {};
  const auto clear = [](const RecordColumn&, auto& values) { values.clear(); };
  shard.trajectories.sample.clear(), shard.trajectories.valid_steps.clear();
  shard.trajectories.q.clear(), shard.trajectories.v.clear();
  for_each_step_column(description.record.quantities, 0, shard.step_records, clear);
  shard.contacts.splits.clear();
  for_each_contact_column(shard.contacts, clear);
  shard.lcps.splits.clear(), shard.lcps.matrix_splits.clear(), shard.lcps.matrix.clear();
  for_each_lcp_column(shard.lcps, clear);
}

}  // namespace

std::vector<double> recorded_times(const Scenario& scenario) {
  std::vector<double> times;
  const std::int64_t steps = scenario.world.steps, stride = scenario.record.stride;
  for (std::int64_t step = 0; step <= steps; step += stride)
    times.push_back(static_cast<double>(step) * scenario.world.step);
  if (scenario.record.last && steps % stride != 0) times.push_back(static_cast<double>(steps) * scenario.world.step);
  return times;
}

DatasetDescription describe(const Scenario& scenario) {
  DatasetDescription description;
  description.scenario = canonical_yaml(scenario, false);
  description.title = scenario.title;
  description.scenario_yaml = scenario.canonical;
  description.seed = scenario.sample.seed;
  description.sampler = word_for(scenario.sample.method);
  description.method = name_of(scenario.world.method);
  description.step = scenario.world.step;
  for (const Variable& variable : scenario.variables) {
    description.variables.push_back(variable.name);
    description.shown_variables.push_back({variable.distribution.label, variable.unit()});
  }
  for (const OutcomeSpec& outcome : scenario.outcomes) {
    Shown& shown = description.outcomes.emplace_back(describe(outcome)).shown;
    const bool is_number = description.outcomes.back().kind == OutcomeInfo::Kind::number;
    if (shown.unit.empty() && is_number) shown.unit = unit_of(scenario, outcome.value());
  }
  for (const std::string& file : scenario.mesh_files)
    description.meshes.push_back(
        {std::filesystem::absolute(file).lexically_normal().string(), sha256_hex(read_text_file(file))});
  description.record = describe_record(scenario);
  for (const int body : description.record.bodies)
    description.bodies.push_back(scenario.bodies[static_cast<std::size_t>(body)].name);
  return description;
}

DatasetDescription describe(const Ensemble& ensemble) {
  const Scenario& scenario = ensemble.scenario();
  DatasetDescription description = describe(scenario);
  if (ensemble.table()) {
    description.table_sha256 = sha256_hex(ensemble.table()->bytes());
    description.table_path = std::filesystem::absolute(table_path(scenario)).lexically_normal().string();
  }
  return description;
}

SimulationProducer::SimulationProducer(const Ensemble& ensemble, const DatasetDescription& description, Backend backend,
                                       int batch_size, int least_batch, int largest_batch)
    : ensemble_(ensemble),
      description_(description),
      backend_(std::move(backend)),
      adapts_batch_(batch_size <= 0),
      least_batch_(least_batch),
      largest_batch_(largest_batch),
      batch_size_(adapts_batch_ ? least_batch : batch_size) {
  if (description.record.which == RecordSettings::Which::where)
    condition_.emplace("record", description.record.where, description);
}

std::optional<ShardData> SimulationProducer::produce(std::int64_t first, std::int64_t count,
                                                     const std::function<void(const ProductionProgress&)>& progress,
                                                     const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  ShardData shard = make_shard(description_, first, count);
  if (spare_.count > 0) take_memory(description_, spare_, shard);
  reserve_trajectories(shard);
  const int truth = first_truth(description_);
  ProductionProgress done;
  while (done.samples < count) {
    const auto begin = Clock::now();
    const int part = static_cast<int>(std::min<std::int64_t>(batch_size_, count - done.samples));
    if (!produce_part(shard, done.samples, part, stop)) return std::nullopt;
    for (int i = 0; i < part; ++i) {
      const auto at = static_cast<std::size_t>(done.samples + i);
      const bool valid = shard.status[at] == static_cast<std::uint8_t>(Status::ok);
      done.invalid += !valid;
      done.true_count += valid && truth >= 0 && shard.outcomes[static_cast<std::size_t>(truth)][at] == 1;
    }
    done.samples += part;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (adapts_batch_ && part == batch_size_) batch_size_ = next_batch(part, seconds, least_batch_, largest_batch_);
    if (progress) progress(done);
  }
  return shard;
}

bool SimulationProducer::produce_part(ShardData& shard, std::int64_t begin, int count,
                                      const std::atomic<bool>& stop) const {
  const std::int64_t first = shard.first + begin;
  Batch batch(ensemble_.model(), count);
  parallel_for(count, [&](int i) { ensemble_.draw(first + i, batch, i); });
  std::vector<RecordedSystem> recorded;
  for (int i = 0; i < count; ++i)
    if (is_recorded(first + i)) recorded.push_back({i, first + i});
  if (!run(batch, shard, recorded, stop)) return false;
  collect(shard, batch, begin);
  return repeat(selected(shard, begin, count), shard, stop);
}

// Samples that are known to be recorded only when their results are.
std::vector<std::int64_t> SimulationProducer::selected(const ShardData& shard, std::int64_t begin, int count) const {
  std::vector<std::int64_t> samples;
  if (condition_) {
    const std::int64_t first = description_.record.first_where;
    const auto kept = static_cast<std::int64_t>(shard.trajectories.sample.size());
    samples = condition_->find(shard, begin, begin + count, first > 0 ? first - kept : count);
  }
  if (description_.record.which == RecordSettings::Which::failures)
    for (std::int64_t i = begin; i < begin + count; ++i)
      if (shard.status[static_cast<std::size_t>(i)] != static_cast<std::uint8_t>(Status::ok))
        samples.push_back(shard.first + i);
  return samples;
}

bool SimulationProducer::repeat(std::span<const std::int64_t> samples, ShardData& shard,
                                const std::atomic<bool>& stop) const {
  constexpr std::size_t most_at_once = 1024;
  for (std::size_t begin = 0; begin < samples.size(); begin += most_at_once) {
    const auto part = samples.subspan(begin, std::min(most_at_once, samples.size() - begin));
    Batch batch(ensemble_.model(), static_cast<int>(part.size()));
    std::vector<RecordedSystem> recorded;
    for (const std::int64_t sample : part) recorded.push_back({static_cast<int>(recorded.size()), sample});
    parallel_for(batch.size(), [&](int i) { ensemble_.draw(part[static_cast<std::size_t>(i)], batch, i); });
    if (!run(batch, shard, recorded, stop)) return false;
  }
  return true;
}

// A simulation records all its states in double precision. Where a shard has another precision, or has not all bodies
// or the last state, they are recorded elsewhere first.
bool SimulationProducer::run(Batch& batch, ShardData& shard, const std::vector<RecordedSystem>& recorded,
                             const std::atomic<bool>& stop) const {
  Trajectories& kept = shard.trajectories;
  RecordCollector records(description_.record, spare_records_);
  const int stride = ensemble_.scenario().record.stride;
  const std::span<const int> bodies = description_.record.bodies;
  const std::size_t all = batch.model().bodies.size(), entries = description_.record.time.size() * bodies.size();
  const std::size_t made =
      static_cast<std::size_t>(TrajectoryView{nullptr, nullptr, stride}.entries(batch.model().total_steps)) * all;
  const std::size_t before = kept.sample.size(), after = before + recorded.size();
  kept.q.resize(7 * entries * after), kept.v.resize(6 * entries * after);
  const bool is_elsewhere = kept.q.is_single() || made > entries;
  auto& [spare_q, spare_v] = spare_states_;
  if (is_elsewhere) spare_q.resize(7 * made * recorded.size()), spare_v.resize(6 * made * recorded.size());
  double* const q = is_elsewhere ? spare_q.data() : kept.q.doubles().data() + 7 * entries * before;
  double* const v = is_elsewhere ? spare_v.data() : kept.v.doubles().data() + 6 * entries * before;
  for (std::size_t k = 0; k < recorded.size(); ++k) {
    batch.record(recorded[k].index, {q + 7 * made * k, v + 6 * made * k, stride});
    records.add(batch, recorded[k].index);
  }
  if (!backend_.run(batch, static_cast<int>(batch.model().total_steps), &stop)) {
    kept.q.resize(7 * entries * before), kept.v.resize(6 * entries * before);
    return false;
  }
  parallel_for(static_cast<int>(recorded.size()), [&](int i) {
    const auto k = static_cast<std::size_t>(i);
    const auto valid = static_cast<std::size_t>(records.valid_entries(batch, recorded[k].index));
    const auto keep = [&]<std::size_t Each>(const double* from, RealArray& to) {
      const std::size_t first = Each * entries * (before + k);
      const std::span<const double> states(from + Each * made * k, Each * all * valid);
      if (is_elsewhere) to.visit([&](auto* numbers) { store_bodies<Each>(states, all, bodies, numbers + first); });
      to.undefine(first + Each * bodies.size() * valid, first + Each * entries);
    };
    keep.operator()<7>(q, kept.q), keep.operator()<6>(v, kept.v);
  });
  for (const RecordedSystem& system : recorded) {
    kept.sample.push_back(system.sample);
    kept.valid_steps.push_back(batch.state(system.index).steps());
  }
  records.collect(batch, shard);
  return true;
}

bool SimulationProducer::is_recorded(std::int64_t sample) const {
  const RecordSettings& record = description_.record;
  return record.which == RecordSettings::Which::all ||
         (record.which == RecordSettings::Which::first && sample < record.trajectories) ||
         (record.which == RecordSettings::Which::listed &&
          std::binary_search(record.list.begin(), record.list.end(), sample));
}

// Trajectories can be most of the memory, so they must not be moved while they grow.
void SimulationProducer::reserve_trajectories(ShardData& shard) const {
  const RecordSettings& record = description_.record;
  const bool is_known = record.which != RecordSettings::Which::failures &&
                        (record.which != RecordSettings::Which::where || record.first_where > 0);
  const std::int64_t recorded = is_known ? record.most_of(shard.first, shard.count) : 0;
  const std::size_t entries = description_.record.time.size() * description_.bodies.size();
  shard.trajectories.q.reserve(7 * entries * static_cast<std::size_t>(recorded));
  shard.trajectories.v.reserve(6 * entries * static_cast<std::size_t>(recorded));
  reserve_step_records(description_, recorded, shard);
}

void SimulationProducer::collect(ShardData& shard, Batch& batch, std::int64_t begin) const {
  const ModelView view = ensemble_.model().view(0);
  parallel_for(batch.size(), [&](int i) {
    const auto at = static_cast<std::size_t>(begin + i);
    const System system = batch.system(view, i);
    const StateView state = system.state();
    const ParameterMemory parameters = batch.parameters(i);
    for (std::size_t k = 0; k < shard.variables.size(); ++k) {
      shard.variables[k][at] = parameters.variables[static_cast<int>(k)];
    }
    for (std::size_t k = 0; k < shard.outcomes.size(); ++k) {
      shard.outcomes[k][at] = outcome_value(batch.status(i), state.outcomes[static_cast<int>(k)]);
    }
#define JOSTLE_COLLECT(type, name, unit, description, value) shard.name[at] = value;
    JOSTLE_SUMMARY_COLUMNS(JOSTLE_COLLECT)
#undef JOSTLE_COLLECT
  });
}

}  // namespace jostle
