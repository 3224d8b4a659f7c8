#pragma once
// Random small mixed LCPs with memory of their own, and the dense algebra of their Schur complement done by Eigen.
#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/schur.hpp"
#include "core/lcp/lemke.hpp"

namespace jostle {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Column = Eigen::VectorXd;

/// What a random problem is made of.
struct ProblemKind {
  int velocities = 8;
  bool full_matrix = false;  ///< A is not diagonal...
  bool unsymmetric = false;  ///< ...and not symmetric; its symmetric part is positive definite
  int joints = 0;            ///< independent rows
  int redundant_joints = 0;  ///< and sums of them
  int contacts = 2;
  int frictionless = 0;         ///< contacts with mu = 0
  int tangents = 2;             ///< k/2 of a contact
  int joint_frictions = 0;      ///< no normal, a bound
  int bounded_multipliers = 0;  ///< no normal, no opposite, a bound
};

/// The data of a mixed LCP, solvable by construction: for some u, N'u = s, n'u + b_n >= 0 and D'u + b_t = 0, so that
/// v - u solves a problem without negative biases (Anitescu & Potra 1997, theorem 2.1).
struct MixedProblem {
  Dense A, N, J;  ///< N: one joint per column; J: one row per normal or tangent
  Column r, s, bias;
  std::vector<ContactBlock> blocks;
  std::vector<double> inv_mass, joint_rows;  ///< inv_mass is empty if A is not diagonal

  MixedLcp view() const {
    MixedLcp mixed;
    mixed.velocities = static_cast<int>(A.rows());
    mixed.joints = static_cast<int>(N.cols());
    mixed.rows = static_cast<int>(J.rows());
    mixed.blocks = static_cast<int>(blocks.size());
    mixed.inv_mass = inv_mass.empty() ? nullptr : inv_mass.data();
    mixed.matrix = A.data();
    mixed.momentum = r.data();
    mixed.joint_rows = joint_rows.data();
    mixed.joint_bias = s.data();
    mixed.contact_rows = J.data();
    mixed.row_bias = bias.data();
    mixed.contacts = blocks.data();
    return mixed;
  }
};

class ProblemGenerator {
 public:
  explicit ProblemGenerator(unsigned seed) : random_(seed) {}

  MixedProblem make(const ProblemKind& kind) {
    MixedProblem problem;
    set_mass(kind, problem);
    set_joints(kind, problem);
    set_blocks(kind, problem);
    problem.r = noise(kind.velocities, 1);
    const Column u = noise(kind.velocities, 1);
    problem.s = problem.N.transpose() * u;
    problem.bias = -(problem.J * u);
    for (const ContactBlock& block : problem.blocks) {
      if (block.normal >= 0) problem.bias[block.normal] += uniform(0, 1);
    }
    return problem;
  }

  double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(random_()) * 0x1p-32); }

  Dense noise(int rows, int columns) {
    Dense matrix(rows, columns);
    for (int i = 0; i < matrix.size(); ++i) matrix.data()[i] = uniform(-1, 1);
    return matrix;
  }

 private:
  void set_mass(const ProblemKind& kind, MixedProblem& problem) {
    const int n = kind.velocities;
    Column mass(n);
    for (int i = 0; i < n; ++i) mass[i] = std::exp(uniform(-3, 3));
    problem.A = mass.asDiagonal();
    if (!kind.full_matrix) {
      for (int i = 0; i < n; ++i) problem.inv_mass.push_back(1 / mass[i]);
      return;
    }
    const Dense root = noise(n, n);
    problem.A += root * root.transpose();
    if (!kind.unsymmetric) return;
    const Dense skew = noise(n, n);
    problem.A += skew - skew.transpose();
  }

  void set_joints(const ProblemKind& kind, MixedProblem& problem) {
    const int all = kind.joints + kind.redundant_joints;
    problem.N = Dense(kind.velocities, all);
    problem.N.leftCols(kind.joints) = noise(kind.velocities, kind.joints);
    for (int j = kind.joints; j < all; ++j) problem.N.col(j) = problem.N.leftCols(kind.joints) * noise(kind.joints, 1);
    const Dense rows = problem.N.transpose();
    problem.joint_rows.assign(rows.data(), rows.data() + rows.size());
  }

  void set_blocks(const ProblemKind& kind, MixedProblem& problem) {
    int row = 0;
    for (int c = 0; c < kind.contacts + kind.frictionless; ++c) {
      const bool rough = c >= kind.frictionless;
      problem.blocks.push_back({row, row + 1, rough ? kind.tangents : 0, true, rough ? uniform(0.1, 1) : 0, 0});
      row += 1 + kind.tangents;  // the rows of tangents stand there, used or not, as in a step
    }
    for (int c = 0; c < kind.joint_frictions + kind.bounded_multipliers; ++c) {
      problem.blocks.push_back({-1, row++, 1, c < kind.joint_frictions, 0, uniform(0, 0.5)});
    }
    problem.J = noise(row, kind.velocities);
  }

  std::mt19937 random_;
};

