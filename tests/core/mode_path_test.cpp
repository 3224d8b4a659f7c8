// Paths of modes: pieces that fit together, and ends where all signs of the regularised problem are right.
#include "core/guess/mode_path.hpp"

#include <gtest/gtest.h>

#include "core/guess/guess.hpp"
#include "tests/core/solved_problem.hpp"

namespace jostle {
namespace {

using Kind = Mode::Kind;
using Plain = WorkspaceView<PlainSystems, 1>;

std::vector<Mode> closed_modes(const Block& block) {
  std::vector<Mode> modes{{Kind::stick, 0}};
  for (int i = 0; i < block.betas(); ++i) {
    modes.push_back({Kind::slip, static_cast<std::uint8_t>(i)});
    if (block.normal >= 0 && block.betas() > 2) modes.push_back({Kind::between, static_cast<std::uint8_t>(i)});
  }
  return modes;
}

// Else a path could leave a mode by a sign that the next mode does not know.
TEST(ModeSigns, LeadBackToTheModeBefore) {
  const Block joint{.normal = -1, .tangent = 0, .tangents = 1, .bound = 1};
  for (const int k : {2, 4, 8}) {
    Model model;
    model.set_directions(k);
    const ModelView view = model.view(1);
    const Block contact{.normal = 0, .tangent = 1, .tangents = k / 2, .friction = 0.5};
    for (const Block& block : {contact, joint})
      for (const Mode mode : closed_modes(block))
        for (int number = 0; number < detail::count_signs(block, mode); ++number) {
          const Mode next = detail::mode_beyond(view, block, mode, {}, number);
          const int back = detail::sign_towards(block, next, mode);
          ASSERT_LT(back, detail::count_signs(block, next));
          if (next.kind == Kind::open) continue;  // whose next mode depends on its slip
          EXPECT_EQ(detail::mode_beyond(view, block, next, {}, back), mode) << k << " " << int(mode.kind) << number;
        }
  }
}

struct Ends {
  int paths = 0, reached = 0, wrong = 0;
};

/// From random modes, at the ends of paths, how many signs of the regularised problem are wrong.
Ends follow_paths(const ProblemKind& kind, unsigned problems) {
  Ends ends;
  const SerialTeam team;
  for (unsigned seed = 0; seed < problems; ++seed) {
    ProblemGenerator random(seed);
    const MixedProblem problem = random.make(kind);
    Model model;
    model.set_directions(directions);
    const bool all_free[6] = {true, true, true, true, true, true};
    for (int body = 0; body < problem.velocities() / 6; ++body) model.add_body(false, all_free);
    const AssemblyMemory memory(problem, 0, directions, problem.lcp().blocks + 1);  // rows begin at 1
    const auto work = memory.work.template as<PlainSystems>();
    for (int i = 0; i < problem.velocities(); ++i)
      work.root_inv_mass(i / 6)[i % 6] = std::sqrt(work.inv_mass(i / 6)[i % 6]);
    for (int c = 0; c < memory.lcp.blocks; ++c) work.mode(c) = {Kind::stick, 0};
    const ModelView view = model.view(memory.dimensions.contacts);
    StepResult result;
    solve(team, memory.lcp, view, work, NoClock{}, result);
    for (int i = 0; i < work.islands(); ++i) {
      const Island island = work.island(i);
      const double q_size = constants_size(team, island, work, false);
      for_each_block(team, island, work, [&](int c) {
        const int kinds = work.block(c).tangents == 0 ? 2 : 3, which = static_cast<int>(random.uniform(0, kinds));
        work.mode(c) = which == 0   ? Mode{Kind::open, 0}
                       : which == 1 ? Mode{Kind::stick, 0}
                                    : Mode{Kind::slip, static_cast<std::uint8_t>(random.uniform(0, directions))};
      });
      const ModePath<SerialTeam, Plain> path(team, island, view, work, q_size, proximal_weight);
      ++ends.paths;
      if (!(seed % 2 == 0 ? path.follow() : path.follow_from_open())) continue;
      ++ends.reached;
      solve_regularised(team, island, view, work, proximal_weight);
      const ModeTolerance tolerance{regularised_tolerance * q_size};
      for_each_block(team, island, work,
                     [&](int c) { ends.wrong += !(corrected_mode(view, work, c, false, tolerance) == work.mode(c)); });
    }
  }
  return ends;
}

// Without friction the regularised problem has one answer, and every path ends there.
TEST(ModePath, AlwaysEndsWithoutFriction) {
  const Ends ends = follow_paths({.bodies = 3, .contacts = 0, .limits = 10}, 200);
  EXPECT_GE(ends.paths, 200);
  EXPECT_EQ(ends.reached, ends.paths);
  EXPECT_EQ(ends.wrong, 0);
}

TEST(ModePath, EndsWhereAllSignsAreRight) {
  const Ends ends = follow_paths({.bodies = 2, .contacts = 6, .tangents = directions / 2}, 300);
  EXPECT_GE(ends.paths, 300);
  EXPECT_GE(10 * ends.reached, 9 * ends.paths);
  EXPECT_EQ(ends.wrong, 0);
}

}  // namespace
}  // namespace jostle
