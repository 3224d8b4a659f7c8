#pragma once
// The kernels of a build, for what launches them: without their code.

namespace jostle {

/// The kernels for one kind of team and a bound of registers, as cudaLaunchKernel expects them.
struct TeamKernels {
  const char* kind;
  int registers;
  bool for_all_systems;  ///< else for plain ones
  const void* simulate;
  const void* solve_lcps;  ///< null if for_all_systems: those of plain systems do
};

}  // namespace jostle
