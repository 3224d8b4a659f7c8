// The dictionary in registers makes the bits of the dictionary in memory.
#include <gtest/gtest.h>

#include "benchmarks/lcp_problems.hpp"
#include "tests/support/lcp_solve.hpp"

namespace jostle {
namespace {

template <class Shape>
LcpAnswer solve_in_tiles(const LcpProblem& problem, const std::uint8_t* start_basis = nullptr,
                         const std::vector<double>& scale = {}) {
  LcpMemory memory(problem.n);
  const auto results = run_on_emulated_team(Shape::lanes, 5, [&](const EmulatedTeam& team) {
    return solve_with(EmulatedTileTeam<Shape>(team), problem, memory, {}, start_basis, scale);
  });
  memory.answer.result = results[0];
  return memory.answer;
}

template <class Shape>
class InTiles : public testing::Test {};

// One lane; one row per lane; as on a GPU for n <= 30 and, with fewer lanes, for more than one warp; odd ones.
using Shapes = testing::Types<TileShape<1, 1, 30, 31>, TileShape<32, 1, 1, 31>, TileShape<32, 8, 8, 4>,
                              TileShape<64, 16, 18, 5>, TileShape<6, 3, 15, 11>>;
TYPED_TEST_SUITE(InTiles, Shapes);

TYPED_TEST(InTiles, EveryBitIsThatOfTheDictionaryInMemory) {
  ContactLcpGenerator generator(3);
  int solved = 0;
  for (const LcpSize size : contact_lcp_sizes) {
    if (size.n() > TypeParam::capacity) continue;
    for (int i = 0; i < 12; ++i) {
      const ContactLcp lcp = generator.make(size, contact_scenes[i % 4]);
      const LcpProblem problem{lcp.n(), lcp.M, lcp.q};
      const LcpAnswer expected = solve_serially(problem), found = solve_in_tiles<TypeParam>(problem);
      EXPECT_TRUE(same_answer(found, expected)) << "n = " << lcp.n() << ", problem " << i;
      solved += found.result.status == LcpStatus::solved;
      EXPECT_TRUE(same_answer(solve_in_tiles<TypeParam>(problem, expected.basis.data()),
                              solve_serially(problem, {}, expected.basis.data())))
          << "from its own basis";
    }
  }
  EXPECT_GT(solved, 40);
}

TYPED_TEST(InTiles, OverflowsAreTheSame) {
  std::mt19937 random(3);
  int failures = 0;
  for (int sample = 0; sample < 40; ++sample) {
    const LcpProblem problem = overflowing_problem(random, std::min(8 + sample % 5, TypeParam::capacity));
    const std::vector<double> unscaled(problem.q.size(), 1);
    const LcpAnswer expected = solve_serially(problem, {}, nullptr, unscaled);
    EXPECT_TRUE(same_answer(solve_in_tiles<TypeParam>(problem, nullptr, unscaled), expected)) << "sample " << sample;
    failures += expected.result.status == LcpStatus::uncertified;
  }
  EXPECT_GT(failures, 5);
}

TYPED_TEST(InTiles, AttemptsAndFailuresAreTheSame) {
  const LcpProblem ray{1, {-1}, {-1}};
  const LcpProblem bimatrix{2, {0, 1, 1, 0}, {-1, -1}};
  for (const LcpProblem& problem : {ray, bimatrix})
    EXPECT_TRUE(same_answer(solve_in_tiles<TypeParam>(problem), solve_serially(problem)));
}

}  // namespace
}  // namespace jostle
