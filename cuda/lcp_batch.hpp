#pragma once
// Many LCPs of your own at once.
#include <vector>

#include "core/lcp/dense.hpp"
#include "cuda/device.hpp"
#include "cuda/device_errors.hpp"
#include "cuda/lcp_task.hpp"

namespace jostle {

/// Throws std::invalid_argument if the layout contradicts itself or is incomplete. It does not read the memory of the
/// device.
void check_layout(const LcpBatch& batch);

/// The work of solving a batch that is in the memory of a device, wherever the batch comes from.
class LcpWork {
 public:
  LcpWork(const Device& device, const LcpBatch& batch, const LemkeOptions& options);

  /// Working memory on the device, from allocate(bytes). If that throws DeviceOutOfMemory, half the teams must suffice,
  /// down to a single one.
  template <class Allocate>
  auto allocate(Allocate allocate) {
    for (;;) {
      try {
        return allocate(bytes());
      } catch (const DeviceOutOfMemory&) {
        if (task_.teams <= 1) throw;
        task_.teams /= 2;
      }
    }
  }
  /// Gives the work to a queue; `memory` must stay until it is done.
  void start(Device& device, int queue, std::byte* memory);

 private:
  std::size_t team_bytes() const { return static_cast<std::size_t>(task_.teams) * task_.bytes_per_team(); }
  std::size_t bytes() const { return team_bytes() + arranged_ + sizeof(unsigned); }

  LcpTask task_;
  std::size_t arranged_;  ///< bytes of an LcpArrangement
};

/// Solves problems in the memory of a device, in its queue 0, and returns at once. Working memory is taken from the
/// queue and given back there.
void solve_lcp_batch(Device& device, const LcpBatch& batch, const LemkeOptions& options = {});

/// Solves problems in the memory of CUDA's current GPU, in a stream of the caller's (null: the default one), and
/// returns at once; results are there when the stream has reached them. Working memory comes from jostle's own pool, at
/// most a quarter of the GPU's. Throws DeviceAbsent in a build without CUDA, DeviceFailure, DeviceOutOfMemory, and as
/// check_layout.
void solve_lcp_batch(const LcpBatch& batch, CUstream_st* stream, const LemkeOptions& options = {});

/// The same on a device for problems on the host; bit-identical to solve_dense_lcp for each, and throws as it does.
std::vector<DenseLcpSolution> solve_lcps(Device& device, const std::vector<DenseLcp>& problems,
                                         const LemkeOptions& options = {});

}  // namespace jostle
