#include "core/lcp/further_search.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <random>

#include "core/lcp/bimatrix_game.hpp"
#include "core/lcp/dense_solve.hpp"
#include "core/lcp/lemke_memory.hpp"

namespace jostle {
namespace {

using Basis = std::vector<std::uint8_t>;

class Search {
 public:
  Search(const LcpView& lcp, const LemkeOptions& options, DenseLcpSolution& solution)
      : lcp_(lcp), options_(options), solution_(solution), n_(static_cast<std::size_t>(lcp.n)), scale_(n_) {
    equilibrate(SerialTeam{}, lcp_, scale_.data());
    matrix_.resize(lcp.n, lcp.n), q_.resize(lcp.n);
    for (int i = 0; i < lcp.n; ++i) {
      for (int j = 0; j < lcp.n; ++j) matrix_(i, j) = scale(i) * lcp.entry(i, j) * scale(j);
      q_[i] = scale(i) * lcp.constant(i);
    }
  }

  /// Whether there is a proof of infeasibility, which it then writes.
  bool proves_infeasible() {
    LcpMatrix both = LcpMatrix::Zero(2 * lcp_.n, 2 * lcp_.n);
    both.topRightCorner(lcp_.n, lcp_.n) = -matrix_.transpose();
    both.bottomLeftCorner(lcp_.n, lcp_.n) = matrix_;
    std::vector<double> q(2 * n_, 0.0);
    std::copy(q_.data(), q_.data() + q_.size(), q.begin() + static_cast<std::ptrdiff_t>(n_));
    const DenseLcpSolution ends = solve_dense_lcp({both.data(), both.data() + both.size()}, q, options_);
    if (ends.ray.empty()) return false;
    std::vector<double> u(ends.ray.begin() + static_cast<std::ptrdiff_t>(n_), ends.ray.end());
    for (std::size_t i = 0; i < n_; ++i) u[i] *= scale_[i];
    const double largest = *std::max_element(u.begin(), u.end());
    if (!(largest > 0)) return false;
    for (double& entry : u) entry /= largest;
    if (!is_proof(u)) return false;
    solution_.verdict = LcpVerdict::infeasible, solution_.proof = std::move(u);
    return true;
  }

  bool solves_as_game() {
    return solve_bimatrix_game(matrix_, q_, [this](const Basis& basis) { return accepts(basis); });
  }

  /// Other powers of two as scales are other covering vectors.
  bool solves_with_another_covering() {
    std::vector<double> other = scale_, z(n_), w(n_);
    for (double& factor : other) factor *= power_of_two(static_cast<int>(random_() % 7) - 3);
    Basis basis(n_);
    LemkeOptions once = options_;
    once.attempts = 1;
    const auto certify = [&] { return residual_of(z, w); };
    const LcpResult result = solve_lcp(SerialTeam{}, lcp_, other.data(), memory_.workspace(lcp_.n), once, z.data(),
                                       certify, nullptr, basis.data());
    solution_.pivots += result.pivots, ++solution_.attempts;
    return result.status == LcpStatus::solved && accepts(basis);
  }

  /// From another basis: by the principal pivot transform of a random set of rows, where it is regular.
  bool solves_from_another_basis() {
    Basis start(n_);
    std::vector<int> in, out;
    for (std::size_t i = 0; i < n_; ++i) {
      start[i] = random_() % 2 == 0;
      (start[i] ? in : out).push_back(static_cast<int>(i));
    }
    if (in.empty()) return false;
    const Eigen::FullPivLU<Eigen::MatrixXd> factors(matrix_(in, in));
    if (!factors.isInvertible()) return false;
    const Eigen::MatrixXd inverse = factors.inverse();
    LcpMatrix M(lcp_.n, lcp_.n);
    Eigen::VectorXd q(lcp_.n);
    M(in, in) = inverse, M(in, out) = -inverse * matrix_(in, out), M(out, in) = matrix_(out, in) * inverse;
    M(out, out) = matrix_(out, out) - M(out, in) * matrix_(in, out);
    q(in) = -inverse * q_(in), q(out) = q_(out) + matrix_(out, in) * q(in);
    const DenseLcpSolution found = lemke({M.data(), M.data() + M.size()}, {q.data(), q.data() + q.size()});
    if (found.status != LcpStatus::solved) return false;
    for (std::size_t i = 0; i < n_; ++i) start[i] = start[i] != found.basis[i];
    return accepts(start);
  }

  bool solves_by_trying_all() {
    Basis basis(n_);
    for (unsigned number = 0; number < 1U << n_; ++number) {
      for (std::size_t i = 0; i < n_; ++i) basis[i] = (number >> i) & 1U;
      if (accepts(basis)) return true;
    }
    if (!is_undecided_) solution_.verdict = LcpVerdict::exhausted;
    return false;
  }

 private:
  double scale(int i) const { return scale_[static_cast<std::size_t>(i)]; }

