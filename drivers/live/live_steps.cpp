// How a LiveBatch takes over what was written, and steps.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "core/batch/default_arithmetic.hpp"
#include "drivers/errors.hpp"
#include "drivers/live/live_engine.hpp"
#include "drivers/live/resident_systems.hpp"
#include "drivers/watch.hpp"

namespace jostle {

void LiveBatch::refuse_wrench(int system, std::size_t body) {
  const std::string& name = scenario_.bodies[static_cast<std::size_t>(bodies_[body])].name;
  fail(system, "body '" + name + "' has been given a force or torque that is not finite");
}

/// Takes over all that was written to the arrays of a system whose status is ok. Variables come first: before the first
/// step they make an initial state, into which what was written to q and v goes.
[[gnu::always_inline]] inline void LiveBatch::prepare(int system, int thread, const System& memory,
                                                      const ShownSystem& arrays) {
  if (!columns_.empty()) {
    std::string reason;
    const bool is_taken = take_over_variables(system, reason, thread);
    if (!is_taken && engine_->status(system) == Status::ok) fail(system, reason);
    if (!is_taken) return;
  }
  if (is_written(memory, engine_->bodies, arrays)) {
    const auto refusal = take_over(memory, scenario_, engine_->bodies, arrays);
    if (refusal) return fail(system, refusal->reason, refusal->status);
  }
  if (wrenches_.empty()) return;
  double* const variables = engine_->variables(system);
  const double* wrench = wrenches_.data() + 6 * static_cast<std::size_t>(system) * bodies_.size();
  for (std::size_t s = 0; s < bodies_.size(); ++s, wrench += 6) {
    const int first = wrench_variables_[s];
    if (first < 0 && std::any_of(wrench, wrench + 6, [](double x) { return x != 0; }))
      return fail(system, no_force_moves(bodies_[s]));
    if (first < 0 || std::equal(wrench, wrench + 6, variables + first)) continue;
    if (!std::all_of(wrench, wrench + 6, [](double x) { return std::isfinite(x); })) return refuse_wrench(system, s);
    std::copy_n(wrench, 6, variables + first);
    wake(engine_->system(system));
  }
}

/// Whether the condition `stop_when` has ended a system that keeps contacts before a step: then its record, which has
/// waited for that step, has none.
bool LiveBatch::has_ended_before(int step, const StateView& state) const {
  return !records_.empty() && state.status() == static_cast<int>(Status::ok) && state.steps() < step;
}

/// Takes a system to a step; once more if a condition has ended it earlier, as nobody knows that step before.
void LiveBatch::run(int system, int thread, int last) {
  std::byte* const memory = engine_->batch().state_memory(system);
  const StateView state = engine_->state(system);
  std::vector<std::byte> before;
  if (!records_.empty() && engine_->view().stop_outcome >= 0 && last > state.steps() + 1)
    before.assign(memory, memory + engine_->view().state_layout.bytes);
  const auto run_to = [&](int step) {
    forget_contacts(system, step);
    run_system(engine_->batch(), system, step, memory_of(thread));
  };
  run_to(last);
  if (before.empty() || !has_ended_before(last, state)) return;
  const int made = state.steps();
  std::ranges::copy(before, memory);
  run_to(made);
}

// What is done here besides the step itself is done for every system in every step: it is short, and in one piece.
void LiveBatch::advance(int system, int thread, int count) {
  const System memory = engine_->system(system);
  const StateView state = memory.state();
  const ShownSystem arrays = shown(system);
  const auto is_ok = [&] { return state.status() == static_cast<int>(Status::ok); };
  if (is_ok()) prepare(system, thread, memory, arrays);
  if (!is_ok()) return show_system(system);
  const bool repeats = state.resting() != 0;  // core/stages/record.hpp: then no step changes the motion
  const int last = std::min(engine_->last_step(), state.steps() + count);
  if (has_step_left(memory, last)) run(system, thread, last);
  if (!repeats) show(memory, engine_->bodies, arrays);
  status_[static_cast<std::size_t>(system)] = static_cast<std::uint8_t>(state.status());
  steps_[static_cast<std::size_t>(system)] = state.steps();
}

bool LiveBatch::step(int count, const bool* where, const std::function<bool()>& is_stopped) {
  check_is_here();
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
  const auto f = [&](int i, int thread) {
    if (watch.is_stopped() || (where && !where[i])) return;
    advance(i, thread, count);
    if (thread == 0) watch.look(count > 16);
  };
  for_all(f, count);
}

// A device takes whole batches to a common step, so systems that have taken as many steps go together.
void LiveBatch::pass_on_device(int count, const bool* where, Watch& watch) {
  const DefaultArithmetic arithmetic;
  std::map<int, std::vector<int>> systems_at;
  for (int i = 0; i < size(); ++i) {
    if (where && !where[i]) continue;
    if (engine_->status(i) == Status::ok) prepare(i, 0, engine_->system(i), shown(i));
    if (has_step_left(engine_->system(i), engine_->last_step())) systems_at[engine_->state(i).steps()].push_back(i);
    show_system(i);
  }
  for (const auto& [step, systems] : systems_at) {
    watch.look(true);
    if (watch.is_stopped()) return;
    run_on_device(systems, std::min(engine_->last_step(), step + count));
  }
}

/// Takes systems, which have made as many steps, to a step; those once more that a condition has ended earlier, as in
/// `run`.
void LiveBatch::run_on_device(std::span<const int> systems, int last) {
  const std::size_t parameters = engine_->view().parameter_layout.bytes, state = engine_->view().state_layout.bytes;
  Batch together(model(), static_cast<int>(systems.size()));
  for (int k = 0; k < together.size(); ++k) {
    const int i = systems[static_cast<std::size_t>(k)];
    std::memcpy(together.parameter_memory(k), engine_->batch().parameter_memory(i), parameters);
    std::memcpy(together.state_memory(k), engine_->batch().state_memory(i), state);
    forget_contacts(i, last);
    if (!records_.empty()) together.record(k, *records_[static_cast<std::size_t>(i)]);
  }
  engine_->systems.backend().run(together, last, nullptr);
  std::map<int, std::vector<int>> ended_at;
  for (int k = 0; k < together.size(); ++k) {
    const int i = systems[static_cast<std::size_t>(k)];
    if (has_ended_before(last, together.state(k))) {
      ended_at[together.state(k).steps()].push_back(i);
      continue;
    }
    std::memcpy(engine_->batch().state_memory(i), together.state_memory(k), state);
    show_system(i);
  }
  for (const auto& [step, ended] : ended_at) run_on_device(ended, step);
}

void LiveBatch::check_is_here() const {
  if (resident_) throw UsageError("the systems are on the device; bring them back first");
}

std::shared_ptr<ResidentSystems> LiveBatch::upload(const ResidentOptions& options) {
  check_is_here();
  if (!machine_.gpu()) throw UsageError("the batch is on the CPU: make it with device=\"cuda\"");
  if (options.contact_rows > 0 && (!options.is_capturable || records_.empty()))
    throw UsageError("contact_rows is the room of a batch that keeps contacts and is to be capturable");
  const DefaultArithmetic arithmetic;
  for (int i = 0; i < size(); ++i)
    if (engine_->status(i) == Status::ok) prepare(i, 0, engine_->system(i), shown(i));
  // The machine owns the device, which memory of the engine must not outlive; a pair lets its second member go first.
  const auto keep = std::make_shared<std::pair<Machine, std::shared_ptr<Engine>>>(machine_, engine_);
  resident_ = std::make_shared<ResidentSystems>(keep, *machine_.gpu(), engine_->batch(), options);
  return resident_;
}

ResidentSystems& LiveBatch::resident() const {
  if (!resident_) throw UsageError("the systems are not on the device");
  return *resident_;
}

void LiveBatch::download() {
  if (!resident_) return;
  resident_->fetch();
  resident_.reset();
  for (int i = 0; i < size(); ++i) {
    const double* const variables = engine_->variables(i);
    const std::size_t first = static_cast<std::size_t>(i) * bodies_.size();
    for (std::size_t s = 0; !wrenches_.empty() && s < bodies_.size(); ++s)
      if (wrench_variables_[s] >= 0) std::copy_n(variables + wrench_variables_[s], 6, &wrenches_[6 * (first + s)]);
    for (auto& [name, column] : columns_) column.values[static_cast<std::size_t>(i)] = variables[column.variable];
    if (status_[static_cast<std::size_t>(i)] != static_cast<std::uint8_t>(engine_->status(i))) reasons_.erase(i);
    show_system(i);
  }
}

int LiveBatch::wrench_variable(std::size_t body) const {
  check_index("body that is not fixed", static_cast<std::int64_t>(body), bodies_.size());
  if (wrenches_.empty() || wrench_variables_[body] < 0)
    throw UsageError("forces were not asked for: on_device(forces=True)");
  return wrench_variables_[body];
}

}  // namespace jostle
