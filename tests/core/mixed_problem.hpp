#pragma once
// Random small mixed LCPs with memory of their own, and the dense algebra of their Schur complement done by Eigen.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/assembly/assembled_lcp.hpp"
#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/schur.hpp"
#include "core/lcp/lemke.hpp"

namespace jostle {

/// Of friction, in most of these tests.
inline constexpr int directions = 8;

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Column = Eigen::VectorXd;

/// What a random problem is made of.
struct ProblemKind {
  int bodies = 3;
  bool full_matrix = false;  ///< A is not diagonal...
  bool unsymmetric = false;  ///< ...and not symmetric; its symmetric part is positive definite
  int joints = 0;            ///< independent rows
  int redundant_joints = 0;  ///< and sums of them
  int contacts = 2;
  int frictionless = 0;         ///< contacts with mu = 0
  int limits = 0;               ///< a normal alone
  int tangents = 2;             ///< k/2 of a contact
  int joint_frictions = 0;      ///< no normal, a bound
  int bounded_multipliers = 0;  ///< no normal, no opposite, a bound
};

/// A row without its bodies.
inline ConstraintRow row_of(const Column& dense, int first, int second) {
  ConstraintRow row{{first, second}, {}};
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < 6; ++k) row.entry[side][k] = row.body[side] == no_body ? 0 : dense[6 * row.body[side] + k];
  }
  return row;
}

/// The data of a mixed LCP, solvable by construction: for some u, N'u = s, n'u + b_n >= 0 and D'u + b_t = 0, so that
/// v - u solves a problem without negative biases (Anitescu & Potra 1997, theorem 2.1).
struct MixedProblem {
  Dense A, N, J;  ///< N: one joint per column; J: one row per normal or tangent
  Column r, s, bias;
  std::vector<Block> blocks;
  std::vector<ConstraintRow> rows, joints;  ///< those of J and N'
  bool full_matrix = false;

  int velocities() const { return static_cast<int>(A.rows()); }
  MixedLcp lcp() const {
    return {static_cast<int>(rows.size()), static_cast<int>(blocks.size()), static_cast<int>(joints.size())};
  }
  int lcp_size() const {
    int n = 0;
    for (const Block& block : blocks) n += block.betas() + block.normals() + block.lambdas();
    return n;
  }
};

class ProblemGenerator {
 public:
  explicit ProblemGenerator(unsigned seed) : random_(seed) {}

  MixedProblem make(const ProblemKind& kind) {
    MixedProblem problem;
    problem.full_matrix = kind.full_matrix;
    set_mass(kind, problem);
    set_joints(kind, problem);
    set_blocks(kind, problem);
    const int nv = problem.velocities();
    problem.r = noise(nv, 1);
    const Column u = noise(nv, 1);
    problem.s = problem.N.transpose() * u;
    problem.bias = -(problem.J * u);
    for (const Block& block : problem.blocks) {
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
    const int n = 6 * kind.bodies;
    Column mass(n);
    for (int i = 0; i < n; ++i) mass[i] = std::exp(uniform(-3, 3));
    problem.A = mass.asDiagonal();
    if (!kind.full_matrix) return;
    const Dense root = noise(n, n);
    problem.A += root * root.transpose() / 4;
    if (!kind.unsymmetric) return;
    const Dense skew = noise(n, n);
    problem.A += skew - skew.transpose();
  }

  /// A row between two bodies, or between one and what stands still.
  ConstraintRow random_row(int bodies) {
    const int first = static_cast<int>(random_() % static_cast<unsigned>(bodies));
    const int second = static_cast<int>(random_() % static_cast<unsigned>(bodies + 1));
    const int low = std::min(first, second), high = std::max(first, second);
    const Column entries = noise(6 * bodies, 1);
    if (high < bodies && low < high) return row_of(entries, low, high);
    return row_of(entries, low, no_body);
  }

  static Column dense(const ConstraintRow& row, int bodies) {
    Column x = Column::Zero(6 * bodies);
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 6 && row.body[side] != no_body; ++k) x[6 * row.body[side] + k] = row.entry[side][k];
    }
    return x;
  }

  void set_joints(const ProblemKind& kind, MixedProblem& problem) {
    const int all = kind.joints + kind.redundant_joints;
    problem.N = Dense(6 * kind.bodies, all);
    const int pairs = kind.bodies - 1;
    for (int j = 0; j < kind.joints; ++j) {
      const int body = j % pairs;
      problem.joints.push_back(row_of(noise(6 * kind.bodies, 1), body, body + 1));
      problem.N.col(j) = dense(problem.joints.back(), kind.bodies);
    }
    for (int j = kind.joints; j < all; ++j) {  // twice, or half, what another one says
      problem.N.col(j) = (j % 2 == 0 ? 2.0 : -0.5) * problem.N.col(j - kind.joints);
      const ConstraintRow& other = problem.joints[static_cast<std::size_t>(j - kind.joints)];
      problem.joints.push_back(row_of(problem.N.col(j), other.body[0], other.body[1]));
    }
  }

  // The rows of blocks stand in J in an order of their own, behind one that belongs to no block.
  void set_blocks(const ProblemKind& kind, MixedProblem& problem) {
    const int normals = kind.contacts + kind.frictionless + kind.limits;
    const int frictions = kind.joint_frictions + kind.bounded_multipliers;
    int row = 1 + normals;
    for (int c = 0; c < frictions; ++c) {
      problem.blocks.push_back({-1, row++, 1, c < kind.joint_frictions, 0, uniform(0, 0.5)});
    }
    for (int c = 0; c < normals; ++c) {
      const bool rough = c >= kind.frictionless + kind.limits;
      problem.blocks.push_back({normals - c, row, rough ? kind.tangents : 0, true, rough ? uniform(0.1, 1) : 0, 0});
      row += c >= kind.limits ? kind.tangents : 0;  // the rows of tangents may stand there without being used
    }
    problem.rows.resize(static_cast<std::size_t>(row));
    for (ConstraintRow& each : problem.rows) each = random_row(kind.bodies);
    for (const Block& block : problem.blocks) {  // tangents belong to the bodies of their normal
      for (int i = 0; i < block.tangents && block.normal >= 0; ++i) {
        const ConstraintRow& normal = problem.rows[static_cast<std::size_t>(block.normal)];
        problem.rows[static_cast<std::size_t>(block.tangent + i)] =
            row_of(noise(6 * kind.bodies, 1), normal.body[0], normal.body[1]);
      }
    }
    problem.J = Dense(row, 6 * kind.bodies);
    for (int r = 0; r < row; ++r) problem.J.row(r) = dense(problem.rows[static_cast<std::size_t>(r)], kind.bodies);
  }

  std::mt19937 random_;
};

