// The kernels for teams of the kind JOSTLE_TEAM with at most JOSTLE_REGISTERS registers a lane. They take minutes to
// compile, so each combination is its own object.
#include "cuda/kernels.cuh"

#define JOSTLE_JOIN(name, team, registers) name##team##_##registers
#define JOSTLE_NAME(name, team, registers) JOSTLE_JOIN(name, team, registers)
#define JOSTLE_QUOTE(team) #team
#define JOSTLE_TEXT(team) JOSTLE_QUOTE(team)

namespace jostle {

TeamKernels JOSTLE_NAME(kernels_of_, JOSTLE_TEAM, JOSTLE_REGISTERS)() {
  return {JOSTLE_TEXT(JOSTLE_TEAM), JOSTLE_REGISTERS,
          reinterpret_cast<const void*>(&simulate_kernel<teams::JOSTLE_TEAM, JOSTLE_REGISTERS>),
          reinterpret_cast<const void*>(&solve_lcps_kernel<teams::JOSTLE_TEAM, JOSTLE_REGISTERS>)};
}

}  // namespace jostle
