// Accelerations of touching bodies [Loetstedt 1982]: the table with four legs, against the quadratic programs of which
// the LCP is the condition of optimality, and n'dot v of every pair of shapes against differences of the gap.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/accelerations/contact_acceleration.hpp"
#include "tests/core/built_system.hpp"
#include "tests/core/solved_problem.hpp"
#include "tests/geometry/placements.hpp"

namespace jostle {
namespace {

using test::Random;

using Three = Eigen::Vector3d;
using Leg = std::array<double, 2>;

constexpr double weight = 10 * 9.81;
const std::vector<Leg> four_legs = {{0.5, 0.3}, {-0.5, 0.3}, {-0.5, -0.3}, {0.5, -0.3}};

/// A rigid table top on legs, without friction: q = (z, phi_x, phi_y), M = diag(10, 0.3, 5/6).
struct FourLegs {
  std::vector<Leg> legs;
  Eigen::Matrix3d mass = Eigen::DiagonalMatrix<double, 3>(10, 0.3, 5.0 / 6);

  /// The row of a leg: the height of its foot changes by (1, y, -x) . q'.
  Eigen::MatrixXd rows() const {
    Eigen::MatrixXd n(3, legs.size());
    for (std::size_t i = 0; i < legs.size(); ++i) n.col(static_cast<Eigen::Index>(i)) << 1, legs[i][1], -legs[i][0];
    return n;
  }

