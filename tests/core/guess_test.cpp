// Answers by modes, on LCPs with redundant contacts.
#include "core/guess/guess.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/stages/solve.hpp"
#include "tests/core/mixed_problem.hpp"

namespace jostle {
namespace {

constexpr int directions = 8;

/// A free body with corners on a plane: more contacts than its motion can tell apart.
MixedProblem hyperstatic(ProblemGenerator& random) {
  MixedProblem problem;
  Column mass(6);
  for (int k = 0; k < 6; ++k) mass[k] = k < 3 ? 1.0 : random.uniform(0.002, 0.01);
  problem.A = mass.asDiagonal();
  problem.N = Dense(6, 0), problem.s = Column(0);
  problem.r = Column(6);
  for (int k = 0; k < 6; ++k) problem.r[k] = mass[k] * random.uniform(-1, 1) * (k < 3 ? 1 : 6);
  problem.r[2] = -0.05 - random.uniform(0, 1);
  const int contacts = 4 + static_cast<int>(random.uniform(0, 4.99));
  const int tangents = directions / 2;
  const double friction = random.uniform(0.05, 0.8);
  for (int c = 0; c < contacts; ++c) {
    const Vec3 arm(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), -0.03);
    const int first = static_cast<int>(problem.rows.size());
    problem.blocks.push_back({first, first + 1, tangents, true, friction, 0});
    for (int i = 0; i <= tangents; ++i) {
      const double angle = (i - 1) * 2 * 3.14159265358979323846 / directions;
      const Vec3 d = i == 0 ? Vec3(0, 0, 1) : Vec3(std::cos(angle), std::sin(angle), 0);
      const Vec3 turn = cross(arm, d);
      problem.rows.push_back({{0, no_body}, {{{d[0], d[1], d[2], turn[0], turn[1], turn[2]}}, {}}});
    }
  }
  problem.bias = Column::Zero(static_cast<int>(problem.rows.size()));
  return problem;
}

MixedProblem with_contacts_in_order(const MixedProblem& problem, const std::vector<int>& order) {
  MixedProblem other = problem;
  const int rows = 1 + directions / 2;
  for (std::size_t c = 0; c < order.size(); ++c)
    for (int i = 0; i < rows; ++i)
      other.rows[c * rows + static_cast<std::size_t>(i)] = problem.rows[static_cast<std::size_t>(order[c] * rows + i)];
  return other;
}

struct Solved {
  StepResult result;
  Vec6 velocity;
};

/// By the stage `solve`, from one mode for all contacts.
Solved solved(const MixedProblem& problem, Solver solver, Mode mode = {Mode::Kind::stick, 0}) {
  Model model;
  model.set_directions(directions);
  model.solver = solver;
  const bool all_free[6] = {true, true, true, true, true, true};
  model.add_body(false, all_free);
  const AssemblyMemoryOf<1> memory(problem);
  ModelView view = model.view(memory.dimensions.contacts);
  for (int k = 0; k < 6; ++k) memory.work.root_inv_mass(0)[k] = std::sqrt(memory.work.inv_mass(0)[k]);
  for (int c = 0; c < memory.lcp.blocks; ++c) memory.work.mode(c) = mode;
  Solved found;
  const auto hold = [](const Island&) { return false; };
  solve<false>(SerialTeam{}, memory.lcp, view, memory.work, NoClock{}, hold, found.result);
  found.velocity = memory.work.next_velocity(0);
  return found;
}

double difference(const Solved& a, const Solved& b) {
  double largest = 0;
  for (int k = 0; k < 6; ++k) largest = std::max(largest, std::abs(a.velocity[k] - b.velocity[k]));
  return largest;
}

// Friction allows some problems separate answers, of which another order may find another one.
TEST(Guess, DoesNotDependOnTheOrderOfRedundantContacts) {
  ProblemGenerator random(5);
  constexpr int problems = 1000;
  int vertices = 0, separate = 0;
  for (int p = 0; p < problems; ++p) {
    const MixedProblem problem = hyperstatic(random);
    std::vector<int> order(problem.blocks.size());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + 1 + p % 3, order.end());
    std::swap(order[0], order[2]);
    const Solved first = solved(problem, Solver::guess_first);
    const Solved second = solved(with_contacts_in_order(problem, order), Solver::guess_first);
    ASSERT_EQ(first.result.status, Status::ok) << p;
    ASSERT_EQ(second.result.status, Status::ok) << p;
    if (first.result.vertex + second.result.vertex > 0) {
      ++vertices;
      continue;
    }
    EXPECT_LE(first.result.residual, 1e-12) << p;
    separate += !(difference(first, second) <= 1e-9);
  }
  RecordProperty("vertices", vertices);
  RecordProperty("separate answers", separate);
  EXPECT_LE(vertices, problems / 50);
  EXPECT_LE(separate, problems / 50);
}

TEST(Guess, AgreesWithLemke) {
  ProblemGenerator random(6);
  constexpr int problems = 1000;
  int separate = 0;
  for (int p = 0; p < problems; ++p) {
    const MixedProblem problem = hyperstatic(random);
    const Solved guess = solved(problem, Solver::guess_first), lemke = solved(problem, Solver::lemke);
    ASSERT_EQ(guess.result.status, Status::ok) << p;
    ASSERT_EQ(lemke.result.status, Status::ok) << p;
    if (guess.result.vertex + lemke.result.vertex == 0) separate += !(difference(guess, lemke) <= 1e-9);
  }
  RecordProperty("separate answers", separate);
  EXPECT_LE(separate, problems / 40);  // 21
}

TEST(Guess, CountsEveryLcpOnce) {
  ProblemGenerator random(7);
  for (int p = 0; p < 100; ++p) {
    const Solved found = solved(hyperstatic(random), Solver::guess_first);
    EXPECT_EQ(found.result.solves, 1);
    EXPECT_EQ(found.result.guessed + found.result.corrected + found.result.pivoted, 1);
    EXPECT_EQ(found.result.pivots > 0, found.result.pivoted == 1);
  }
}

// Memory that was never written, or by another system, must not matter: it holds NaN at first.
TEST(Guess, StartsFromAnyModes) {
  ProblemGenerator random(8);
  for (int p = 0; p < 100; ++p) {
    MixedProblem problem = hyperstatic(random);
    if (p % 2 == 0)
      for (Block& block : problem.blocks) block.tangents = 0, block.friction = 0;
    const Solved sticks = solved(problem, Solver::guess_first);
    const Solved open = solved(problem, Solver::guess_first, Mode{Mode::Kind::open, 0});
    ASSERT_EQ(open.result.status, Status::ok) << p;
    EXPECT_LE(open.result.residual, 1e-12) << p;
    if (p % 2 == 0) {
      EXPECT_EQ(open.result.vertex, 0) << p;
      EXPECT_LE(difference(sticks, open), 1e-9) << p;  // without friction v is unique
    }
  }
}

TEST(KeptMode, HoldsFeatureKindAndDirection) {
  for (const int feature : {0, 17, 255})
    for (const int direction : {0, 5, 63}) {
      const Mode mode{Mode::Kind::between, static_cast<std::uint8_t>(direction)};
      const KeptMode kept = KeptMode::of(feature, mode);
      EXPECT_EQ(kept.feature(), feature);
      EXPECT_EQ(kept.mode(), mode);
    }
}

}  // namespace
}  // namespace jostle
