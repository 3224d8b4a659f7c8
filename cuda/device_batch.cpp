#include "cuda/device_batch.hpp"

#include <algorithm>
#include <cstring>

namespace jostle {
namespace {

std::size_t reals_of(const TrajectoryView& trajectory, const Model& model, std::size_t per_body) {
  return static_cast<std::size_t>(trajectory.entries(model.total_steps)) * model.bodies.size() * per_body;
}

std::size_t bytes_of(int count, std::size_t each) { return static_cast<std::size_t>(count) * each; }

DeviceLimits limits_for(const Device& device, const DeviceOptions& options) {
  DeviceLimits limits = device.limits();
  if (options.observed) limits.shared_bytes_per_block = 0;
  return limits;
}

}  // namespace

DeviceModel::DeviceModel(Device& device, const Model& model) : model_(&model) {
  std::vector<std::byte> packed;
  ModelView view = model.view(0);
  model.for_each_array(view, [&](const auto& array, auto&) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(array.data());
    packed.insert(packed.end(), bytes, bytes + array.size() * sizeof array[0]);
    packed.resize(aligned_bytes(packed.size()));
  });
  memory_ = DeviceMemory(device, packed.size());
  device.upload(0, memory_.data(), packed.data(), packed.size());
  device.wait(0);
}

ModelView DeviceModel::view(int contacts) const {
  ModelView view = model_->view(contacts);
  std::byte* at = memory_.data();
  model_->for_each_array(view, [&](const auto& array, auto& pointer) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(at);
    at += aligned_bytes(array.size() * sizeof array[0]);
  });
  return view;
}

std::size_t DeviceBatch::bytes_per_system(const Model& model) {
  const Dimensions d = model.view(0).dimensions;
  return parameter_bytes(d) + state_bytes(d) + sizeof(std::uint8_t) + 2 * sizeof(int);
}

DeviceBatch::DeviceBatch(Device& device, const Model& model, int capacity, int queue, const DeviceOptions& options)
    : device_(device),
      model_(model),
      queue_(queue),
      device_model_(device, model),
      placements_(placements_for(model, limits_for(device, options), options.first_contacts, options.team_kinds)),
      counters_(device, 2 * sizeof(unsigned)),
      queue_end_(device, queue) {
  const Dimensions d = model.view(0).dimensions;
  parameters_ = DeviceMemory(device, bytes_of(capacity, parameter_bytes(d)));
  states_ = DeviceMemory(device, bytes_of(capacity, state_bytes(d)));
  outgrown_ = DeviceMemory(device, bytes_of(capacity, sizeof(std::uint8_t)));
  numbers_ = DeviceMemory(device, bytes_of(capacity, sizeof(int)));
  costs_ = DeviceMemory(device, bytes_of(capacity, sizeof(int)));
  results_ = DeviceMemory(device, options.observed ? bytes_of(capacity, sizeof(StepResult)) : 0);
  staged_parameters_ = PinnedMemory(device, parameters_.bytes());
  staged_states_ = PinnedMemory(device, states_.bytes());
}