/// A workspace that holds a problem; what the assembly writes is NaN first. `Step`: as if so many teams shared the
/// memory.
template <int Step>
class AssemblyMemoryOf {
 public:
  explicit AssemblyMemoryOf(const MixedProblem& problem, int number = 0)
      : AssemblyMemoryOf(problem, number, Dimensions().directions,
                         1 + std::max(problem.lcp().rows, problem.lcp().blocks)) {
  }  // enough for rows, blocks and variables
  AssemblyMemoryOf(const MixedProblem& problem, int number, int direction_count, int contacts, bool circular = false)
      : lcp(problem.lcp()) {
    dimensions.has_circular_cone = circular;
    dimensions.movers = problem.velocities() / 6;
    dimensions.directions = direction_count;
    dimensions.contacts = contacts;
    dimensions.joint_rows = lcp.joints;
    dimensions.joints = static_cast<int>(joints_of(problem).size());
    dimensions.has_mass_matrix = problem.full_matrix;
    layout_ = WorkspaceLayout(dimensions, Step);
    const std::size_t far = layout_.far * static_cast<std::size_t>(Step);
    memory_.assign((layout_.near + layout_.cells + far) / sizeof(double), canonical_nan());
    auto* const first = reinterpret_cast<std::byte*>(memory_.data());
    work = WorkspaceView<AllSystems, Step>(layout_, first, first + layout_.near, first + layout_.near + layout_.cells,
                                           number);
    write(problem);
  }
  AssemblyMemoryOf(const AssemblyMemoryOf&) = delete;

  /// The LCP of the whole problem, as one island. Returns n, or -1.
  template <class Team>
  int assemble(const Team& team) const {
    find_islands(team, dimensions, lcp, true, work);
    if (dimensions.is_coupled()) {
      if (!assemble_coupled(team, dimensions, lcp, work)) return -1;
      form_coupled_delassus(team, dimensions, work);
    } else {
      write_free_motion(team, dimensions, lcp, work);
      form_delassus(team, island(), work);
    }
    number_lcp(team, island(), work);
    return island().variables;
  }
  Island island() const { return work.island(0); }
  void recover_velocity() const {
    if (dimensions.is_coupled()) {
      velocity_from_impulses(SerialTeam{}, dimensions, island(), work);
    } else {
      velocity_from_impulses(SerialTeam{}, dimensions, island(), work.template as<PlainSystems>());
    }
  }
  /// The certificate of the whole problem.
  double residual() const {
    write_row_speeds(SerialTeam{}, island(), work);
    return certify_speeds(SerialTeam{}, island(), work, size_of_lcp(SerialTeam{}, island(), work, false).q_size);
  }

