// Proximal LCPs find the answer of least norm without modes.
#include "core/guess/proximal_lcp.hpp"

#include <gtest/gtest.h>

#include "tests/core/solved_problem.hpp"

namespace jostle {
namespace {

/// A problem of contacts that is one island, answered by the stage `solve`.
struct Answered {
  explicit Answered(const MixedProblem& problem)
      : memory(problem, 0, directions, problem.lcp().blocks + 1) {  // rows begin at 1
    model.set_directions(directions);
    model.solver = Solver::lemke;
    const bool all_free[6] = {true, true, true, true, true, true};
    for (int body = 0; body < problem.velocities() / 6; ++body) model.add_body(false, all_free);
    for (int i = 0; i < problem.velocities(); ++i)
      memory.work.root_inv_mass(i / 6)[i % 6] = std::sqrt(memory.work.inv_mass(i / 6)[i % 6]);
    for (int c = 0; c < memory.lcp.blocks; ++c) memory.work.mode(c) = {Mode::Kind::stick, 0};
    solve(SerialTeam{}, memory.lcp, model.view(memory.dimensions.contacts), memory.work.template as<PlainSystems>(),
          NoClock{}, result);
  }
  Column impulses() const {
    Column p(memory.lcp.rows);
    for (int r = 0; r < p.size(); ++r) p[r] = memory.work.row_impulse(r);
    return p;
  }

  AssemblyMemory memory;
  Model model;
  StepResult result;
};

double distance(const Column& a, const Column& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1e-3, a.cwiseAbs().maxCoeff());
}

struct Compared {
  int problems = 0, solved = 0, equal = 0;
};

Compared compare_with_modes(const ProblemKind& kind, unsigned problems) {
  Compared found;
  for (unsigned seed = 0; seed < problems; ++seed) {
    Answered answered(ProblemGenerator(seed).make(kind));
    const auto work = answered.memory.work.template as<PlainSystems>();
    if (answered.result.status != Status::ok || answered.result.vertex > 0 || work.islands() != 1) continue;
    const Column velocity = answered.memory.velocity(), impulses = answered.impulses();
    const ModelView view = answered.model.view(answered.memory.dimensions.contacts);
    const Island island = work.island(0);
    const double q_size = size_of_lcp(SerialTeam{}, island, work, false).q_size;
    const SerialTeam team;
    using Work = WorkspaceView<PlainSystems, 1>;
    const Guess<SerialTeam, Work> guess(team, island, view, work, q_size, proximal_weight, 1);
    const detail::IslandProblem<SerialTeam, Work> problem{team, answered.memory.lcp, island, view, work};
    const detail::Certify<SerialTeam, Work> certify{problem, {q_size, infinity()}, 1};
    StepResult result;
    result.lcp_size = island.variables;
    const bool solved = detail::proximal_answer(certify, guess, result) <= 1e-12;
    ++found.problems;
    found.solved += solved;
    found.equal += solved && distance(velocity, answered.memory.velocity()) < 1e-9 &&
                   distance(impulses, answered.impulses()) < 1e-5;
  }
  return found;
}

// Eight contacts of one body are redundant; where they are nearly dependent, Lemke's method may end on a ray.
TEST(ProximalLcp, HasTheAnswerOfTheModesWithoutFriction) {
  const Compared found =
      compare_with_modes({.bodies = 1, .contacts = 8, .frictionless = 8, .tangents = directions / 2}, 300);
  EXPECT_GE(found.problems, 20);
  EXPECT_GE(5 * found.solved, 4 * found.problems);
  EXPECT_EQ(found.equal, found.solved);
}

// With friction the points need not converge, and some problems have separate answers.
TEST(ProximalLcp, HasTheAnswerOfTheModesOfMostRoughContacts) {
  const Compared found = compare_with_modes({.bodies = 1, .contacts = 3, .tangents = directions / 2}, 100);
  EXPECT_GE(found.problems, 20);
  EXPECT_GE(found.equal, 4 * found.problems / 5);
}

}  // namespace
}  // namespace jostle
