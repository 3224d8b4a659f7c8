#include "drivers/live/live_batch.hpp"

#include <algorithm>
#include <cstring>

#include "core/batch/default_arithmetic.hpp"
#include "core/batch/quantities.hpp"
#include "core/batch/turns.hpp"
#include "drivers/datasets/dataset.hpp"
#include "drivers/datasets/record_collector.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/errors.hpp"
#include "drivers/live/live_engine.hpp"
#include "drivers/watch.hpp"
#include "scenarios/format/canonical.hpp"

namespace jostle {

LiveBatch::LiveBatch(Scenario scenario, std::vector<std::int64_t> samples, const Machine& machine,
                     const std::function<bool()>& is_stopped)
    : scenario_(std::move(scenario)),
      identity_(std::make_shared<const std::string>(canonical_yaml(scenario_))),
      machine_(machine),
      samples_(std::move(samples)) {
  if (samples_.empty()) throw UsageError("at least one sample is needed");
  for (std::size_t b = 0; b < scenario_.bodies.size(); ++b)
    if (!scenario_.bodies[b].fixed) bodies_.push_back(static_cast<int>(b));
  engine_ = std::make_shared<Engine>(scenario_, std::vector<LiveNumber>(), samples_, machine_, bodies_, is_stopped);
  Watch watch(is_stopped);
  const std::size_t rows = samples_.size() * bodies_.size();
  q_.resize(7 * rows), v_.resize(6 * rows);
  status_.resize(samples_.size()), steps_.resize(samples_.size());
  wrench_variables_.assign(bodies_.size(), -1);
  memories_.resize(static_cast<std::size_t>(machine_.threads()));
  if (scenario_.record.contacts)
    for (int i = 0; i < size(); ++i) {
      records_.push_back(std::make_unique<RecordMemory>(model(), engine_->last_step()));
      watch.look_or_throw(true);
    }
  attach_records();
  start_all(watch);
}

LiveBatch::~LiveBatch() = default;

const Model& LiveBatch::model() const { return engine_->ensemble.model(); }

void LiveBatch::show_system(int system) {
  const StateView state = engine_->state(system);
  status_[static_cast<std::size_t>(system)] = static_cast<std::uint8_t>(state.status());
  steps_[static_cast<std::size_t>(system)] = state.steps();
  if (engine_->has_started(system))
    show(engine_->system(system), engine_->bodies, shown(system));
  else
    show_nothing(engine_->bodies, shown(system));
}

/// Makes the initial state of the present variables.
void LiveBatch::begin(int system, int thread) {
  std::memset(engine_->batch().state_memory(system), 0, engine_->view().state_layout.bytes);
  engine_->set_status(system, Status::not_loaded);
  forget_contacts(system, engine_->last_step());
  run_system(engine_->batch(), system, 0, memory_of(thread));
}

void LiveBatch::start(int system, int thread) {
  begin(system, thread);
  const Status status = engine_->status(system);
  const std::optional<Fault> fault = engine_->systems.fault(system);
  if (fault || status == Status::bad_parameters)
    fail(system, fault ? fault->message : "a joint is open at the start", status);
  show_system(system);
}

// What the caller has written to the arrays of a system before its first step stays, whether a call has taken it over
// or not; all else becomes the initial state of the present variables. What differs from the initial state of the
// variables `before` has been written: that state is made once more, as nobody keeps it.
void LiveBatch::start_again(int system, std::span<const std::byte> before, int thread) {
  const ShownSystem arrays = shown(system);
  const auto copy = [&] {
    std::vector<double> motion(arrays.q, arrays.q + 7 * bodies_.size());
    motion.insert(motion.end(), arrays.v, arrays.v + 6 * bodies_.size());
    return motion;
  };
  const std::vector<double> held = copy();
  std::byte* const memory = engine_->batch().parameter_memory(system);
  const std::vector<std::byte> present(memory, memory + before.size());
  std::ranges::copy(before, memory);
  begin(system, thread);
  show_system(system);
  const std::vector<double> first = copy();
  std::ranges::copy(present, memory);
  start(system, thread);
  keep_written(held.data(), first.data(), arrays, bodies_.size());
}

void LiveBatch::start_all(Watch& watch) {
  for_all([&](int i, int thread) {
    start(i, thread);
    if (thread == 0) watch.look_or_throw(true);
  });
}

void LiveBatch::fail(int system, const std::string& reason, Status status) {
  engine_->set_status(system, status);
  const std::lock_guard lock(reasons_mutex_);
  reasons_[system] = reason;
}

std::string LiveBatch::reason(int system) {
  check_system(system);
  const auto found = reasons_.find(system);
  return found == reasons_.end() ? meaning_of(engine_->status(system)) : found->second;
}

bool LiveBatch::has_stopped(int system) const {
  check_system(system);
  return engine_->has_started(system) && jostle::has_stopped(engine_->view().stop_outcome, engine_->state(system));
}

double LiveBatch::outcome(int system, int outcome) {
  check_system(system);
  check_index("outcome", outcome, scenario_.outcomes.size());
  return outcome_value(engine_->status(system), engine_->state(system).outcomes[outcome]);
}

std::vector<double> LiveBatch::quantity(int quantity) {
  check_is_here();
  const std::size_t count = model().recorded.size();
  check_index("recorded quantity", quantity, count);
  std::vector<double> values(samples_.size(), canonical_nan());
  for_all([&](int i, int thread) {
    if (!engine_->has_started(i)) return;
    std::vector<double> all(count);
    write_present_quantities(engine_->batch(), i, memory_of(thread), all.data());
    values[static_cast<std::size_t>(i)] = all[static_cast<std::size_t>(quantity)];
  });
  return values;
}

std::uint64_t LiveBatch::digest(int system) {
  check_system(system);
  return state_digest(engine_->batch(), system);
}

ParameterMemory LiveBatch::parameters(int system) {
  check_system(system);
  return engine_->batch().parameters(system);
}

/// Until the system has taken the step with this number.
void LiveBatch::forget_contacts(int system, int step) {
  if (!records_.empty()) records_[static_cast<std::size_t>(system)]->wait_for(step);
}

void LiveBatch::attach_records() {
  for (std::size_t i = 0; i < records_.size(); ++i) engine_->batch().record(static_cast<int>(i), *records_[i]);
}

void LiveBatch::check_keeps_contacts() const {
  if (records_.empty())
    throw UsageError("contacts are kept only if they are asked for: record.contacts, or batch(..., contacts=True)");
}

std::vector<double> LiveBatch::impulses() const {
  check_keeps_contacts();
  std::vector<double> all(6 * samples_.size() * bodies_.size());
  double* to = all.data();
  const std::size_t width = 6 * scenario_.bodies.size();
  for (const auto& record : records_) {
    const bool has_step = record->progress().last_entry == 1;
    for (const int body : bodies_) {
      if (has_step) std::copy_n(record->impulse.data() + width + 6 * static_cast<std::size_t>(body), 6, to);
      to += 6;
    }
  }
  return all;
}

std::vector<double> LiveBatch::joint(int joint) {
  check_index("joint", joint, scenario_.joints.size());
  std::vector<double> values;
  for (int i = 0; i < size(); ++i) {
    const StateView state = engine_->state(i);
    for (const double* field : {state.joint_position, state.joint_speed, state.joint_impulse})
      values.push_back(engine_->has_started(i) ? field[joint] : canonical_nan());
  }
  return values;
}

ContactRecords LiveBatch::contacts() const {
  check_keeps_contacts();
  ContactRecords all;
  all.splits.push_back(0);
  for (const auto& record : records_) {
    const auto rows = static_cast<std::size_t>(record->entry_rows().back());
    append_rows(record->rows().first(rows), all);
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

void LiveBatch::reset(std::span<const int> systems) {
  check_is_here();
  for (const int i : systems) check_system(i);
  const DefaultArithmetic arithmetic;
  for (const int i : systems) {
    reasons_.erase(i);
    std::string reason;
    engine_->set_status(i, Status::not_loaded);
    take_over_variables(i, reason);
    start(i);
  }
}

// To wake a thread takes as long as some dozens of cheap steps, and a thousand times that where other work waits for
// the processors as well.
void LiveBatch::for_all(const std::function<void(int, int)>& f, int steps) {
  constexpr std::int64_t steps_of_a_thread = 32;
  const std::int64_t all = static_cast<std::int64_t>(size()) * steps;
  const auto threads = std::clamp<std::int64_t>(all / steps_of_a_thread, 1, std::ssize(memories_));
  share_turns(size(), static_cast<int>(threads), f);
}

}  // namespace jostle
