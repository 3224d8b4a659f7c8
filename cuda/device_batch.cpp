#include "cuda/device_batch.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cuda/system_order.hpp"

namespace jostle {
namespace {

std::size_t reals_of(const TrajectoryView& trajectory, const Model& model, std::size_t per_body) {
  return static_cast<std::size_t>(trajectory.entries(model.total_steps)) * model.bodies.size() * per_body;
}

std::size_t bytes_of(int count, std::size_t each) { return static_cast<std::size_t>(count) * each; }

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

// Later placements are for few systems and may be large: they get as many teams as there is work and room for.
int DeviceBatch::teams_for(SimulateTask task) {
  task.teams = std::min(device_.teams(task), task.count);
  if (task.memory_bytes() <= workspaces_.bytes()) return task.teams;
  const std::size_t free = device_.free_bytes(), taken = device_.launch_bytes(task.placement.place);
  return task.teams_within(std::max((free - std::min(free, taken)) / 2, workspaces_.bytes()));
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

DeviceSystems DeviceBatch::systems() const {
  const ModelView view = model_.view(0);
  return {view.parameter_layout, view.state_layout, count_, parameters_.data(), states_.data()};
}

}  // namespace jostle
