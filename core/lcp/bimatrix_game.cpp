#include "core/lcp/bimatrix_game.hpp"

namespace jostle {
namespace {

enum Player : int { unknown = -1, first, second };

/// The player to whom each row belongs; empty if M is no game. Rows that meet in an entry are of different players.
std::vector<int> players_of(const LcpMatrix& M) {
  const auto n = static_cast<int>(M.rows());
  std::vector<int> player(static_cast<std::size_t>(n), unknown);
  const auto of = [&](int i) -> int& { return player[static_cast<std::size_t>(i)]; };
  if (n < 2) return {};
  of(0) = first;
  for (int j = 1; j < n; ++j)
    of(j) = M(0, j) != 0 ? second : first;  // A > 0: the first row meets all of the other player
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool meet = of(i) != of(j);
      if (meet ? !(M(i, j) > 0) : M(i, j) != 0) return {};
    }
  }
  return player;
}

/// basic = constant - slope * nonbasic for the LCP of payoffs, whose solution z = 0 is the artificial equilibrium.
class Tableau {
 public:
  Tableau(const LcpMatrix& costs, const std::vector<int>& player)
      : n_(static_cast<int>(costs.rows())), slope_(costs), constant_(Eigen::VectorXd::Ones(n_)) {
    const double more_than_all = 1 + costs.maxCoeff();
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) {
        const bool meet = player[static_cast<std::size_t>(i)] != player[static_cast<std::size_t>(j)];
        slope_(i, j) = meet ? more_than_all - costs(i, j) : 0;
      }
      basic_.push_back(i), nonbasic_.push_back(n_ + i);
    }
  }

  /// Drops the label, and follows its path to where it is found again. False if the path does not end.
  bool follow(int label) {
    int column = column_of(n_ + label);
    for (int pivots = 0; pivots < 50 * n_; ++pivots) {
      const int row = blocking_row(column);
      if (row < 0) return false;
      const int leaving = basic_[static_cast<std::size_t>(row)];
      exchange(row, column);
      if (leaving % n_ == label) return true;
      column = column_of(complement(leaving));
    }
    return false;
  }

  std::vector<std::uint8_t> basis() const {
    std::vector<std::uint8_t> basis(static_cast<std::size_t>(n_), 0);
    for (const int variable : basic_) {
      if (variable >= n_) basis[static_cast<std::size_t>(variable - n_)] = 1;
    }
    return basis;
  }

 private:
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  int column_of(int variable) const {
    int column = 0;
    while (nonbasic_[static_cast<std::size_t>(column)] != variable) ++column;
    return column;
  }

  int blocking_row(int column) const {
    constexpr double least_slope = 1e-11;
    int row = -1;
    for (int i = 0; i < n_; ++i) {
      if (slope_(i, column) <= least_slope) continue;
      if (row < 0 || constant_[i] * slope_(row, column) < constant_[row] * slope_(i, column)) row = i;
    }
    return row;
  }

  void exchange(int row, int column) {
    const double pivot = slope_(row, column);
    slope_.row(row) /= pivot, constant_[row] /= pivot;
    slope_(row, column) = 1 / pivot;
    for (int i = 0; i < n_; ++i) {
      const double factor = slope_(i, column);
      if (i == row || factor == 0) continue;
      slope_(i, column) = 0;
      slope_.row(i) -= factor * slope_.row(row);
      constant_[i] -= factor * constant_[row];
    }
    std::swap(basic_[static_cast<std::size_t>(row)], nonbasic_[static_cast<std::size_t>(column)]);
  }

  int n_;
  LcpMatrix slope_;
  Eigen::VectorXd constant_;
  std::vector<int> basic_, nonbasic_;  ///< w_i is variable i, z_i is n + i
};

}  // namespace

bool solve_bimatrix_game(const LcpMatrix& M, const Eigen::VectorXd& q,
                         const std::function<bool(const std::vector<std::uint8_t>&)>& accept) {
  const std::vector<int> player = players_of(M);
  if (player.empty() || !(q.array() < 0).all()) return false;
  const LcpMatrix costs = (-q).cwiseInverse().asDiagonal() * M;
  for (int label = 0; label < M.rows(); ++label) {
    Tableau tableau(costs, player);
    if (tableau.follow(label) && accept(tableau.basis())) return true;
  }
  return false;
}

}  // namespace jostle
