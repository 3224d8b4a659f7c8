#include "cuda/device_batch.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "cuda/system_changes.hpp"
#include "cuda/system_order.hpp"

namespace jostle {
namespace {

std::size_t reals_of(const TrajectoryView& trajectory, const Model& model, std::size_t per_body) {
  return static_cast<std::size_t>(trajectory.entries(model.total_steps)) * model.bodies.size() * per_body;
}

std::size_t bytes_of(int count, std::size_t each) { return static_cast<std::size_t>(count) * each; }

/// An order of systems serves at least as many steps: sorting takes about ten small kernels and a wait.
constexpr int steps_per_order = 16;

}  // namespace

std::vector<Placement> placements_on(const Device& device, const Model& model, const DeviceOptions& options) {
  DeviceLimits limits = device.limits();
  if (!options.shared_memory || options.observed) limits.shared_bytes_per_block = 0;
  std::vector<Placement> placements =
      placements_for(model, limits, options.first_contacts, options.team_kinds, options.warps);
  for (Placement& placement : placements)
    placement.place.registers = options.registers, placement.place.most_blocks = options.most_blocks;
  return placements;
}

DeviceModel::DeviceModel(Device& device, const Model& model) : model_(&model) {
  std::vector<std::byte> packed;
  ModelView view = model.view(0);
  model.for_each_array(view, [&](const auto& array, auto&) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(array.data());
    packed.insert(packed.end(), bytes, bytes + array.size() * sizeof array[0]);
    packed.resize(round_up_to_line(packed.size()));
  });
  memory_ = DeviceMemory(device, packed.size());
  device.upload(0, memory_.data(), packed.data(), packed.size());
  device.wait(0);
}

ModelView DeviceModel::view(const Placement& placement) const {
  ModelView view = model_->view(placement.contacts);
  view.dimensions.island_contacts = placement.island_contacts;
  std::byte* at = memory_.data();
  model_->for_each_array(view, [&](const auto& array, auto& pointer) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(at);
    at += round_up_to_line(array.size() * sizeof array[0]);
  });
  return view;
}

std::size_t DeviceBatch::bytes_per_system(const Model& model) {
  const ModelView view = model.view(0);
  return view.parameter_layout.bytes + view.state_layout.bytes + sizeof(std::uint8_t) + sizeof(int) +
         2 * sizeof(std::uint32_t);
}

std::size_t DeviceBatch::record_bytes(const Model& model, int stride) {
  const TrajectoryView trajectory{nullptr, nullptr, stride};
  return (reals_of(trajectory, model, 7) + reals_of(trajectory, model, 6)) * sizeof(double) + sizeof trajectory;
}

DeviceBatch::DeviceBatch(Device& device, const Model& model, int capacity, int queue, const DeviceOptions& options)
    : device_(device),
      model_(model),
      queue_(queue),
      device_model_(device, model),
      placements_(placements_on(device, model, options)),
      counters_(device, sizeof(unsigned) + sizeof(Pauses)),
      step_records_(device, queue),
      queue_end_(device, queue) {
  const ModelView view = model.view(0);
  parameters_ = DeviceMemory(device, bytes_of(capacity, view.parameter_layout.bytes));
  states_ = DeviceMemory(device, bytes_of(capacity, view.state_layout.bytes));
  in_ = DeviceMemory(device, bytes_of(capacity, sizeof(std::uint8_t)));
  costs_ = DeviceMemory(device, bytes_of(capacity, sizeof(std::uint32_t)));
  numbers_ = DeviceMemory(device, bytes_of(capacity, sizeof(int)));
  keys_ = DeviceMemory(device, bytes_of(capacity, sizeof(std::uint32_t)));
  starts_ = DeviceMemory(device, (placements_.size() + 1) * sizeof(int));
  results_ = DeviceMemory(device, options.observed ? bytes_of(capacity, sizeof(StepResult)) : 0);
  staged_parameters_ = PinnedMemory(device, parameters_.bytes());
  staged_states_ = PinnedMemory(device, states_.bytes());
  load_kernels(capacity);
}

