// Answers by modes where a joint ties the bodies, on LCPs with redundant contacts.
#include <gtest/gtest.h>

#include <numeric>

#include "core/guess/guess.hpp"
#include "tests/core/answer_differences.hpp"

namespace jostle {
namespace {

void add_contact(const Vec3& arm, int body, double friction, MixedProblem& problem) {
  const int first = static_cast<int>(problem.rows.size()), tangents = directions / 2;
  problem.blocks.push_back({first, first + 1, tangents, true, friction, 0});
  for (int i = 0; i <= tangents; ++i) {
    const double angle = (i - 1) * 2 * 3.14159265358979323846 / directions;
    const Vec3 d = i == 0 ? Vec3(0, 0, 1) : Vec3(std::cos(angle), std::sin(angle), 0);
    const Vec3 turn = cross(arm, d);
    problem.rows.push_back({{body, no_body}, {{{d[0], d[1], d[2], turn[0], turn[1], turn[2]}}, {}}});
  }
}

/// A row that keeps two bodies together along d at a point between them, or in their turning about d.
ConstraintRow hinge_row(const Vec3& d, bool turns) {
  const Vec3 none = Vec3::Zero(), a = turns ? d : cross(Vec3(0.06, 0, 0), d),
             b = turns ? d : cross(Vec3(-0.06, 0, 0), d);
  const Vec3 v = turns ? none : d;
  return {{0, 1}, {{{-v[0], -v[1], -v[2], -a[0], -a[1], -a[2]}}, {{v[0], v[1], v[2], b[0], b[1], b[2]}}}};
}

Dense dense_rows(const std::vector<ConstraintRow>& rows) {
  Dense J = Dense::Zero(static_cast<int>(rows.size()), 12);
  for (int r = 0; r < J.rows(); ++r) {
    const ConstraintRow& row = rows[static_cast<std::size_t>(r)];
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
      for (int k = 0; k < 6; ++k) J(r, 6 * row.body[side] + k) = row.entry[side][k];
  }
  return J;
}

/// Two plates with corners on a plane, tied by a hinge along x with friction: its block is the last.
MixedProblem tied_plates(ProblemGenerator& random) {
  MixedProblem problem;
  Column mass(12);
  for (int k = 0; k < 12; ++k) mass[k] = k % 6 < 3 ? 1.0 : random.uniform(0.002, 0.01);
  problem.A = mass.asDiagonal();
  problem.r = Column(12);
  for (int k = 0; k < 12; ++k) problem.r[k] = mass[k] * random.uniform(-1, 1) * (k % 6 < 3 ? 1 : 6);
  const double friction = random.uniform(0.05, 0.8);
  for (int body = 0; body < 2; ++body) {
    problem.r[6 * body + 2] = -0.05 - random.uniform(0, 1);
    for (int c = 0; c < 4; ++c)
      add_contact(Vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), -0.03), body, friction, problem);
  }
  problem.blocks.push_back({-1, static_cast<int>(problem.rows.size()), 1, true, 0, random.uniform(0, 0.02)});
  const Vec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  problem.rows.push_back(hinge_row(x, true));
  for (const Vec3& d : {x, y, z}) problem.joints.push_back(hinge_row(d, false));
  for (const Vec3& d : {y, z}) problem.joints.push_back(hinge_row(d, true));
  problem.N = dense_rows(problem.joints).transpose();
  problem.s = Column::Zero(problem.N.cols());
  problem.J = dense_rows(problem.rows);
  problem.bias = Column::Zero(problem.J.rows());
  return problem;
}

constexpr int contacts = 8;

/// A number for the order of the contacts.
std::vector<int> order_of(int p) {
  std::vector<int> order(contacts);
  std::iota(order.begin(), order.end(), 0);
  if (p < 0) return order;
  std::rotate(order.begin(), order.begin() + 1 + p % 5, order.end());
  std::swap(order[0], order[2]);
  return order;
}

/// With the contacts in another order.
MixedProblem relabelled(const MixedProblem& problem, const std::vector<int>& order) {
  MixedProblem other = problem;
  const int rows = 1 + directions / 2;
  for (int c = 0; c < contacts; ++c) {
    const int from = order[static_cast<std::size_t>(c)];
    for (int i = 0; i < rows; ++i)
      other.rows[static_cast<std::size_t>(c * rows + i)] = problem.rows[static_cast<std::size_t>(from * rows + i)];
  }
  other.J = dense_rows(other.rows);
  return other;
}

