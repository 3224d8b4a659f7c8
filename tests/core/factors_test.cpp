// The factors of small matrices, L D L' and LU: solutions, rank, and blocks that are solved as if they were alone.
#include <gtest/gtest.h>

#include <cmath>

#include "core/linear/ldl.hpp"
#include "core/linear/lu.hpp"
#include "core/team.hpp"
#include "tests/core/mixed_problem.hpp"

namespace jostle {
namespace {

TEST(Lu, PivotsWhereADiagonalIsZero) {
  std::vector<double> matrix = {0, 2, 1, 1, 0, 0, 0, 3, 4}, scale(3), x(3), work(3);
  std::vector<double> b = {7, 1, 18};
  std::vector<int> orders(LuFactors<1>::orders * 3);
  const LuFactors<1> lu{3, {matrix.data()}, {scale.data()}, {orders.data()}};
  ASSERT_EQ(factorise(lu), 3);
  solve(lu, 3, {b.data()}, {x.data()}, {work.data()});
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], 2, 1e-15);
  EXPECT_NEAR(x[2], 3, 1e-15);
}

// Blocks whose rows and columns lie in any order beside each other: each is solved with the bits that it has alone.
TEST(Lu, BlocksAreSolvedAsIfTheyWereAlone) {
  ProblemGenerator generator(7);
  const std::vector<std::vector<int>> blocks = {{0, 7, 3}, {5}, {1, 2, 6, 4}};
  const int n = 8;
  Dense whole = Dense::Zero(n, n);
  const Dense b = generator.noise(n, 1);
  std::vector<double> expected(n);
  const auto solution_of = [](const Dense& matrix, const Dense& right) {
    const int size = static_cast<int>(matrix.rows());
    std::vector<double> entries(size * size), scale(size), x(size), work(size), rhs(size);
    std::vector<int> orders(LuFactors<1>::orders * size);
    for (int i = 0; i < size; ++i) {
      rhs[i] = right(i, 0);
      for (int j = 0; j < size; ++j) entries[i * size + j] = matrix(i, j);
    }
    const LuFactors<1> lu{size, {entries.data()}, {scale.data()}, {orders.data()}};
    EXPECT_EQ(factorise(lu), size);
    solve(lu, size, {rhs.data()}, {x.data()}, {work.data()});
    return x;
  };
  for (const std::vector<int>& block : blocks) {
    const int size = static_cast<int>(block.size());
    Dense own = generator.noise(size, size), right(size, 1);
    own.diagonal().array() += 3;
    for (int i = 0; i < size; ++i) {
      right(i, 0) = b(block[i], 0);
      for (int j = 0; j < size; ++j) whole(block[i], block[j]) = own(i, j);
    }
    const std::vector<double> x = solution_of(own, right);
    for (int i = 0; i < size; ++i) expected[block[i]] = x[i];
  }
  const std::vector<double> x = solution_of(whole, b);
  for (int i = 0; i < n; ++i) EXPECT_EQ(x[i], expected[i]) << i;
}

TEST(Lu, RankIsThatOfTheIndependentRows) {
  ProblemGenerator generator(6);
  for (int rank = 0; rank <= 5; ++rank) {
    const Dense root = generator.noise(5, rank);
    const Dense matrix = root * root.transpose();
    std::vector<double> entries(matrix.data(), matrix.data() + matrix.size()), scale(5);
    std::vector<int> orders(LuFactors<1>::orders * 5);
    EXPECT_EQ(factorise(LuFactors<1>{5, {entries.data()}, {scale.data()}, {orders.data()}}), rank);
  }
}

/// L D L' factors with memory of their own, of a matrix; what is below its diagonal or after its end is not a number.
struct OwnFactors {
  explicit OwnFactors(const Dense& of) : n(static_cast<int>(of.rows())), stride(room_for_sixes(n)) {
    matrix.assign(static_cast<std::size_t>(n * stride), canonical_nan());
    for (int i = 0; i < n; ++i) {
      int last = n - 1;
      while (last > i && of(i, last) == 0) --last;
      end.push_back(round_up_to_six(last + 1));
      for (int j = i; j < end.back(); ++j) matrix[static_cast<std::size_t>(i * stride + j)] = j < n ? of(i, j) : 0.0;
    }
    pivot.resize(static_cast<std::size_t>(n)), scale.resize(static_cast<std::size_t>(stride));
    for (std::vector<int>* const of_rows : {&order, &begin, &place}) of_rows->resize(static_cast<std::size_t>(n));
  }
  LdlFactors<1> factors() {
    return {n,
            {matrix.data()},
            {pivot.data()},
            {scale.data()},
            {order.data()},
            {begin.data()},
            {end.data()},
            {place.data()}};
  }
  int factorise() {
    std::vector<double> is_left(static_cast<std::size_t>(stride));
    return jostle::factorise(SerialTeam{}, factors(), {is_left.data()});
  }

  int n, stride;
  std::vector<double> matrix, pivot, scale;
  std::vector<int> order, begin, end, place;
};

// Of a rank below n, too, wherever the dependent rows are; only what is above the diagonal is read.
TEST(Ldl, SolvesOnTheIndependentRows) {
  ProblemGenerator generator(7);
  for (const int n : {1, 2, 5, 12, 20})
    for (int rank = 1; rank <= n; ++rank) {
      const Dense root = generator.noise(n, rank), matrix = root * root.transpose();
      const Column known = matrix * generator.noise(n, 1);
      OwnFactors own(matrix);
      std::vector<double> x(matrix.rows()), work(static_cast<std::size_t>(own.stride)),
          b(known.data(), known.data() + n);
      ASSERT_EQ(own.factorise(), rank) << n;
      solve(own.factors(), rank, {b.data()}, {x.data()}, {work.data()});
      const Column found = Eigen::Map<const Column>(x.data(), n);
      EXPECT_LE((matrix * found - known).norm(), 1e-9 * known.norm()) << n << ", " << rank;
      EXPECT_EQ((found.array() == 0).count(), n - rank);
    }
}