// CUDA loads the code of a kernel at its first use and may wait for all that runs to do so: all kernels that may be
// used are loaded now, while nothing runs yet.
void DeviceBatch::load_kernels(int capacity) {
  for (const Placement& placement : placements_) device_.launch_bytes(placement.place);
  count_ = capacity;
  device_.clear(queue_, in_.data(), in_.bytes());
  device_.clear(queue_, costs_.data(), costs_.bytes());
  device_.clear(queue_, states_.data(), states_.bytes());
  start_sort(0);
  count_ = 0;
  in_placement_.assign(placements_.size(), 0);
}

void DeviceBatch::upload(Batch& batch, int first, int count) {
  const ModelView view = model_.view(0);
  batch_ = &batch, first_ = first, count_ = count;
  loads_parameters_ = false;
  for (int i = first; i < first + count; ++i) loads_parameters_ |= batch.status(i) == Status::not_loaded;
  device_.wait(queue_);  // for work left by a run that failed or was stopped
  std::memcpy(staged_parameters_.data(), batch.parameter_memory(first), bytes_of(count, view.parameter_layout.bytes));
  std::memcpy(staged_states_.data(), batch.state_memory(first), bytes_of(count, view.state_layout.bytes));
  device_.upload(queue_, parameters_.data(), staged_parameters_.data(), bytes_of(count, view.parameter_layout.bytes));
  device_.upload(queue_, states_.data(), staged_states_.data(), bytes_of(count, view.state_layout.bytes));
  device_.clear(queue_, in_.data(), in_.bytes());
  device_.clear(queue_, costs_.data(), costs_.bytes());
  in_placement_.assign(placements_.size(), 0);
  in_placement_[0] = count;
  is_sorted_ = false;
  last_step_ = sorted_at_ = 0;
  is_apart_ = false;
  upload_records();
  step_records_.upload(batch, first, count);
}

void DeviceBatch::upload_records() {
  recorded_.clear();
  record_reals_ = 0;
  for (int i = 0; i < count_; ++i) {
    const TrajectoryView& host = batch_->trajectory(first_ + i);
    if (!host.q) continue;
    const std::size_t q = record_reals_, v = q + reals_of(host, model_, 7);
    record_reals_ = v + reals_of(host, model_, 6);
    recorded_.push_back({host, q, v});
  }
  if (recorded_.empty()) return;

  const std::size_t bytes = record_reals_ * sizeof(double), view_bytes = bytes_of(count_, sizeof(TrajectoryView));
  records_.reserve(device_, bytes);
  staged_records_.reserve(device_, bytes);
  views_.reserve(device_, view_bytes);
  staged_views_.reserve(device_, view_bytes);
  auto record = recorded_.begin();
  for (int i = 0; i < count_; ++i) {
    TrajectoryView view = batch_->trajectory(first_ + i);
    if (view.q) {
      std::copy_n(view.q, reals_of(view, model_, 7), staged_records_.as<double>() + record->q);
      std::copy_n(view.v, reals_of(view, model_, 6), staged_records_.as<double>() + record->v);
      view.q = records_.as<double>() + record->q;
      view.v = records_.as<double>() + record->v;
      ++record;
    }
    staged_views_.as<TrajectoryView>()[i] = view;
  }
  device_.upload(queue_, records_.data(), staged_records_.data(), bytes);
  device_.upload(queue_, views_.data(), staged_views_.data(), view_bytes);
}

SimulateTask DeviceBatch::task_for(std::size_t placement) {
  SimulateTask task;
  task.placement = placements_[placement];
  task.model = device_model_.view(task.placement);
  task.layout = WorkspaceLayout(task.model.dimensions, device_.alternating(task.placement.place.lanes));
  task.last_step = last_step_, task.final_step = final_step_;
  task.last_steps = is_apart_ ? last_steps_.as<int>() : nullptr;
  task.number_of_placement = static_cast<std::uint8_t>(placement);
  task.last_placement = placement + 1 == placements_.size();
  task.parameters = parameters_.data();
  task.states = states_.data();
  task.trajectories = recorded_.empty() ? nullptr : views_.as<TrajectoryView>();
  task.records = step_records_.views();
  task.placements = in_.as<std::uint8_t>();
  task.costs = costs_.as<std::uint32_t>();
  task.results = results_.as<StepResult>();
  task.taken = counters_.as<unsigned>();
  task.any_overflow = counters_.as<unsigned>() + 1;
  task.any_full = counters_.as<unsigned>() + 2;
  return task;
}

