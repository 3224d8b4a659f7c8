// Lemke against an enumeration of all bases that shares no code with it. A solvable LCP has a solution at a
// vertex: every index has z_i > 0 = w_i, or z_i = 0 < w_i, or both zero, and the equations w_R = 0 over the
// rows R of the first and last kind determine the positive z.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "tests/support/lcp_solve.hpp"

namespace jostle {
namespace {

class Enumeration {
 public:
  explicit Enumeration(const LcpProblem& problem) : n_(problem.n), M_(n_, n_), q_(n_) {
    for (int i = 0; i < n_; ++i) {
      q_[i] = problem.q[i];
      for (int j = 0; j < n_; ++j) M_(i, j) = problem.M[i * n_ + j];
    }
  }

  bool has_solution() {
    kinds_.assign(n_, 0);
    return search(0);
  }

 private:
  bool search(int index) {
    if (index == n_) return is_solution();
    for (const int kind : {0, 1, 2}) {
      kinds_[index] = kind;
      if (search(index + 1)) return true;
    }
    return false;
  }

  // Kind 0: w_i free, z_i = 0. Kind 1: z_i free, w_i = 0. Kind 2: both zero.
  bool is_solution() const {
    std::vector<int> rows, columns;
    for (int i = 0; i < n_; ++i) {
      if (kinds_[i] != 0) rows.push_back(i);
      if (kinds_[i] == 1) columns.push_back(i);
    }
    if (columns.empty() && !rows.empty()) return false;  // the same as all kinds 0
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
    if (!columns.empty()) {
      Eigen::MatrixXd A(rows.size(), columns.size());
      Eigen::VectorXd b(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        b[i] = -q_[rows[i]];
        for (std::size_t j = 0; j < columns.size(); ++j) A(i, j) = M_(rows[i], columns[j]);
      }
      const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(A);
      if (factors.rank() < int(columns.size())) return false;
      const Eigen::VectorXd positive = factors.solve(b);
      for (std::size_t j = 0; j < columns.size(); ++j) z[columns[j]] = positive[j];
    }
    const Eigen::VectorXd w = M_ * z + q_;
    return z.cwiseMin(w).cwiseAbs().maxCoeff() <= 1e-9;
  }

  int n_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd q_;
  std::vector<int> kinds_;
};

class RandomProblems {
 public:
  explicit RandomProblems(unsigned seed) : random_(seed) {}

  double integer(int bound) { return double(int(random_() % unsigned(2 * bound + 1)) - bound); }

  LcpProblem general(int n) {
    LcpProblem problem{n, std::vector<double>(n * n), std::vector<double>(n)};
    for (double& m : problem.M) m = integer(2);
    for (double& q : problem.q) q = integer(2);
    return problem;
  }

  // A A' + K with A of few columns and K skew: positive semidefinite, and so copositive-plus.
  LcpProblem semidefinite(int n, int rank) {
    LcpProblem problem = general(n);
    std::vector<double> A(n * rank);
    for (double& a : A) a = integer(2);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < rank; ++k) sum += A[i * rank + k] * A[j * rank + k];
        const double skew = i < j ? problem.M[i * n + j] : i > j ? -problem.M[j * n + i] : 0;
        symmetric_.push_back(sum + skew);
      }
    }
    problem.M = std::exchange(symmetric_, {});
    return problem;
  }

  // Positive entries: strictly copositive, solvable for every q.
  LcpProblem positive(int n) {
    LcpProblem problem = general(n);
    for (double& m : problem.M) m = 1 + std::fabs(m);
    return problem;
  }

 private:
  std::mt19937 random_;
  std::vector<double> symmetric_;
};

int size_of_sample(int sample) { return 1 + sample % (sample % 40 == 0 ? 8 : 6); }

