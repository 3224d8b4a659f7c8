#pragma once
// The equilibria of a bimatrix game as solutions of an LCP, by the paths of Lemke and Howson (1964).
#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <vector>

namespace jostle {

using LcpMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The LCP w = M z + q is a bimatrix game if M = [[0, A], [B, 0]] after an exchange of rows and columns, A > 0, B > 0
/// and q < 0: players with the costs A_ij / |q_i| and B_ji / |q_j| [Cottle, Pang and Stone 1992, section 1.2]. Such an
/// LCP has a solution, and Lemke's method with a covering vector d > 0 ends on a ray at once.
///
/// Follows the path of each label until accept(basis) is true, where basis[k] is 1 if z_k is positive, and returns
/// that; false if the LCP is no game, or no path has ended in an answer that is accepted.
bool solve_bimatrix_game(const LcpMatrix& M, const Eigen::VectorXd& q,
                         const std::function<bool(const std::vector<std::uint8_t>&)>& accept);

}  // namespace jostle