void DeviceBatch::upload(Batch& batch, int first, int count) {
  const Dimensions d = model_.view(0).dimensions;
  batch_ = &batch, first_ = first, count_ = count;
  device_.wait(queue_);  // for what a run that failed or was stopped has left
  std::memcpy(staged_parameters_.data(), batch.parameter_memory(first), bytes_of(count, parameter_bytes(d)));
  std::memcpy(staged_states_.data(), batch.state_memory(first), bytes_of(count, state_bytes(d)));
  device_.upload(queue_, parameters_.data(), staged_parameters_.data(), bytes_of(count, parameter_bytes(d)));
  device_.upload(queue_, states_.data(), staged_states_.data(), bytes_of(count, state_bytes(d)));
  upload_records();
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

  const std::size_t bytes = record_reals_ * sizeof(Real), view_bytes = bytes_of(count_, sizeof(TrajectoryView));
  records_.reserve(device_, bytes);
  staged_records_.reserve(device_, bytes);
  views_.reserve(device_, view_bytes);
  staged_views_.reserve(device_, view_bytes);
  auto record = recorded_.begin();
  for (int i = 0; i < count_; ++i) {
    TrajectoryView view = batch_->trajectory(first_ + i);
    if (view.q) {
      std::copy_n(view.q, reals_of(view, model_, 7), staged_records_.as<Real>() + record->q);
      std::copy_n(view.v, reals_of(view, model_, 6), staged_records_.as<Real>() + record->v);
      view.q = records_.as<Real>() + record->q;
      view.v = records_.as<Real>() + record->v;
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
  task.model = device_model_.view(task.placement.contacts);
  task.last_step = last_step_;
  task.last_placement = placement + 1 == placements_.size();
  task.parameters = parameters_.data();
  task.states = states_.data();
  task.trajectories = recorded_.empty() ? nullptr : views_.as<TrajectoryView>();
  task.outgrown = outgrown_.as<std::uint8_t>();
  task.results = results_.as<StepResult>();
  task.taken = counters_.as<unsigned>();
  task.any_outgrown = counters_.as<unsigned>() + 1;
  return task;
}

// Later placements are for few systems and may be large: their teams are as many as there is work and room for.
int DeviceBatch::teams_for(const SimulateTask& task) {
  const std::size_t per_team = task.bytes_per_team();
  const int wanted = std::min(device_.teams(task), task.count);
  if (bytes_of(wanted, per_team) <= workspaces_.bytes()) return wanted;
  const std::size_t room = std::max(device_.free_bytes() / 2, workspaces_.bytes()) / per_team;
  return static_cast<int>(std::clamp<std::size_t>(room, 1, static_cast<std::size_t>(wanted)));
}

void DeviceBatch::run(std::size_t placement, int count, bool listed) {
  SimulateTask task = task_for(placement);
  task.count = count;
  task.systems = listed ? numbers_.as<int>() : nullptr;
  task.teams = teams_for(task);
  workspaces_.reserve(device_, bytes_of(task.teams, task.bytes_per_team()));
  task.memory = workspaces_.data();
  device_.clear(queue_, outgrown_.data(), static_cast<std::size_t>(count_));
  device_.clear(queue_, counters_.data(), counters_.bytes());
  device_.simulate(queue_, task);
  last_task_ = task;
}

void DeviceBatch::launch(int last_step) {
  last_step_ = last_step;
  if (count_ > 0) run(0, count_, false);
}

bool DeviceBatch::any_outgrown() {
  unsigned any = 0;
  device_.download(queue_, &any, counters_.as<unsigned>() + 1, sizeof any);
  device_.wait(queue_);
  return any != 0;
}

void DeviceBatch::complete() {
  for (std::size_t placement = 0; count_ > 0 && any_outgrown(); ++placement) {
    SimulateTask task = task_for(placement);
    task.count = count_;
    run(placement + 1, device_.collect_outgrown(queue_, task, numbers_.as<int>(), costs_.as<int>()), true);
  }
}

void DeviceBatch::download() {
  const Dimensions d = model_.view(0).dimensions;
  device_.download(queue_, staged_states_.data(), states_.data(), bytes_of(count_, state_bytes(d)));
  if (!recorded_.empty())
    device_.download(queue_, staged_records_.data(), records_.data(), record_reals_ * sizeof(Real));
}

void DeviceBatch::store() {
  const Dimensions d = model_.view(0).dimensions;
  device_.wait(queue_);
  std::memcpy(batch_->state_memory(first_), staged_states_.data(), bytes_of(count_, state_bytes(d)));
  for (const Record& record : recorded_) {
    std::copy_n(staged_records_.as<Real>() + record.q, reals_of(record.host, model_, 7), record.host.q);
    std::copy_n(staged_records_.as<Real>() + record.v, reals_of(record.host, model_, 6), record.host.v);
  }
}

void DeviceBatch::observe(const std::function<void(const Workspace&, const StepResult&)>& observe) {
  std::vector<std::byte> memory(last_task_.bytes_per_team());
  StepResult result;
  device_.download(queue_, memory.data(), last_task_.memory, memory.size());
  device_.download(queue_, &result, last_task_.results, sizeof result);
  device_.wait(queue_);
  SimulateTask on_host = last_task_;
  on_host.memory = memory.data();
  observe(on_host.workspace(0, nullptr), result);
}

void run_observed(Device& device, Batch& batch, int last_step,
                  const std::function<void(const System&, const Workspace&, const StepResult&)>& observe) {
  DeviceOptions options;
  options.observed = true;
  DeviceBatch on_device(device, batch.model(), 1, 0, options);
  const ModelView view = batch.model().view(0);
  const System system = batch.system(view, 0);
  const auto step_to = [&](int step) {
    on_device.upload(batch, 0, 1);
    on_device.step(step);
    on_device.download();
    on_device.store();
  };
  if (batch.status(0) == Status::not_run) step_to(0);
  while (batch.status(0) == Status::ok && system.state.steps[0] < last_step) {
    step_to(system.state.steps[0] + 1);
    if (batch.status(0) == Status::capacity) break;  // a step that no placement has room for is not made
    on_device.observe([&](const Workspace& work, const StepResult& result) { observe(system, work, result); });
  }
}

DeviceSystems DeviceBatch::systems() const {
  return {model_.view(0).dimensions, count_, parameters_.data(), states_.data()};
}

}  // namespace jostle
