#pragma once
// The team of a GPU: 2^k neighbouring lanes of a warp work on one system.
#include <cstring>

#include "core/config.hpp"
#include "cuda/placement.hpp"

namespace jostle {

inline constexpr unsigned whole_warp = 0xFFFFFFFFu;

/// The item of the lane `distance` away in the warp, sent word by word.
template <class Item>
__device__ Item item_of_lane(unsigned mask, const Item& item, int distance) {
  constexpr int words = (sizeof(Item) + sizeof(unsigned) - 1) / sizeof(unsigned);
  unsigned memory[words] = {};
  std::memcpy(memory, &item, sizeof item);
  for (unsigned& word : memory) word = __shfl_xor_sync(mask, word, distance);
  Item other = item;
  std::memcpy(&other, memory, sizeof other);
  return other;
}

/// The team of core/team.hpp. `sync` is a barrier and a fence for the lanes of the team alone, so that teams of one
/// warp may be at different places.
template <int Lanes>
struct WarpTeam {
  static constexpr int lanes = Lanes, most_warps = 32;  ///< of a block
  static_assert(Lanes >= 1 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0);

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % Lanes; }

  __device__ static unsigned mask() {
    const unsigned first = Lanes == 32 ? whole_warp : (1u << (Lanes % 32)) - 1;
    return first << (threadIdx.x % 32 / Lanes * Lanes);
  }

  template <class F>
  __device__ JOSTLE_INLINE void for_each(int n, F f) const {
    for (int i = lane(); i < n; i += Lanes) f(i);
  }

  // A lane without an item repeats the last.
  template <class Make, class Better>
  __device__ JOSTLE_INLINE auto select(int n, Make make, Better better) const {
    sync();
    auto best = make(lane() < n ? lane() : n - 1);
    for (int i = lane() + Lanes; i < n; i += Lanes) {
      const auto next = make(i);
      if (better(next, best)) best = next;
    }
    for (int distance = Lanes / 2; distance > 0; distance /= 2) {
      const auto other = item_of_lane(mask(), best, distance);
      if (better(other, best)) best = other;
    }
    return best;
  }

  template <class F>
  __device__ JOSTLE_INLINE void once(F f) const {
    if (lane() == 0) f();
  }

  /// A single lane waits for nobody.
  __device__ JOSTLE_INLINE void sync() const {
    if constexpr (Lanes > 1) __syncwarp(mask());
  }

  /// The value of lane 0. All lanes of the team meet here.
  __device__ int broadcast(int value) const {
    if constexpr (Lanes > 1) value = __shfl_sync(mask(), value, 0, Lanes);
    return value;
  }

  /// Whether a condition, the same on all lanes of a team, holds for any of the teams of the block. All of them meet
  /// here.
  __device__ static bool any_beside(bool condition) {
    bool any = __any_sync(whole_warp, condition);
    if (blockDim.x == 32) return any;
    __shared__ bool votes[most_warps];
    static_assert(sizeof votes <= shared_bytes_of_teams);
    if (threadIdx.x % 32 == 0) votes[threadIdx.x / 32] = any;
    meet();
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) any |= votes[warp];
    meet();
    return any;
  }
  /// Where the teams of the block wait for each other: warps at the same place of the code share what is fetched of it.
  __device__ static void meet() {
    __syncwarp(whole_warp);
    __syncthreads();
  }
};

}  // namespace jostle
