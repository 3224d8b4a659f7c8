// The Schur complement and the answer that it leads to, against dense algebra that shares no code with it.
#include <gtest/gtest.h>

#include "core/stages/solve.hpp"
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
  kind.bodies = 2;
  kind.full_matrix = kind.unsymmetric = true;
  kind.joints = 3, kind.redundant_joints = 2;
  kind.contacts = 2, kind.frictionless = 1, kind.limits = 1, kind.tangents = 4;
  kind.joint_frictions = 2, kind.bounded_multipliers = 1;
  return kind;
}

const NamedKind kinds[] = {
    {"DiagonalMass", {}},
    {"EightDirections", {.tangents = 4}},
    {"FrictionlessContactsAmongRough", {.frictionless = 2}},
    {"FrictionlessOnly", {.contacts = 0, .frictionless = 3}},
    {"Limits", {.contacts = 1, .limits = 2}},
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

double largest_difference(const Dense& a, const Dense& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST_P(Assembly, MatrixAndVectorAreTheDenseOnes) {
  on_every_problem([](const MixedProblem& problem) {
    const AssemblyMemory memory(problem);
    const DenseSchur dense(problem);
    const int n = memory.assemble(SerialTeam{});
    ASSERT_EQ(n, dense.q.size());
    EXPECT_LE(largest_difference(memory.free_velocity(), dense.v0), 1e-11 * (1 + dense.v0.cwiseAbs().maxCoeff()));
    EXPECT_LE(largest_difference(memory.matrix(n), dense.M), 1e-11 * (1 + dense.M.cwiseAbs().maxCoeff()));
    EXPECT_LE(largest_difference(memory.vector(n), dense.q), 1e-11 * (1 + dense.q.cwiseAbs().maxCoeff()));
  });
}

// Dictionaries load row after row, certificates entry after entry.
TEST_P(Assembly, RowsOfTheMatrixHaveItsEntries) {
  on_every_problem([](const MixedProblem& problem) {
    const AssemblyMemory memory(problem);
    const int n = memory.assemble(SerialTeam{});
    const Dense entries = memory.matrix(n);
    for (int i = 0; i < n; ++i) {
      Column row = Column::Constant(n, canonical_nan());
      AssembledLcp(memory.work, memory.island()).for_row(i, [&](int j, double entry) { row[j] = entry; });
      for (int j = 0; j < n; ++j) EXPECT_EQ(row[j], entries(i, j)) << i << ", " << j;
    }
  });
}

TEST_P(Assembly, DelassusMatrixIsThatOfTheRowsOfBlocks) {
  on_every_problem([](const MixedProblem& problem) {
    const AssemblyMemory memory(problem);
    ASSERT_GE(memory.assemble(SerialTeam{}), 0);
    const Dense all = problem.J * DenseSchur(problem).P * problem.J.transpose();
    Dense expected = Dense::Zero(all.rows(), all.cols());
    memory.for_each_row_of_blocks(
        [&](int r) { memory.for_each_row_of_blocks([&](int s) { expected(r, s) = all(r, s); }); });
    EXPECT_LE(largest_difference(memory.delassus(), expected), 1e-11 * (1 + expected.cwiseAbs().maxCoeff()));
  });
}

TEST_P(Assembly, ScaleIsTheNearestPowerOfTwo) {
  on_every_problem([](const MixedProblem& problem) {
    const AssemblyMemory memory(problem);
    const int n = memory.assemble(SerialTeam{});
    const Dense inverse = problem.A.inverse();
    for (int i = 0; i < n; ++i) {
      const LcpVariable& variable = memory.work.variable(i);
      const Block& block = problem.blocks[static_cast<std::size_t>(variable.block)];
      const Column row = problem.J.row(block.normal >= 0 ? block.normal : block.tangent).transpose();
      const double exponent = -0.5 * std::log2(row.dot(inverse * row));  // before the joints are eliminated
      const bool lambda = variable.kind == LcpVariable::Kind::lambda;
      EXPECT_EQ(memory.work.scale(i), std::exp2((lambda ? -1 : 1) * std::round(exponent))) << "variable " << i;
    }
  });
}

/// The least-squares c_nu of A v - N c_nu = r + J' p and what it leaves.
double momentum_defect(const MixedProblem& problem, const Column& velocity, const Column& impulse) {
  const Column rest = problem.A * velocity - problem.r - problem.J.transpose() * impulse;
  if (problem.joints.empty()) return rest.cwiseAbs().maxCoeff();
  const Eigen::CompleteOrthogonalDecomposition<Dense> joints(problem.N);
  return (rest - problem.N * joints.solve(rest)).cwiseAbs().maxCoeff();
}

/// max |min(a_i, b_i)|.
double complementarity(const Column& a, const Column& b) {
  return a.size() == 0 ? 0 : a.cwiseMin(b).cwiseAbs().maxCoeff();
}

/// The answer of a problem by the way that a step takes.
template <class Team, int Step>
StepResult solve_problem(const Team& team, const AssemblyMemoryOf<Step>& memory) {
  ModelView model;
  model.dimensions = memory.dimensions;
  model.multipliers = Multipliers::vertex;  // no modes
  StepResult result;
  if (memory.dimensions.is_coupled()) {
    solve(team, memory.lcp, model, memory.work, NoClock{}, result);
  } else {
    solve(team, memory.lcp, model, memory.work.template as<PlainSystems>(), NoClock{}, result);
  }
  return result;
}

TEST_P(Assembly, AnswerSatisfiesAllFiveLines) {
  on_every_problem([](const MixedProblem& problem) {
    const AssemblyMemory memory(problem);
    const StepResult result = solve_problem(SerialTeam{}, memory);
    ASSERT_EQ(result.status, Status::ok);
    const int n = result.lcp_size;
    const Column velocity = memory.velocity(), impulse = memory.impulse(), all = memory.z();

    const DenseProblem dense(problem);
    ASSERT_EQ(n, dense.D.cols() + dense.n.cols() + dense.E.cols());
    const Column beta = all.head(dense.D.cols()), normal = all.segment(beta.size(), dense.n.cols()),
                 lambda = all.tail(dense.E.cols());
    EXPECT_LE(momentum_defect(problem, velocity, impulse), 1e-10);
    EXPECT_LE(largest_difference(problem.J.transpose() * impulse, dense.D * beta + dense.n * normal), 1e-10);
    if (!problem.joints.empty()) {
      EXPECT_LE(largest_difference(problem.N.transpose() * velocity, problem.s), 1e-10);
    }
    EXPECT_LE(complementarity(normal, dense.n.transpose() * velocity + dense.b_n), 1e-10);
    EXPECT_LE(complementarity(beta, dense.D.transpose() * velocity + dense.E * lambda + dense.b_t), 1e-10);
    EXPECT_LE(complementarity(lambda, dense.mu * normal - dense.E.transpose() * beta + dense.b_c), 1e-10);
  });
}

TEST_P(Assembly, WithoutRowsMomentumAndJointsRemain) {
  on_every_problem([](MixedProblem problem) {
    problem.rows.clear(), problem.blocks.clear();
    const AssemblyMemory memory(problem);
    ASSERT_EQ(solve_problem(SerialTeam{}, memory).status, Status::ok);
    EXPECT_LE(largest_difference(memory.velocity(), DenseSchur(problem).v0), 1e-10);
  });
}

/// Bytes of everything that the assembly and the solve leave.
template <int Step>
std::vector<double> left_in(const AssemblyMemoryOf<Step>& memory, int n) {
  std::vector<double> left;
  const auto append = [&](const auto& numbers) {
    left.insert(left.end(), numbers.data(), numbers.data() + numbers.size());
  };
  append(memory.free_velocity()), append(memory.delassus()), append(memory.vector(n)), append(memory.scale(n));
  append(memory.z()), append(memory.velocity()), append(memory.impulse());
  return left;
}

TEST_P(Assembly, EveryTeamGivesTheSameBits) {
  const MixedProblem problem = ProblemGenerator(12).make(GetParam().kind);
  const AssemblyMemory serial(problem);
  const StepResult expected = solve_problem(SerialTeam{}, serial);
  ASSERT_EQ(expected.status, Status::ok);
  for (const int lanes : {2, 3, 8, 32}) {
    const AssemblyMemory memory(problem);
    run_on_emulated_team(lanes, unsigned(lanes), [&](const EmulatedTeam& team) { solve_problem(team, memory); });
    EXPECT_TRUE(same_bits(left_in(memory, expected.lcp_size), left_in(serial, expected.lcp_size))) << lanes << " lanes";
  }
}

TEST_P(Assembly, ElementsMayAlternateWithThoseOfOtherTeams) {
  const MixedProblem problem = ProblemGenerator(13).make(GetParam().kind);
  const AssemblyMemory alone(problem);
  const AssemblyMemoryOf<16> among(problem, 5);
  const StepResult expected = solve_problem(SerialTeam{}, alone), result = solve_problem(SerialTeam{}, among);
  ASSERT_EQ(result.status, Status::ok);
  EXPECT_TRUE(same_bits(left_in(among, result.lcp_size), left_in(alone, expected.lcp_size)));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Assembly, testing::ValuesIn(kinds), [](const auto& kind) { return kind.param.name; });

TEST(Assembly, FrictionlessContactsHaveNoTangentVariables) {
  const MixedProblem problem = ProblemGenerator(3).make({.contacts = 1, .frictionless = 2, .tangents = 3});
  const AssemblyMemory memory(problem);
  const int n = memory.assemble(SerialTeam{});
  EXPECT_EQ(n, 2 + (6 + 1 + 1));
  for (int i = 0; i < n; ++i) {
    const LcpVariable& variable = memory.work.variable(i);
    EXPECT_TRUE(variable.kind == LcpVariable::Kind::normal || variable.block == 2) << "variable " << i;
  }
}

TEST(Assembly, OppositeDirectionsAreExactNegatives) {
  const MixedProblem problem = ProblemGenerator(5).make({.full_matrix = true, .joints = 2, .tangents = 4});
  const AssemblyMemory memory(problem);
  const int n = memory.assemble(SerialTeam{});
  const Dense M = memory.matrix(n);
  const Column q = memory.vector(n);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(q[i], -q[i + 4]);
    for (int j = 0; j < 2 * 2 * 4 + 2; ++j) EXPECT_EQ(M(i, j), -M(i + 4, j)) << i << ", " << j;
  }
}

TEST(Assembly, SingularMatrixIsRefused) {
  for (const int lanes : {1, 4}) {
    MixedProblem problem = ProblemGenerator(8).make({.full_matrix = true, .joints = 1});
    problem.A.row(3) = 2 * problem.A.row(5);
    const AssemblyMemory memory(problem);
    const auto sizes = run_on_emulated_team(lanes, 1, [&](const EmulatedTeam& team) { return memory.assemble(team); });
    EXPECT_EQ(sizes, std::vector<int>(std::size_t(lanes), -1));
  }
}

TEST(Assembly, MatrixWithANaNIsRefused) {
  MixedProblem problem = ProblemGenerator(8).make({.full_matrix = true});
  problem.A(2, 6) = canonical_nan();
  const AssemblyMemory memory(problem);
  EXPECT_EQ(memory.assemble(SerialTeam{}), -1);
  EXPECT_EQ(solve_problem(SerialTeam{}, memory).status, Status::not_finite);
}

// A grain of 1e-9 kg beside a truck: no small number is zero on its own.
TEST(Assembly, LightAndHeavyBodiesKeepTheirJoints) {
  for (const bool full : {false, true}) {
    MixedProblem problem = ProblemGenerator(2).make({.bodies = 2, .full_matrix = full, .joints = 2, .contacts = 1});
    Column mass(12), r = Column::Zero(12);
    mass << Column::Constant(6, 1e-9), Column::Constant(6, 1e4);
    problem.A = mass.asDiagonal();
    problem.N.setZero();
    problem.N(0, 0) = problem.N(1, 0) = 1;
    problem.N(6, 1) = 1, problem.N(7, 1) = -1;
    for (int j = 0; j < 2; ++j) problem.joints[static_cast<std::size_t>(j)] = row_of(problem.N.col(j), 0, 1);
    r[0] = 1e-9, r[6] = 1e4;
    problem.r = r;
    problem.s = Eigen::Vector2d(0.5, 0.25);
    const AssemblyMemory memory(problem);
    ASSERT_GE(memory.assemble(SerialTeam{}), 0);
    const Column v = memory.free_velocity();
    EXPECT_NEAR(v[0], 0.75, 1e-14);
    EXPECT_NEAR(v[1], -0.25, 1e-14);
    EXPECT_NEAR(v[6], 0.625, 1e-14);
    EXPECT_NEAR(v[7], 0.375, 1e-14);
  }
}

}  // namespace
}  // namespace jostle
