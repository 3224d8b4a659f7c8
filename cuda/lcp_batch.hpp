#pragma once
// Many LCPs of one's own at once.
#include <vector>

#include "core/lcp/dense.hpp"
#include "cuda/device.hpp"

struct CUstream_st;  // what a cudaStream_t points to

namespace jostle {

/// Throws std::invalid_argument if the layout contradicts itself or lacks something. What lies in the memory of the
/// device is not looked at.
void check_layout(const LcpBatch& batch);

/// The work of solving a batch that is in the memory of a device: the one way, whoever has brought it there.
class LcpWork {
 public:
  LcpWork(const Device& device, const LcpBatch& batch, const LemkeOptions& options);

  /// Of working memory on the device.
  std::size_t bytes() const { return own_ + arranged_ + sizeof(unsigned); }
  /// Gives the work to a queue; `memory` must stay until it is done.
  void start(Device& device, int queue, std::byte* memory);

 private:
  LcpTask task_;
  std::size_t own_, arranged_;  ///< bytes of the teams, and of an LcpArrangement
};

/// Solves problems that lie in the memory of the GPU that is current in CUDA, in a stream of the caller's (null: the
/// default one), and returns at once; results are there when the stream has come to them. Working memory is taken from
/// the stream's pool. Throws DeviceAbsent in a build without CUDA, DeviceFailure, DeviceOutOfMemory, and as
/// check_layout.
void solve_lcp_batch(const LcpBatch& batch, CUstream_st* stream, const LemkeOptions& options = {});

/// The same on a device for problems on the host; equal, bit for bit, to solve_dense_lcp for each, and throws as it
/// does.
std::vector<DenseLcpSolution> solve_lcps(Device& device, const std::vector<DenseLcp>& problems,
                                         const LemkeOptions& options = {});

}  // namespace jostle
