#pragma once
// Many LCPs of one's own at once.
#include <vector>

#include "core/lcp/dense.hpp"
#include "cuda/device.hpp"

struct CUstream_st;  // what a cudaStream_t points to

namespace jostle {

/// Throws std::invalid_argument if the layout contradicts itself.
void check_layout(const LcpBatch& batch);

/// Solves problems that lie in the memory of the GPU that is current in CUDA, in a stream of the caller's (null: the
/// default one), and returns at once; results are there when the stream has come to them. Working memory is taken from
/// the stream's pool. Throws DeviceAbsent in a build without CUDA, DeviceFailure, DeviceOutOfMemory, and as
/// check_layout.
void solve_lcp_batch(const LcpBatch& batch, CUstream_st* stream, const LemkeOptions& options = {});

/// The same on a device for problems on the host; equal, bit for bit, to solve_dense_lcp for each.
std::vector<DenseLcpSolution> solve_lcps(Device& device, const std::vector<DenseLcp>& problems,
                                         const LemkeOptions& options = {});

}  // namespace jostle