/// Everything the assembly writes, filled with NaN first.
struct SchurMemory {
  explicit SchurMemory(const MixedLcp& mixed)
      : n(detail::lcp_size(mixed)), variables(n), orders(2 * (mixed.velocities + mixed.joints), -1) {
    const int nv = mixed.velocities, m = mixed.joints, rows = mixed.rows;
    for (const int size : {nv, rows * nv, rows * rows, n * n, n, n, mixed.blocks, nv * nv, m * nv, m * m, nv + m,
                           (rows + m + 1) * 2 * (nv + m)}) {
      reals.emplace_back(static_cast<std::size_t>(size), canonical_nan());
    }
    double** const members[] = {&schur.free_velocity,  &schur.response,      &schur.delassus,    &schur.lcp_matrix,
                                &schur.lcp_vector,     &schur.scale,         &schur.block_scale, &schur.factors,
                                &schur.joint_response, &schur.joint_factors, &schur.lu_scale,    &schur.lane_memory};
    for (std::size_t i = 0; i < reals.size(); ++i) *members[i] = reals[i].data();
    schur.variables = variables.data();
    schur.orders = orders.data();
  }
  SchurMemory(const SchurMemory&) = delete;

  Eigen::Map<const Dense> matrix() const { return {schur.lcp_matrix, n, n}; }
  Eigen::Map<const Column> vector() const { return {schur.lcp_vector, n}; }

  int n;
  SchurComplement schur;
  std::vector<LcpVariable> variables;
  std::vector<int> orders;
  std::vector<std::vector<double>> reals;
};

/// The same problem as whole matrices: the columns of D and of n, E and mu.
struct DenseProblem {
  explicit DenseProblem(const MixedProblem& problem) {
    const int nv = static_cast<int>(problem.A.rows());
    int betas = 0, normals = 0, lambdas = 0;
    for (const ContactBlock& block : problem.blocks) {
      betas += block.betas(), normals += block.normal >= 0, lambdas += block.tangents > 0;
    }
    D = Dense::Zero(nv, betas), n = Dense::Zero(nv, normals), E = Dense::Zero(betas, lambdas);
    mu = Dense::Zero(lambdas, normals), b_t = Column::Zero(betas), b_n = Column::Zero(normals),
    b_c = Column::Zero(lambdas);
    int beta = 0, normal = 0, lambda = 0;
    for (const ContactBlock& block : problem.blocks) {
      for (int i = 0; i < block.betas(); ++i) {
        const int row = block.tangent + i % block.tangents;
        const double sign = i < block.tangents ? 1 : -1;
        D.col(beta) = sign * problem.J.row(row).transpose();
        b_t[beta] = sign * problem.bias[row];
        E(beta++, lambda) = 1;
      }
      if (block.normal >= 0 && block.tangents > 0) mu(lambda, normal) = block.friction;
      if (block.tangents > 0) b_c[lambda++] = block.bound;
      if (block.normal < 0) continue;
      n.col(normal) = problem.J.row(block.normal).transpose();
      b_n[normal++] = problem.bias[block.normal];
    }
  }

  Dense D, n, E, mu;
  Column b_t, b_n, b_c;
};

/// P, v0, M and q as docs/theory.md writes them.
struct DenseSchur {
  explicit DenseSchur(const MixedProblem& problem) : DenseSchur(problem, DenseProblem(problem)) {}

  DenseSchur(const MixedProblem& problem, const DenseProblem& dense) {
    const Dense inverse = problem.A.inverse();
    P = inverse;
    v0 = inverse * problem.r;
    if (problem.N.cols() > 0) {
      const Eigen::ColPivHouseholderQR<Dense> order(problem.N);  // its first columns are independent
      const int rank = static_cast<int>(order.rank());
      Dense N(problem.N.rows(), rank);
      Column s(rank);
      for (int j = 0; j < rank; ++j) {
        N.col(j) = problem.N.col(order.colsPermutation().indices()[j]);
        s[j] = problem.s[order.colsPermutation().indices()[j]];
      }
      const Dense G = (N.transpose() * inverse * N).inverse();
      P = inverse - inverse * N * G * N.transpose() * inverse;
      v0 = inverse * problem.r - inverse * N * G * (N.transpose() * inverse * problem.r - s);
    }
    const auto nb = dense.D.cols(), nn = dense.n.cols(), nl = dense.E.cols();
    M = Dense::Zero(nb + nn + nl, nb + nn + nl);
    M.topLeftCorner(nb, nb) = dense.D.transpose() * P * dense.D;
    M.block(0, nb, nb, nn) = dense.D.transpose() * P * dense.n;
    M.block(nb, 0, nn, nb) = dense.n.transpose() * P * dense.D;
    M.block(nb, nb, nn, nn) = dense.n.transpose() * P * dense.n;
    M.topRightCorner(nb, nl) = dense.E;
    M.bottomLeftCorner(nl, nb) = -dense.E.transpose();
    M.block(nb + nn, nb, nl, nn) = dense.mu;
    q.resize(nb + nn + nl);
    q << dense.D.transpose() * v0 + dense.b_t, dense.n.transpose() * v0 + dense.b_n, dense.b_c;
  }

  Dense P, M;
  Column v0, q;
};

}  // namespace jostle
