#pragma once
// What becomes of an error of CUDA. In plain C++, so that tests can make one without a GPU.
#include <string>

namespace jostle {

/// Throws DeviceFailure, or DeviceOutOfMemory for CUDA's errors 2 and 701: an allocation, or a launch for whose local
/// memory the driver has no room.
///   error    of CUDA, not 0
///   call     the function of CUDA, with the kernel: "cudaMemcpyAsync", "cudaLaunchKernel for simulate_kernel<warp4>"
///   device   its name and number
///   reason   CUDA's own words
///   kernel   the last one that was launched, if any: when it fails, a later call may be the first to say so
[[noreturn]] void throw_cuda_error(int error, const std::string& call, const std::string& device, const char* reason,
                                   const std::string& kernel = {});

}  // namespace jostle
