// A GPU as a Device.
#include <cuda_runtime.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "cuda/batch_algorithms.cuh"
#include "cuda/capability.hpp"
#include "cuda/device_errors.hpp"
#include "cuda/gpu.cuh"
#include "cuda/lcp_batch.hpp"
#include "cuda/simulate_task.hpp"
#include "cuda/system_changes.hpp"
#include "cuda/team_kernels.hpp"

namespace jostle {

#define JOSTLE_DECLARE(name) TeamKernels kernels_of_##name();
JOSTLE_FOR_ALL_KERNELS(JOSTLE_DECLARE)
#undef JOSTLE_DECLARE

namespace {

#define JOSTLE_LIST(capability) capability,
constexpr std::initializer_list<int> built_for = {JOSTLE_FOR_ALL_CAPABILITIES(JOSTLE_LIST)};
#undef JOSTLE_LIST

/// The kernels of this build.
const std::vector<TeamKernels>& all_kernels() {
#define JOSTLE_CALL(name) kernels_of_##name(),
  static const std::vector<TeamKernels> all = {JOSTLE_FOR_ALL_KERNELS(JOSTLE_CALL)};
#undef JOSTLE_CALL
  return all;
}

/// The kernels for a place: with its register bound, or the first, which is the usual one. Kernels for all systems
/// have only one bound.
const TeamKernels& kernels_for(const TeamPlace& place) {
  const TeamKind& kind = team_kinds[place.kind];
  for (const TeamKernels& kernels : all_kernels())
    if (kernels.kind == std::string(kind.name) && kernels.for_all_systems == place.for_all_systems &&
        (place.registers == 0 || place.registers == kernels.registers || place.for_all_systems))
      return kernels;
  const std::string bound = place.registers > 0 ? " with " + std::to_string(place.registers) + " registers" : "";
  throw NoSuchKernels("this build has no kernels for teams of the kind " + std::string(kind.name) + bound);
}

unsigned kinds_with_kernels(bool for_all_systems) {
  unsigned kinds = 0;
  for (const TeamKernels& kernels : all_kernels())
    if (kernels.for_all_systems == for_all_systems) kinds |= team_kinds_named(kernels.kind);
  return kinds;
}

std::string kernel_name(const char* kernel, const TeamPlace& place) {
  return std::string(kernel) + "<" + team_kinds[place.kind].name + (place.for_all_systems ? ", all systems>" : ">");
}

Launch launch_of(const SimulateTask& task) {
  const TeamPlace& place = task.placement.place;
  return {kernels_for(place).simulate, kernel_name("simulate_kernel", place), place,
          task.shared_bytes_per_team() * static_cast<std::size_t>(place.teams_per_block)};
}

Launch launch_of(const LcpTask& task) {
  return {kernels_for(task.place).solve_lcps, kernel_name("solve_lcps_kernel", task.place), task.place,
          task.shared_bytes_per_team() * static_cast<std::size_t>(task.place.teams_per_block)};
}

/// The memory that Thrust uses: its default, cudaMalloc and cudaFree, makes the other stream wait.
class StreamMemory {
 public:
  using value_type = char;

  StreamMemory(Gpu& gpu, cudaStream_t stream) : pool_(gpu.pool()), stream_(stream) {}
  char* allocate(std::ptrdiff_t bytes) const {
    void* memory = nullptr;
    const cudaError_t error =
        forgotten(cudaMallocFromPoolAsync(&memory, static_cast<std::size_t>(bytes), pool_, stream_));
    if (error != cudaSuccess) throw thrust::system_error(error, thrust::cuda_category(), "cudaMallocFromPoolAsync");
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t) const { forgotten(cudaFreeAsync(memory, stream_)); }

