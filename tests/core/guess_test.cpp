// Answers by modes, on LCPs with redundant contacts.
#include "core/guess/guess.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/core/answer_differences.hpp"

namespace jostle {
namespace {

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
  const int rows = static_cast<int>(problem.rows.size());
  problem.bias = Column::Zero(rows);
  problem.J = Dense(rows, 6);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < 6; ++k) problem.J(r, k) = problem.rows[static_cast<std::size_t>(r)].entry[0][k];
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

/// The answer to a problem whose contacts were put in order, as one to the problem.
Column in_original_order(const Column& z, const std::vector<int>& order) {
  const int contacts = static_cast<int>(order.size()), normals = contacts * directions;
  Column original(z.size());
  for (int c = 0; c < contacts; ++c) {
    const int to = order[static_cast<std::size_t>(c)];
    original.segment(to * directions, directions) = z.segment(c * directions, directions);
    for (const int kind : {0, 1}) original[normals + kind * contacts + to] = z[normals + kind * contacts + c];
  }
  return original;
}

// Friction allows some problems separate answers, of which another order may find another one. Of a family the modes
// that are found first can leave out a contact that touches without an impulse, and with it the answer of least norm;
// with friction, proximal points may converge to another answer of the family. Both are as rare as basic solutions
// were.
TEST(Guess, DoesNotDependOnTheOrderOfRedundantContacts) {
  ProblemGenerator random(5);
  constexpr int problems = 1000;
  int vertices = 0;
  Differences found;
  for (int p = 0; p < problems; ++p) {
    SCOPED_TRACE(p);
    const MixedProblem problem = hyperstatic(random);
    std::vector<int> order(problem.blocks.size());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + 1 + p % 3, order.end());
    std::swap(order[0], order[2]);
    const Solved first = solved(problem, directions, Solver::guess_first);
    const Solved second = solved(with_contacts_in_order(problem, order), directions, Solver::guess_first);
    ASSERT_EQ(first.result.status, Status::ok);
    ASSERT_EQ(second.result.status, Status::ok);
    if (first.result.vertex + second.result.vertex > 0) {
      ++vertices;
      continue;
    }
    EXPECT_LE(first.result.residual, 1e-12);
    if (!(difference(first, second) <= 1e-9)) add_difference(problem, first, in_original_order(second.z, order), found);
  }
  RecordProperty("vertices", vertices);
  RecordProperty("separate answers", found.separate);
  RecordProperty("answers of one family", found.one_family);
  EXPECT_LE(vertices + found.one_family, 12);
  EXPECT_LE(found.separate, 2);
  EXPECT_LE(found.one_family, 3);
}

TEST(Guess, AgreesWithLemke) {
  ProblemGenerator random(6);
  constexpr int problems = 1000;
  Differences found;
  for (int p = 0; p < problems; ++p) {
    SCOPED_TRACE(p);
    const MixedProblem problem = hyperstatic(random);
    const Solved guess = solved(problem, directions, Solver::guess_first);
    const Solved lemke = solved(problem, directions, Solver::lemke);
    ASSERT_EQ(guess.result.status, Status::ok);
    ASSERT_EQ(lemke.result.status, Status::ok);
    if (guess.result.vertex + lemke.result.vertex > 0) continue;
    if (!(difference(guess, lemke) <= 1e-9)) add_difference(problem, guess, lemke.z, found);
  }
  RecordProperty("separate answers", found.separate);
  RecordProperty("answers of one family", found.one_family);
  EXPECT_EQ(found.separate, 0);
  EXPECT_EQ(found.one_family, 0);
}

// Four corners of a face whose gaps differ by a millionth of a millionth of the speeds in play or some thousand times
// as much: all of them closed is no answer, and the proximal points go on along a way on which the impulses of some
// corners shrink. Without friction v is unique.
TEST(Guess, FollowsContactsThatContradictEachOther) {
  ProblemGenerator random(9);
  for (int p = 0; p < 200; ++p) {
    SCOPED_TRACE(p);
    MixedProblem problem = hyperstatic(random);
    problem.r.setZero();
    problem.r[2] = -0.1;
    problem.r[3] = random.uniform(-0.002, 0.002), problem.r[4] = random.uniform(-0.002, 0.002);
    problem.rows.clear(), problem.blocks.clear();
    for (const auto& [x, y] : {std::pair(0.1, 0.1), {-0.1, 0.1}, {0.1, -0.1}, {-0.1, -0.1}}) {
      problem.blocks.push_back({static_cast<int>(problem.rows.size()), 0, 0, true, 0, 0});
      problem.rows.push_back({{0, no_body}, {{{0, 0, 1, y, -x, 0}}, {}}});
    }
    problem.bias = Column(4), problem.J = Dense(4, 6);
    const double size = std::pow(10, random.uniform(-11, -8));
    for (int r = 0; r < 4; ++r) {
      problem.bias[r] = size * random.uniform(-1, 1);
      for (int k = 0; k < 6; ++k) problem.J(r, k) = problem.rows[static_cast<std::size_t>(r)].entry[0][k];
    }
    const Solved guess = solved(problem, directions, Solver::guess_first);
    const Solved lemke = solved(problem, directions, Solver::lemke);
    ASSERT_EQ(guess.result.status, Status::ok);
    EXPECT_EQ(guess.result.pivoted, 0);
    EXPECT_LE(guess.result.residual, 1e-12);
    EXPECT_LE(difference(guess, lemke), 1e-9);
  }
}

TEST(Guess, CountsEveryLcpOnce) {
  ProblemGenerator random(7);
  for (int p = 0; p < 100; ++p) {
    const Solved found = solved(hyperstatic(random), directions, Solver::guess_first);
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
    const Solved sticks = solved(problem, directions, Solver::guess_first);
    const Solved open = solved(problem, directions, Solver::guess_first, Mode{Mode::Kind::open, 0});
    ASSERT_EQ(open.result.status, Status::ok) << p;
    EXPECT_LE(open.result.residual, 1e-12) << p;
    if (p % 2 == 0) {
      EXPECT_EQ(open.result.vertex, 0) << p;
      EXPECT_LE(difference(sticks, open), 1e-9) << p;  // without friction v is unique
    }
  }
}

TEST(KeptMode, HoldsTheWholeNumberOfItsFeaturePair) {
  const Mode mode{Mode::Kind::between, 63};
  for (const int feature : {0, 255, 256, 70000}) {
    EXPECT_EQ(KeptMode::of(feature, mode).feature(), feature);
    EXPECT_FALSE(KeptMode::of(feature, {}).is_none());
    EXPECT_FALSE(KeptMode::of(feature, mode) == KeptMode::of(feature + 256, mode));
  }
  EXPECT_TRUE(KeptMode().is_none());
}

}  // namespace
}  // namespace jostle
