// All stages of a step as device code, over a team of one lane and a team of several lanes of a warp. That it compiles
// is the check.
//
//   nvcc -c -G -arch=sm_80 --expt-relaxed-constexpr -diag-suppress 20012 -fmad=false -DEIGEN_DONT_VECTORIZE
//        -std=c++20 -I. -I/usr/include/eigen3 tests/cuda/compile_check_simulate.cu
#include <cstring>

#include "core/simulate.hpp"

namespace jostle_check {

/// 2^k neighbouring lanes of a warp. `sync` is a fence over the memory that they share.
template <int Lanes>
struct WarpTeam {
  static_assert(Lanes >= 1 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0);

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % Lanes; }

  __device__ static unsigned mask() {
    const unsigned lanes = Lanes == 32 ? 0xFFFFFFFFu : (1u << (Lanes % 32)) - 1;
    return lanes << (threadIdx.x % 32 / Lanes * Lanes);
  }

  template <class F>
  __device__ void for_each(int n, F f) const {
    for (int i = lane(); i < n; i += Lanes) f(i);
  }

  template <class Make, class Better>
  __device__ auto select(int n, Make make, Better better) const {
    sync();
    auto best = make(lane() < n ? lane() : n - 1);
    for (int i = lane() + Lanes; i < n; i += Lanes) {
      const auto next = make(i);
      if (better(next, best)) best = next;
    }
    for (int distance = Lanes / 2; distance > 0; distance /= 2) {
      const auto other = exchanged(best, distance);
      if (better(other, best)) best = other;
    }
    return best;
  }

  template <class F>
  __device__ void once(F f) const {
    if (lane() == 0) f();
  }

  __device__ void sync() const { __syncwarp(mask()); }

 private:
  /// What the lane `distance` away holds, sent word by word.
  template <class Item>
  __device__ static Item exchanged(const Item& item, int distance) {
    constexpr int words = (sizeof(Item) + sizeof(unsigned) - 1) / sizeof(unsigned);
    unsigned memory[words] = {};
    std::memcpy(memory, &item, sizeof item);
    for (unsigned& word : memory) word = __shfl_xor_sync(mask(), word, distance);
    Item other = item;
    std::memcpy(&other, memory, sizeof other);
    return other;
  }
};

/// Team after team takes one system each to `last_step`. One slice of every buffer per system.
template <class Team, int Lanes>
__global__ void simulate_systems(jostle::ModelView model, const std::byte* parameters, std::byte* states,
                                 std::byte* workspaces, int systems, int last_step, int* pauses) {
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Lanes);
  if (index >= systems) return;
  const jostle::Dimensions& d = model.dimensions;
  const jostle::System system{model,
                              jostle::parameter_view(d, parameters + index * jostle::parameter_bytes(d)),
                              jostle::state_view(d, states + index * jostle::state_bytes(d)),
                              {}};
  const jostle::Workspace work = jostle::Workspace::carve(d, workspaces + index * jostle::Workspace::bytes(d));
  const jostle::Pause pause = jostle::simulate(Team{}, system, work, last_step, [](const jostle::StepResult&) {});
  Team{}.once([&] { pauses[index] = static_cast<int>(pause); });
}

#define JOSTLE_INSTANTIATE(lanes)                                                                                    \
  template __global__ void simulate_systems<WarpTeam<lanes>, lanes>(jostle::ModelView, const std::byte*, std::byte*, \
                                                                    std::byte*, int, int, int*);
JOSTLE_INSTANTIATE(1)
JOSTLE_INSTANTIATE(8)

}  // namespace jostle_check