 private:
  cudaMemPool_t pool_;
  cudaStream_t stream_;
};

class CudaDevice : public Device {
 public:
  /// `borrowed`: the caller's stream (null: the default one), used as queue 0.
  explicit CudaDevice(int index, std::optional<cudaStream_t> borrowed = {}, CudaErrors* errors = nullptr)
      : gpu_(Gpu::at(index)), borrowed_(borrowed), errors_(errors) {}
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  ~CudaDevice() override {
    for (cudaStream_t stream : streams_)
      if (stream) forgotten(cudaStreamDestroy(stream));
  }

  std::string name() const override { return gpu_.label(); }

  std::size_t free_bytes() const override {
    std::size_t free = 0, total = 0;
    check(gpu_.as_current([&] { return cudaMemGetInfo(&free, &total); }), "cudaMemGetInfo");
    return free;
  }

  std::byte* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    check(gpu_.as_current([&] { return cudaMalloc(&memory, bytes); }), "cudaMalloc");
    return static_cast<std::byte*>(memory);
  }
  void release(std::byte* memory) noexcept override { forgotten(cudaFree(memory)); }

  std::byte* allocate_pinned(std::size_t bytes) override {
    void* memory = nullptr;
    check(gpu_.as_current([&] { return cudaMallocHost(&memory, bytes); }), "cudaMallocHost");
    return static_cast<std::byte*>(memory);
  }
  void release_pinned(std::byte* memory) noexcept override { forgotten(cudaFreeHost(memory)); }

