#include "emulation/host_device.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "core/batch/batch.hpp"
#include "cuda/device_errors.hpp"
#include "cuda/simulate_task.hpp"
#include "cuda/solve_problem.hpp"
#include "cuda/system_changes.hpp"

namespace jostle {
namespace {

/// A thread with the code of a lane.
struct OneLane : SerialTeam {
  static constexpr bool is_thread = false;
};

constexpr std::align_val_t alignment{64};
/// In new memory: a read before the first write must show. As a number 1e301, beside which nothing counts; as an index
/// beyond all memory.
constexpr int unwritten = 0x7E;

/// Aligned memory; null if there is none.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes)
      : data_(bytes > 0 ? static_cast<std::byte*>(::operator new[](bytes, alignment)) : nullptr) {
    if (bytes > 0) std::memset(data_, unwritten, bytes);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { ::operator delete[](data_, alignment); }
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
};

}  // namespace

HostDevice::HostDevice(const Options& options) : options_(options) {}

HostDevice::~HostDevice() {
  for (const auto& [memory, bytes] : blocks_) ::operator delete[](memory, alignment);
}

DeviceLimits HostDevice::own_limits() const {
  return {1, options_.shared_bytes, options_.shared_bytes, all_team_kinds, all_team_kinds, options_.memory_bytes};
}

void HostDevice::check(const std::string& call) {
  const auto failure = failures_.find(call);
  if (failure == failures_.end() || --failure->second > 0) return;
  failures_.erase(failure);
  throw DeviceFailure(name() + ": " + call + " failed as it was told to");
}

void HostDevice::take_room(std::size_t bytes) {
  if (bytes > free_bytes())
    throw DeviceOutOfMemory(name() + ": no room for " + std::to_string(bytes) + " bytes, " +
                            std::to_string(free_bytes()) + " are free");
  used_ += bytes;
}

std::byte* HostDevice::allocate(std::size_t bytes) {
  check("allocate");
  take_room(bytes);
  auto* const memory = static_cast<std::byte*>(::operator new[](bytes, alignment));
  std::memset(memory, unwritten, bytes);
  blocks_[memory] = bytes;
  return memory;
}

void HostDevice::release(std::byte* memory) noexcept {
  used_ -= blocks_.at(memory);
  blocks_.erase(memory);
  ::operator delete[](memory, alignment);
}

void HostDevice::enqueue(int queue, const std::string& call, std::function<void()> work) {
  check(call);
  pending_[queue].push_back(std::move(work));
}

void HostDevice::wait(int queue) {
  for (const auto& work : take_pending(queue)) work();
}

void HostDevice::upload(int queue, void* to, const void* from, std::size_t bytes) {
  enqueue(queue, "upload", [=] { std::memcpy(to, from, bytes); });
}

void HostDevice::download(int queue, void* to, const void* from, std::size_t bytes) {
  enqueue(queue, "download", [=] { std::memcpy(to, from, bytes); });
}

void HostDevice::clear(int queue, void* memory, std::size_t bytes) {
  enqueue(queue, "clear", [=] { std::memset(memory, 0, bytes); });
}

void HostDevice::clear_rows(int queue, void* memory, std::size_t pitch, std::size_t bytes, std::size_t rows) {
  enqueue(queue, "clear_rows", [=] {
    for (std::size_t row = 0; row < rows; ++row) std::memset(static_cast<std::byte*>(memory) + row * pitch, 0, bytes);
  });
}

void HostDevice::wait_for_all() {
  for (int queue = 0; queue < queues; ++queue) wait(queue);
}

void HostDevice::follow(int, std::uintptr_t) { check("follow"); }

void HostDevice::precede(int queue, std::uintptr_t) {
  check("precede");
  wait(queue);
}

std::byte* HostDevice::take(int, std::size_t bytes) { return allocate(bytes); }

void HostDevice::give_back(int queue, std::byte* memory) noexcept {
  pending_[queue].push_back([this, memory] { release(memory); });
}

void HostDevice::simulate(int queue, const SimulateTask& task) {
  ++launches_;
  if (!launched_) take_room(options_.launch_bytes);
  launched_ = true;
  enqueue(queue, "simulate", [this, task] {
    const SharedMemory shared(task.shared_bytes_per_team());
    simulate_now(task, shared.data());
  });
}

void HostDevice::sort_systems(int queue, const OrderKey& key, const SystemOrder& to) {
  enqueue(queue, "sort_systems", [=] {
    std::iota(to.numbers, to.numbers + to.count, 0);
    std::stable_sort(to.numbers, to.numbers + to.count, [&](int a, int b) { return key(a) < key(b); });
    std::transform(to.numbers, to.numbers + to.count, to.keys, key);
    for (int placement = 0; placement <= to.placements; ++placement)
      to.starts[placement] =
          static_cast<int>(std::lower_bound(to.keys, to.keys + to.count, OrderKey::first_of(placement)) - to.keys);
  });
}

void HostDevice::change_systems(int queue, int count, const StepTargets& change) { change_each(queue, count, change); }
void HostDevice::change_systems(int queue, int count, const RecordTargets& change) {
  change_each(queue, count, change);
}
void HostDevice::change_systems(int queue, int count, const Restart& change) { change_each(queue, count, change); }
void HostDevice::change_systems(int queue, int count, const ShowContacts& change) { change_each(queue, count, change); }

template <class Change>
void HostDevice::change_each(int queue, int count, const Change& change) {
  enqueue(queue, "change_systems", [=] {
    for (int i = 0; i < count; ++i) change(i);
  });
}

void HostDevice::arrange_lcps(int queue, const LcpBatch& batch, const LcpArrangement& to) {
  enqueue(queue, "arrange_lcps", [=] {
    std::iota(to.order, to.order + batch.count, 0);
    std::stable_sort(to.order, to.order + batch.count, [&](int a, int b) { return batch.sizes[a] > batch.sizes[b]; });
    std::int64_t start = 0, matrix_start = 0;
    for (int problem = 0; batch.packed && problem < batch.count; ++problem) {
      const std::int64_t n = std::max(0, batch.sizes[problem]);
      to.starts[problem] = std::exchange(start, start + n);
      to.matrix_starts[problem] = std::exchange(matrix_start, matrix_start + n * n);
    }
  });
}

void HostDevice::solve_lcps(int queue, const LcpTask& task) {
  ++launches_;
  enqueue(queue, "solve_lcps", [this, task] {
    const SharedMemory shared(task.shared_bytes_per_team());
    solve_now(task, shared.data());
  });
}

void HostDevice::simulate_now(const SimulateTask& task, std::byte* shared) {
  for (int index = 0; index < task.size(); ++index) {
    const int number = task.number(index);
    const System system = task.system(number);
    const auto work = task.workspace<1>(index % task.teams, shared);
    const auto takes_step = [&] {
      return has_step_on_thread(system, work, task.last_step_of(number)) &&
             task.note(SerialTeam{}, number, system,
                       make_step_on_thread(system, work, task.most_repeated(number, system)));
    };
    while (takes_step()) {
    }
  }
}

void HostDevice::solve_now(const LcpTask& task, std::byte* shared) { solve_problems(OneLane{}, task, shared); }

}  // namespace jostle
