// A GPU as a Device.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "cuda/batch_algorithms.cuh"
#include "cuda/capability.hpp"
#include "cuda/cuda_check.hpp"
#include "cuda/device_errors.hpp"
#include "cuda/kernels.cuh"
#include "cuda/lcp_batch.hpp"

namespace jostle {

#define JOSTLE_DECLARE(team) TeamKernels kernels_of_##team();
JOSTLE_FOR_ALL_TEAMS(JOSTLE_DECLARE)
#undef JOSTLE_DECLARE

namespace {

#define JOSTLE_LIST(capability) capability,
constexpr std::initializer_list<int> built_for = {JOSTLE_FOR_ALL_CAPABILITIES(JOSTLE_LIST)};
#undef JOSTLE_LIST

/// The kernels of this build, at the place that their kind has in team_kinds; null where there are none.
std::vector<TeamKernels> list_kernels() {
  std::vector<TeamKernels> all(team_kind_count);
#define JOSTLE_CALL(team) kernels_of_##team(),
  for (const TeamKernels& kernels : {JOSTLE_FOR_ALL_TEAMS(JOSTLE_CALL)})
    for (int kind = 0; kind < team_kind_count; ++kind)
      if (std::string(kernels.kind) == team_kinds[kind].name) all[static_cast<std::size_t>(kind)] = kernels;
#undef JOSTLE_CALL
  return all;
}

const TeamKernels& kernels_for(int kind) {
  static const std::vector<TeamKernels> all = list_kernels();
  return all[static_cast<std::size_t>(kind)];
}

unsigned kinds_with_kernels() {
  unsigned kinds = 0;
  for (int kind = 0; kind < team_kind_count; ++kind)
    if (kernels_for(kind).simulate) kinds |= 1u << kind;
  return kinds;
}

/// CUDA remembers a failure, and Thrust would report it at the next call that succeeds: what has been dealt with is
/// forgotten. Returns it.
cudaError_t forgotten(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
  return error;
}

/// A kernel with what its launch needs.
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

Launch launch_of(const void* kernel, const std::string& name, const TeamPlace& place, std::size_t shared_per_team) {
  if (!kernel) throw DeviceFailure("this build has no kernels for teams of the kind " + name);
  return {kernel, name + "<" + team_kinds[place.kind].name + ">", place,
          shared_per_team * static_cast<std::size_t>(place.teams_per_block)};
}

Launch launch_of(const SimulateTask& task) {
  const TeamPlace& place = task.placement.place;
  return launch_of(kernels_for(place.kind).simulate, "simulate_kernel", place, task.shared_bytes_per_team());
}

Launch launch_of(const LcpTask& task) {
  return launch_of(kernels_for(task.place.kind).solve_lcps, "solve_lcps_kernel", task.place,
                   task.shared_bytes_per_team());
}

/// The memory that Thrust works in, from the pool of a stream: cudaMalloc and cudaFree, which it calls otherwise, make
/// the other stream wait.
class StreamPool {
 public:
  using value_type = char;

  explicit StreamPool(cudaStream_t stream) : stream_(stream) {}
  char* allocate(std::ptrdiff_t bytes) const {
    void* memory = nullptr;
    const cudaError_t error = forgotten(cudaMallocAsync(&memory, static_cast<std::size_t>(bytes), stream_));
    if (error != cudaSuccess) throw thrust::system_error(error, thrust::cuda_category(), "cudaMallocAsync");
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t) const { forgotten(cudaFreeAsync(memory, stream_)); }

 private:
  cudaStream_t stream_;
};

/// What is known of a GPU. Its name is `label`, with which errors begin.
struct Gpu {
  std::string label;
  DeviceLimits limits;
};

Gpu ask_for_gpu(int index) {
  Gpu gpu{"cuda:" + std::to_string(index), {}};
  const auto check = [&](cudaError_t error, const char* call) {
    check_cuda(static_cast<int>(forgotten(error)), call, gpu.label, cudaGetErrorString(error));
  };
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  gpu.label += std::string(" (") + properties.name + ")";
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, index), "cudaDeviceGetAttribute");
  constexpr double shared_bytes_per_cycle = 128;  // 32 banks of 4 bytes, since compute capability 5.0
  gpu.limits = {properties.multiProcessorCount, properties.sharedMemPerBlockOptin,
                properties.sharedMemPerMultiprocessor, kinds_with_kernels(),
                properties.multiProcessorCount * shared_bytes_per_cycle * 1e3 * kilohertz};
  return gpu;
}

