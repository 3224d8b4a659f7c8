#include "drivers/live/live_batch.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <string_view>

#include "drivers/errors.hpp"
#include "drivers/sweeps/record_collector.hpp"
#include "drivers/text.hpp"
#include "scenarios/suggest.hpp"

namespace jostle {
namespace {

/// Steps of a system between two looks at the caller's wish to stop.
constexpr int steps_at_once = 1000;

/// Parameters that only the start of a system can set: its state, or what its state refers to, follows from them.
bool is_of_start(std::string_view field) {
  return field.starts_with("start_") || field.starts_with("shape_") || field.starts_with("frame_") ||
         field.starts_with("joint_point") || field.starts_with("joint_axes") || field == "joint_length" ||
         field.starts_with("spring_point") || field == "force_point";
}

/// The first parameter of the start that differs; null if none does.
const char* changed_start(const Dimensions& d, const ParameterView& a, const ParameterView& b) {
#define JOSTLE_COMPARE(type, name, extent, unit, writer) \
  if (is_of_start(#name) && !std::equal(a.name, a.name + static_cast<int>(extent), b.name)) return #name;
  JOSTLE_PARAMETERS(JOSTLE_COMPARE)
#undef JOSTLE_COMPARE
  return nullptr;
}

}  // namespace

/// Asks the caller now and then, on its own thread, whether to stop.
class LiveBatch::Watch {
 public:
  explicit Watch(const std::function<bool()>& is_stopped) : is_stopped_(is_stopped) {}

  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// Of every system of the calling thread; a look at the clock costs as much as a cheap step.
  void look(bool is_long) {
    if (!is_stopped_ || (!is_long && ++seen_ % 16 != 0)) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(20);
    if (is_stopped_()) stopped_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::function<bool()>& is_stopped_;
  std::atomic<bool> stopped_{false};
  int seen_ = 0;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(20);
};

struct LiveBatch::Engine {
  Engine(const Scenario& scenario, std::vector<LiveNumber> live, int systems, const Machine& machine)
      : numbers(std::move(live)),
        ensemble(with_variables(scenario, numbers)),
        batch(ensemble.model(), systems),
        view(ensemble.model().view(0)),
        backend(machine.backend(ensemble.model())) {}

  System system(int index) { return batch.system(view, index); }
  double* variables(int index) { return batch.parameters(index).variables; }
  /// As Batch::state; inlined, so that only the members that are used are computed.
  [[gnu::always_inline]] StateView state(int index) { return state_view(view.state_layout, batch.state_memory(index)); }
  Status status(int index) { return static_cast<Status>(state(index).status[0]); }
  void set_status(int index, Status status) { state(index).status[0] = static_cast<int>(status); }
  bool has_started(int index) {
    const double* const turn = state(index).orientation;
    return batch.model().bodies.empty() || turn[0] != 0 || turn[1] != 0 || turn[2] != 0 || turn[3] != 0;
  }
  int last_step() const { return static_cast<int>(ensemble.model().total_steps); }

  std::vector<LiveNumber> numbers;
  Ensemble ensemble;
  Batch batch;
  ModelView view;
  Backend backend;
};

struct LiveBatch::Snapshot {
  std::shared_ptr<Engine> engine;  ///< whose batch is not the one that is saved
  Batch batch;
  std::vector<double> q, v, kept_q, kept_v, wrenches;
  std::map<std::string, Column> columns;
  std::map<int, std::string> reasons;
};

LiveBatch::LiveBatch(Scenario scenario, std::vector<std::int64_t> samples, const Machine& machine)
    : scenario_(std::move(scenario)), machine_(machine), samples_(std::move(samples)) {
  if (samples_.empty()) throw UsageError("at least one sample is needed");
  engine_ = std::make_shared<Engine>(scenario_, std::vector<LiveNumber>(), size(), machine_);
  const std::int64_t known = engine_->ensemble.count();
  for (const std::int64_t sample : samples_)
    if (sample < 0 || sample >= known)
      throw UsageError("there is no sample " + std::to_string(sample) + ", only " + counted(known, "sample") +
                       " from 0 on");
  for (std::size_t b = 0; b < scenario_.bodies.size(); ++b)
    if (!scenario_.bodies[b].fixed) bodies_.push_back(static_cast<int>(b));
  const std::size_t rows = samples_.size() * bodies_.size();
  q_.resize(7 * rows), v_.resize(6 * rows);
  kept_q_.resize(7 * rows), kept_v_.resize(6 * rows);
  status_.resize(samples_.size()), steps_.resize(samples_.size());
  memories_.resize(static_cast<std::size_t>(machine_.threads()));
  if (scenario_.record.contacts && !machine_.gpu())
    for (int i = 0; i < size(); ++i) records_.push_back(std::make_unique<RecordMemory>(model(), engine_->last_step()));
  attach_records();
  for_all([&](int i) { engine_->ensemble.draw(samples_[static_cast<std::size_t>(i)], engine_->batch, i); });
  start_all();
}

LiveBatch::~LiveBatch() = default;

const Model& LiveBatch::model() const { return engine_->ensemble.model(); }

/// f(i) for all systems, on all threads; rethrows the first exception.
template <class F>
void LiveBatch::for_all(F f) {
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  const int threads = static_cast<int>(memories_.size());
  const int at_once = std::clamp(size() / (64 * threads), 1, 16);
#pragma omp parallel for num_threads(threads) schedule(dynamic, at_once)
  for (int i = 0; i < size(); ++i) {
    if (failed.load(std::memory_order_relaxed)) continue;
    try {
      f(i);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

WorkspaceMemory& LiveBatch::memory_of_thread() {
  std::unique_ptr<WorkspaceMemory>& memory = memories_[static_cast<std::size_t>(omp_get_thread_num())];
  if (!memory) memory = std::make_unique<WorkspaceMemory>(model(), 0);
  return *memory;
}

ShownSystem LiveBatch::shown(int system) {
  const std::size_t row = static_cast<std::size_t>(system) * bodies_.size();
  return {q_.data() + 7 * row, v_.data() + 6 * row, kept_q_.data() + 7 * row, kept_v_.data() + 6 * row};
}

void LiveBatch::show_system(int system) {
  const StateView state = engine_->state(system);
  status_[static_cast<std::size_t>(system)] = static_cast<std::uint8_t>(state.status[0]);
  steps_[static_cast<std::size_t>(system)] = state.steps[0];
  if (engine_->has_started(system))
    show(engine_->system(system), bodies_, shown(system));
  else
    show_nothing(bodies_, shown(system));
}

void LiveBatch::start(int system) {
  std::memset(engine_->batch.state_memory(system), 0, engine_->view.state_layout.bytes);
  engine_->set_status(system, Status::not_loaded);
  forget_contacts(system, engine_->last_step());
  run_system(engine_->batch, system, 0, memory_of_thread());
  if (engine_->status(system) == Status::bad_parameters) {
    const double* const variables = engine_->variables(system);
    const auto fault = engine_->ensemble.fault({variables, variables + engine_->ensemble.scenario().variables.size()});
    fail(system, fault ? fault->message : "a joint is open at the start");
  }
  show_system(system);
}

// Energies and outcomes of the initial state follow from the variables even where the state does not; then what was
// written to the arrays is still to be taken over.
void LiveBatch::start_again(int system, bool keeps_written) {
  const ShownSystem arrays = shown(system);
  const std::size_t rows = bodies_.size();
  const bool is_pending = keeps_written && is_written(bodies_, arrays);
  const std::vector<double> q(arrays.q, arrays.q + 7 * rows), v(arrays.v, arrays.v + 6 * rows);
  start(system);
  if (!is_pending) return;
  std::ranges::copy(q, arrays.q);
  std::ranges::copy(v, arrays.v);
}

void LiveBatch::start_all() {
  for_all([&](int i) { start(i); });
}

void LiveBatch::fail(int system, const std::string& reason) {
  engine_->set_status(system, Status::bad_parameters);
  const std::lock_guard lock(reasons_mutex_);
  reasons_[system] = reason;
}

std::string LiveBatch::reason(int system) {
  const auto found = reasons_.find(system);
  return found == reasons_.end() ? "" : found->second;
}

double LiveBatch::outcome(int system, int outcome) {
  return engine_->status(system) == Status::ok ? engine_->state(system).outcomes[outcome] : canonical_nan();
}

std::uint64_t LiveBatch::digest(int system) { return state_digest(engine_->batch, system); }

ParameterMemory LiveBatch::parameters(int system) { return engine_->batch.parameters(system); }

// Contacts -------------------------------------------------------------------------------------------------------

/// Until the system has taken the step with this number.
void LiveBatch::forget_contacts(int system, int step) {
  if (!records_.empty()) records_[static_cast<std::size_t>(system)]->wait_for(step);
}

void LiveBatch::attach_records() {
  for (std::size_t i = 0; i < records_.size(); ++i) engine_->batch.record(static_cast<int>(i), *records_[i]);
}

ContactRecords LiveBatch::contacts() const {
  if (records_.empty())
    throw UsageError(
        machine_.gpu() ? "a batch on a GPU keeps no contacts in this version"
                       : "contacts are kept only if they are asked for: record.contacts, or batch(..., contacts=True)");
  ContactRecords all;
  all.splits.push_back(0);
  for (const auto& record : records_) {
    const auto rows = static_cast<std::size_t>(record->entry_rows().back());
    all.append(record->rows().first(rows));
    all.splits.push_back(all.rows());
  }
  return all;
}

std::vector<std::string> LiveBatch::pairs() const {
  RecordSettings settings;
  settings.which = RecordSettings::Which::all;
  describe_step_records(scenario_, settings);
  return settings.pairs;
}

// Variables ------------------------------------------------------------------------------------------------------

int LiveBatch::variable_index(const std::string& name) const {
  const std::vector<Variable>& variables = engine_->ensemble.scenario().variables;
  const auto found = std::ranges::find(variables, name, &Variable::name);
  return found == variables.end() ? -1 : static_cast<int>(found - variables.begin());
}

// What depends on the model follows.
void LiveBatch::use(std::shared_ptr<Engine> engine) {
  engine_ = std::move(engine);
  attach_records();
  for (auto& memory : memories_) memory.reset();
  wrench_variables_.clear();
  for (const int body : bodies_)
    wrench_variables_.push_back(variable_index(name_of({body, LiveNumber::Kind::wrench}, scenario_)));
  for (auto& [name, column] : columns_) column.variable = variable_index(name);
}

double* LiveBatch::variable(const std::string& name) {
  const int index = variable_index(name);
  if (index < 0) {
    std::vector<std::string> known;
    for (const Variable& variable : scenario_.variables) known.push_back(variable.name);
    throw UsageError("there is no variable '" + name + "'" + did_you_mean_or_known(name, known));
  }
  const auto [place, is_new] = columns_.try_emplace(name);
  Column& column = place->second;
  if (is_new) {
    column.variable = index;
    column.values.resize(samples_.size());
    for (int i = 0; i < size(); ++i) column.values[static_cast<std::size_t>(i)] = engine_->variables(i)[index];
  }
  return column.values.data();
}

double* LiveBatch::mass(int body) {
  const BodySpec& spec = scenario_.bodies.at(static_cast<std::size_t>(body));
  if (!spec.is_mover()) throw UsageError("body '" + spec.name + "' has no mass: no force moves it");
  const LiveNumber number{body, LiveNumber::Kind::mass};
  const std::string name = name_of(number, scenario_);
  if (variable_index(name) < 0) widen(number);
  return variable(name);
}

double* LiveBatch::wrenches() {
  if (wrenches_.empty()) {
    wrenches_.resize(6 * samples_.size() * bodies_.size());
    for (const int body : bodies_)
      if (scenario_.bodies[static_cast<std::size_t>(body)].is_mover()) widen({body, LiveNumber::Kind::wrench});
  }
  return wrenches_.data();
}

// The systems go on in a batch of the wider model: the state has the same memory, and loading the parameters again from
// variables of the same values gives the same bits.
void LiveBatch::widen(const LiveNumber& number) {
  std::vector<LiveNumber> numbers = engine_->numbers;
  numbers.push_back(number);
  const auto wider = std::make_shared<Engine>(scenario_, std::move(numbers), size(), machine_);
  const int before = engine_->view.dimensions.variables, after = wider->view.dimensions.variables;
  for (int i = 0; i < size(); ++i) {
    double* const variables = wider->variables(i);
    wider->ensemble.draw(samples_[static_cast<std::size_t>(i)], wider->batch, i);
    std::copy_n(engine_->variables(i), before, variables);
    std::fill(variables + before, variables + after, 0.0);
    if (number.kind == LiveNumber::Kind::mass) variables[before] = engine_->batch.parameters(i).mass[number.body];
    load_system(wider->batch, i);
    std::memcpy(wider->batch.state_memory(i), engine_->batch.state_memory(i), engine_->view.state_layout.bytes);
  }
  use(wider);
}

void LiveBatch::apply(const double* variable) {
  const auto changed =
      std::ranges::find_if(columns_, [&](const auto& column) { return column.second.values.data() == variable; });
  if (changed == columns_.end()) throw UsageError("this is not an array of a variable");
  const std::shared_ptr<const Snapshot> before = save();
  for (int i = 0; i < size(); ++i) {
    std::string reason;
    const bool is_running = engine_->status(i) == Status::ok;
    if (take_over_variables(i, reason) || !is_running || engine_->status(i) != Status::ok) continue;
    restore(*before);
    Column& column = changed->second;
    for (int k = 0; k < size(); ++k)
      column.values[static_cast<std::size_t>(k)] = engine_->variables(k)[column.variable];
    throw UsageError("system " + std::to_string(i) + ": " + reason);
  }
}

// False if the system cannot have these values; then it keeps those before, and `reason` says why.
bool LiveBatch::take_over_variables(int system, std::string& reason) {
  Batch& batch = engine_->batch;
  double* const variables = engine_->variables(system);
  const auto i = static_cast<std::size_t>(system);
  const auto is_changed = [&](const auto& column) {
    return column.second.values[i] != variables[column.second.variable];
  };
  if (std::ranges::none_of(columns_, is_changed)) return true;
  const Status status = engine_->status(system);
  std::byte* const memory = batch.parameter_memory(system);
  std::vector<std::byte> before(memory, memory + engine_->view.parameter_layout.bytes);
  for (const auto& [name, column] : columns_) variables[column.variable] = column.values[i];
  load_system(batch, system);
  const bool is_physical = engine_->status(system) != Status::bad_parameters;
  engine_->set_status(system, status);
  const char* const start_field =
      changed_start(engine_->view.dimensions, batch.system(engine_->view, system).parameters(),
                    parameter_view(engine_->view.parameter_layout, before.data()));
  const bool is_at_start = engine_->state(system).steps[0] == 0;
  if (status == Status::ok && is_physical && is_at_start) {
    start_again(system, start_field == nullptr);
    return engine_->status(system) == Status::ok;
  }
  wake(engine_->system(system));
  if (status != Status::ok || (is_physical && !start_field)) return true;
  if (is_physical) {
    reason = std::string("the change of a variable changes ") + start_field + ", which only the start of a system sets";
  } else {
    const auto fault = engine_->ensemble.fault({variables, variables + engine_->view.dimensions.variables});
    reason = fault ? fault->message : "a parameter is not physical";
  }
  std::memcpy(memory, before.data(), before.size());
  return false;
}

// Steps ----------------------------------------------------------------------------------------------------------

/// Takes over all that was written to the arrays of a system whose status is ok.
void LiveBatch::prepare(int system) {
  const ShownSystem arrays = shown(system);
  if (is_written(bodies_, arrays)) {
    const auto impossible = take_over(engine_->system(system), scenario_, bodies_, arrays);
    if (impossible) return fail(system, *impossible);
  }
  std::string reason;
  if (!columns_.empty() && !take_over_variables(system, reason)) {
    if (engine_->status(system) == Status::ok) fail(system, reason);
    return;
  }
  if (wrenches_.empty()) return;
  double* const variables = engine_->variables(system);
  const double* wrench = wrenches_.data() + 6 * static_cast<std::size_t>(system) * bodies_.size();
  for (std::size_t s = 0; s < bodies_.size(); ++s, wrench += 6) {
    const int first = wrench_variables_[s];
    if (first < 0 || std::equal(wrench, wrench + 6, variables + first)) continue;
    std::copy_n(wrench, 6, variables + first);
    wake(engine_->system(system));
  }
}

void LiveBatch::advance(int system, int count) {
  if (engine_->status(system) == Status::ok) prepare(system);
  if (engine_->status(system) == Status::ok) {
    const int last = std::min(engine_->last_step(), engine_->state(system).steps[0] + count);
    if (last > engine_->state(system).steps[0]) forget_contacts(system, last);
    run_system(engine_->batch, system, last, memory_of_thread());
  }
  show_system(system);
}

bool LiveBatch::step(int count, const bool* where, const std::function<bool()>& is_stopped) {
  Watch watch(is_stopped);
  for (int left = std::min(count, engine_->last_step()); left > 0; left -= steps_at_once) {
    const int now = std::min(left, steps_at_once);
    if (machine_.gpu())
      pass_on_device(now, where, watch);
    else
      pass(now, where, watch);
    if (watch.is_stopped()) return false;
  }
  return true;
}

void LiveBatch::pass(int count, const bool* where, Watch& watch) {
  for_all([&](int i) {
    if (watch.is_stopped() || (where && !where[i])) return;
    advance(i, count);
    if (omp_get_thread_num() == 0) watch.look(count > 16);
  });
}

// A device takes whole batches to a common step, so systems that have taken as many steps go together.
void LiveBatch::pass_on_device(int count, const bool* where, Watch& watch) {
  std::map<int, std::vector<int>> systems_at;
  for (int i = 0; i < size(); ++i) {
    if (where && !where[i]) continue;
    if (engine_->status(i) == Status::ok) prepare(i);
    if (engine_->status(i) == Status::ok) systems_at[engine_->state(i).steps[0]].push_back(i);
    show_system(i);
  }
  const std::size_t parameters = engine_->view.parameter_layout.bytes, state = engine_->view.state_layout.bytes;
  for (const auto& [step, systems] : systems_at) {
    watch.look(true);
    if (watch.is_stopped()) return;
    const int last = std::min(engine_->last_step(), step + count);
    Batch together(model(), static_cast<int>(systems.size()));
    for (int k = 0; k < together.size(); ++k) {
      const int i = systems[static_cast<std::size_t>(k)];
      std::memcpy(together.parameter_memory(k), engine_->batch.parameter_memory(i), parameters);
      std::memcpy(together.state_memory(k), engine_->batch.state_memory(i), state);
    }
    engine_->backend.run(together, last, nullptr);
    for (int k = 0; k < together.size(); ++k) {
      const int i = systems[static_cast<std::size_t>(k)];
      std::memcpy(engine_->batch.state_memory(i), together.state_memory(k), state);
      show_system(i);
    }
  }
}

void LiveBatch::reset(std::span<const int> systems) {
  for (const int i : systems) {
    reasons_.erase(i);
    std::string reason;
    engine_->set_status(i, Status::not_loaded);
    take_over_variables(i, reason);
    start(i);
  }
}

// Snapshots ------------------------------------------------------------------------------------------------------

std::shared_ptr<const LiveBatch::Snapshot> LiveBatch::save() const {
  return std::make_shared<const Snapshot>(
      Snapshot{engine_, engine_->batch, q_, v_, kept_q_, kept_v_, wrenches_, columns_, reasons_});
}

void LiveBatch::restore(const Snapshot& snapshot) {
  if (snapshot.batch.size() != size() || snapshot.q.size() != q_.size())
    throw UsageError("this snapshot is of another batch");
  const std::vector<LiveNumber> wanted = engine_->numbers;
  if (engine_ != snapshot.engine) use(snapshot.engine);
  engine_->batch = snapshot.batch;
  attach_records();
  for (const LiveNumber& number : wanted)
    if (std::ranges::find(engine_->numbers, number) == engine_->numbers.end()) widen(number);
  std::ranges::copy(snapshot.q, q_.begin());
  std::ranges::copy(snapshot.v, v_.begin());
  std::ranges::copy(snapshot.kept_q, kept_q_.begin());
  std::ranges::copy(snapshot.kept_v, kept_v_.begin());
  std::ranges::fill(wrenches_, 0.0);
  std::ranges::copy(snapshot.wrenches, wrenches_.begin());
  reasons_ = snapshot.reasons;
  for (auto& [name, column] : columns_) {
    const auto saved = snapshot.columns.find(name);
    for (int i = 0; i < size(); ++i)
      column.values[static_cast<std::size_t>(i)] = saved != snapshot.columns.end()
                                                       ? saved->second.values[static_cast<std::size_t>(i)]
                                                       : engine_->variables(i)[column.variable];
  }
  for (int i = 0; i < size(); ++i) {
    status_[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(engine_->status(i));
    steps_[static_cast<std::size_t>(i)] = engine_->state(i).steps[0];
    forget_contacts(i, engine_->last_step());
  }
}

}  // namespace jostle
