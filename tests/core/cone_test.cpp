// The circular friction cone, on random problems against their whole matrices.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numbers>

#include "core/stages/solve.hpp"
#include "emulation/emulated_team.hpp"
#include "tests/core/mixed_problem.hpp"

namespace jostle {
namespace {

Vec3 random_vector(ProblemGenerator& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// Rows of a contact between a body and another one, or what stands still.
void add_contact(ProblemGenerator& random, MixedProblem& problem, int body, int other, const Vec3& n, double friction) {
  const Vec3 t1 = Vec3(cross(n, Vec3(0.6, -0.48, 0.64))).normalized(), t2 = cross(n, t1);
  const Vec3 arms[2] = {0.1 * random_vector(random), 0.1 * random_vector(random)};
  const int first = static_cast<int>(problem.rows.size()), tangents = friction > 0 ? directions / 2 : 0;
  problem.blocks.push_back({first, first + 1, tangents, true, friction, 0});
  for (int i = 0; i <= directions / 2; ++i) {
    const double angle = (i - 1) * 2 * std::numbers::pi / directions;
    const Vec3 d = i == 0 ? n : Vec3(std::cos(angle) * t1 + std::sin(angle) * t2);
    ConstraintRow row{{std::min(body, other), std::max(body, other)}, {}};
    if (other == no_body) row.body[0] = body, row.body[1] = no_body;
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
      const double sign = row.body[side] == body ? 1 : -1;
      const Vec3 turn = cross(arms[side], d);
      for (int k = 0; k < 3; ++k) row.entry[side][k] = sign * d[k], row.entry[side][3 + k] = sign * turn[k];
    }
    problem.rows.push_back(row);
  }
}

/// Bodies with `groups` of up to four contacts, all of a group with the same normal, as of faces on each other.
MixedProblem bodies_with_contacts(ProblemGenerator& random, int bodies, int groups) {
  MixedProblem problem;
  Column mass(6 * bodies);
  for (int i = 0; i < 6 * bodies; ++i)
    mass[i] = i % 6 == 0 ? std::exp(random.uniform(-1, 1)) : i % 6 < 3 ? mass[i - 1] : random.uniform(0.002, 0.01);
  problem.A = mass.asDiagonal();
  problem.N = Dense(6 * bodies, 0), problem.s = Column(0);
  problem.r = Column(6 * bodies);
  for (int i = 0; i < 6 * bodies; ++i) problem.r[i] = mass[i] * random.uniform(-1, 1) * (i % 6 < 3 ? 1 : 6);
  for (int g = 0; g < groups; ++g) {
    const int body = static_cast<int>(random.uniform(0, bodies - 1e-9));
    int other = static_cast<int>(random.uniform(0, bodies + 1 - 1e-9));
    if (other == body || other == bodies) other = no_body;
    const Vec3 n = random_vector(random).normalized();
    const double friction = g % 5 == 4 ? 0 : random.uniform(0.05, 1);
    const int count = 1 + static_cast<int>(random.uniform(0, 3.99));
    for (int c = 0; c < count; ++c) add_contact(random, problem, body, other, n, friction);
  }
  const int rows = static_cast<int>(problem.rows.size());
  problem.bias = Column::Zero(rows);
  for (const Block& block : problem.blocks) problem.bias[block.normal] = std::max(0.0, random.uniform(-0.2, 0.2));
  problem.J = Dense::Zero(rows, 6 * bodies);
  for (int r = 0; r < rows; ++r) {
    const ConstraintRow& row = problem.rows[static_cast<std::size_t>(r)];
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
      for (int k = 0; k < 6; ++k) problem.J(r, 6 * row.body[side] + k) = row.entry[side][k];
  }
  return problem;
}

struct Solution {
  StepResult result;
  int steps = 0;  ///< of the last island
  Column impulse, velocity, scale;
};

template <class Team>
Solution solve_circular(const Team& team, const MixedProblem& problem, int k, AssemblyMemory& memory) {
  Model model;
  model.set_directions(k);
  ModelView view = model.view(0);
  view.dimensions = memory.dimensions;
  Solution found;
  if (memory.dimensions.is_coupled())
    solve(team, memory.lcp, view, memory.work, NoClock{}, found.result);
  else
    solve(team, memory.lcp, view, memory.work.template as<UncoupledPart<AllSystems>>(), NoClock{}, found.result);
  found.steps = memory.work.cone_steps();
  found.impulse = memory.impulse(), found.velocity = memory.velocity();
  found.scale = Column(problem.blocks.size());
  for (int c = 0; c < memory.lcp.blocks; ++c) found.scale[c] = memory.work.block_scale(c);
  return found;
}

/// A workspace with the modes that a step begins with.
std::unique_ptr<AssemblyMemory> memory_of(const MixedProblem& problem, int k) {
  auto memory =
      std::make_unique<AssemblyMemory>(problem, 0, k, 1 + std::max(problem.lcp().rows, problem.lcp().blocks), true);
  for (int i = 0; i < problem.velocities() && !memory->dimensions.is_coupled(); ++i)
    memory->work.root_inv_mass(i / 6)[i % 6] = std::sqrt(memory->work.inv_mass(i / 6)[i % 6]);
  for (int c = 0; c < memory->lcp.blocks; ++c) memory->work.mode(c) = {Mode::Kind::stick, 0};
  return memory;
}

/// max |x - proj(x - w)| / |q'|inf, from the whole matrices.
double residual_of(const MixedProblem& problem, const Solution& found) {
  const DenseSchur dense(problem);
  const Column speed = problem.J * (dense.v0 + dense.P * problem.J.transpose() * found.impulse) + problem.bias;
  const Column constant = problem.J * dense.v0 + problem.bias;
  double worst = 0, size = 0;
  for (std::size_t c = 0; c < problem.blocks.size(); ++c) {
    const Block& block = problem.blocks[c];
    const double s = found.scale[static_cast<int>(c)];
    double radius = block.bound / s;
    if (block.lambdas() > 0) size = std::max(size, radius);
    if (block.normal >= 0) {
      const double x = found.impulse[block.normal] / s;
      worst = std::max(worst, std::fabs(std::min(x, s * speed[block.normal])));
      radius += block.friction * std::max(x, 0.0);
      size = std::max(size, std::fabs(s * constant[block.normal]));
    }
    if (block.tangents == 0) continue;
    Eigen::Vector2d x = Eigen::Vector2d::Zero(), w = x;
    for (int i = 0; i < std::min(block.tangents, 2); ++i) {
      const int row = block.tangent + i * block.tangents / 2;
      x[i] = found.impulse[row] / s, w[i] = s * speed[row];
    }
    for (int i = 0; i < block.tangents; ++i) size = std::max(size, std::fabs(s * constant[block.tangent + i]));
    const Eigen::Vector2d to = x - w;
    const Eigen::Vector2d projected = to.norm() <= radius ? to : Eigen::Vector2d(radius / to.norm() * to);
    worst = std::max(worst, (x - projected).cwiseAbs().maxCoeff());
  }
  return worst / size;
}

class CircularCones : public testing::TestWithParam<const char*> {
 protected:
  static constexpr int problems = 400;
  static int k() { return is("Joints") ? 4 : directions; }
  static bool is(const std::string& name) { return name == GetParam(); }