/// Asked for once: batches of LCPs may be many and small.
const Gpu& gpu(int index) {
  static std::mutex mutex;
  static std::map<int, Gpu> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(index);
  return found != known.end() ? found->second : known.emplace(index, ask_for_gpu(index)).first->second;
}

class CudaDevice : public Device {
 public:
  /// `borrowed`: the stream of somebody else (null: the default one) that is queue 0.
  explicit CudaDevice(int index, std::optional<cudaStream_t> borrowed = {})
      : index_(index), label_(gpu(index).label), limits_(gpu(index).limits), borrowed_(borrowed) {}
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  ~CudaDevice() override {
    for (cudaStream_t stream : streams_)
      if (stream) forgotten(cudaStreamDestroy(stream));
  }

  std::string name() const override { return label_; }

  std::size_t free_bytes() const override {
    std::size_t free = 0, total = 0;
    use();
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
  }

  std::byte* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    use();
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
    return static_cast<std::byte*>(memory);
  }
  void release(std::byte* memory) noexcept override { forgotten(cudaFree(memory)); }

  std::byte* allocate_pinned(std::size_t bytes) override {
    void* memory = nullptr;
    use();
    check(cudaMallocHost(&memory, bytes), "cudaMallocHost");
    return static_cast<std::byte*>(memory);
  }
  void release_pinned(std::byte* memory) noexcept override { forgotten(cudaFreeHost(memory)); }

  void upload(int queue, void* to, const void* from, std::size_t bytes) override {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream(queue)), "cudaMemcpyAsync");
  }
  void download(int queue, void* to, const void* from, std::size_t bytes) override {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream(queue)), "cudaMemcpyAsync");
  }
  void clear(int queue, void* memory, std::size_t bytes) override {
    check(cudaMemsetAsync(memory, 0, bytes, stream(queue)), "cudaMemsetAsync");
  }
  void wait(int queue) override { check(cudaStreamSynchronize(stream(queue)), "cudaStreamSynchronize"); }

  int teams(const SimulateTask& task) const override { return teams_of(launch_of(task)); }
  void simulate(int queue, const SimulateTask& task) override { launch(launch_of(task), task, stream(queue)); }

  int collect_outgrown(int queue, const SimulateTask& task, int* numbers, int* costs) override {
    const SystemCost cost{task.model.dimensions, task.states};
    int found = 0;
    by_thrust("collect_outgrown", [&] {
      const StreamPool pool(stream(queue));
      found = list_outgrown(thrust::cuda::par_nosync(pool).on(stream(queue)), task.outgrown, task.count, cost, numbers,
                            costs);
      wait(queue);
    });
    return found;
  }

  void arrange_lcps(int queue, const LcpBatch& batch, const LcpArrangement& to) override {
    by_thrust("arrange_lcps", [&] {
      const StreamPool pool(stream(queue));
      arrange_problems(thrust::cuda::par_nosync(pool).on(stream(queue)), batch, to);
    });
  }

  int teams(const LcpTask& task) const override { return teams_of(launch_of(task)); }
  void solve_lcps(int queue, const LcpTask& task) override { launch(launch_of(task), task, stream(queue)); }

  /// f(memory) with memory from the pool of a queue's stream, which goes back there whatever happens.
  template <class F>
  void with_memory(int queue, std::size_t bytes, F f) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, stream(queue)), "cudaMallocAsync");
    try {
      f(static_cast<std::byte*>(memory));
    } catch (...) {
      forgotten(cudaFreeAsync(memory, stream(queue)));
      throw;
    }
    check(cudaFreeAsync(memory, stream(queue)), "cudaFreeAsync");
  }

  void check(cudaError_t error, const std::string& call) const {
    check_cuda(static_cast<int>(forgotten(error)), call, label_, cudaGetErrorString(error), last_kernel_);
  }

 private:
  DeviceLimits own_limits() const override { return limits_; }

  void use() const { check(cudaSetDevice(index_), "cudaSetDevice"); }

  cudaStream_t stream(int queue) {
    use();
    if (queue == 0 && borrowed_) return *borrowed_;
    if (!streams_[queue])
      check(cudaStreamCreateWithFlags(&streams_[queue], cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return streams_[queue];
  }

  /// How much of it a kernel may have is one number for all threads of the process: the largest there is, once and for
  /// all (a caller's cudaDeviceReset would undo it).
  void allow_shared_memory(const Launch& launch) const {
    static std::mutex mutex;
    static std::set<std::pair<int, const void*>> allowed;
    const std::lock_guard lock(mutex);
    use();
    if (allowed.contains({index_, launch.kernel})) return;
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, launch.kernel), "cudaFuncGetAttributes for " + launch.name);
    check(cudaFuncSetAttribute(launch.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(limits_.shared_bytes_per_block - attributes.sharedSizeBytes)),
          "cudaFuncSetAttribute for " + launch.name);
    allowed.emplace(index_, launch.kernel);
  }

  int teams_of(const Launch& launch) const {
    int blocks = 0;
    allow_shared_memory(launch);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, launch.kernel, launch.threads(), launch.shared_bytes),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor for " + launch.name);
    return std::max(1, blocks) * limits_.multiprocessors * launch.place.teams_per_block;
  }

  template <class F>
  void by_thrust(const std::string& call, F f) const {
    try {
      f();
    } catch (const thrust::system_error& error) {
      check(static_cast<cudaError_t>(error.code().value()), call);
      throw;
    } catch (const std::bad_alloc&) {  // how Thrust says that its own cudaMalloc failed
      check(cudaErrorMemoryAllocation, call);
    }
  }

  template <class Task>
  void launch(const Launch& launch, const Task& task, cudaStream_t stream) {
    allow_shared_memory(launch);
    Task copy = task;
    void* arguments[] = {&copy};
    last_kernel_ = launch.name;
    check(cudaLaunchKernel(launch.kernel, launch.grid(task.teams), dim3(static_cast<unsigned>(launch.threads())),
                           arguments, launch.shared_bytes, stream),
          "cudaLaunchKernel for " + launch.name);
  }

  int index_;
  std::string label_;
  DeviceLimits limits_;
  cudaStream_t streams_[queues] = {};  ///< its own
  std::optional<cudaStream_t> borrowed_;
  std::string last_kernel_;
};

