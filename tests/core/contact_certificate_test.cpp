// The certificate of a contact LCP is the natural residual from velocities and impulses, and no wrong answer passes it.
#include <gtest/gtest.h>

#include "tests/core/mixed_problem.hpp"
#include "tests/support/lcp_solve.hpp"

namespace jostle {
namespace {

/// A problem with its answer, which may be changed.
class SolvedProblem {
 public:
  SolvedProblem(unsigned seed, const ProblemKind& kind)
      : problem_(ProblemGenerator(seed).make(kind)), memory_(problem_), n_(memory_.assemble(SerialTeam{})) {
    LcpMemory lemke(n_);
    const Workspace& work = memory_.work;
    const AssembledLcp lcp(work, memory_.island());
    result = solve_lcp(SerialTeam{}, lcp, work.scale(), lemke.workspace(), LemkeOptions{}, work.z(), [&] {
      recover_velocity();
      return residual();
    });
  }

  void recover_velocity() const { memory_.recover_velocity(); }
  double residual() const { return memory_.residual(); }

  /// max |min(S^-1 z, S w)| / |S q|inf with w of the dense problem.
  double dense_residual() const {
    const DenseProblem dense(problem_);
    const auto betas = dense.D.cols(), normals = dense.n.cols(), lambdas = dense.E.cols();
    const Column velocity = memory_.velocity(), z = memory_.z(), s = memory_.scale(n_);
    Column w(n_);
    w << dense.D.transpose() * velocity + dense.E * z.tail(lambdas) + dense.b_t,
        dense.n.transpose() * velocity + dense.b_n,
        dense.mu * z.segment(betas, normals) - dense.E.transpose() * z.head(betas) + dense.b_c;
    const double worst = z.cwiseQuotient(s).cwiseMin(w.cwiseProduct(s)).cwiseAbs().maxCoeff();
    return worst / s.cwiseProduct(DenseSchur(problem_, dense).q).cwiseAbs().maxCoeff();
  }

  int size() const { return n_; }
  int velocities() const { return problem_.velocities(); }
  LcpVariable::Kind kind(int i) const { return memory_.work.variable(i).kind; }
  double& z(int i) { return memory_.work.z(i); }
  double& velocity(int i) { return memory_.work.next_velocity(i / 6)[i % 6]; }

  LcpResult result;

 private:
  MixedProblem problem_;
  AssemblyMemory memory_;
  int n_;
};

const ProblemKind rough{.joints = 2, .contacts = 3, .frictionless = 1, .joint_frictions = 1};
constexpr int certified_problems = 30;
constexpr double tolerance = 1e-8;

TEST(ContactCertificate, IsTinyForAnswers) {
  for (unsigned seed = 0; seed < certified_problems; ++seed) {
    const SolvedProblem solved(seed, rough);
    ASSERT_EQ(solved.result.status, LcpStatus::solved) << "seed " << seed;
    EXPECT_LE(solved.residual(), 1e-12) << "seed " << seed;
  }
}

TEST(ContactCertificate, IsTheDenseNaturalResidual) {
  ProblemGenerator generator(77);
  for (unsigned seed = 0; seed < certified_problems; ++seed) {
    SolvedProblem solved(seed, rough);
    for (int i = 0; i < solved.size(); ++i) solved.z(i) = std::fabs(solved.z(i) + generator.uniform(-0.5, 0.5));
    for (int k = 0; k < solved.velocities(); ++k) solved.velocity(k) += generator.uniform(-0.5, 0.5);
    const double expected = solved.dense_residual();
    EXPECT_NEAR(solved.residual(), expected, 1e-11 * expected) << "seed " << seed;
  }
}

// Impulses decide velocities. Where an impulse is changed alone, momentum no longer fits it; with the velocity that it
// causes, complementarity does not.
TEST(ContactCertificate, CatchesAChangedImpulse) {
  int changed = 0;
  for (unsigned seed = 0; seed < certified_problems; ++seed) {
    SolvedProblem solved(seed, rough);
    for (int i = 0; i < solved.size(); ++i) {
      if (solved.kind(i) == LcpVariable::Kind::lambda || solved.z(i) < 1e-3) continue;
      SolvedProblem mutant(seed, rough);
      mutant.z(i) *= 1 + 1e-5;
      mutant.recover_velocity();
      EXPECT_GT(mutant.residual(), tolerance) << "seed " << seed << ", variable " << i;
      ++changed;
    }
  }
  EXPECT_GT(changed, certified_problems);
}

TEST(ContactCertificate, CatchesAMissingNormalImpulse) {
  for (unsigned seed = 0; seed < certified_problems; ++seed) {
    SolvedProblem mutant(seed, rough);
    for (int i = 0; i < mutant.size(); ++i) {
      if (mutant.kind(i) != LcpVariable::Kind::normal || mutant.z(i) < 1e-3) continue;
      mutant.z(i) = 0;
      mutant.recover_velocity();
      EXPECT_GT(mutant.residual(), 1e-5) << "seed " << seed;
      break;
    }
  }
}

TEST(ContactCertificate, CatchesANegativeImpulse) {
  SolvedProblem mutant(1, rough);
  for (int i = 0; i < mutant.size(); ++i) {
    const double before = mutant.z(i);
    mutant.z(i) = -1e-3;
    EXPECT_GT(mutant.residual(), 1e-5) << "variable " << i;
    mutant.z(i) = before;
  }
}

TEST(ContactCertificate, CatchesAChangedVelocity) {
  for (unsigned seed = 0; seed < certified_problems; ++seed) {
    SolvedProblem mutant(seed, rough);
    double largest = 0;
    for (int i = 0; i < mutant.size(); ++i) largest = std::max(largest, mutant.z(i));
    if (largest < 1e-3) continue;  // no contact acts: small changes of velocity are free
    for (int k = 0; k < mutant.velocities(); ++k) mutant.velocity(k) += 1e-5;
    EXPECT_GT(mutant.residual(), tolerance) << "seed " << seed;
  }
}

TEST(ContactCertificate, IsNaNForGarbage) {
  SolvedProblem mutant(2, rough);
  mutant.z(0) = canonical_nan();
  EXPECT_TRUE(is_nan(mutant.residual()));
  SolvedProblem other(2, rough);
  other.velocity(3) = canonical_nan();
  EXPECT_TRUE(is_nan(other.residual()));
}

// Masses and impulses in units 2^40 times as small: the same bits, where an SI residual would pass anything.
TEST(ContactCertificate, DoesNotDependOnTheUnitOfMass) {
  MixedProblem heavy = ProblemGenerator(9).make({}), light = heavy;
  constexpr double unit = 0x1p-40;
  light.A *= unit, light.r *= unit;
  double residual[2];
  int k = 0;
  for (const MixedProblem* problem : {&heavy, &light}) {
    const AssemblyMemory memory(*problem);
    const int n = memory.assemble(SerialTeam{});
    for (int i = 0; i < n; ++i) {
      const bool lambda = memory.work.variable(i).kind == LcpVariable::Kind::lambda;
      memory.work.z(i) = lambda || problem == &heavy ? 1 : unit;
    }
    memory.recover_velocity();
    residual[k++] = memory.residual();
  }
  EXPECT_EQ(residual[0], residual[1]);
  EXPECT_GT(residual[0], 1e-3);
}

}  // namespace
}  // namespace jostle
