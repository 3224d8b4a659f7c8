// The kernels for teams of the kind JOSTLE_TEAM. They take minutes to compile, so every kind is an object of its own.
#include "cuda/kernels.cuh"

#define JOSTLE_JOIN(name, team) name##team
#define JOSTLE_NAME(name, team) JOSTLE_JOIN(name, team)
#define JOSTLE_QUOTE(team) #team
#define JOSTLE_TEXT(team) JOSTLE_QUOTE(team)

namespace jostle {

TeamKernels JOSTLE_NAME(kernels_of_, JOSTLE_TEAM)() {
  return {JOSTLE_TEXT(JOSTLE_TEAM), reinterpret_cast<const void*>(&simulate_kernel<teams::JOSTLE_TEAM>),
          reinterpret_cast<const void*>(&solve_lcps_kernel<teams::JOSTLE_TEAM>)};
}

}  // namespace jostle