  void upload(int queue, void* to, const void* from, std::size_t bytes) override {
    in(queue, "cudaMemcpyAsync",
       [&](cudaStream_t stream) { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream); });
  }
  void download(int queue, void* to, const void* from, std::size_t bytes) override {
    in(queue, "cudaMemcpyAsync",
       [&](cudaStream_t stream) { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream); });
  }
  void clear(int queue, void* memory, std::size_t bytes) override {
    in(queue, "cudaMemsetAsync", [&](cudaStream_t stream) { return cudaMemsetAsync(memory, 0, bytes, stream); });
  }
  void clear_rows(int queue, void* memory, std::size_t pitch, std::size_t bytes, std::size_t rows) override {
    in(queue, "cudaMemset2DAsync",
       [&](cudaStream_t stream) { return cudaMemset2DAsync(memory, pitch, 0, bytes, rows, stream); });
  }
  void wait_for_all() override {
    check(gpu_.as_current([] { return cudaDeviceSynchronize(); }), "cudaDeviceSynchronize");
  }
  Place place() const override { return {2, gpu_.index()}; }
  void wait(int queue) override {
    in(queue, "cudaStreamSynchronize", [](cudaStream_t stream) { return cudaStreamSynchronize(stream); });
  }

  int alternating(int lanes) const override { return alternating_teams(lanes); }
  int teams(const SimulateTask& task) const override { return teams_of(launch_of(task)); }
  std::size_t launch_bytes(const TeamPlace& place) const override {
    return gpu_.launch_bytes(kernels_for(place).simulate, kernel_name("simulate_kernel", place));
  }
  void simulate(int queue, const SimulateTask& task) override { launch(queue, launch_of(task), task); }

  void sort_systems(int queue, const OrderKey& key, const SystemOrder& to) override {
    by_thrust(queue, "sort_systems", [&](const auto& policy) { jostle::sort_systems(policy, key, to); });
  }
  void change_systems(int queue, int count, const StepTargets& change) override { change_each(queue, count, change); }
  void change_systems(int queue, int count, const RecordTargets& change) override { change_each(queue, count, change); }
  void change_systems(int queue, int count, const Restart& change) override { change_each(queue, count, change); }
  void change_systems(int queue, int count, const ShowContacts& change) override { change_each(queue, count, change); }
  void arrange_lcps(int queue, const LcpBatch& batch, const LcpArrangement& to) override {
    by_thrust(queue, "arrange_lcps", [&](const auto& policy) { arrange_problems(policy, batch, to); });
  }

  int teams(const LcpTask& task) const override { return teams_of(launch_of(task)); }
  void solve_lcps(int queue, const LcpTask& task) override { launch(queue, launch_of(task), task); }

  void follow(int queue, std::uintptr_t stream) override {
    gpu_.as_current([&] { in_turn(of_caller(stream), this->stream(queue)); });
  }
  void precede(int queue, std::uintptr_t stream) override {
    gpu_.as_current([&] { in_turn(this->stream(queue), of_caller(stream)); });
  }

  std::byte* take(int queue, std::size_t bytes) override {
    void* memory = nullptr;
    const cudaMemPool_t pool = gpu_.pool();
    in(queue, "cudaMallocFromPoolAsync",
       [&](cudaStream_t stream) { return cudaMallocFromPoolAsync(&memory, bytes, pool, stream); });
    return static_cast<std::byte*>(memory);
  }
  void give_back(int queue, std::byte* memory) noexcept override {
    const CurrentGpu current(gpu_.index());  // whose default stream a borrowed one may be
    const cudaStream_t stream = queue == 0 && borrowed_ ? *borrowed_ : streams_[queue];
    forgotten(cudaFreeAsync(memory, stream));
  }

  void check(cudaError_t error, const char* call, const std::string& of = {}) const {
    if (errors_) error = static_cast<cudaError_t>(errors_->error_of(Gpu::call_text(call, of), error));
    if (error != cudaSuccess) gpu_.fail(error, Gpu::call_text(call, of), last_kernel_);
  }

 private:
  DeviceLimits own_limits() const override {
    DeviceLimits limits = gpu_.limits();
    limits.team_kinds = kinds_with_kernels(false);
    limits.team_kinds_for_all = kinds_with_kernels(true);
    return limits;
  }

  /// A call of CUDA, f(the stream of a queue), checked, with this GPU as the current one.
  template <class F>
  void in(int queue, const char* call, F f, const std::string& of = {}) {
    gpu_.as_current([&] { check(f(stream(queue)), call, of); });
  }

  static cudaStream_t of_caller(std::uintptr_t stream) { return reinterpret_cast<cudaStream_t>(stream); }

  /// What `second` gets from now on, waits for what is in `first`. This GPU is the current one.
  void in_turn(cudaStream_t first, cudaStream_t second) const {
    if (first == second) return;
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    const cudaError_t recorded = cudaEventRecord(event, first);
    const cudaError_t error = recorded != cudaSuccess ? recorded : cudaStreamWaitEvent(second, event, 0);
    forgotten(cudaEventDestroy(event));  // CUDA keeps it until it has happened
    check(error, recorded != cudaSuccess ? "cudaEventRecord" : "cudaStreamWaitEvent");
  }

  template <class Change>
  void change_each(int queue, int count, const Change& change) {
    by_thrust(queue, "change_systems", [&](const auto& policy) { jostle::change_systems(policy, count, change); });
  }

  cudaStream_t stream(int queue) {
    if (queue == 0 && borrowed_) return *borrowed_;
    if (!streams_[queue])
      check(cudaStreamCreateWithFlags(&streams_[queue], cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return streams_[queue];
  }

  int teams_of(const Launch& launch) const {
    int blocks = std::max(1, gpu_.blocks_at_once(launch));
    if (launch.place.most_blocks > 0) blocks = std::min(blocks, launch.place.most_blocks);
    return blocks * gpu_.limits().multiprocessors * launch.place.teams_per_block;
  }

  /// f(a policy for the stream of a queue)
  template <class F>
  void by_thrust(int queue, const char* call, F f) {
    try {
      gpu_.as_current([&] {
        const StreamMemory memory(gpu_, stream(queue));
        f(thrust::cuda::par_nosync(memory).on(stream(queue)));
      });
    } catch (const thrust::system_error& error) {
      check(static_cast<cudaError_t>(error.code().value()), call);
      throw;
    } catch (const std::bad_alloc&) {  // how Thrust reports that its own cudaMalloc failed
      check(cudaErrorMemoryAllocation, call);
    }
  }

  template <class Task>
  void launch(int queue, const Launch& launch, const Task& task) {
    gpu_.blocks_at_once(launch);  // also gives the kernel its shared memory
    Task copy = task;
    void* arguments[] = {&copy};
    last_kernel_ = launch.name;
    const auto start = [&](cudaStream_t stream) {
      return cudaLaunchKernel(launch.kernel, launch.grid(task.teams), dim3(static_cast<unsigned>(launch.threads())),
                              arguments, launch.shared_bytes, stream);
    };
    in(queue, "cudaLaunchKernel", start, launch.name);
    gpu_.launched(launch);
  }

  Gpu& gpu_;
  cudaStream_t streams_[queues] = {};  ///< its own
  std::optional<cudaStream_t> borrowed_;
  CudaErrors* errors_;  ///< null: CUDA's own results are used
  std::string last_kernel_;
};

int device_count() {
  int count = 0;
  return forgotten(cudaGetDeviceCount(&count)) == cudaSuccess ? count : 0;
}

/// "580.65.06, CUDA 13.0": the version of the kernel module if the system reports it, and the CUDA that it supports.
std::string driver_version() {
  int version = 0;
  forgotten(cudaDriverGetVersion(&version));
  const std::string cuda = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  ..."
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word[0] >= '0' && word[0] <= '9') return word + ", " + cuda;
  return cuda;
}