  Column free_velocity() const { return column(work.free_velocity()); }
  Column velocity() const { return column(work.next_velocity()); }
  Column impulse() const {
    return numbers(lcp.rows, [&](int r) { return work.row_impulse(r); });
  }
  Column scale(int n) const {
    return numbers(n, [&](int i) { return work.scale(i); });
  }
  /// All beta, c_n and lambda, block after block in each, as in DenseProblem.
  Column z() const {
    const std::vector<Variable> all = variables();
    return numbers(static_cast<int>(all.size()), [&](int i) { return work.z(all[static_cast<std::size_t>(i)].place); });
  }
  /// Their scales.
  Column scale() const {
    const std::vector<Variable> all = variables();
    return numbers(static_cast<int>(all.size()), [&](int i) {
      const auto [place, block, is_lambda] = all[static_cast<std::size_t>(i)];
      return is_lambda ? 1 / work.block_scale(block) : work.block_scale(block);
    });
  }
  Column vector(int n) const {
    return numbers(n, [&](int i) { return work.lcp_vector(i); });
  }
  Dense matrix(int n) const {
    Dense M(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) M(i, j) = AssembledLcp(work, island()).entry(i, j);
    }
    return M;
  }
  /// Of the rows of blocks; 0 for others.
  Dense delassus() const {
    Dense D = Dense::Zero(lcp.rows, lcp.rows);
    for_each_row_of_blocks(
        [&](int r) { for_each_row_of_blocks([&](int s) { D(r, s) = work.delassus(r * work.rows() + s); }); });
    return D;
  }
  void for_each_row_of_blocks(auto f) const {
    for (int c = 0; c < lcp.blocks; ++c) for_each_row(work.block(c), f);
  }

  Dimensions dimensions;
  MixedLcp lcp;
  WorkspaceView<AllSystems, Step> work;

 private:
  void write(const MixedProblem& problem) const {
    const int nv = problem.velocities();
    for (int i = 0; i < nv; ++i) {
      work.momentum(i / 6)[i % 6] = problem.r[i];
      work.inv_mass(i / 6)[i % 6] = 1 / problem.A(i, i);
    }
    for (int i = 0; i < nv * nv && problem.full_matrix; ++i) work.mass_matrix(i) = problem.A.data()[i];
    for (int r = 0; r < lcp.rows; ++r) {
      work.row(r) = problem.rows[static_cast<std::size_t>(r)];
      work.row_bias(r) = problem.bias[r];
    }
    for (int c = 0; c < lcp.blocks; ++c) work.block(c) = problem.blocks[static_cast<std::size_t>(c)];
    for (int j = 0; j < lcp.joints; ++j) {
      work.joint_row(j) = problem.joints[static_cast<std::size_t>(j)];
      work.joint_bias(j) = problem.s[j], work.joint_rounding(j) = 0;
    }
    int number = 0;
    for (const JointRows& joint : joints_of(problem)) work.rows_of_joint(number++) = joint;
  }
  template <class Number>
  static Column numbers(int n, Number number) {
    Column x(n);
    for (int i = 0; i < n; ++i) x[i] = number(i);
    return x;
  }
  Column column(const Span<Vec6, Step>& v) const {
    return numbers(dimensions.velocities(), [&](int i) { return v[i / 6][i % 6]; });
  }

  /// Rows of N' that follow each other and have the same bodies, as joints of six rows at most.
  static std::vector<JointRows> joints_of(const MixedProblem& problem) {
    std::vector<JointRows> joints;
    for (int j = 0; j < problem.lcp().joints; ++j) {
      const auto& [first, second] = problem.joints[static_cast<std::size_t>(j)].body;
      const bool same = !joints.empty() && joints.back().body[0] == first && joints.back().body[1] == second;
      if (!same || joints.back().count == 6) joints.push_back({j, 0, {first, second}});
      ++joints.back().count;
    }
    return joints;
  }

  struct Variable {
    int place, block;
    bool is_lambda;
  };
  std::vector<Variable> variables() const {
    std::vector<Variable> all[3];
    for (int c = 0; c < lcp.blocks; ++c) {
      const Block& block = work.block(c);
      const BlockVariables first = work.block_variables(c);
      for (int i = 0; i < block.betas(); ++i) all[0].push_back({first.beta + i, c, false});
      if (block.normals() > 0) all[1].push_back({first.normal, c, false});
      if (block.lambdas() > 0) all[2].push_back({first.lambda, c, true});
    }
    for (const int kind : {1, 2}) all[0].insert(all[0].end(), all[kind].begin(), all[kind].end());
    return all[0];
  }

  WorkspaceLayout layout_;
  std::vector<double> memory_;
};
using AssemblyMemory = AssemblyMemoryOf<1>;

/// The same problem as whole matrices: the columns of D and of n, E and mu.
struct DenseProblem {
  explicit DenseProblem(const MixedProblem& problem) {
    const int nv = static_cast<int>(problem.A.rows());
    int betas = 0, normals = 0, lambdas = 0;
    for (const Block& block : problem.blocks) {
      betas += block.betas(), normals += block.normal >= 0, lambdas += block.tangents > 0;
    }
    D = Dense::Zero(nv, betas), n = Dense::Zero(nv, normals), E = Dense::Zero(betas, lambdas);
    mu = Dense::Zero(lambdas, normals), b_t = Column::Zero(betas), b_n = Column::Zero(normals),
    b_c = Column::Zero(lambdas);
    int beta = 0, normal = 0, lambda = 0;
    for (const Block& block : problem.blocks) {
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