namespace {

/// As many of the teams of a task as have room in so many bytes, at least one.
int teams_within(const SimulateTask& task, std::size_t room) {
  if (task.memory_bytes() <= room) return task.teams;
  const int step = task.layout.alternating;  // if elements alternate, whole groups of teams use it best
  const std::size_t groups = room / (static_cast<std::size_t>(step) * task.bytes_per_team());
  return std::max(std::min(task.teams, static_cast<int>(groups) * step), 1);
}

}  // namespace

// Later placements are for few systems and may be large: they get as many teams as there is work and room for.
int DeviceBatch::teams_for(SimulateTask task) {
  task.teams = std::min(device_.teams(task), task.count);
  if (task.memory_bytes() <= workspaces_.bytes()) return task.teams;
  const std::size_t free = device_.free_bytes(), taken = device_.launch_bytes(task.placement.place);
  return teams_within(task, std::max((free - std::min(free, taken)) / 2, workspaces_.bytes()));
}

void DeviceBatch::run_placement(std::size_t placement, const int* numbers) {
  SimulateTask task = task_for(placement);
  task.count = in_placement_[placement];
  task.placement.place = spread_out(task.placement.place, task.count, device_.limits().multiprocessors);
  task.systems = is_sorted_ ? numbers : nullptr;
  task.teams = teams_for(task);
  const std::size_t bytes = task.memory_bytes();
  if (bytes > workspaces_.bytes()) device_.wait(queue_);  // for kernels of another placement that use it
  workspaces_.reserve(device_, bytes);
  task.memory = workspaces_.data();
  device_.clear(queue_, task.taken, sizeof(unsigned));
  device_.simulate(queue_, task);
  last_task_ = task;
}

void DeviceBatch::run() {
  device_.clear(queue_, counters_.data(), counters_.bytes());
  const int* numbers = numbers_.as<int>();
  for (std::size_t placement = 0; placement < placements_.size(); ++placement) {
    if (in_placement_[placement] > 0) run_placement(placement, numbers);
    numbers += in_placement_[placement];
  }
}

int DeviceBatch::listed() const { return std::accumulate(in_placement_.begin(), in_placement_.end(), 0); }

bool DeviceBatch::launch(int last_step, int final_step) {
  is_apart_ = false;
  const bool is_old = last_step_ - sorted_at_ >= steps_per_order;
  const bool may_miss_some = listed() < count_ && final_step > sorted_up_to_;
  if (is_old || may_miss_some) sort_systems(final_step);
  last_step_ = last_step, final_step_ = final_step;
  if (listed() == 0) return false;
  run();
  return true;
}

void DeviceBatch::set_targets(int count, const std::uint8_t* where, int final_step) {
  last_steps_.reserve(device_, bytes_of(count_, sizeof(int)));
  device_.change_systems(
      queue_, count_,
      StepTargets{model_.view(0).state_layout, states_.data(), {where}, count, final_step, last_steps_.as<int>()});
}

void DeviceBatch::record_last(int count, const std::uint8_t* where, int final_step) {
  if (!step_records_.views()) return;
  set_targets(count, where, final_step);
  device_.change_systems(
      queue_, count_,
      RecordTargets{model_.view(0).state_layout, states_.data(), last_steps_.as<int>(), step_records_.views()});
}

// A system that the last order left out may have a step to make now, as its mask or a restart says. last_step_ is then
// only the age of the order.
bool DeviceBatch::step_each(int count, const std::uint8_t* where, int final_step) {
  is_apart_ = true;
  set_targets(count, where, final_step);
  last_step_ += count;
  if (last_step_ - sorted_at_ >= steps_per_order || listed() < count_) sort_systems(last_step_);
  if (listed() == 0) return false;
  run();
  complete();
  return true;
}

