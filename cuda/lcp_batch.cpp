#include "cuda/lcp_batch.hpp"

#include <algorithm>
#include <stdexcept>

#include "cuda/device_memory.hpp"

namespace jostle {
namespace {

/// An array on the device with a copy of it on the host.
template <class T>
class Mirror {
 public:
  Mirror(Device& device, std::size_t size) : host_(size), device_(device), memory_(device, size * sizeof(T)) {}
  Mirror(Device& device, std::vector<T> values)
      : host_(std::move(values)), device_(device), memory_(device, host_.size() * sizeof(T)) {
    if (!host_.empty()) device.upload(0, memory_.data(), host_.data(), memory_.bytes());
  }

  T* on_device() const { return memory_.template as<T>(); }
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
  if (!batch.packed) return;
  if (!batch.sizes) throw std::invalid_argument("LcpBatch: packed problems need sizes");
  if (batch.starts || batch.matrix_starts || batch.vector_step > 0 || batch.matrix_step > 0 || batch.row_step > 0)
    throw std::invalid_argument("LcpBatch: packed problems have neither starts nor steps of their own");
}

std::vector<DenseLcpSolution> solve_lcps(Device& device, const std::vector<DenseLcp>& problems,
                                         const LemkeOptions& options) {
  if (problems.empty()) return {};
  std::vector<int> sizes;
  std::vector<std::ptrdiff_t> starts{0};
  std::vector<Real> all_matrices, all_vectors;
  for (const DenseLcp& problem : problems) {
    sizes.push_back(static_cast<int>(problem.q.size()));
    all_matrices.insert(all_matrices.end(), problem.M.begin(), problem.M.end());
    all_vectors.insert(all_vectors.end(), problem.q.begin(), problem.q.end());
    starts.push_back(static_cast<std::ptrdiff_t>(all_vectors.size()));
  }

  const Mirror<int> device_sizes(device, sizes);
  const Mirror<Real> M(device, std::move(all_matrices)), q(device, std::move(all_vectors));
  const auto reals = static_cast<std::size_t>(starts.back());
  Mirror<Real> z(device, reals), w(device, reals), residual(device, problems.size());
  Mirror<LcpStatus> status(device, problems.size());
  Mirror<int> pivots(device, problems.size());
  const DeviceMemory taken(device, sizeof(unsigned));
  const int count = static_cast<int>(problems.size());
  const DeviceMemory arranged(device, LcpArrangement::bytes(count));

  LcpTask task;
  task.batch.count = count;
  task.batch.size = *std::max_element(sizes.begin(), sizes.end());
  task.batch.sizes = device_sizes.on_device();
  task.batch.packed = true;
  task.batch.M = M.on_device();
  task.batch.q = q.on_device();
  task.batch.z = z.on_device();
  task.batch.w = w.on_device();
  task.batch.status = status.on_device();
  task.batch.pivots = pivots.on_device();
  task.batch.residual = residual.on_device();
  task.options = options;
  task.taken = taken.as<unsigned>();
  place_lcps(task, device.limits());
  task.teams = std::min(device.teams(task), task.batch.count);
  const DeviceMemory memory(device, static_cast<std::size_t>(task.teams) * task.bytes_per_team());
  const QueueEnd queue_end(device, 0);
  task.memory = memory.data();
  const LcpArrangement arrangement(arranged.data(), count);
  device.arrange_lcps(0, task.batch, arrangement);
  arrangement.apply(task);
  device.clear(0, taken.data(), sizeof(unsigned));
  device.solve_lcps(0, task);
  z.download(), w.download(), residual.download(), status.download(), pivots.download();
  device.wait(0);

  std::vector<DenseLcpSolution> solutions;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const std::ptrdiff_t begin = starts[i], end = starts[i + 1];
    DenseLcpSolution& solution = solutions.emplace_back();
    solution.status = status.host()[i];
    solution.z.assign(z.host().begin() + begin, z.host().begin() + end);
    if (solution.status == LcpStatus::solved) solution.w.assign(w.host().begin() + begin, w.host().begin() + end);
    solution.pivots = pivots.host()[i];
    solution.residual = residual.host()[i];
  }
  return solutions;
}

}  // namespace jostle