int device_count() {
  int count = 0;
  return forgotten(cudaGetDeviceCount(&count)) == cudaSuccess ? count : 0;
}

}  // namespace

bool built_with_cuda() { return true; }

std::vector<DeviceInfo> cuda_devices() {
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < device_count(); ++i) {
    cudaDeviceProp properties{};
    if (forgotten(cudaGetDeviceProperties(&properties, i)) != cudaSuccess) continue;
    devices.push_back({i, properties.name, std::to_string(properties.major) + "." + std::to_string(properties.minor),
                       properties.totalGlobalMem, has_code_for(10 * properties.major + properties.minor, built_for)});
  }
  return devices;
}

std::unique_ptr<Device> open_cuda_device(int index) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) throw DeviceAbsent(std::string("no GPU can be used: ") + cudaGetErrorString(error));
  if (count == 0) throw DeviceAbsent("there is no GPU");
  if (index >= count)
    throw DeviceAbsent("there is no GPU " + std::to_string(index) + ", the last one is " + std::to_string(count - 1));
  for (const DeviceInfo& gpu : cuda_devices())
    if (gpu.index == index && !gpu.has_code)
      throw DeviceAbsent("this build has no code for " + gpu.name + ", compute capability " + gpu.architecture +
                         ", only for " + capabilities(built_for));
  return std::make_unique<CudaDevice>(index);
}

void solve_lcp_batch(const LcpBatch& batch, CUstream_st* stream, const LemkeOptions& options) {
  check_layout(batch);
  if (batch.count == 0) return;
  int index = 0;
  if (const cudaError_t error = cudaGetDevice(&index); error != cudaSuccess)
    throw DeviceAbsent(std::string("no GPU can be used: ") + cudaGetErrorString(error));
  CudaDevice device(index, stream);
  LcpWork work(device, batch, options);
  device.with_memory(0, work.bytes(), [&](std::byte* memory) { work.start(device, 0, memory); });
}

}  // namespace jostle
