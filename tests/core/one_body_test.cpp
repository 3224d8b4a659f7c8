// The linear system of the modes of one body has the bits that it has for a team of lanes.
#include <gtest/gtest.h>

#include "core/guess/guess.hpp"
#include "tests/core/solved_problem.hpp"

namespace jostle {
namespace {

/// A team of one lane for which no code of threads is made.
struct OneLane {
  template <class F>
  void for_each(int n, F f) const {
    SerialTeam{}.for_each(n, f);
  }
  template <class Make, class Better>
  auto select(int n, Make make, Better better) const {
    return SerialTeam{}.select(n, make, better);
  }
  template <class F>
  void once(F f) const {
    f();
  }
  void sync() const {}
};
static_assert(Thread<SerialTeam> && !Thread<OneLane>);

/// Impulses, defects and velocities of all equations: after the first step, and at the end.
template <class Team>
std::vector<std::uint64_t> answer_of_modes(const MixedProblem& problem, const std::vector<Mode>& modes) {
  const Team team;
  Model model;
  model.set_directions(directions);
  const bool all_free[6] = {true, true, true, true, true, true};
  model.add_body(false, all_free);
  const AssemblyMemory memory(problem);
  const ModelView view = model.view(memory.dimensions.contacts);
  const auto work = memory.work.as<PlainSystems>();
  for (int k = 0; k < 6; ++k) work.root_inv_mass(0)[k] = std::sqrt(work.inv_mass(0)[k]);
  for (std::size_t c = 0; c < modes.size(); ++c) work.mode(static_cast<int>(c)) = modes[c];
  EXPECT_EQ(find_islands(team, memory.dimensions, memory.lcp, false, work), 1);
  write_free_motion(team, memory.dimensions, memory.lcp, work);
  const Island island = work.island(0);
  std::vector<std::uint64_t> bits;
  const auto add = [&] {
    for (int c = 0; c < island.blocks; ++c) {
      const ModeEquations& own = work.mode_equations(c);
      for (int e = 0; e < own.count; ++e)
        bits.push_back(bits_of(own.impulse[e])), bits.push_back(bits_of(own.defect[e]));
    }
  };
  solve_regularised(team, island, view, work, proximal_weight);
  add();
  solve_modes(team, island, work, size_of_lcp(team, island, work, false).q_size);
  add();
  write_all_defects(team, island, work);
  add();
  return bits;
}

TEST(OneBody, HasTheBitsOfATeamOfLanes) {
  using Kind = Mode::Kind;
  ProblemGenerator random(21);
  for (int p = 0; p < 400; ++p) {
    SCOPED_TRACE(p);
    const int contacts = 1 + p % 7;
    const MixedProblem problem = random.make(
        {.bodies = 1, .contacts = contacts, .frictionless = p % 3 == 0 ? 1 : 0, .tangents = directions / 2});
    std::vector<Mode> modes;
    for (const Block& block : problem.blocks) {
      const Kind kinds[] = {Kind::stick, Kind::open, Kind::slip, Kind::between};
      const Kind kind =
          block.tangents == 0 ? kinds[random.uniform(0, 1) < 0.3] : kinds[static_cast<int>(random.uniform(0, 4))];
      const bool turns = kind == Kind::slip || kind == Kind::between;
      modes.push_back({kind, static_cast<std::uint8_t>(turns ? random.uniform(0, directions) : 0)});
    }
    EXPECT_EQ(answer_of_modes<SerialTeam>(problem, modes), answer_of_modes<OneLane>(problem, modes));
  }
}

}  // namespace
}  // namespace jostle