  /// Writes w.
  double residual_of(const std::vector<double>& z, std::vector<double>& w) const {
    const SerialTeam team;
    write_slacks(team, lcp_, z.data(), w.data());
    const double plain = plain_residual(team, lcp_, z.data(), w.data());
    const double scaled = equilibrated_residual(team, lcp_, scale_.data(), z.data(), w.data());
    return scaled <= plain ? plain : scaled;  // keeps NaN
  }

  DenseLcpSolution lemke(const std::vector<double>& M, const std::vector<double>& q) {
    DenseLcpSolution found = solve_dense_lcp(M, q, options_);
    solution_.pivots += found.pivots, solution_.attempts += found.attempts;
    return found;
  }

  /// u >= 0, M'u <= 0 and q'u < 0 in the units of the caller, beyond rounding.
  bool is_proof(const std::vector<double>& u) const {
    constexpr double rounding = 1e-9;
    const auto sums_to_at_most = [&](auto number, double bound) {
      double sum = 0, size = 0;
      for (int i = 0; i < lcp_.n; ++i) {
        const double term = number(i) * u[static_cast<std::size_t>(i)];
        sum += term, size += std::fabs(term);
      }
      return sum <= bound * size && size > (bound < 0 ? 0 : -1);
    };
    for (int j = 0; j < lcp_.n; ++j) {
      if (!sums_to_at_most([&](int i) { return lcp_.entry(i, j); }, rounding)) return false;
    }
    return *std::min_element(u.begin(), u.end()) >= 0 &&
           sums_to_at_most([&](int i) { return lcp_.constant(i); }, -rounding);
  }

  /// Makes the answer of the basis the solution, if it is certified.
  bool accepts(const Basis& basis) {
    std::vector<int> in;
    for (std::size_t i = 0; i < n_; ++i)
      if (basis[i]) in.push_back(static_cast<int>(i));
    Eigen::VectorXd values = Eigen::VectorXd::Zero(lcp_.n);
    if (!in.empty()) {
      const Eigen::MatrixXd matrix = matrix_(in, in);
      const Eigen::VectorXd constants = q_(in);
      const Eigen::PartialPivLU<Eigen::MatrixXd> factors(matrix);
      Eigen::VectorXd solved = factors.solve(-constants);
      solved -= factors.solve(Eigen::VectorXd(matrix * solved + constants));  // one step of refinement
      values(in) = solved;
    }
    constexpr double rounding = 1e-10;
    if (!values.allFinite() || values.minCoeff() < -rounding * values.cwiseAbs().maxCoeff()) return false;
    std::vector<double> z(n_), w(n_);
    for (std::size_t i = 0; i < n_; ++i) z[i] = scale_[i] * std::max(0.0, values[static_cast<Eigen::Index>(i)]);
    const double residual = residual_of(z, w);
    if (!(residual <= options_.certificate_tolerance)) {
      is_undecided_ = is_undecided_ || solves_to_rounding(values);
      return false;
    }
    solution_.status = LcpStatus::solved, solution_.basis = basis;
    solution_.residual = plain_residual(SerialTeam{}, lcp_, z.data(), w.data());
    solution_.z = std::move(z), solution_.w = std::move(w), solution_.ray.clear();
    return true;
  }

  /// Whether M z + q >= 0, and complementary to z, but for what cancels in its rows: then a residual above the bound
  /// proves nothing against the basis of z.
  bool solves_to_rounding(const Eigen::VectorXd& z) const {
    constexpr double rounding = 1e-8;
    for (int i = 0; i < lcp_.n; ++i) {
      const double slack = matrix_.row(i).dot(z) + q_[i];
      const double size = matrix_.row(i).cwiseAbs().dot(z.cwiseAbs()) + std::fabs(q_[i]);
      if (slack < -rounding * size || (z[i] > 0 && slack > rounding * size)) return false;
    }
    return true;
  }

  const LcpView& lcp_;
  const LemkeOptions& options_;
  DenseLcpSolution& solution_;
  bool is_undecided_ = false;  ///< a basis solves it, but with a residual above the bound
  std::size_t n_;
  std::vector<double> scale_;
  LcpMatrix matrix_;
  Eigen::VectorXd q_;
  LemkeMemory memory_;
  std::mt19937_64 random_{20240901};  // the same in every call: the answer depends on the problem alone
};

}  // namespace

void search_further(const LcpView& lcp, const LemkeOptions& options, const LcpSearch& search,
                    DenseLcpSolution& solution) {
  if (solution.status != LcpStatus::ray && solution.status != LcpStatus::uncertified) return;
  Search further(lcp, options, solution);
  if (further.proves_infeasible() || further.solves_as_game()) return;
  for (int i = 0; i < search.restarts; ++i) {
    if (further.solves_with_another_covering() || further.solves_from_another_basis()) return;
  }
  if (search.exhaustive && lcp.n <= LcpSearch::largest_exhaustive) further.solves_by_trying_all();
}

}  // namespace jostle
