// All stages of a step as device code, over a team of one lane and a team of several lanes of a warp. That it compiles
// is the check.
//
//   nvcc -c -G -arch=sm_80 --expt-relaxed-constexpr -diag-suppress 20012 -fmad=false -DEIGEN_DONT_VECTORIZE
//        -std=c++20 -I. -I/usr/include/eigen3 tests/cuda/compile_check_simulate.cu
#include "core/simulate.hpp"
#include "cuda/warp_team.cuh"

namespace jostle_check {

using jostle::WarpTeam;

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
