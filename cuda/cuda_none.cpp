// A build without CUDA has no GPU, and says so.
#include "cuda/device_errors.hpp"
#include "cuda/lcp_batch.hpp"

namespace jostle {
namespace {
constexpr const char* none = "this build of jostle has no CUDA";
}

bool built_with_cuda() { return false; }

std::vector<DeviceInfo> cuda_devices() { return {}; }

std::unique_ptr<Device> open_cuda_device(int, CudaErrors*) { throw DeviceAbsent(none); }
std::unique_ptr<Device> cuda_device_in_stream(int, CUstream_st*) { throw DeviceAbsent(none); }

void solve_lcp_batch(const LcpBatch&, CUstream_st*, const LemkeOptions&) { throw DeviceAbsent(none); }

}  // namespace jostle
