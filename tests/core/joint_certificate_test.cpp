// The impulses of joints explain the velocities, and the certificate sees joints that the velocities open.
#include "core/assembly/joint_certificate.hpp"

#include <gtest/gtest.h>

#include "core/stages/solve.hpp"
#include "tests/core/mixed_problem.hpp"

namespace jostle {
namespace {

constexpr int problems = 20;

StepResult solve_coupled(const AssemblyMemory& memory) {
  ModelView model;
  model.dimensions = memory.dimensions;
  model.multipliers = Multipliers::vertex;
  StepResult result;
  solve(SerialTeam{}, memory.lcp, model, memory.work, NoClock{}, result);
  write_joint_impulses(SerialTeam{}, memory.dimensions, memory.lcp, memory.work);
  return result;
}

double certificate(const AssemblyMemory& memory) {
  return certify_joints(SerialTeam{}, memory.dimensions, 0, LemkeOptions{}, memory.work);
}

class JointCertificates : public testing::TestWithParam<ProblemKind> {};

TEST_P(JointCertificates, ImpulsesExplainTheVelocities) {
  for (unsigned seed = 0; seed < problems; ++seed) {
    const MixedProblem problem = ProblemGenerator(seed).make(GetParam());
    const AssemblyMemory memory(problem);
    ASSERT_EQ(solve_coupled(memory).status, Status::ok) << "seed " << seed;
    Column c(memory.lcp.joints);
    for (int j = 0; j < memory.lcp.joints; ++j) c[j] = memory.work.joint_impulse(j);
    Column rest = problem.A * memory.velocity() - problem.r - problem.N * c;
    if (!problem.rows.empty()) rest -= problem.J.transpose() * memory.impulse();
    EXPECT_LE(rest.cwiseAbs().maxCoeff(), 1e-9 * (1 + c.cwiseAbs().maxCoeff())) << "seed " << seed;
    EXPECT_LE(certificate(memory), 1e-12) << "seed " << seed;
  }
}

TEST_P(JointCertificates, ThatVelocitiesOpenAreSeen) {
  ProblemGenerator generator(7);
  for (unsigned seed = 0; seed < problems; ++seed) {
    const AssemblyMemory memory(ProblemGenerator(seed).make(GetParam()));
    ASSERT_EQ(solve_coupled(memory).status, Status::ok) << "seed " << seed;
    for (int i = 0; i < memory.dimensions.velocities(); ++i)
      memory.work.next_velocity(i / 6)[i % 6] += generator.uniform(-1e-5, 1e-5);
    EXPECT_GT(certificate(memory), 1e-8) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, JointCertificates,
                         testing::Values(ProblemKind{.joints = 3, .contacts = 0}, ProblemKind{.joints = 3},
                                         ProblemKind{.joints = 3, .redundant_joints = 2},
                                         ProblemKind{.full_matrix = true, .joints = 2, .joint_frictions = 2}),
                         [](const auto& kind) { return "Kind" + std::to_string(kind.index); });

// Redundant rows that contradict the others are left out by the elimination, but not by the certificate.
TEST(RedundantJoints, ThatContradictAreSeen) {
  const ProblemKind kind{.joints = 3, .redundant_joints = 2};
  for (unsigned seed = 0; seed < problems; ++seed) {
    for (int row = 0; row < 5; ++row) {
      if (row == 2) continue;  // no other row says the same
      MixedProblem problem = ProblemGenerator(seed).make(kind);
      problem.s[row] += 1e-5;
      const AssemblyMemory memory(problem);
      ASSERT_EQ(solve_coupled(memory).status, Status::ok);
      EXPECT_EQ(memory.work.joint_rank(), 3);
      EXPECT_GT(certificate(memory), 1e-8) << "seed " << seed << ", row " << row;
    }
  }
}

TEST(JointCertificate, IsIndependentOfUnits) {
  const MixedProblem problem = ProblemGenerator(3).make({.joints = 3});
  MixedProblem small = problem;
  small.A *= 0x1p-30, small.r *= 0x1p-30;
  small.s[0] += 1e-4;
  MixedProblem large = problem;
  large.s[0] += 1e-4;
  const AssemblyMemory one(small), other(large);
  ASSERT_EQ(solve_coupled(one).status, Status::ok);
  ASSERT_EQ(solve_coupled(other).status, Status::ok);
  one.work.next_velocity(0)[0] += 1e-3, other.work.next_velocity(0)[0] += 1e-3;
  EXPECT_EQ(certificate(one), certificate(other));
}

}  // namespace
}  // namespace jostle