  static MixedProblem make(ProblemGenerator& random) {
    if (is("OneBody")) return bodies_with_contacts(random, 1, 1 + static_cast<int>(random.uniform(0, 2.99)));
    if (is("ThreeBodies")) return bodies_with_contacts(random, 3, 4);
    if (is("FiveBodies")) return bodies_with_contacts(random, 5, 7);
    return random.make({.bodies = 3,
                        .joints = 3,
                        .redundant_joints = 1,
                        .contacts = 3,
                        .frictionless = 1,
                        .limits = 1,
                        .tangents = 2,
                        .joint_frictions = 1});
  }
};
INSTANTIATE_TEST_SUITE_P(Problems, CircularCones, testing::Values("OneBody", "ThreeBodies", "FiveBodies", "Joints"),
                         [](const auto& kind) { return kind.param; });

TEST_P(CircularCones, HaveAnAnswer) {
  ProblemGenerator random(11);
  std::vector<int> steps;
  double worst = 0;
  for (int p = 0; p < problems; ++p) {
    SCOPED_TRACE(p);
    const MixedProblem problem = make(random);
    const auto memory = memory_of(problem, k());
    const Solution found = solve_circular(SerialTeam{}, problem, k(), *memory);
    ASSERT_EQ(found.result.status, Status::ok);
    EXPECT_LE(found.result.residual, cone_tolerance);
    EXPECT_LE(residual_of(problem, found), 2 * cone_tolerance);
    worst = std::max(worst, found.result.residual);
    steps.push_back(found.steps);
  }
  std::sort(steps.begin(), steps.end());
  RecordProperty("median_steps", steps[problems / 2]);
  RecordProperty("most_steps", steps.back());
  std::printf("%s: steps median %d, 99 %% %d, most %d; residual %.1e\n", GetParam(), steps[problems / 2],
              steps[problems * 99 / 100], steps.back(), worst);
  EXPECT_LE(steps[problems / 2], 5);
}

TEST_P(CircularCones, HaveTheSameBitsForEveryTeam) {
  ProblemGenerator random(12);
  for (int p = 0; p < 6; ++p) {
    const MixedProblem problem = make(random);
    const auto memory = memory_of(problem, k());
    const Solution serial = solve_circular(SerialTeam{}, problem, k(), *memory);
    for (const int lanes : {2, 5, 32}) {
      const auto of_team = memory_of(problem, k());
      std::map<int, Solution> found;
      run_on_emulated_team(lanes, static_cast<unsigned>(lanes + p), [&](const EmulatedTeam& team) {
        const Solution own = solve_circular(team, problem, k(), *of_team);
        team.once([&] { found[lanes] = own; });
      });
      EXPECT_EQ(found[lanes].impulse, serial.impulse) << p << " by " << lanes;
      EXPECT_EQ(found[lanes].velocity, serial.velocity) << p << " by " << lanes;
      EXPECT_EQ(found[lanes].result.residual, serial.result.residual);
    }
  }
}

// A particle that slides in direction 0.3: friction of mu c_n exactly against it.
TEST(CircularCone, PullsAgainstTheSlip) {
  MixedProblem problem;
  problem.A = Dense::Identity(6, 6);
  problem.N = Dense(6, 0), problem.s = Column(0);
  problem.r = Column::Zero(6);
  problem.r[2] = -1, problem.r[0] = 2 * std::cos(0.3), problem.r[1] = 2 * std::sin(0.3);
  problem.blocks.push_back({0, 1, 4, true, 0.25, 0});
  problem.J = Dense::Zero(5, 6);
  for (int i = 0; i < 5; ++i) {
    const double angle = (i - 1) * std::numbers::pi / 4;
    const Vec3 d = i == 0 ? Vec3(0, 0, 1) : Vec3(std::cos(angle), std::sin(angle), 0);
    problem.rows.push_back({{0, no_body}, {{{d[0], d[1], d[2], 0, 0, 0}}, {}}});
    for (int k = 0; k < 3; ++k) problem.J(i, k) = d[k];
  }
  problem.bias = Column::Zero(5);
  const auto memory = memory_of(problem, directions);
  const Solution found = solve_circular(SerialTeam{}, problem, directions, *memory);
  EXPECT_NEAR(found.impulse[0], 1, 1e-14);
  EXPECT_NEAR(found.impulse[1], -0.25 * std::cos(0.3), 1e-14);
  EXPECT_NEAR(found.impulse[3], -0.25 * std::sin(0.3), 1e-14);
  EXPECT_EQ(found.impulse[2], 0);
  EXPECT_NEAR(found.velocity[0], 1.75 * std::cos(0.3), 1e-14);
  EXPECT_EQ(found.result.status, Status::ok);
}

}  // namespace
}  // namespace jostle