// Lemke processes copositive-plus problems: it finds a solution exactly where there is one.
TEST(Enumeration, SemidefiniteProblemsAreSolvedExactlyIfTheyCanBe) {
  RandomProblems random(1);
  int solvable = 0, hopeless = 0;
  for (int sample = 0; sample < 400; ++sample) {
    const int n = size_of_sample(sample);
    const LcpProblem problem = random.semidefinite(n, sample % (n + 1));
    const bool expected = Enumeration(problem).has_solution();
    const LcpAnswer answer = solve_serially(problem);
    EXPECT_EQ(answer.result.status, expected ? LcpStatus::solved : LcpStatus::ray) << "sample " << sample;
    ++(expected ? solvable : hopeless);
  }
  EXPECT_GT(solvable, 100);
  EXPECT_GT(hopeless, 50);
}

TEST(Enumeration, StrictlyCopositiveProblemsAreAlwaysSolved) {
  RandomProblems random(2);
  for (int sample = 0; sample < 400; ++sample) {
    const LcpProblem problem = random.positive(1 + sample % 8);
    EXPECT_EQ(solve_serially(problem).result.status, LcpStatus::solved) << "sample " << sample;
  }
}

// No class at all: what is called solved is solved, and what has no solution is not.
TEST(Enumeration, GeneralProblemsAreNeverSolvedWrongly) {
  RandomProblems random(3);
  int solved = 0, hopeless = 0;
  for (int sample = 0; sample < 600; ++sample) {
    const LcpProblem problem = random.general(size_of_sample(sample));
    const LcpAnswer answer = solve_serially(problem);
    if (answer.result.status == LcpStatus::solved) {
      ++solved;
      std::vector<double> w(problem.n);
      EXPECT_LE(certify_plain(SerialTeam{}, problem.view(), answer.z.data(), w.data()), 1e-10);
      continue;
    }
    EXPECT_EQ(answer.result.status, LcpStatus::ray);
    hopeless += !Enumeration(problem).has_solution();
  }
  EXPECT_GT(solved, 200);
  EXPECT_GT(hopeless, 100);
}

// A particle of 1 kg between two walls with normals (+-1, 0), friction mu: 0 <= +-v_x + b_n _|_ c_n >= 0.
LcpProblem between_walls(double vx, double vy, double b_left, double b_right, double mu) {
  return {8,
          {
              1,  -1, 1,  -1, 0,  0,  1, 0,  // beta of the left wall: directions +y, -y
              -1, 1,  -1, 1,  0,  0,  1, 0,  //
              1,  -1, 1,  -1, 0,  0,  0, 1,  // beta of the right wall
              -1, 1,  -1, 1,  0,  0,  0, 1,  //
              0,  0,  0,  0,  1,  -1, 0, 0,  // c_n
              0,  0,  0,  0,  -1, 1,  0, 0,  //
              -1, -1, 0,  0,  mu, 0,  0, 0,  // lambda
              0,  0,  -1, -1, 0,  mu, 0, 0,
          },
          {vy, -vy, vy, -vy, vx + b_left, -vx + b_right, 0, 0}};
}

// Walls closer than the particle is wide (b_left + b_right < 0) leave no velocity, and a ray is the true answer.
TEST(Enumeration, WedgedBodiesEndOnARay) {
  RandomProblems random(4);
  int hopeless = 0;
  for (int sample = 0; sample < 60; ++sample) {
    const double left = random.integer(3), right = random.integer(3);
    const LcpProblem problem =
        between_walls(random.integer(2), random.integer(2), left, right, 0.5 + random.integer(2) / 4);
    const bool possible = left + right >= 0;
    EXPECT_EQ(Enumeration(problem).has_solution(), possible) << "sample " << sample;
    EXPECT_EQ(solve_serially(problem).result.status, possible ? LcpStatus::solved : LcpStatus::ray) << sample;
    hopeless += !possible;
  }
  EXPECT_GT(hopeless, 15);
}

}  // namespace
}  // namespace jostle
