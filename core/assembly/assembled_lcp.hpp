#pragma once
// The LCP of an island, read from the workspace: its matrix is the Delassus matrix and the pattern of E and mu.
#include <type_traits>

#include "core/model/workspace.hpp"

namespace jostle {

/// M and q as Lemke's method loads them (core/lcp/lcp.hpp has those of a dense LCP).
template <AnyWorkspace Work>
class AssembledLcp {
  using Kind = LcpVariable::Kind;

 public:
  const int n;

  JOSTLE_HD AssembledLcp(const Work& work, const Island& island) : n(island.variables), work_(work), island_(island) {}

  /// M_ij.
  JOSTLE_HD double entry(int i, int j) const {
    const LcpVariable own = variable(i), other = variable(j);
    if (own.row >= 0 && other.row >= 0) {
      return own.signed_value(other.signed_value(work_.delassus(own.row * work_.rows() + other.row)));
    }
    if (own.block != other.block) return is_bounded_by(own, other) ? work_.block(own.block).friction : 0;
    if (other.row < 0) return own.kind == Kind::beta ? 1 : 0;
    return other.kind == Kind::beta ? -1 : work_.block(own.block).friction;
  }
  JOSTLE_HD double constant(int i) const { return work_.lcp_vector(island_.first_variable + i); }

  /// put(j, M_ij) for all of row i, block by block; the last put of each j counts.
  template <class Put>
  JOSTLE_HD void for_row(int i, Put put) const {
    const LcpVariable own = variable(i);
    if (own.kind == Kind::lambda) return for_row_of_lambda(own.block, put);
    const auto from = work_.delassus().from(own.row * work_.rows());
    const double sign = own.sign;
    for (int b = 0; b < island_.blocks; ++b) {
      const int c = work_.island_block(island_.first_block + b);
      const Block& block = work_.block(c);
      const BlockVariables first = variables(c);
      const int tangents = block.tangents, normal = block.normal;
      if (normal >= 0) put(first.normal, sign * from[normal]);
      if (tangents == 0) continue;
      const auto along = from.from(block.tangent);
      const auto put_betas = [&](auto count) {  // `count` is a constant if possible: the loop is short
        for (int t = 0; t < count; ++t) {
          const double entry = sign * along[t];
          put(first.beta + t, entry);
          if (block.opposites) put(first.beta + count + t, -entry);
        }
      };
      if (tangents == 2)
        put_betas(std::integral_constant<int, 2>{});
      else
        put_betas(tangents);
      put(first.lambda, 0.0);
    }
    if (own.kind == Kind::beta) put(variables(own.block).lambda, 1.0);
  }

  /// The earlier row whose opposite is row i, except in the columns of lambda, where the two are equal; -1: none.
  JOSTLE_HD int opposite_row(int i) const {
    const LcpVariable own = variable(i);
    return own.sign < 0 ? i - work_.block(own.block).tangents : -1;
  }
  JOSTLE_HD int first_lambda() const {
    int first = n;
    while (first > 0 && variable(first - 1).kind == Kind::lambda) --first;
    return first;
  }

 private:
  template <class Put>
  JOSTLE_HD void for_row_of_lambda(int c, Put put) const {
    for (int j = 0; j < n; ++j) put(j, 0.0);
    const Block block = work_.block(c);
    const BlockVariables first = variables(c);
    for (int t = 0; t < block.betas(); ++t) put(first.beta + t, -1.0);
    if (block.normal >= 0) put(first.normal, block.friction);
    if (block.is_moment()) put(variables(block.partner).normal, block.friction);
  }

  /// Whether this is the lambda of spin or rolling friction and the c_n of its contact.
  JOSTLE_HD bool is_bounded_by(const LcpVariable& own, const LcpVariable& other) const {
    if (own.kind != Kind::lambda || other.kind != Kind::normal) return false;
    const Block& block = work_.block(own.block);
    return block.is_moment() && block.partner == other.block;
  }

  JOSTLE_HD LcpVariable variable(int i) const { return work_.variable(island_.first_variable + i); }
  /// Counted from the first variable of the island.
  JOSTLE_HD BlockVariables variables(int c) const {
    const BlockVariables all = work_.block_variables(c);
    const int before = island_.first_variable;
    return {all.beta - before, all.normal - before, all.lambda - before};
  }

  Work work_;
  Island island_;
};

}  // namespace jostle
