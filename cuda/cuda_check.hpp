#pragma once
// Handles CUDA errors. In plain C++, so that tests can make one without a GPU.
#include <string>

namespace jostle {

/// Throws DeviceFailure, or DeviceOutOfMemory for CUDA's errors 2 and 701: an allocation, or a launch whose local
/// memory does not fit.
///   error    of CUDA, not 0
///   call     the function of CUDA, with the kernel: "cudaMemcpyAsync", "cudaLaunchKernel for simulate_kernel<warp4>"
///   device   its name and number
///   reason   CUDA's message
///   kernel   the last one that was launched, if any: when it fails, a later call may be the first to report it
[[noreturn]] void throw_cuda_error(int error, const std::string& call, const std::string& device, const char* reason,
                                   const std::string& kernel = {});

}  // namespace jostle
