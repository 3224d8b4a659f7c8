// The LCP solver as device code, one lane per problem: not a way to solve fast, but where there is a device it must
// give status, pivots and every bit of z as the host does.
//
//   nvcc -std=c++20 -I. --fmad=false --expt-relaxed-constexpr tests/cuda/compile_check_lcp.cu
#include <cstdio>

#include "benchmarks/lcp_problems.hpp"
#include "core/lcp/certificate.hpp"
#include "core/lcp/lemke.hpp"

namespace jostle {
namespace {

/// A lane on its own. Not SerialTeam, which asks for code of its own for the smallest sizes.
struct LoneLane {
  template <class F>
  JOSTLE_HD void for_each(int n, F f) const {
    SerialTeam{}.for_each(n, f);
  }
  template <class Make, class Better>
  JOSTLE_HD auto select(int n, Make make, Better better) const {
    return SerialTeam{}.select(n, make, better);
  }
  template <class F>
  JOSTLE_HD void once(F f) const {
    f();
  }
  JOSTLE_HD void sync() const {}
};

/// `count` problems of one size, each array with one slice per problem.
struct LcpBatch {
  int count, n;
  Real *M, *q, *scale, *z, *w, *reals;
  int* ints;
  std::uint8_t* basis;
  LcpResult* results;
};

JOSTLE_HD void solve_one(const LcpBatch& batch, const LemkeOptions& options, int i) {
  const int n = batch.n;
  const LoneLane team;
  const LcpView lcp{n, n, batch.M + i * n * n, batch.q + i * n};
  Real* const scale = batch.scale + i * n;
  Real* const z = batch.z + i * n;
  Real* const w = batch.w + i * n;
  const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(n);
  const LemkeWorkspace workspace = LemkeWorkspace::carve(n, batch.reals + i * sizes.reals, batch.ints + i * sizes.ints);
  equilibrate(team, lcp, scale);
  const auto certify = [=] { return certify_equilibrated(team, lcp, scale, z, w); };
  std::uint8_t* const basis = batch.basis + i * n;
  batch.results[i] = solve_lcp(team, lcp, scale, workspace, options, z, certify, basis, basis);
}

__global__ void solve_on_device(LcpBatch batch, LemkeOptions options) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < batch.count) solve_one(batch, options, i);
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

int count_differences(LcpSize size, int count) {
  const LcpBatch on_device = make_batch(size, count);
  const LcpBatch on_host = make_batch(size, count);
  solve_on_device<<<unsigned(count + 63) / 64, 64>>>(on_device, LemkeOptions{});
  for (int i = 0; i < count; ++i) solve_one(on_host, LemkeOptions{}, i);
  if (cudaDeviceSynchronize() != cudaSuccess) return count;
  int differences = 0;
  for (int i = 0; i < count; ++i) {
    bool same = on_device.results[i].status == on_host.results[i].status &&
                on_device.results[i].pivots == on_host.results[i].pivots;
    for (int k = i * size.n(); k < (i + 1) * size.n(); ++k)
      same = same && bits_of(on_device.z[k]) == bits_of(on_host.z[k]);
    differences += !same;
  }
  return differences;
}

}  // namespace
}  // namespace jostle

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("compiled; no device to run on\n");
    return 0;
  }
  int differences = 0;
  for (const jostle::LcpSize size : jostle::contact_lcp_sizes) differences += jostle::count_differences(size, 256);
  std::printf("%d of 2560 LCPs differ between device and host\n", differences);
  return differences == 0 ? 0 : 1;
}
