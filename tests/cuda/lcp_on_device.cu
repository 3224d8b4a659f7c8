// LCPs solved by teams of warp lanes: status, pivots, residual, basis and every bit of z must be those of the host's
// serial team. Prints microseconds per LCP; without a device, that it compiles is the check.
//
//   nvcc -std=c++20 -I. --fmad=false --expt-relaxed-constexpr tests/cuda/lcp_on_device.cu
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "benchmarks/lcp_problems.hpp"
#include "core/lcp/certificate.hpp"
#include "core/lcp/lemke.hpp"
#include "cuda/warp_team.cuh"

namespace jostle {
namespace {

/// `count` problems of one size, each array with one slice per problem.
struct LcpBatch {
  int count, n;
  Real *M, *q, *scale, *z, *w, *reals;
  int* ints;
  std::uint8_t* basis;
  LcpResult* results;
};

template <class Team>
JOSTLE_HD void solve_one(const Team& team, const LcpBatch& batch, const LemkeOptions& options, int i) {
  const int n = batch.n;
  const LcpView lcp{n, n, batch.M + i * n * n, batch.q + i * n};
  Real* const scale = batch.scale + i * n;
  Real* const z = batch.z + i * n;
  Real* const w = batch.w + i * n;
  const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(n);
  const LemkeWorkspace workspace = LemkeWorkspace::carve(n, batch.reals + i * sizes.reals, batch.ints + i * sizes.ints);
  equilibrate(team, lcp, scale);
  const auto certify = [=] { return certify_equilibrated(team, lcp, scale, z, w); };
  std::uint8_t* const basis = batch.basis + i * n;
  const LcpResult result = solve_lcp(team, lcp, scale, workspace, options, z, certify, nullptr, basis);
  team.once([&] { batch.results[i] = result; });
}

template <int Lanes>
__global__ void solve_on_device(LcpBatch batch, LemkeOptions options) {
  const int i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Lanes);
  if (i < batch.count) solve_one(WarpTeam<Lanes>{}, batch, options, i);
}

template <class T>
T* managed(std::size_t count) {
  T* memory = nullptr;
  return cudaMallocManaged(&memory, count * sizeof(T)) == cudaSuccess ? memory : nullptr;
}

LcpBatch make_batch(LcpSize size, int count) {
  const int n = size.n();
  const auto sizes = LemkeWorkspace::sizes(n);
  const std::size_t all = std::size_t(count) * n;
  LcpBatch batch{count,
                 n,
                 managed<Real>(all * n),
                 managed<Real>(all),
                 managed<Real>(all),
                 managed<Real>(all),
                 managed<Real>(all),
                 managed<Real>(count * sizes.reals),
                 managed<int>(count * sizes.ints),
                 managed<std::uint8_t>(all),
                 managed<LcpResult>(count)};
  ContactLcpGenerator generator(99);
  for (int i = 0; i < count; ++i) {
    const ContactLcp lcp = generator.make(size, contact_scenes[i % 4]);
    for (int k = 0; k < n * n; ++k) batch.M[i * n * n + k] = lcp.M[k];
    for (int k = 0; k < n; ++k) batch.q[i * n + k] = lcp.q[k];
    for (int k = 0; k < n; ++k) batch.basis[i * n + k] = 0;
  }
  return batch;
}

void free_batch(const LcpBatch& batch) {
  for (void* memory : std::initializer_list<void*>{batch.M, batch.q, batch.scale, batch.z, batch.w, batch.reals,
                                                   batch.ints, batch.basis, batch.results})
    cudaFree(memory);
}

bool same(const LcpBatch& a, const LcpBatch& b, int i) {
  const LcpResult &left = a.results[i], &right = b.results[i];
  const auto first = static_cast<std::ptrdiff_t>(i) * a.n;
  return left.status == right.status && left.pivots == right.pivots &&
         bits_of(left.residual) == bits_of(right.residual) &&
         std::memcmp(a.z + first, b.z + first, sizeof(Real) * static_cast<std::size_t>(a.n)) == 0 &&
         std::memcmp(a.basis + first, b.basis + first, static_cast<std::size_t>(a.n)) == 0;
}

/// The number of LCPs on which device and host differ; all of them if the device fails.
template <int Lanes>
int count_differences(const LcpBatch& on_host, LcpSize size) {
  constexpr int threads = 128;
  const int count = on_host.count;
  const LcpBatch on_device = make_batch(size, count);
  const unsigned blocks = (static_cast<unsigned>(count) * Lanes + threads - 1) / threads;
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  solve_on_device<Lanes>
      <<<blocks, threads>>>(on_device, LemkeOptions{});  // once unmeasured: memory moves to the device
  cudaEventRecord(start);
  solve_on_device<Lanes><<<blocks, threads>>>(on_device, LemkeOptions{});
  cudaEventRecord(end);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%d lanes, n = %d: %s\n", Lanes, size.n(), cudaGetErrorString(error));
    return count;
  }
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, end);
  int differences = 0;
  for (int i = 0; i < count; ++i) differences += !same(on_device, on_host, i);
  std::printf("%2d lanes, n = %3d: %6d LCPs, %6d differ, %8.3f us each\n", Lanes, size.n(), count, differences,
              1e3 * static_cast<double>(milliseconds) / count);
  free_batch(on_device);
  return differences;
}

}  // namespace
}  // namespace jostle

int main(int argc, char** argv) {
  using namespace jostle;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("compiled; no device to run on\n");
    return 0;
  }
  const int count = argc > 1 ? std::atoi(argv[1]) : 256;
  int differences = 0;
  for (const LcpSize size : contact_lcp_sizes) {
    const LcpBatch on_host = make_batch(size, count);
    for (int i = 0; i < count; ++i) solve_one(SerialTeam{}, on_host, LemkeOptions{}, i);
    differences += count_differences<1>(on_host, size);
    differences += count_differences<8>(on_host, size);
    differences += count_differences<32>(on_host, size);
    free_batch(on_host);
  }
  std::printf("%d LCPs differ between device and host\n", differences);
  return differences == 0 ? 0 : 1;
}