// As the joints of a chain of bodies, some light and some heavy, some of the joints redundant: each row meets only
// those beside it, and small pivots wait, which makes other rows longer.
TEST(Ldl, SolvesWhereRowsEndEarly) {
  ProblemGenerator generator(9);
  constexpr int links = 5, size = 5, n = links * size, bodies = links + 1;
  for (const int least : {5, 3, 2}) {
    Dense rows = Dense::Zero(n, 6 * bodies);
    Column root_inverse_mass(6 * bodies);
    for (int body = 0; body < bodies; ++body)
      root_inverse_mass.segment(6 * body, 6).setConstant(body % 3 == 1 ? std::sqrt(1000.0) : 1.0);
    int rank = 0;
    for (int link = 0; link < links; ++link) {
      const int own = link % 2 == 0 ? size : least;  // independent rows; the others are sums of them
      rows.block(size * link, 6 * link, size, 12) = generator.noise(size, own) * generator.noise(own, 12);
      rank += own;
    }
    rows *= root_inverse_mass.asDiagonal();
    const Dense matrix = rows * rows.transpose();
    const Column known = matrix * generator.noise(n, 1);
    OwnFactors own(matrix);
    std::vector<double> x(n), work(static_cast<std::size_t>(own.stride)), b(known.data(), known.data() + n);
    ASSERT_EQ(own.factorise(), rank);
    if (least == size) {
      EXPECT_EQ(own.end[0], 12) << "the first row meets those of two joints";
    }
    solve(own.factors(), rank, {b.data()}, {x.data()}, {work.data()});
    const Column found = Eigen::Map<const Column>(x.data(), n);
    EXPECT_LE((matrix * found - known).norm(), 1e-9 * known.norm()) << least;
  }
}

// L Y = B for twelve columns beside each other, the first rows of which may be zeros.
TEST(Ldl, SolvesForwardForTwelveColumns) {
  ProblemGenerator generator(8);
  constexpr int n = 9, stride = 15;
  const Dense root = generator.noise(n, n), matrix = root * root.transpose();
  for (const int zeros : {0, 3, 8}) {
    OwnFactors own(matrix);
    const LdlFactors<1> ldl = own.factors();
    ASSERT_EQ(own.factorise(), n);
    Dense known = generator.noise(n, stride);
    known.topRows(zeros).setZero();
    std::vector<double> y(known.data(), known.data() + known.size());
    detail::solve_forward(ldl, n, Span<double>{y.data()}, stride);
    const Eigen::Map<const Dense> found(y.data(), n, stride);
    Dense L = Dense::Identity(n, n);
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i) L(i, k) = ldl.row(ldl.order[k])[ldl.order[i]];
    EXPECT_LE((L * found - known).leftCols(12).norm(), 1e-12 * known.norm()) << zeros;
    EXPECT_EQ(found.rightCols(stride - 12), known.rightCols(stride - 12)) << "the columns beside them stay";
  }
}

// Joints between two bodies hold six freedoms at most, however weak each of them is: balls beside each other, nearly on
// a line, and torques, which the rounding errors of small pivots made seven of one time in thirty.
TEST(Ldl, RankOfWeakRowsIsNotTooHigh) {
  ProblemGenerator generator(3);
  for (int trial = 0; trial < 1000; ++trial) {
    Column mass(12);
    for (int k = 0; k < 12; ++k) mass[k] = k % 6 < 3 ? 1 : generator.uniform(50, 150);
    mass.head(6) *= generator.uniform(0.1, 10);
    const Dense near = generator.noise(3, 1), way = generator.noise(3, 1), away = generator.noise(3, 1);
    Dense rows = Dense::Zero(13, 12);
    const auto write = [&](int row, const Vec3& force, const Vec3& torque, const Vec3& at) {
      const Vec3 on_a = cross(at, force) + torque, on_b = cross(at - Vec3(away(0), away(1), away(2)), force) + torque;
      for (int k = 0; k < 3; ++k) {
        rows(row, k) = -force[k], rows(row, 3 + k) = -on_a[k];
        rows(row, 6 + k) = force[k], rows(row, 9 + k) = on_b[k];
      }
    };
    for (int ball = 0; ball < 3; ++ball) {
      const Dense point = near + generator.uniform(-0.05, 0.05) * way +
                          std::pow(10, generator.uniform(-3, -1.5)) * generator.noise(3, 1);
      for (int i = 0; i < 3; ++i)
        write(3 * ball + i, Vec3(i == 0, i == 1, i == 2), Vec3::Zero(), Vec3(point(0), point(1), point(2)));
    }
    for (int row = 9; row < 13; ++row) {
      const Dense torque = generator.noise(3, 1);
      write(row, Vec3::Zero(), Vec3(torque(0), torque(1), torque(2)), Vec3::Zero());
    }
    OwnFactors own(rows * mass.asDiagonal() * rows.transpose());
    EXPECT_LE(own.factorise(), 6) << trial;
  }
}

TEST(Ldl, HasRankZeroWithoutANumber) {
  OwnFactors own(Dense::Constant(1, 1, canonical_nan()));
  EXPECT_EQ(own.factorise(), 0);
}

}  // namespace
}  // namespace jostle
