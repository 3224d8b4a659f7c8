#pragma once
// What becomes of an error of CUDA. In plain C++, so that tests can make one without a GPU.
#include <string>

namespace jostle {

/// Throws DeviceFailure, or DeviceOutOfMemory for CUDA's error 2, unless `error` is 0 (cudaSuccess).
///   call     the function of CUDA, with the kernel: "cudaMemcpyAsync", "cudaLaunchKernel for simulate_kernel<warp4>"
///   device   its name and number
///   reason   CUDA's own words
///   kernel   the last one that was launched, if any: when it fails, a later call may be the first to say so
void check_cuda(int error, const std::string& call, const std::string& device, const char* reason,
                const std::string& kernel = {});

/// For tests: the next check of `call` fails with `error`, whatever CUDA says.
void inject_cuda_error(const std::string& call, int error);

}  // namespace jostle
