#include "cuda/lcp_batch.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "cuda/device_memory.hpp"

namespace jostle {
namespace {

/// An array on the device with a copy of it on the host. Copies are only begun.
template <class T>
class Mirror {
 public:
  Mirror(Device& device, std::size_t size) : host_(size), device_(device), memory_(device, size * sizeof(T)) {}
  Mirror(Device& device, std::vector<T> values)
      : host_(std::move(values)), device_(device), memory_(device, host_.size() * sizeof(T)) {}

  T* on_device() const { return memory_.template as<T>(); }
  void upload() const {
    if (!host_.empty()) device_.upload(0, memory_.data(), host_.data(), memory_.bytes());
  }
  void download() {
    if (!host_.empty()) device_.download(0, host_.data(), memory_.data(), memory_.bytes());
  }
  const std::vector<T>& host() const { return host_; }

 private:
  std::vector<T> host_;
  Device& device_;
  DeviceMemory memory_;
};

}  // namespace

void check_layout(const LcpBatch& batch) {
  const auto refuse_if = [](bool wrong, const char* why) {
    if (wrong) throw std::invalid_argument(std::string("LcpBatch: ") + why);
  };
  refuse_if(batch.count < 0, "`count` is negative");
  refuse_if(batch.size < 0, "`size` is negative");
  refuse_if(batch.sizes && batch.size == 0, "with `sizes`, `size` has to be the largest of them, and it is 0");
  refuse_if(batch.vector_step < 0 || batch.matrix_step < 0 || batch.row_step < 0, "a step is negative");
  refuse_if(batch.row_step > 0 && batch.row_step < batch.size, "`row_step` is less than `size`: rows would overlap");
  refuse_if(!batch.starts && batch.vector_step > 0 && batch.vector_step < batch.size,
            "`vector_step` is less than `size`: answers would overlap");
  refuse_if(batch.packed && !batch.sizes, "packed problems need sizes");
  refuse_if(batch.packed && (batch.starts || batch.matrix_starts || batch.vector_step > 0 || batch.matrix_step > 0 ||
                             batch.row_step > 0),
            "packed problems have neither starts nor steps of their own");
  refuse_if(batch.count > 0 && !batch.status, "there is no place for `status`");
  refuse_if(batch.count > 0 && batch.size > 0 && !(batch.M && batch.q && batch.z), "M, q or z is missing");
}

LcpWork::LcpWork(const Device& device, const LcpBatch& batch, const LemkeOptions& options) {
  task_.batch = batch;
  task_.options = options;
  const DeviceLimits limits = device.limits();
  place_lcps(task_, limits);
  task_.teams = std::min(device.teams(task_), batch.count);
  if (const std::size_t most = limits.memory_bytes / 4; team_bytes() > most)
    task_.teams = static_cast<int>(std::max<std::size_t>(1, most / task_.bytes_per_team()));
  arranged_ = batch.sizes ? round_up_to_line(LcpArrangement::bytes(batch.count)) : 0;
}

void LcpWork::start(Device& device, int queue, std::byte* memory) {
  task_.memory = memory;
  if (task_.batch.sizes) {
    const LcpArrangement arrangement(memory + team_bytes(), task_.batch.count);
    device.arrange_lcps(queue, task_.batch, arrangement);
    arrangement.apply(task_);
  }
  task_.taken = reinterpret_cast<unsigned*>(memory + team_bytes() + arranged_);
  device.clear(queue, task_.taken, sizeof(unsigned));
  device.solve_lcps(queue, task_);
}

void solve_lcp_batch(Device& device, const LcpBatch& batch, const LemkeOptions& options) {
  check_layout(batch);
  if (batch.count == 0) return;
  LcpWork work(device, batch, options);
  std::byte* const memory = work.allocate([&](std::size_t bytes) { return device.take(0, bytes); });
  try {
    work.start(device, 0, memory);
  } catch (...) {
    device.give_back(0, memory);
    throw;
  }
  device.give_back(0, memory);
}

namespace {

/// Problems one after the other.
struct PackedLcps {
  std::vector<int> sizes;
  std::vector<std::ptrdiff_t> starts{0};  ///< in `q`
  std::vector<double> M, q;
};

PackedLcps packed(const std::vector<DenseLcp>& problems) {
  PackedLcps all;
  for (const DenseLcp& problem : problems) {
    if (problem.M.size() != problem.q.size() * problem.q.size())
      throw std::invalid_argument("an LCP needs a square M with as many rows as q");
    all.sizes.push_back(static_cast<int>(problem.q.size()));
    all.M.insert(all.M.end(), problem.M.begin(), problem.M.end());
    all.q.insert(all.q.end(), problem.q.begin(), problem.q.end());
    all.starts.push_back(static_cast<std::ptrdiff_t>(all.q.size()));
  }
  return all;
}

}  // namespace

std::vector<DenseLcpSolution> solve_lcps(Device& device, const std::vector<DenseLcp>& problems,
                                         const LemkeOptions& options) {
  if (problems.empty()) return {};
  PackedLcps all = packed(problems);
  const std::vector<std::ptrdiff_t>& starts = all.starts;
  const Mirror<int> device_sizes(device, all.sizes);
  const Mirror<double> M(device, std::move(all.M)), q(device, std::move(all.q));
  const auto reals = static_cast<std::size_t>(starts.back());
  Mirror<double> z(device, reals), w(device, reals), residual(device, problems.size());
  Mirror<LcpStatus> status(device, problems.size());
  Mirror<int> pivots(device, problems.size()), attempts(device, problems.size());
  Mirror<std::uint8_t> basis(device, reals);
  Mirror<double> ray(device, reals);

  LcpBatch batch;
  batch.count = static_cast<int>(problems.size());
  batch.size = *std::max_element(all.sizes.begin(), all.sizes.end());
  batch.sizes = device_sizes.on_device();
  batch.packed = true;
  batch.M = M.on_device();
  batch.q = q.on_device();
  batch.z = z.on_device();
  batch.w = w.on_device();
  batch.status = status.on_device();
  batch.pivots = pivots.on_device();
  batch.residual = residual.on_device();
  batch.basis = basis.on_device();
  batch.ray = ray.on_device();
  batch.attempts = attempts.on_device();
  LcpWork work(device, batch, options);
  const DeviceMemory memory = work.allocate([&](std::size_t bytes) { return DeviceMemory(device, bytes); });
  const QueueEnd queue_end(device, 0);
  device_sizes.upload(), M.upload(), q.upload();
  work.start(device, 0, memory.data());
  z.download(), w.download(), residual.download(), status.download(), pivots.download();
  basis.download(), ray.download(), attempts.download();
  device.wait(0);

  std::vector<DenseLcpSolution> solutions;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const std::ptrdiff_t begin = starts[i], end = starts[i + 1];
    DenseLcpSolution& solution = solutions.emplace_back();
    solution.status = status.host()[i];
    solution.z.assign(z.host().begin() + begin, z.host().begin() + end);
    solution.w.assign(w.host().begin() + begin, w.host().begin() + end);
    solution.basis.assign(basis.host().begin() + begin, basis.host().begin() + end);
    solution.ray.assign(ray.host().begin() + begin, ray.host().begin() + end);
    solution.pivots = pivots.host()[i];
    solution.residual = residual.host()[i];
    solution.attempts = attempts.host()[i];
    solution.clear_unknown();
  }
  return solutions;
}

}  // namespace jostle
