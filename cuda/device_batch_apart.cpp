// DeviceBatch: systems that are stepped apart, each from where it is.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cuda/device_batch.hpp"
#include "cuda/system_changes.hpp"

namespace jostle {

void DeviceBatch::set_targets(int count, const std::uint8_t* where, int final_step) {
  last_steps_.reserve(device_, static_cast<std::size_t>(count_) * sizeof(int));
  device_.change_systems(
      queue_, count_,
      StepTargets{model_.view(0).state_layout, states_.data(), {where}, count, final_step, last_steps_.as<int>()});
}

void DeviceBatch::record_last(int count, const std::uint8_t* where, int final_step) {
  if (!step_records_.views()) return;
  set_targets(count, where, final_step);
  device_.change_systems(queue_, count_,
                         RecordTargets{model_.view(0).state_layout, states_.data(), last_steps_.as<int>(),
                                       step_records_.views(), model_.stop_outcome});
}

// A system that the last order left out may have a step to make now, as its mask or a restart says. last_step_ is then
// only the age of the order.
bool DeviceBatch::step_each(int count, const std::uint8_t* where, int final_step) {
  is_apart_ = true;
  set_targets(count, where, final_step);
  last_step_ += count - std::exchange(sorted_at_, 0);
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
  last_steps_.reserve(device_, static_cast<std::size_t>(count_) * sizeof(int));
  const int multiprocessors = device_.limits().multiprocessors;
  std::size_t first = 0, most = 0;
  ahead_.clear();
  for (std::size_t placement = 0; placement < placements_.size(); ++placement) {
    SimulateTask task = task_for(placement);
    task.count = count_;
    task.placement.place = spread_out(task.placement.place, count_, multiprocessors);
    task.systems = numbers_.as<int>(), task.range = starts_.as<int>() + placement;
    task.teams = std::min(device_.teams(task), count_);
    task.records_may_grow = false;
    task.teams = placement == 0 ? teams_for(task) : task.teams_within(std::max(first, device_.free_bytes() / 16));
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

}  // namespace jostle