void DeviceBatch::set_back(const std::uint8_t* where) {
  const auto final_step = static_cast<int>(model_.total_steps);
  device_.change_systems(
      queue_, count_, Restart{model_.view(0).state_layout, states_.data(), {where}, step_records_.views(), final_step});
  loads_parameters_ = true;
}

void DeviceBatch::restart(const std::uint8_t* where) {
  set_back(where);
  step_each(0, nullptr, static_cast<int>(model_.total_steps));
}

// How many systems will be in a placement is not known: the first one has teams for all, later ones have what fits in
// the same memory, or in a sixteenth of what is free.
void DeviceBatch::reserve_ahead() {
  device_.wait(queue_);
  is_apart_ = true;
  last_steps_.reserve(device_, bytes_of(count_, sizeof(int)));
  const int multiprocessors = device_.limits().multiprocessors;
  std::size_t first = 0, most = 0;
  ahead_.clear();
  for (std::size_t placement = 0; placement < placements_.size(); ++placement) {
    SimulateTask task = task_for(placement);
    task.count = count_;
    task.placement.place = spread_out(task.placement.place, count_, multiprocessors);
    task.systems = numbers_.as<int>(), task.range = starts_.as<int>() + placement;
    task.teams = std::min(device_.teams(task), count_);
    task.teams = placement == 0 ? teams_for(task) : teams_within(task, std::max(first, device_.free_bytes() / 16));
    if (placement == 0) first = task.memory_bytes();
    most = std::max(most, task.memory_bytes());
    ahead_.push_back(task);
  }
  workspaces_.reserve(device_, most);
  for (SimulateTask& task : ahead_) task.memory = workspaces_.data();
  start_each(0, nullptr, 0);
  device_.wait(queue_);
}

// Sorting again before each placement finds the systems that have overflowed the one before.
void DeviceBatch::start_each(int count, const std::uint8_t* where, int final_step) {
  if (ahead_.empty()) throw std::logic_error("reserve_ahead() comes before start_each()");
  set_targets(count, where, final_step);
  for (const SimulateTask& task : ahead_) {
    start_sort(0);
    device_.clear(queue_, task.taken, sizeof(unsigned));
    device_.simulate(queue_, task);
  }
}

void DeviceBatch::start_restart(const std::uint8_t* where) {
  set_back(where);
  start_each(0, nullptr, static_cast<int>(model_.total_steps));
}

DeviceBatch::Pauses DeviceBatch::pauses() {
  Pauses found;
  device_.download(queue_, &found, counters_.as<unsigned>() + 1, sizeof found);
  device_.wait(queue_);
  return found;
}

void DeviceBatch::start_sort(int last_step) {
  const ModelView view = model_.view(0);
  const OrderKey key{in_.as<std::uint8_t>(), costs_.as<std::uint32_t>(),
                     view.state_layout,      states_.data(),
                     view.every_step,        last_step,
                     view.stop_outcome,      is_apart_ ? last_steps_.as<int>() : nullptr};
  device_.sort_systems(
      queue_, key,
      {count_, static_cast<int>(placements_.size()), numbers_.as<int>(), keys_.as<std::uint32_t>(), starts_.as<int>()});
}

void DeviceBatch::sort_systems(int last_step) {
  start_sort(last_step);
  std::vector<int> starts(placements_.size() + 1);
  device_.download(queue_, starts.data(), starts_.data(), starts_.bytes());
  device_.wait(queue_);
  for (std::size_t placement = 0; placement < placements_.size(); ++placement)
    in_placement_[placement] = starts[placement + 1] - starts[placement];
  is_sorted_ = true;
  sorted_at_ = last_step_, sorted_up_to_ = last_step;
}

// Systems that overflow a placement go to the next; those whose records are full get larger ones. They are the only
// ones that have a step of this launch left; the next launch misses the others, and sorts all again.
void DeviceBatch::complete() {
  while (count_ > 0) {
    const Pauses found = pauses();
    if (found.full != 0) step_records_.grow();
    if (found.full == 0 && found.overflow == 0) return;
    sort_systems(last_step_);
    run();
  }
}

