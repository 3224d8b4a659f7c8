// The elementary functions and the expression interpreter as device code. That it compiles and links is the check;
// where there is a device, it also compares the bits with the golden digest.
#include <cstdio>

#include "tests/expression/function_digest.hpp"

namespace {

__global__ void add_digests(unsigned long long* sum) {
  const std::uint64_t number = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (number < jostle::test::digest_count) atomicAdd(sum, jostle::test::function_digest(number));
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("compiled; no device to run on\n");
    return 0;
  }
  unsigned long long* sum = nullptr;
  if (cudaMalloc(&sum, sizeof *sum) != cudaSuccess || cudaMemset(sum, 0, sizeof *sum) != cudaSuccess) return 1;
  constexpr unsigned threads = 128;
  add_digests<<<(jostle::test::digest_count + threads - 1) / threads, threads>>>(sum);
  unsigned long long digest = 0;
  const cudaError_t error = cudaMemcpy(&digest, sum, sizeof digest, cudaMemcpyDeviceToHost);
  const bool equal = error == cudaSuccess && digest == jostle::test::golden_digest;
  std::printf("%s: digest 0x%llx, %s the golden one\n", cudaGetErrorString(error), digest, equal ? "equal to" : "not");
  cudaFree(sum);
  return equal ? 0 : 1;
}