/// Why there is no GPU. CUDA reports a missing driver as one that is too old.
DeviceAbsent absence(cudaError_t error) {
  int version = 0;
  forgotten(cudaDriverGetVersion(&version));
  if (error == cudaErrorInsufficientDriver && version == 0)
    return DeviceAbsent("no GPU can be used: no driver is installed");
  return DeviceAbsent(std::string("no GPU can be used: ") + cudaGetErrorString(error));
}

}  // namespace

bool built_with_cuda() { return true; }

std::vector<DeviceInfo> cuda_devices() {
  std::vector<DeviceInfo> devices;
  const std::string driver = driver_version();
  for (int i = 0; i < device_count(); ++i) {
    cudaDeviceProp properties{};
    if (forgotten(cudaGetDeviceProperties(&properties, i)) != cudaSuccess) continue;
    const int capability = 10 * properties.major + properties.minor;
    const bool compiles_first = properties.major > std::max(built_for) / 10;
    devices.push_back({i, properties.name, std::to_string(properties.major) + "." + std::to_string(properties.minor),
                       properties.totalGlobalMem, has_code_for(capability, built_for), driver, compiles_first});
  }
  return devices;
}

std::unique_ptr<Device> open_cuda_device(int index, CudaErrors* errors) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) throw absence(error);
  if (count == 0) throw DeviceAbsent("there is no GPU");
  if (index >= count)
    throw DeviceAbsent("there is no GPU " + std::to_string(index) + ", the last one is " + std::to_string(count - 1));
  for (const DeviceInfo& gpu : cuda_devices())
    if (gpu.index == index && !gpu.has_code)
      throw DeviceAbsent("this build has no code for " + gpu.name + ", compute capability " + gpu.architecture +
                         ", only for " + capabilities(built_for));
  return std::make_unique<CudaDevice>(index, std::nullopt, errors);
}

std::unique_ptr<Device> cuda_device_in_stream(int index, CUstream_st* stream) {
  return std::make_unique<CudaDevice>(index, stream);
}

void solve_lcp_batch(const LcpBatch& batch, CUstream_st* stream, const LemkeOptions& options) {
  check_layout(batch);
  if (batch.count == 0) return;
  int index = 0;
  if (const cudaError_t error = cudaGetDevice(&index); error != cudaSuccess) throw absence(error);
  CudaDevice device(index, stream);
  solve_lcp_batch(device, batch, options);
}

}  // namespace jostle