  /// A v - n c = r as a problem of one body, whose other freedoms rest.
  MixedProblem problem(const Three& r) const {
    MixedProblem table;
    table.A = Dense::Identity(6, 6);
    table.N = Dense(6, 0);
    table.s = Column(0);
    table.r = Column::Zero(6);
    table.J = Dense::Zero(static_cast<Eigen::Index>(legs.size()), 6);
    table.bias = Column::Zero(table.J.rows());
    for (int k = 0; k < 3; ++k) table.A(2 + k, 2 + k) = mass(k, k), table.r[2 + k] = r[k];
    table.J.middleCols(2, 3) = rows().transpose();
    for (int i = 0; i < table.J.rows(); ++i) {
      table.rows.push_back(row_of(table.J.row(i).transpose(), 0, no_body));
      table.blocks.push_back({i, 0, 0, true, 0, 0});
    }
    return table;
  }
};

struct Answer {
  Three a;
  Column c;
};

Answer solve_table(const FourLegs& table, const Three& r, Solver solver) {
  const Solved found = solved(table.problem(r), 4, solver);
  EXPECT_EQ(found.result.status, Status::ok);
  EXPECT_LE(found.velocity.head(2).norm() + std::fabs(found.velocity[5]), 0.0);
  return {found.velocity.segment(2, 3), found.z};
}

/// Forces and their moment: the weight, and a force (N) down at (x, y).
Three load(double force, double x, double y) { return {-weight - force, -force * y, force * x}; }

/// The subsets of p legs, as bits.
unsigned subsets(std::size_t p) { return 1u << p; }

Eigen::MatrixXd columns(const Eigen::MatrixXd& n, unsigned subset) {
  Eigen::MatrixXd some(n.rows(), 0);
  for (Eigen::Index i = 0; i < n.cols(); ++i) {
    if ((subset >> i & 1) == 0) continue;
    some.conservativeResize(Eigen::NoChange, some.cols() + 1);
    some.col(some.cols() - 1) = n.col(i);
  }
  return some;
}

/// Gauss' principle, L (6.3): the a with n'a >= 0 that is nearest to M^-1 f in the norm of M; over all active sets.
Three gauss(const FourLegs& table, const Three& f) {
  const Eigen::MatrixXd n = table.rows();
  const Three free = table.mass.inverse() * f;
  Three best = Three::Zero();
  double least = infinity();
  for (unsigned subset = 0; subset < subsets(table.legs.size()); ++subset) {
    const Eigen::MatrixXd active = columns(n, subset), response = table.mass.inverse() * active;
    Three a = free;
    if (active.cols() > 0)
      a -=
          response * (active.transpose() * response).completeOrthogonalDecomposition().solve(active.transpose() * free);
    if ((n.transpose() * a).minCoeff() < -1e-11) continue;
    const double constraint = (a - free).dot(table.mass * (a - free));
    if (constraint < least) least = constraint, best = a;
  }
  return best;
}

/// The dual quadratic program, L (6.1): the multipliers >= 0 with least c'Gc/2 + c'n'M^-1 f; over all supports.
Three dual(const FourLegs& table, const Three& f) {
  const Eigen::MatrixXd n = table.rows();
  const Three free = table.mass.inverse() * f;
  Three best = free;
  double least = 0;
  for (unsigned subset = 1; subset < subsets(table.legs.size()); ++subset) {
    const Eigen::MatrixXd some = columns(n, subset), response = table.mass.inverse() * some;
    const Eigen::MatrixXd G = some.transpose() * response;
    const Eigen::VectorXd q = some.transpose() * free;
    const Eigen::VectorXd c = G.completeOrthogonalDecomposition().solve(-q);
    if (c.minCoeff() < -1e-9) continue;
    const double value = 0.5 * c.dot(G * c) + c.dot(q);
    if (value < least) least = value, best = free + response * c;
  }
  return best;
}

void expect_near(const Eigen::VectorXd& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(static_cast<std::size_t>(found.size()), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[static_cast<Eigen::Index>(i)], expected[i], tolerance) << i;
}

/// N: the proximal iteration ends once its answer is certified; its multipliers are then those of least norm to about
/// 1e-10 of their size.
constexpr double least_norm = 1e-8;

constexpr Solver both_solvers[] = {Solver::guess_first, Solver::lemke};

TEST(TableWithFourLegs, HasTheAccelerationsAndMultipliersOfThePaper) {
  const FourLegs table{four_legs};
  for (const Solver solver : both_solvers) {
    expect_near(solve_table(table, load(0, 0, 0), solver).a, {0, 0, 0}, 1e-13);
    const Answer loaded = solve_table(table, load(50, 0.2, 0.1), solver);
    expect_near(loaded.a, {0, 0, 0}, 1e-13);
    expect_near(loaded.c, {46.1916666667, 36.1916666667, 27.8583333333, 37.8583333333}, least_norm);
    const Answer tilts = solve_table(table, load(400, 0.7, 0.2), solver);
    expect_near(tilts.a, {4.6425, 0, 9.285}, 1e-12);
    expect_near(tilts.c, {405.5958333333, 0, 0, 138.9291666667}, least_norm);
  }
}

TEST(TableWithFourLegs, StopsOnAllLegsAtOnce) {
  const FourLegs table{four_legs};
  for (const Solver solver : both_solvers) {
    const Answer after = solve_table(table, table.mass * Three(-1, 0.4, 0.2), solver);
    expect_near(after.a, {0, 0, 0}, 1e-14);
    expect_near(after.c, {2.4833333333, 2.3166666667, 2.5166666667, 2.6833333333}, 1e-9);
  }
}

TEST(TableWithFourLegs, HasOneAccelerationInEveryOrderOfItsLegs) {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  const Answer expected = solve_table({four_legs}, load(50, 0.2, 0.1), Solver::guess_first);
  const Answer tilted = solve_table({four_legs}, load(400, 0.7, 0.2), Solver::guess_first);
  do {
    FourLegs table;
    for (const std::size_t i : order) table.legs.push_back(four_legs[i]);
    for (const Solver solver : both_solvers) {
      const Answer found = solve_table(table, load(50, 0.2, 0.1), solver);
      EXPECT_LE((found.a - expected.a).norm(), 1e-12);
      EXPECT_LE((solve_table(table, load(400, 0.7, 0.2), solver).a - tilted.a).norm(), 1e-12);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(found.c[static_cast<Eigen::Index>(i)], expected.c[static_cast<Eigen::Index>(order[i])], least_norm);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// With legs and loads anywhere: the LCP, Gauss' principle and the dual program have one acceleration.
TEST(TableWithLegs, AcceleratesAsGaussAndTheDualProgramSay) {
  Random random(6);
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    FourLegs table;
    for (int leg = 0; leg < 2 + trial % 5; ++leg) table.legs.push_back({random.uniform(-1, 1), random.uniform(-1, 1)});
    const Three f = load(random.uniform(-300, 300), random.uniform(-1, 1), random.uniform(-1, 1));
    const Three by_gauss = gauss(table, f);
    EXPECT_LE((by_gauss - dual(table, f)).norm(), 1e-9 * (1 + by_gauss.norm()));
    for (const Solver solver : both_solvers)
      EXPECT_LE((solve_table(table, f, solver).a - by_gauss).norm(), 1e-9 * (1 + by_gauss.norm()));
  }
}

struct TouchingPair {
  const char* name;
  ShapeType a, b;
  Vec3 size_a, size_b;
  int feature;
  bool is_fixed;  ///< b
};

void PrintTo(const TouchingPair& pair, std::ostream* out) { *out << pair.name; }

class NormalTurning : public testing::TestWithParam<TouchingPair> {};

/// The second derivative of the gap on q (+) s v is n'dot v, wherever the bodies are.
TEST_P(NormalTurning, IsTheSecondDerivativeOfTheGap) {
  const TouchingPair& pair = GetParam();
  Random random(8);
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    BuiltSystem built(0.01);
    const int a = built.add_body(), b = pair.is_fixed ? built.add_fixed_body() : built.add_body();
    const int shape_a = built.add_shape(a, pair.a, pair.size_a, 0.2 * random.direction(), random.axes());
    const int shape_b = built.add_shape(b, pair.b, pair.size_b, 0.2 * random.direction(), random.axes());
    built.add_pair(shape_a, shape_b);
    built.build(0);
    for (const int body : {a, b}) {
      if (body == b && pair.is_fixed) continue;
      const Quaternion q = normalised({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 0.5});
      set_vector(built.state().position, body, (body == a ? 1.0 : 2.5) * random.direction());
      set_quaternion(built.state().orientation, body, q);
      set_vector(built.state().velocity, body, random.direction());
      set_vector(built.state().spin, body, random.direction());
    }
    const Workspace work = built.work();
    load_masses(SerialTeam{}, built.system(), work);
    load_poses(SerialTeam{}, built.system(), work);
    predict(SerialTeam{}, built.system(), work, 0, work.velocity());
    Contact contact{};
    contact.pair = 0, contact.feature = pair.feature;
    set_frame(built.system(), work, contact);
    const auto gap = [&](double s) {
      move_bodies(SerialTeam{}, built.system(), work, s, work.velocity(), work.next_pose(), work.next_placed());
      return contact_geometry(work.next_placed(shape_a), work.next_placed(shape_b), pair.feature).gap;
    };
    constexpr double s = 5e-3;
    const double second = (16 * (gap(s) + gap(-s)) - (gap(2 * s) + gap(-2 * s)) - 30 * gap(0)) / (12 * s * s);
    EXPECT_NEAR(normal_turning(built.system(), work, contact), second, 2e-6 * (1 + std::fabs(second)));
    const double by_differences = normal_turning_by_differences(built.system(), work, contact);
    EXPECT_NEAR(normal_turning(built.system(), work, contact), by_differences, 1e-9 * (1 + std::fabs(second)));
  }
}

const TouchingPair touching_pairs[] = {
    {"SphereOnPlane", ShapeType::sphere, ShapeType::half_space, {0.1, 0, 0}, {0, 0, 0}, 0, true},
    {"SphereOnSphere", ShapeType::sphere, ShapeType::sphere, {0.1, 0, 0}, {0.3, 0, 0}, 0, false},
    {"SphereOnFixedSphere", ShapeType::sphere, ShapeType::sphere, {0.1, 0, 0}, {0.3, 0, 0}, 0, true},
    {"SphereOnSideOfCapsule", ShapeType::sphere, ShapeType::capsule, {0.1, 0, 0}, {0.2, 0.5, 0}, 2, false},
    {"CapsuleOnPlane", ShapeType::capsule, ShapeType::half_space, {0.1, 0.3, 0}, {0, 0, 0}, 1, true},
    {"BoxOnPlane", ShapeType::box, ShapeType::half_space, {0.1, 0.2, 0.3}, {0, 0, 0}, 5, true},
};

INSTANTIATE_TEST_SUITE_P(Pairs, NormalTurning, testing::ValuesIn(touching_pairs),
                         [](const auto& pair) { return std::string(pair.param.name); });

}  // namespace
}  // namespace jostle
