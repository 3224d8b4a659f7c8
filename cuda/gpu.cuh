#pragma once
// What this process knows of a GPU. CUDA is queried once, because batches of LCPs may be many and small.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "cuda/cuda_check.hpp"
#include "cuda/device.hpp"
#include "cuda/placement.hpp"

namespace jostle {

/// CUDA remembers a failure, and Thrust would report it at the next successful call: this clears an error that has been
/// handled. Returns it.
inline cudaError_t forgotten(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
  return error;
}

/// Makes a GPU the current one of this thread, and then the caller's again: others in the process may count on theirs.
class CurrentGpu {
 public:
  explicit CurrentGpu(int index) {
    int before = index;
    error_ = forgotten(cudaGetDevice(&before));
    if (error_ != cudaSuccess || before == index) return;
    error_ = forgotten(cudaSetDevice(index));
    if (error_ == cudaSuccess) before_ = before;
  }
  CurrentGpu(const CurrentGpu&) = delete;
  CurrentGpu& operator=(const CurrentGpu&) = delete;
  ~CurrentGpu() {
    if (before_ >= 0) forgotten(cudaSetDevice(before_));
  }
  cudaError_t error() const { return error_; }

 private:
  int before_ = -1;  ///< the caller's, if it is another
  cudaError_t error_;
};

/// A kernel and the data for its launch.
struct Launch {
  const void* kernel;
  std::string name;
  TeamPlace place;
  std::size_t shared_bytes;  ///< of a block

  int threads() const { return place.teams_per_block * place.lanes; }
  dim3 grid(int teams) const {
    return dim3(static_cast<unsigned>((teams + place.teams_per_block - 1) / place.teams_per_block));
  }
};

/// Threads may share a Gpu. (A cudaDeviceReset by the caller would make its data wrong.)
class Gpu {
 public:
  static Gpu& at(int index) {
    static std::mutex mutex;
    static std::map<int, Gpu> known;
    const std::lock_guard lock(mutex);
    return known.try_emplace(index, index).first->second;
  }

  explicit Gpu(int index) : index_(index), label_("cuda:" + std::to_string(index)) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
    label_ += std::string(" (") + properties.name + ")";
    int kilohertz = 0;
    check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, index), "cudaDeviceGetAttribute");
    constexpr double shared_bytes_per_cycle = 128;  // 32 banks of 4 bytes, since compute capability 5.0
    limits_.multiprocessors = properties.multiProcessorCount;
    limits_.shared_bytes_per_block = properties.sharedMemPerBlockOptin;
    limits_.shared_bytes_per_multiprocessor = properties.sharedMemPerMultiprocessor;
    limits_.memory_bytes = properties.totalGlobalMem;
    limits_.shared_bytes_per_second = properties.multiProcessorCount * shared_bytes_per_cycle * 1e3 * kilohertz;
    threads_ = static_cast<std::size_t>(properties.maxThreadsPerMultiProcessor) *
               static_cast<std::size_t>(properties.multiProcessorCount);
  }

  int index() const { return index_; }
  const std::string& label() const { return label_; }  ///< errors begin with it
  const DeviceLimits& limits() const { return limits_; }

  /// f(), with it as the current GPU of this thread.
  template <class F>
  decltype(auto) as_current(F f) const {
    const CurrentGpu current(index_);
    check(current.error(), "cudaSetDevice");
    return f();
  }

  /// `of`: the kernel that the call is for, if any.
  void check(cudaError_t error, const char* call, const std::string& of = {}) const {
    if (error != cudaSuccess) fail(error, call_text(call, of));
  }
  [[noreturn]] void fail(cudaError_t error, const std::string& call, const std::string& last_kernel = {}) const {
    throw_cuda_error(static_cast<int>(forgotten(error)), call, label_, cudaGetErrorString(error), last_kernel);
  }
  static std::string call_text(const char* call, const std::string& of) {
    return of.empty() ? std::string(call) : std::string(call) + " for " + of;
  }

  /// Blocks of a launch that fit on a multiprocessor. The kernel may use all shared memory from then on: the amount
  /// is one number for all threads of the process.
  int blocks_at_once(const Launch& launch) {
    const std::lock_guard lock(mutex_);
    KernelFacts& facts = facts_of(launch.kernel, launch.name);
    const std::pair key(launch.threads(), launch.shared_bytes);
    if (const auto known = facts.blocks_at_once.find(key); known != facts.blocks_at_once.end()) return known->second;
    int blocks = 0;
    const cudaError_t error = as_current([&] {
      return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, launch.kernel, launch.threads(),
                                                           launch.shared_bytes);
    });
    check(error, "cudaOccupancyMaxActiveBlocksPerMultiprocessor", launch.name);
    return facts.blocks_at_once[key] = blocks;
  }

  /// What the driver will take for the local memory of all threads that the GPU can hold when it first launches this
  /// kernel, in addition to what the kernels so far have taken.
  std::size_t launch_bytes(const void* kernel, const std::string& name) {
    const std::lock_guard lock(mutex_);
    const std::size_t wanted = facts_of(kernel, name).local_bytes * threads_;
    return wanted - std::min(wanted, local_bytes_);
  }

  void launched(const Launch& launch) {
    const std::lock_guard lock(mutex_);
    local_bytes_ = std::max(local_bytes_, facts_of(launch.kernel, launch.name).local_bytes * threads_);
  }

  /// The pool for working memory. It keeps up to a sixteenth of the GPU's memory for the next call; the default pool,
  /// which is the caller's, would release all of it at every wait.
  cudaMemPool_t pool() {
    const std::lock_guard lock(mutex_);
    if (pool_) return pool_;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = index_;
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate");
    std::uint64_t kept = limits_.memory_bytes / 16;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept), "cudaMemPoolSetAttribute");
    return pool_ = pool;
  }

 private:
  struct KernelFacts {
    std::size_t local_bytes = 0;                                ///< of a thread
    std::map<std::pair<int, std::size_t>, int> blocks_at_once;  ///< by threads and shared bytes of a block
  };

  /// The first query loads the code of the kernel.
  KernelFacts& facts_of(const void* kernel, const std::string& name) {
    if (const auto found = kernels_.find(kernel); found != kernels_.end()) return found->second;
    cudaFuncAttributes attributes{};
    as_current([&] {
      check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes", name);
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(limits_.shared_bytes_per_block - attributes.sharedSizeBytes)),
            "cudaFuncSetAttribute", name);
    });
    return kernels_[kernel] = {attributes.localSizeBytes, {}};
  }

  int index_;
  std::string label_;
  DeviceLimits limits_;
  std::size_t threads_ = 0;  ///< that it can hold
  std::mutex mutex_;         ///< of what follows
  std::map<const void*, KernelFacts> kernels_;
  std::size_t local_bytes_ = 0;  ///< that the driver has taken for the local memory of our kernels
  cudaMemPool_t pool_ = nullptr;
};

}  // namespace jostle
