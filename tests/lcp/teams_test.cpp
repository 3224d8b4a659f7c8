// One text, any team: status, pivots, residual, basis and every bit of z are those of one thread.
#include <gtest/gtest.h>

#include "benchmarks/lcp_problems.hpp"
#include "tests/support/lcp_cases.hpp"

namespace jostle {
namespace {

void expect_same_for_all_teams(const LcpProblem& problem, const std::vector<double>& scale = {},
                               const LemkeOptions& options = {}) {
  const LcpAnswer serial = solve_serially(problem, options, nullptr, scale);
  std::vector<std::uint8_t> spoiled = serial.basis;
  for (std::size_t i = 0; i < spoiled.size(); i += 3) spoiled[i] ^= 1;
  const LcpAnswer started = solve_serially(problem, options, serial.basis.data(), scale);
  const LcpAnswer missed = solve_serially(problem, options, spoiled.data(), scale);
  unsigned seed = 0;
  for (const int lanes : {2, 3, 8, 32}) {
    EXPECT_TRUE(same_answer(serial, solve_by_lanes(lanes, ++seed, problem, options, nullptr, scale))) << lanes;
    EXPECT_TRUE(same_answer(started, solve_by_lanes(lanes, ++seed, problem, options, serial.basis.data(), scale)));
    EXPECT_TRUE(same_answer(missed, solve_by_lanes(lanes, ++seed, problem, options, spoiled.data(), scale)));
  }
}

TEST(Teams, AgreeOnContacts) {
  ContactLcpGenerator generator(11);
  for (const LcpSize size : contact_lcp_sizes) {
    for (const ContactScene scene : contact_scenes) {
      for (int sample = 0; sample < (size.n() < 20 ? 4 : 1); ++sample) {
        const ContactLcp lcp = generator.make(size, scene);
        SCOPED_TRACE(testing::Message() << size.contacts << " x " << size.directions << " scene " << int(scene));
        expect_same_for_all_teams({lcp.n(), lcp.M, lcp.q}, lcp.scale);
      }
    }
  }
}

// Small integers: ties and singular submatrices at every turn, rays among the ends.
TEST(Teams, AgreeOnDegenerateProblems) {
  std::mt19937 random(5);
  int rays = 0;
  for (int sample = 0; sample < 200; ++sample) {
    const int n = 1 + sample % 14;
    LcpProblem problem{n, std::vector<double>(n * n), std::vector<double>(n)};
    for (double& m : problem.M) m = int(random() % 5) - 2;
    for (double& q : problem.q) q = int(random() % 4) - 2;
    SCOPED_TRACE(testing::Message() << "sample " << sample);
    expect_same_for_all_teams(problem);
    rays += solve_serially(problem).result.status == LcpStatus::ray;
  }
  EXPECT_GT(rays, 10);
}

// Lanes that compared what overflows could each come to an end of their own, and wait for each other for ever.
TEST(Teams, AgreeWhereTheDictionaryOverflows) {
  std::mt19937 random(2);
  int overflows = 0;
  for (int sample = 0; sample < 60; ++sample) {
    const LcpProblem problem = overflowing_problem(random, 8 + sample % 5);
    SCOPED_TRACE(testing::Message() << "sample " << sample);
    const std::vector<double> unscaled(problem.q.size(), 1);
    expect_same_for_all_teams(problem, unscaled);
    expect_same_for_all_teams(problem);
    overflows += solve_serially(problem, {}, nullptr, unscaled).result.status == LcpStatus::uncertified;
  }
  EXPECT_GT(overflows, 5);
}

TEST(Teams, AgreeOnEveryKindOfEnd) {
  const double nan = canonical_nan();
  expect_same_for_all_teams({0, {}, {}});
  expect_same_for_all_teams({1, {nan}, {-1}}, {1});
  expect_same_for_all_teams({2, {1, 2, 3, 4}, {nan, -1}}, {1, 1});
  LemkeOptions short_of_pivots;
  short_of_pivots.max_pivots = 2;
  expect_same_for_all_teams({3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}}, {}, short_of_pivots);
  LemkeOptions impossible;
  impossible.certificate_tolerance = -1;
  expect_same_for_all_teams({3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}}, {}, impossible);
}

}  // namespace
}  // namespace jostle
