#include "cuda/cuda_check.hpp"

#include <map>
#include <mutex>

#include "cuda/device_errors.hpp"

namespace jostle {
namespace {

constexpr int success = 0, memory_allocation = 2;  // cudaSuccess, cudaErrorMemoryAllocation

std::mutex mutex;
std::map<std::string, int>& injected() {
  static std::map<std::string, int> errors;
  return errors;
}

int with_injected(int error, const std::string& call) {
  const std::lock_guard lock(mutex);
  const auto node = injected().extract(call);
  return node.empty() ? error : node.mapped();
}

}  // namespace

void inject_cuda_error(const std::string& call, int error) {
  const std::lock_guard lock(mutex);
  injected()[call] = error;
}

void check_cuda(int error, const std::string& call, const std::string& device, const char* reason,
                const std::string& kernel) {
  const int found = with_injected(error, call);
  if (found == success) return;
  const std::string words = found == error ? reason : "injected by a test";
  const std::string after = kernel.empty() ? "" : "; the last kernel was " + kernel;
  const std::string line =
      device + ": " + call + " failed with CUDA error " + std::to_string(found) + ": " + words + after;
  if (found == memory_allocation) throw DeviceOutOfMemory(line);
  throw DeviceFailure(line);
}

}  // namespace jostle
