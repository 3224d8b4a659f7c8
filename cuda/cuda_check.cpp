#include "cuda/cuda_check.hpp"

#include "cuda/device_errors.hpp"

namespace jostle {

void throw_cuda_error(int error, const std::string& call, const std::string& device, const char* reason,
                      const std::string& kernel) {
  constexpr int memory_allocation = 2, launch_out_of_resources = 701;  // cudaErrorMemoryAllocation and so on
  const std::string after = kernel.empty() ? "" : "; the last kernel was " + kernel;
  const std::string line =
      device + ": " + call + " failed with CUDA error " + std::to_string(error) + ": " + reason + after;
  if (error == memory_allocation || error == launch_out_of_resources) throw DeviceOutOfMemory(line);
  throw DeviceFailure(line);
}

}  // namespace jostle