/// The answer to a problem with its contacts in this order, as one to the problem.
Column in_first_order(const Column& z, const std::vector<int>& order) {
  constexpr int normals = contacts * directions + 2, lambdas = normals + contacts;
  Column original = z;
  for (int c = 0; c < contacts; ++c) {
    const int to = order[static_cast<std::size_t>(c)];
    original.segment(to * directions, directions) = z.segment(c * directions, directions);
    for (const int first : {normals, lambdas}) original[first + to] = z[first + c];
  }
  return original;
}

/// A joint of the answers keeps the plates together.
double opening(const MixedProblem& problem, const Solved& found) {
  return (problem.N.transpose() * found.velocity).cwiseAbs().maxCoeff();
}

/// Answers to the same problems by modes and, with the contacts in the order that belongs to `order`(p), by `solver`.
Differences compare(unsigned seed, Solver solver, auto order_for) {
  ProblemGenerator random(seed);
  Differences found;
  for (int p = 0; p < 1000; ++p) {
    SCOPED_TRACE(p);
    const MixedProblem problem = tied_plates(random);
    const std::vector<int> order = order_for(p);
    const Solved first = solved(problem, directions, Solver::guess_first);
    const Solved second = solved(relabelled(problem, order), directions, solver);
    EXPECT_EQ(first.result.status, Status::ok);
    EXPECT_EQ(second.result.status, Status::ok);
    EXPECT_EQ(first.result.vertex + second.result.vertex, 0);
    EXPECT_LE(first.result.residual, 1e-12);
    EXPECT_LE(opening(problem, first), 1e-12);
    if (!(difference(first, second) <= 1e-9)) add_difference(problem, first, in_first_order(second.z, order), found);
  }
  return found;
}

void expect_few(const Differences& found, int separate, int one_family) {
  testing::Test::RecordProperty("separate answers", found.separate);
  testing::Test::RecordProperty("answers of one family", found.one_family);
  EXPECT_LE(found.separate, separate);
  EXPECT_LE(found.one_family, one_family);
}

// Friction allows some problems separate answers, and families without a single answer of least norm, as it does
// without joints; two plates have more of both than one.
TEST(CoupledGuess, DoesNotDependOnTheOrderOfRedundantContacts) {
  expect_few(compare(15, Solver::guess_first, order_of), 9, 16);
}

// Eight seeds have 0 or 1 and 0 to 3 of these (before modes were followed where contacts contradict each other 0 to 3
// and 1 to 4). The order in which a compiler calls the generator makes other problems of a seed.
TEST(CoupledGuess, AgreesWithLemke) {
  expect_few(compare(16, Solver::lemke, [](int) { return order_of(-1); }), 3, 4);
}

TEST(CoupledGuess, StartsFromAnyModes) {
  ProblemGenerator random(18);
  for (int p = 0; p < 100; ++p) {
    MixedProblem problem = tied_plates(random);
    for (std::size_t c = 0; c + 1 < problem.blocks.size(); ++c)
      problem.blocks[c].tangents = 0, problem.blocks[c].friction = 0;
    const Solved sticks = solved(problem, directions, Solver::guess_first);
    const Solved slips = solved(problem, directions, Solver::guess_first, Mode{Mode::Kind::slip, 1});
    ASSERT_EQ(slips.result.status, Status::ok) << p;
    EXPECT_LE(slips.result.residual, 1e-12) << p;
    EXPECT_LE(difference(sticks, slips), 1e-9) << p;  // without friction of contacts v is unique
    EXPECT_EQ(slips.result.guessed + slips.result.corrected + slips.result.pivoted, 1);
  }
}

// The impulse of friction in the hinge: within its bound where the hinge stands, at it where it turns.
TEST(CoupledGuess, FrictionOfTheHingeObeysItsBound) {
  ProblemGenerator random(19);
  int turns = 0, stands = 0;
  for (int p = 0; p < 200; ++p) {
    const MixedProblem problem = tied_plates(random);
    const Solved found = solved(problem, directions, Solver::guess_first);
    ASSERT_EQ(found.result.status, Status::ok) << p;
    const double speed = problem.J.row(problem.J.rows() - 1).dot(found.velocity);
    const int at = 2 * directions / 2 * 8;  // beta of the hinge, after those of eight contacts
    const double impulse = found.z[at] - found.z[at + 1], bound = problem.blocks.back().bound;
    if (std::fabs(speed) > 1e-9) {
      ++turns;
      EXPECT_NEAR(impulse, speed < 0 ? bound : -bound, 1e-12) << p;
    } else {
      ++stands;
      EXPECT_LE(std::fabs(impulse), bound + 1e-12) << p;
    }
  }
  EXPECT_GT(turns, 20);
  EXPECT_GT(stands, 20);
}

}  // namespace
}  // namespace jostle
