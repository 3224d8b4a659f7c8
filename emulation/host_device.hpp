#pragma once
// A mock GPU: its memory is the host's, its kernels are loops over teams of one lane, and queued work is done only when
// somebody waits for it, so that a missing wait shows. EmulatedDevice has teams of several lanes.
#include <functional>
#include <map>
#include <utility>

#include "cuda/device.hpp"

namespace jostle {

class HostDevice : public Device {
 public:
  struct Options {
    int teams = 3;                                    ///< that "work at the same time"
    std::size_t memory_bytes = std::size_t{1} << 34;  ///< of the device and pinned memory together
    std::size_t shared_bytes = 100'000;               ///< 0: no placement is in shared memory
    std::size_t launch_bytes = 0;                     ///< memory that the first launch takes
  };

  HostDevice() : HostDevice(Options{}) {}
  explicit HostDevice(const Options& options);
  ~HostDevice() override;
  HostDevice(const HostDevice&) = delete;
  HostDevice& operator=(const HostDevice&) = delete;

  /// Makes the n-th call from now on of "allocate", "upload", "download", "clear", "clear_rows", "follow", "precede",
  /// "simulate", "sort_systems", "change_systems", "arrange_lcps" or "solve_lcps" fail.
  void fail_at(const std::string& call, int n) { failures_[call] = n; }
  std::size_t used_bytes() const { return used_; }
  int launches() const { return launches_; }

  std::string name() const override { return "emulated device"; }
  std::size_t free_bytes() const override { return options_.memory_bytes - used_; }
  std::byte* allocate(std::size_t bytes) override;
  void release(std::byte* memory) noexcept override;
  std::byte* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  void release_pinned(std::byte* memory) noexcept override { release(memory); }
  void upload(int queue, void* to, const void* from, std::size_t bytes) override;
  void download(int queue, void* to, const void* from, std::size_t bytes) override;
  void clear(int queue, void* memory, std::size_t bytes) override;
  void clear_rows(int queue, void* memory, std::size_t pitch, std::size_t bytes, std::size_t rows) override;
  void wait(int queue) override;
  void wait_for_all() override;
  /// The work of a caller's stream is done at once, so there is nothing to follow; and what shall precede it is done.
  void follow(int queue, std::uintptr_t stream) override;
  void precede(int queue, std::uintptr_t stream) override;
  std::byte* take(int queue, std::size_t bytes) override;
  void give_back(int queue, std::byte* memory) noexcept override;
  Place place() const override { return {1, 0}; }
  int alternating(int) const override { return 1; }  // a CPU thread reads for itself alone
  int teams(const SimulateTask&) const override { return options_.teams; }
  void simulate(int queue, const SimulateTask& task) override;
  std::size_t launch_bytes(const TeamPlace&) const override { return launched_ ? 0 : options_.launch_bytes; }
  void sort_systems(int queue, const OrderKey& key, const SystemOrder& to) override;
  void change_systems(int queue, int count, const StepTargets& change) override;
  void change_systems(int queue, int count, const RecordTargets& change) override;
  void change_systems(int queue, int count, const Restart& change) override;
  void change_systems(int queue, int count, const ShowContacts& change) override;
  void arrange_lcps(int queue, const LcpBatch& batch, const LcpArrangement& to) override;
  int teams(const LcpTask&) const override { return options_.teams; }
  void solve_lcps(int queue, const LcpTask& task) override;

 protected:
  /// Does the work when somebody waits for the queue.
  void enqueue(int queue, const std::string& call, std::function<void()> work);
  /// The work of a queue that nobody has waited for, which is then no longer in the queue.
  std::vector<std::function<void()>> take_pending(int queue) { return std::exchange(pending_[queue], {}); }
  /// What a launch does. `shared`: the shared memory of a team, null if it has none.
  virtual void simulate_now(const SimulateTask& task, std::byte* shared);
  virtual void solve_now(const LcpTask& task, std::byte* shared);

 private:
  DeviceLimits own_limits() const override;
  void check(const std::string& call);
  void take_room(std::size_t bytes);
  template <class Change>
  void change_each(int queue, int count, const Change& change);

  Options options_;
  std::map<std::byte*, std::size_t> blocks_;
  std::size_t used_ = 0;
  int launches_ = 0;
  bool launched_ = false;  ///< launch_bytes are taken
  std::map<std::string, int> failures_;
  std::vector<std::function<void()>> pending_[queues];
};

}  // namespace jostle