void DeviceBatch::download() {
  const ModelView view = model_.view(0);
  device_.download(queue_, staged_states_.data(), states_.data(), bytes_of(count_, view.state_layout.bytes));
  if (loads_parameters_)
    device_.download(queue_, staged_parameters_.data(), parameters_.data(),
                     bytes_of(count_, view.parameter_layout.bytes));
  if (!recorded_.empty())
    device_.download(queue_, staged_records_.data(), records_.data(), record_reals_ * sizeof(double));
  step_records_.download();
}

void DeviceBatch::store() {
  const ModelView view = model_.view(0);
  device_.wait(queue_);
  std::memcpy(batch_->state_memory(first_), staged_states_.data(), bytes_of(count_, view.state_layout.bytes));
  if (loads_parameters_)
    std::memcpy(batch_->parameter_memory(first_), staged_parameters_.data(),
                bytes_of(count_, view.parameter_layout.bytes));
  for (const Record& record : recorded_) {
    std::copy_n(staged_records_.as<double>() + record.q, reals_of(record.host, model_, 7), record.host.q);
    std::copy_n(staged_records_.as<double>() + record.v, reals_of(record.host, model_, 6), record.host.v);
  }
  step_records_.store();
}

void DeviceBatch::fetch_records() {
  step_records_.download();
  device_.wait(queue_);
  step_records_.store();
}

namespace {

template <class T>
void copy_field(int extent, const T& from, T& to) {
  if (extent > 0) to = from;
}
void copy_field(int extent, const auto& from, const auto& to) {
  for (int i = 0; i < extent; ++i) to[i] = from[i];
}

/// Copies to a workspace whose elements are contiguous.
void copy_workspace(const Dimensions& d, const WorkspaceView<AllSystems, many_alternating>& from, const Workspace& to) {
#define JOSTLE_COPY(type, name, extent, memory, unit, writers, readers, meaning) \
  copy_field(static_cast<int>(extent), from.name(), to.name());
  JOSTLE_WORKSPACE(JOSTLE_COPY)
#undef JOSTLE_COPY
}

}  // namespace

void DeviceBatch::observe(const std::function<void(const Workspace&, const StepResult&)>& observe) {
  std::vector<std::byte> memory(last_task_.memory_bytes());
  StepResult result;
  device_.download(queue_, memory.data(), last_task_.memory, memory.size());
  device_.download(queue_, &result, last_task_.results, sizeof result);
  device_.wait(queue_);
  SimulateTask on_host = last_task_;
  on_host.memory = memory.data();
  if (on_host.layout.alternating == 1) return observe(on_host.workspace<1>(0, nullptr), result);
  const Dimensions& d = on_host.model.dimensions;
  const WorkspaceLayout layout(d);
  std::vector<std::byte> copy(layout.near + layout.cells + layout.far);
  const Workspace work(layout, copy.data(), copy.data() + layout.near, copy.data() + layout.near + layout.cells);
  copy_workspace(d, on_host.workspace<many_alternating>(0, nullptr), work);
  observe(work, result);
}

void run_observed(Device& device, Batch& batch, int last_step, const StepObserver& observe) {
  DeviceOptions options;
  options.observed = true;
  DeviceBatch on_device(device, batch.model(), 1, 0, options);
  on_device.upload(batch, 0, 1);
  const ModelView view = batch.model().view(0);
  const System system = batch.system(view, 0);
  const auto step_to = [&](int step) {
    on_device.step(step);
    on_device.download();
    on_device.store();
  };
  if (!has_begun(batch.status(0))) step_to(0);
  while (has_step_left(system, last_step)) {
    step_to(system.state().steps() + 1);
    if (batch.status(0) == Status::capacity) break;  // a step that no placement has room for is not made
    on_device.observe([&](const Workspace& work, const StepResult& result) { observe(system, work, result); });
  }
}

DeviceSystems DeviceBatch::systems() const {
  const ModelView view = model_.view(0);
  return {view.parameter_layout, view.state_layout, count_, parameters_.data(), states_.data()};
}

}  // namespace jostle
