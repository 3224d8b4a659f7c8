#include "cuda/device_runner.hpp"

#include <algorithm>
#include <limits>

#include "cuda/device_errors.hpp"

namespace jostle {
namespace {

constexpr int least_chunk = 32;
constexpr int largest_chunk = 1 << 20;

bool is_set(const std::atomic<bool>* stop) { return stop && stop->load(std::memory_order_relaxed); }

/// What is left for systems once the kernels have their local memory.
std::size_t room_for_systems(const Device& device, const Model& model, const DeviceOptions& options) {
  std::size_t for_launches = 0;
  for (const Placement& placement : placements_on(device, model, options))
    for_launches = std::max(for_launches, device.launch_bytes(placement.place));
  const std::size_t free = device.free_bytes();
  return free - std::min(free, for_launches);
}

/// The first step that some system of [begin, begin + count) still has to take.
int earliest_step(Batch& batch, int begin, int count) {
  int earliest = std::numeric_limits<int>::max();
  for (int i = begin; i < begin + count; ++i) {
    if (!has_begun(batch.status(i))) return 0;
    if (batch.status(i) == Status::ok && !has_stopped(batch.model().stop_outcome, batch.state(i)))
      earliest = std::min(earliest, batch.state(i).steps());
  }
  return earliest;
}

}  // namespace

DeviceRunner::DeviceRunner(Device& device, const Model& model, int chunk, const DeviceOptions& options)
    : device_(device), model_(model), options_(options), most_(chunk > 0 ? chunk : largest_chunk) {}

// Records may all belong to a few adjacent systems: a chunk may have as many as there are.
int DeviceRunner::fitting_chunk(const Batch& batch) {
  std::size_t largest = 0, total = 0;
  for (int i = 0; i < batch.size(); ++i) {
    const TrajectoryView& trajectory = batch.trajectory(i);
    RecordMemory* const record = batch.record(i);
    if (!trajectory.q && !record) continue;
    const std::size_t bytes = (trajectory.q ? DeviceBatch::record_bytes(model_, trajectory.stride) : 0) +
                              (record ? DeviceRecords::bytes_of(*record) : 0);
    largest = std::max(largest, bytes), total += bytes;
  }
  if (!room_) room_ = room_for_systems(device_, model_, options_) / 4;
  const std::size_t each = DeviceBatch::bytes_per_system(model_);
  const std::size_t fitting = std::max(*room_ / (each + largest), total < *room_ ? (*room_ - total) / each : 0);
  return std::min(static_cast<int>(std::clamp<std::size_t>(fitting, least_chunk, largest_chunk)), most_);
}

void DeviceRunner::release_slots() {
  for (auto& slot : slots_) slot.reset();
  capacity_ = 0;
}

void DeviceRunner::make_slots(int systems) {
  const int capacity = std::min(chunk_, systems);
  if (capacity_ >= capacity && capacity_ <= chunk_ && (slots_[1] || systems <= capacity_)) return;
  release_slots();
  for (int queue = 0; queue < Device::queues; ++queue)
    if (queue == 0 || systems > capacity) slots_[queue].emplace(device_, model_, capacity, queue, options_);
  capacity_ = capacity;
}

bool DeviceRunner::run(Batch& batch, int last_step, const std::atomic<bool>* stop) {
  for (int done = 0; done < batch.size();) {
    try {
      chunk_ = fitting_chunk(batch);
      make_slots(batch.size() - done);
      if (!run_chunks(batch, last_step, stop, done)) return false;
    } catch (const DeviceOutOfMemory&) {
      release_slots();
      room_.reset();
      if (chunk_ <= least_chunk) throw;
      most_ = std::max(least_chunk, std::min(chunk_, batch.size() - done) / 2);
    }
  }
  return true;
}

bool DeviceRunner::launch(Part& part, int last_step) {
  part.start = Clock::now();
  part.steps = std::min(length_.steps(), std::max(0, last_step - part.step));
  return part.slot->launch(part.step + part.steps, last_step);
}

void DeviceRunner::complete(Part& part) {
  part.slot->complete();
  part.step += part.steps;
  if (part.steps > 0 && !part.is_overlapped)
    length_.took(part.steps, std::chrono::duration<double>(Clock::now() - part.start).count());
}

// Runs from the launch that has begun to the last one; false if stopped before it.
bool DeviceRunner::finish(Part& part, int last_step, const std::atomic<bool>* stop) {
  complete(part);
  while (part.step < last_step) {
    if (is_set(stop)) return false;
    part.is_overlapped = false;
    if (!launch(part, last_step)) break;
    complete(part);
  }
  return true;
}

// `done` advances when results are in the batch; a failure before that has changed nothing there.
bool DeviceRunner::run_chunks(Batch& batch, int last_step, const std::atomic<bool>* stop, int& done) {
  const auto part = [&](int begin, int queue) {
    Part next{slots_[queue] ? &*slots_[queue] : nullptr, begin, std::min(capacity_, batch.size() - begin)};
    if (next.count <= 0) return next;
    next.step = std::min(earliest_step(batch, begin, next.count), last_step);
    next.slot->upload(batch, next.begin, next.count);
    return next;
  };
  std::optional<Part> finished;
  const auto store = [&] {
    if (!finished) return;
    finished->slot->store();
    done = finished->begin + finished->count;
    finished.reset();
  };
  Part now = part(done, 0);
  for (int queue = 0; now.count > 0; queue = 1 - queue) {
    if (is_set(stop)) {
      store();
      return false;
    }
    launch(now, last_step);
    now.is_overlapped = finished || now.begin + now.count < batch.size();
    store();
    const int next_begin = now.begin + now.count;
    const Part next = next_begin < batch.size() ? part(next_begin, 1 - queue) : Part{nullptr, next_begin, 0};
    if (!finish(now, last_step, stop)) return false;
    now.slot->download();
    finished = now;
    now = next;
  }
  store();
  return true;
}

}  // namespace jostle
