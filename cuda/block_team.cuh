#pragma once
// A team that is a whole block: several warps work on one system.
#include <cstddef>

#include "cuda/warp_team.cuh"

namespace jostle {

/// As WarpTeam, for a block of exactly `Lanes` threads.
template <int Lanes>
struct BlockTeam {
  static constexpr int lanes = Lanes, warp = 32, warps = Lanes / warp;
  static_assert(Lanes % warp == 0 && warps >= 2 && warps <= 32);

  __device__ static int lane() { return static_cast<int>(threadIdx.x); }

  template <class F>
  __device__ JOSTLE_INLINE void for_each(int n, F f) const {
    for (int i = lane(); i < n; i += Lanes) f(i);
  }

  // Each warp selects for itself and writes its choice to memory; then every lane reads all choices.
  template <class Make, class Better>
  __device__ JOSTLE_INLINE auto select(int n, Make make, Better better) const {
    sync();
    auto best = best_in_warp<Lanes, warp>(whole_warp, lane(), n, make, better);
    using Item = decltype(best);
    static_assert(sizeof(Item) <= slot_bytes);
    std::byte* const slots = memory();
    if (lane() % warp == 0) std::memcpy(slots + lane() / warp * slot_bytes, &best, sizeof best);
    sync();
    for (int i = 0; i < warps; ++i) {
      Item other = best;
      std::memcpy(&other, slots + i * slot_bytes, sizeof other);
      if (better(other, best)) best = other;
    }
    return best;
  }

  template <class F>
  __device__ JOSTLE_INLINE void once(F f) const {
    if (lane() == 0) f();
  }

  __device__ JOSTLE_INLINE void sync() const { __syncthreads(); }

  /// The value of lane 0. Begins with a sync.
  __device__ int broadcast(int value) const {
    sync();
    if (lane() == 0) std::memcpy(memory(), &value, sizeof value);
    sync();
    std::memcpy(&value, memory(), sizeof value);
    return value;
  }

  /// Whether a condition, the same on all lanes, holds for any of the teams of the block: here there is one.
  __device__ static bool any_beside(bool condition) { return condition; }
  __device__ static void meet() {}

 private:
  static constexpr int slot_bytes = 64;

  __device__ static std::byte* memory() {
    __shared__ alignas(16) std::byte slots[warps * slot_bytes];
    static_assert(sizeof slots <= shared_bytes_of_teams);
    return slots;
  }
};

}  // namespace jostle
