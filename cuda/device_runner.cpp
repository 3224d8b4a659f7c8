#include "cuda/device_runner.hpp"

#include <algorithm>

#include "cuda/device_errors.hpp"

namespace jostle {
namespace {

constexpr int least_chunk = 32;
constexpr int largest_chunk = 1 << 20;

bool is_set(const std::atomic<bool>* stop) { return stop && stop->load(std::memory_order_relaxed); }

int chunk_that_fits(const Device& device, const Model& model) {
  const std::size_t fitting = device.free_bytes() / 4 / DeviceBatch::bytes_per_system(model);
  return static_cast<int>(std::clamp<std::size_t>(fitting, least_chunk, largest_chunk));
}

}  // namespace

DeviceRunner::DeviceRunner(Device& device, const Model& model, int chunk, const DeviceOptions& options)
    : device_(device), model_(model), options_(options), chunk_(chunk > 0 ? chunk : chunk_that_fits(device, model)) {}

void DeviceRunner::make_slots(int systems) {
  const int capacity = std::min(chunk_, systems);
  if (capacity_ >= capacity && capacity_ <= chunk_ && (slots_[1] || systems <= capacity_)) return;
  capacity_ = 0;
  for (auto& slot : slots_) slot.reset();
  for (int queue = 0; queue < Device::queues; ++queue)
    if (queue == 0 || systems > capacity) slots_[queue].emplace(device_, model_, capacity, queue, options_);
  capacity_ = capacity;
}

bool DeviceRunner::run(Batch& batch, int last_step, const std::atomic<bool>* stop) {
  for (int done = 0; done < batch.size();) {
    try {
      make_slots(batch.size() - done);
      if (!run_chunks(batch, last_step, stop, done)) return false;
    } catch (const DeviceOutOfMemory&) {
      for (auto& slot : slots_) slot.reset();
      capacity_ = 0;
      if (chunk_ <= least_chunk) throw;
      chunk_ = std::max(least_chunk, std::min(chunk_, batch.size() - done) / 2);
    }
  }
  return true;
}

// From the launch that ends at `step` to the last one; false if stopped before it.
bool DeviceRunner::finish(DeviceBatch& slot, int step, int last_step, const std::atomic<bool>* stop) {
  slot.complete();
  while (step < last_step) {
    if (is_set(stop)) return false;
    step = std::min(step + steps_at_once, last_step);
    slot.step(step);
  }
  return true;
}

// `done` moves on when results are in the batch; what fails before has changed nothing there.
bool DeviceRunner::run_chunks(Batch& batch, int last_step, const std::atomic<bool>* stop, int& done) {
  const auto part = [&](int begin, int queue) {
    Part next{slots_[queue] ? &*slots_[queue] : nullptr, begin, std::min(capacity_, batch.size() - begin)};
    if (next.count > 0) next.slot->upload(batch, next.begin, next.count);
    return next;
  };
  std::optional<Part> finished;
  const auto store = [&] {
    if (!finished) return;
    finished->slot->store();
    done = finished->begin + finished->count;
    finished.reset();
  };
  const int first_stop = stop ? std::min(steps_at_once, last_step) : last_step;
  Part now = part(done, 0);
  for (int queue = 0; now.count > 0; queue = 1 - queue) {
    if (is_set(stop)) {
      store();
      return false;
    }
    now.slot->launch(first_stop);
    store();
    const int next_begin = now.begin + now.count;
    const Part next = next_begin < batch.size() ? part(next_begin, 1 - queue) : Part{nullptr, next_begin, 0};
    if (!finish(*now.slot, first_stop, last_step, stop)) return false;
    now.slot->download();
    finished = now;
    now = next;
  }
  store();
  return true;
}

}  // namespace jostle
