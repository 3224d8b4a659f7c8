#pragma once
// LCPs of contacts, solved as a step solves them.
#include "core/stages/solve.hpp"
#include "tests/core/mixed_problem.hpp"

namespace jostle {

struct Solved {
  StepResult result;
  Column velocity, z, scale;
};

/// By the stage `solve`, from one mode for all blocks. Contacts have so many directions.
inline Solved solved(const MixedProblem& problem, int direction_count, Solver solver,
                     Mode mode = {Mode::Kind::stick, 0}) {
  Model model;
  model.set_directions(direction_count);
  model.solver = solver;
  const bool all_free[6] = {true, true, true, true, true, true};
  for (int body = 0; body < problem.velocities() / 6; ++body) model.add_body(false, all_free);
  const AssemblyMemory memory(problem, 0, direction_count, problem.lcp().blocks + 1);  // rows begin at 1
  ModelView view = model.view(memory.dimensions.contacts);
  view.dimensions.joint_rows = memory.dimensions.joint_rows;
  view.dimensions.joints = memory.dimensions.joints;
  for (int i = 0; i < problem.velocities(); ++i)
    memory.work.root_inv_mass(i / 6)[i % 6] = std::sqrt(memory.work.inv_mass(i / 6)[i % 6]);
  for (int c = 0; c < memory.lcp.blocks; ++c) memory.work.mode(c) = mode;
  Solved found;
  if (memory.dimensions.is_coupled())
    solve(SerialTeam{}, memory.lcp, view, memory.work, NoClock{}, found.result);
  else
    solve(SerialTeam{}, memory.lcp, view, memory.work.template as<PlainSystems>(), NoClock{}, found.result);
  found.velocity = memory.velocity(), found.z = memory.z(), found.scale = memory.scale();
  return found;
}

inline double difference(const Solved& a, const Solved& b) { return (a.velocity - b.velocity).cwiseAbs().maxCoeff(); }

/// max |min(S^-1 z, S (M z + q))| / |S q|inf: the certificate, from the whole matrix.
inline double natural_residual(const Dense& M, const Column& q, const Column& scale, const Column& z) {
  const Column w = M * z + q;
  const double worst = z.cwiseQuotient(scale).cwiseMin(w.cwiseProduct(scale)).cwiseAbs().maxCoeff();
  return worst / scale.cwiseProduct(q).cwiseAbs().maxCoeff();
}

}  // namespace jostle
