// The Schur complement and the answer that it leads to, against dense algebra that shares no code with it.
#include <gtest/gtest.h>

#include "emulation/emulated_team.hpp"
#include "tests/core/mixed_problem.hpp"
#include "tests/support/lcp_solve.hpp"

namespace jostle {
namespace {

constexpr int problems_of_a_kind = 40;

struct NamedKind {
  const char* name;
  ProblemKind kind;
};

void PrintTo(const NamedKind& kind, std::ostream* out) { *out << kind.name; }

ProblemKind everything() {
  ProblemKind kind;
  kind.velocities = 10;
  kind.full_matrix = kind.unsymmetric = true;
  kind.joints = 3, kind.redundant_joints = 2;
  kind.contacts = 2, kind.frictionless = 1, kind.tangents = 4;
  kind.joint_frictions = 2, kind.bounded_multipliers = 1;
  return kind;
}

const NamedKind kinds[] = {
    {"DiagonalMass", {}},
    {"EightDirections", {.tangents = 4}},
    {"FrictionlessContactsAmongRough", {.frictionless = 2}},
    {"FrictionlessOnly", {.contacts = 0, .frictionless = 3}},
    {"FullMatrix", {.full_matrix = true}},
    {"UnsymmetricMatrix", {.full_matrix = true, .unsymmetric = true}},
    {"Joints", {.joints = 3}},
    {"RedundantJoints", {.joints = 3, .redundant_joints = 2}},
    {"JointsAndUnsymmetricMatrix", {.full_matrix = true, .unsymmetric = true, .joints = 3, .redundant_joints = 1}},
    {"JointFriction", {.joints = 2, .joint_frictions = 2}},
    {"JointFrictionWithoutContacts", {.joints = 2, .contacts = 0, .joint_frictions = 3}},
    {"BoundedMultipliers", {.bounded_multipliers = 2}},
    {"Everything", everything()},
};

class Assembly : public testing::TestWithParam<NamedKind> {
 protected:
  template <class Check>
  void on_every_problem(Check check) {
    ProblemGenerator generator(4711);
    for (int i = 0; i < problems_of_a_kind; ++i) {
      SCOPED_TRACE(i);
      check(generator.make(GetParam().kind));
    }
  }
};

double difference(const Dense& a, const Dense& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST_P(Assembly, MatrixAndVectorAreTheDenseOnes) {
  on_every_problem([](const MixedProblem& problem) {
    const MixedLcp mixed = problem.view();
    SchurMemory memory(mixed);
    ASSERT_TRUE(assemble_lcp(SerialTeam{}, mixed, memory.schur));
    const DenseSchur dense(problem);
    ASSERT_EQ(memory.n, dense.q.size());
    const Eigen::Map<const Column> v0(memory.schur.free_velocity, mixed.velocities);
    EXPECT_LE(difference(v0, dense.v0), 1e-11 * (1 + dense.v0.cwiseAbs().maxCoeff()));
    EXPECT_LE(difference(memory.matrix(), dense.M), 1e-11 * (1 + dense.M.cwiseAbs().maxCoeff()));
    EXPECT_LE(difference(memory.vector(), dense.q), 1e-11 * (1 + dense.q.cwiseAbs().maxCoeff()));
  });
}

TEST_P(Assembly, ResponsesAreTheProjectionOfTheRows) {
  on_every_problem([](const MixedProblem& problem) {
    const MixedLcp mixed = problem.view();
    SchurMemory memory(mixed);
    ASSERT_TRUE(assemble_lcp(SerialTeam{}, mixed, memory.schur));
    const Dense expected = problem.J * DenseSchur(problem).P.transpose();
    const Eigen::Map<const Dense> response(memory.schur.response, mixed.rows, mixed.velocities);
    EXPECT_LE(difference(response, expected), 1e-11 * (1 + expected.cwiseAbs().maxCoeff()));
  });
}

TEST_P(Assembly, ScaleIsTheNearestPowerOfTwo) {
  on_every_problem([](const MixedProblem& problem) {
    const MixedLcp mixed = problem.view();
    SchurMemory memory(mixed);
    ASSERT_TRUE(assemble_lcp(SerialTeam{}, mixed, memory.schur));
    const Dense inverse = problem.A.inverse();
    for (int i = 0; i < memory.n; ++i) {
      const ContactBlock& block = problem.blocks[memory.variables[i].block];
      const Column row = problem.J.row(block.normal >= 0 ? block.normal : block.tangent).transpose();
      const double exponent = -0.5 * std::log2(row.dot(inverse * row));  // before the joints are eliminated
      const bool lambda = memory.variables[i].kind == LcpVariable::Kind::lambda;
      EXPECT_EQ(memory.schur.scale[i], std::exp2((lambda ? -1 : 1) * std::round(exponent))) << "variable " << i;
    }
  });
}

/// The least-squares c_nu of A v - N c_nu = r + J' p and what it leaves.
double momentum_defect(const MixedProblem& problem, const Column& velocity, const Column& impulse) {
  const Column rest = problem.A * velocity - problem.r - problem.J.transpose() * impulse;
  if (problem.N.cols() == 0) return rest.cwiseAbs().maxCoeff();
  const Eigen::CompleteOrthogonalDecomposition<Dense> joints(problem.N);
  return (rest - problem.N * joints.solve(rest)).cwiseAbs().maxCoeff();
}

/// max |min(a_i, b_i)|.
double complementarity(const Column& a, const Column& b) {
  return a.size() == 0 ? 0 : a.cwiseMin(b).cwiseAbs().maxCoeff();
}

TEST_P(Assembly, AnswerSatisfiesAllFiveLines) {
  on_every_problem([](const MixedProblem& problem) {
    const MixedLcp mixed = problem.view();
    SchurMemory memory(mixed);
    ASSERT_TRUE(assemble_lcp(SerialTeam{}, mixed, memory.schur));
    Column velocity(mixed.velocities), impulse(mixed.rows);
    LcpMemory lemke(memory.n);
    double* const z = lemke.answer.z.data();
    const auto certify = [&] {
      velocity_from_impulses(SerialTeam{}, mixed, memory.schur, z, impulse.data(), velocity.data());
      return certify_contacts(SerialTeam{}, mixed, memory.schur, velocity.data(), z);
    };
    const LcpView lcp{memory.n, memory.n, memory.schur.lcp_matrix, memory.schur.lcp_vector};
    const LcpResult result =
        solve_lcp(SerialTeam{}, lcp, memory.schur.scale, lemke.workspace(), LemkeOptions{}, z, certify);
    ASSERT_EQ(result.status, LcpStatus::solved);

    const DenseProblem dense(problem);
    const Column all = Eigen::Map<const Column>(z, memory.n);
    const Column beta = all.head(dense.D.cols()), normal = all.segment(beta.size(), dense.n.cols()),
                 lambda = all.tail(dense.E.cols());
    EXPECT_LE(momentum_defect(problem, velocity, impulse), 1e-10);
    EXPECT_LE(difference(problem.J.transpose() * impulse, dense.D * beta + dense.n * normal), 1e-10);
    if (mixed.joints > 0) {
      EXPECT_LE(difference(problem.N.transpose() * velocity, problem.s), 1e-10);
    }
    EXPECT_LE(complementarity(normal, dense.n.transpose() * velocity + dense.b_n), 1e-10);
    EXPECT_LE(complementarity(beta, dense.D.transpose() * velocity + dense.E * lambda + dense.b_t), 1e-10);
    EXPECT_LE(complementarity(lambda, dense.mu * normal - dense.E.transpose() * beta + dense.b_c), 1e-10);
  });
}

TEST_P(Assembly, EveryTeamGivesTheSameBits) {
  const MixedProblem problem = ProblemGenerator(12).make(GetParam().kind);
  const MixedLcp mixed = problem.view();
  SchurMemory serial(mixed);
  ASSERT_TRUE(assemble_lcp(SerialTeam{}, mixed, serial.schur));
  for (const int lanes : {2, 3, 8, 32}) {
    SchurMemory team(mixed);
    run_on_emulated_team(lanes, unsigned(lanes), [&](const EmulatedTeam& t) {
      SchurComplement schur = team.schur;  // every lane has its own
      assemble_lcp(t, mixed, schur);
    });
    for (const int array : {0, 1, 2, 3, 4, 5, 6}) {
      EXPECT_TRUE(same_bits(team.reals[array], serial.reals[array])) << lanes << " lanes, array " << array;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Assembly, testing::ValuesIn(kinds), [](const auto& kind) { return kind.param.name; });

TEST(Assembly, FrictionlessContactsHaveNoTangentVariables) {
  const MixedProblem problem = ProblemGenerator(3).make({.contacts = 1, .frictionless = 2, .tangents = 3});
  const MixedLcp mixed = problem.view();
  EXPECT_EQ(detail::lcp_size(mixed), 2 + (6 + 1 + 1));
  SchurMemory memory(mixed);
  ASSERT_TRUE(assemble_lcp(SerialTeam{}, mixed, memory.schur));
  for (int i = 0; i < memory.n; ++i) {
    const bool normal = memory.variables[i].kind == LcpVariable::Kind::normal;
    EXPECT_TRUE(normal || memory.variables[i].block == 2) << "variable " << i;
  }
}

TEST(Assembly, OppositeDirectionsAreExactNegatives) {
  const MixedProblem problem = ProblemGenerator(5).make({.full_matrix = true, .joints = 2, .tangents = 4});
  const MixedLcp mixed = problem.view();
  SchurMemory memory(mixed);
  ASSERT_TRUE(assemble_lcp(SerialTeam{}, mixed, memory.schur));
  const auto M = memory.matrix();
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(memory.vector()[i], -memory.vector()[i + 4]);
    for (int j = 0; j < 2 * 2 * 4 + 2; ++j) EXPECT_EQ(M(i, j), -M(i + 4, j)) << i << ", " << j;
  }
}

TEST(Assembly, SingularMatrixIsRefused) {
  for (const int team : {1, 4}) {
    MixedProblem problem = ProblemGenerator(8).make({.full_matrix = true, .joints = 1});
    problem.A.row(3) = 2 * problem.A.row(5);
    const MixedLcp mixed = problem.view();
    SchurMemory memory(mixed);
    const auto regular = run_on_emulated_team(team, 1, [&](const EmulatedTeam& t) {
      SchurComplement schur = memory.schur;
      return int(assemble_lcp(t, mixed, schur));
    });
    EXPECT_EQ(regular, std::vector<int>(std::size_t(team), 0));
  }
}

TEST(Assembly, MatrixWithANaNIsRefused) {
  MixedProblem problem = ProblemGenerator(8).make({.full_matrix = true});
  problem.A(2, 6) = canonical_nan();
  const MixedLcp mixed = problem.view();
  SchurMemory memory(mixed);
  EXPECT_FALSE(assemble_lcp(SerialTeam{}, mixed, memory.schur));
}

// A grain of 1e-9 kg beside a truck: no small number is zero on its own.
TEST(Assembly, LightAndHeavyBodiesKeepTheirJoints) {
  for (const bool full : {false, true}) {
    MixedProblem problem = ProblemGenerator(2).make({.velocities = 4, .full_matrix = full, .joints = 2, .contacts = 1});
    problem.A = Eigen::Vector4d(1e-9, 1e-9, 1e4, 1e4).asDiagonal();
    if (!full) problem.inv_mass = {1e9, 1e9, 1e-4, 1e-4};
    problem.joint_rows = {1, 1, 0, 0, 0, 0, 1, -1};
    problem.N = Eigen::Map<const Dense>(problem.joint_rows.data(), 2, 4).transpose();
    problem.r = Eigen::Vector4d(1e-9, 0, 1e4, 0);
    problem.s = Eigen::Vector2d(0.5, 0.25);
    const MixedLcp mixed = problem.view();
    SchurMemory memory(mixed);
    ASSERT_TRUE(assemble_lcp(SerialTeam{}, mixed, memory.schur));
    const double* const v = memory.schur.free_velocity;
    EXPECT_NEAR(v[0], 0.75, 1e-14);
    EXPECT_NEAR(v[1], -0.25, 1e-14);
    EXPECT_NEAR(v[2], 0.625, 1e-14);
    EXPECT_NEAR(v[3], 0.375, 1e-14);
  }
}

TEST(Lu, PivotsWhereADiagonalIsZero) {
  std::vector<double> matrix = {0, 2, 1, 1, 0, 0, 0, 3, 4}, scale(3), x(3), work(3);
  const std::vector<double> b = {7, 1, 18};
  std::vector<int> row(3), column(3);
  const LuFactors lu{3, matrix.data(), scale.data(), row.data(), column.data()};
  ASSERT_EQ(factorise(lu), 3);
  solve(lu, 3, b.data(), x.data(), work.data());
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], 2, 1e-15);
  EXPECT_NEAR(x[2], 3, 1e-15);
}

TEST(Lu, RankIsThatOfTheIndependentRows) {
  ProblemGenerator generator(6);
  for (int rank = 0; rank <= 5; ++rank) {
    const Dense root = generator.noise(5, rank);
    const Dense matrix = root * root.transpose();
    std::vector<double> entries(matrix.data(), matrix.data() + matrix.size()), scale(5);
    std::vector<int> row(5), column(5);
    EXPECT_EQ(factorise({5, entries.data(), scale.data(), row.data(), column.data()}), rank);
  }
}

}  // namespace
}  // namespace jostle
