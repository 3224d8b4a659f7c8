#pragma once
// A device as the rest of jostle sees it: memory, queues of work, and a few kernels. There are two: a GPU
// (cuda_device.cu) and a mock that runs the same code on the CPU (emulation/host_device.hpp), so that everything but
// the kernel launches is tested without a GPU.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cuda/team_kinds.hpp"

struct CUstream_st;  // what a cudaStream_t points to

namespace jostle {

struct LcpArrangement;
struct LcpBatch;
struct LcpTask;
struct OrderKey;
struct RecordTargets;
struct Restart;
struct ShowContacts;
struct SimulateTask;
struct StepTargets;
struct SystemOrder;
struct TeamPlace;

/// What a placement of the working memory must fit.
struct DeviceLimits {
  int multiprocessors = 1;
  std::size_t shared_bytes_per_block = 0;
  std::size_t shared_bytes_per_multiprocessor = 0;
  unsigned team_kinds = all_team_kinds;          ///< those with kernels for plain systems, and for LCPs
  unsigned team_kinds_for_all = all_team_kinds;  ///< those with kernels for all systems
  std::size_t memory_bytes = 0;                  ///< of the device, used or free
  double shared_bytes_per_second = 0;  ///< what the shared memory of all multiprocessors delivers at best; 0: unknown
};

/// A queue does its work in order; the memory of caller and task must stay until `wait` of that queue has returned.
/// Every function throws DeviceFailure, which names the call and the device; allocations throw DeviceOutOfMemory.
class Device {
 public:
  static constexpr int queues = 2;

  virtual ~Device() = default;
  virtual std::string name() const = 0;
  /// The limits of the device, with the allowed kinds of teams.
  DeviceLimits limits() const {
    DeviceLimits limits = own_limits();
    limits.team_kinds &= allowed_kinds_;
    limits.team_kinds_for_all &= allowed_kinds_;
    return limits;
  }
  /// Allows only these kinds of teams, in case another one hangs or fails on this GPU.
  void allow_team_kinds(unsigned kinds) { allowed_kinds_ = kinds; }
  virtual std::size_t free_bytes() const = 0;

  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void release(std::byte* memory) noexcept = 0;
  /// Pinned host memory: copies need no staging.
  virtual std::byte* allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(std::byte* memory) noexcept = 0;

  virtual void upload(int queue, void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(int queue, void* to, const void* from, std::size_t bytes) = 0;
  virtual void clear(int queue, void* memory, std::size_t bytes) = 0;
  /// Clears the first `bytes` of each of `rows` rows, which begin `pitch` bytes after one another.
  virtual void clear_rows(int queue, void* memory, std::size_t pitch, std::size_t bytes, std::size_t rows) = 0;
  virtual void wait(int queue) = 0;
  /// Waits for everything that this process does on the device, also for what others than jostle do.
  virtual void wait_for_all() = 0;

  /// What the queue gets from now on, waits for what is in a stream of the caller's now; what the stream gets from now
  /// on, waits for what is in the queue now. The host waits for nothing. `stream`: a handle of CUDA's; 1 and 2 are its
  /// default streams, legacy and of the thread.
  virtual void follow(int queue, std::uintptr_t stream) = 0;
  virtual void precede(int queue, std::uintptr_t stream) = 0;

  /// Memory that a queue may use from this point until the point where it is given back.
  virtual std::byte* take(int queue, std::size_t bytes) = 0;
  virtual void give_back(int queue, std::byte* memory) noexcept = 0;

  /// Where its memory is, as DLPack says it.
  struct Place {
    int type = 2;  ///< 1: in the host's memory; 2: in that of CUDA's GPU `index`
    int index = 0;
  };
  virtual Place place() const = 0;

  /// How many teams of `lanes` have elements that alternate in memory (WorkspaceLayout::alternating).
  virtual int alternating(int lanes) const = 0;
  /// Teams that work at the same time, at least 1.
  virtual int teams(const SimulateTask& task) const = 0;
  /// What the driver takes of free_bytes() when it first launches kernels for such teams: local memory for all threads
  /// that the GPU can hold. 0 if it has it already. Loads the code of the kernels.
  virtual std::size_t launch_bytes(const TeamPlace& place) const = 0;
  virtual void simulate(int queue, const SimulateTask& task) = 0;
  /// Sorts to.count systems by key, and finds where each placement begins.
  virtual void sort_systems(int queue, const OrderKey& key, const SystemOrder& to) = 0;
  /// change(number) for systems 0 .. count - 1; of ShowContacts for all their rows.
  virtual void change_systems(int queue, int count, const StepTargets& change) = 0;
  virtual void change_systems(int queue, int count, const RecordTargets& change) = 0;
  virtual void change_systems(int queue, int count, const Restart& change) = 0;
  virtual void change_systems(int queue, int count, const ShowContacts& change) = 0;

  /// Arranges a batch that has `sizes`.
  virtual void arrange_lcps(int queue, const LcpBatch& batch, const LcpArrangement& to) = 0;
  virtual int teams(const LcpTask& task) const = 0;
  virtual void solve_lcps(int queue, const LcpTask& task) = 0;

 private:
  virtual DeviceLimits own_limits() const = 0;

  unsigned allowed_kinds_ = all_team_kinds;
};

struct DeviceInfo {
  int index = 0;
  std::string name;
  std::string architecture;  ///< "9.0"
  std::size_t memory_bytes = 0;
  bool has_code = true;  ///< this build has kernels that run on it
  std::string driver;    ///< its version: "580.65.06, CUDA 13.0"
  /// There is only intermediate code, which the driver compiles when a kernel is first used: that takes minutes.
  bool compiles_first = false;
};

/// Whether this build has CUDA at all.
bool built_with_cuda();
/// The available GPUs; empty without CUDA, driver or GPU.
std::vector<DeviceInfo> cuda_devices();
/// Can replace the result of a CUDA call of a device, so that tests see how a failure is handled. Calls made once for
/// all devices (gpu.cuh) do not go through it.
class CudaErrors {
 public:
  virtual ~CudaErrors() = default;
  /// The error to assume for `call` ("cudaMalloc", "cudaLaunchKernel for simulate_kernel<warp4>"); `error` is the one
  /// returned, 0 for none.
  virtual int error_of(const std::string& call, int error) = 0;
};

/// Throws DeviceAbsent with a message for the user. `errors` may be null and must outlive the device.
std::unique_ptr<Device> open_cuda_device(int index, CudaErrors* errors = nullptr);
/// Its queue 0 is a stream of the caller's (null: the default one), which must outlive it.
std::unique_ptr<Device> cuda_device_in_stream(int index, CUstream_st* stream);

}  // namespace jostle
