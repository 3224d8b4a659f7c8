#pragma once
// The answer that the modes of all contacts give a mixed LCP, also where some of its variables are negative:
// docs/theory.md (60). It is the basis of these modes in the LCP: every variable of theirs has a value, and the others
// are 0. guess/mode_system.hpp solves the same system faster, but not for coupled bodies; here its unknowns are
// impulses,
//
//     (R W C' + eps G) x = -R u0 + eps G x_before       R: equations that the modes ask for, C: impulses that may act
//
// with W = J P J' and u0 = J v0 + b, in proximal steps, as contacts may be redundant.
#include "core/assembly/schur.hpp"
#include "core/guess/mode_equations.hpp"
#include "core/linear/lu.hpp"

namespace jostle {

/// Proximal steps; each shrinks the defect by about eps.
inline constexpr int basis_steps = 4;

namespace detail {

/// W of two rows of J, 1/kg.
JOSTLE_HD inline double row_interaction(AnyWorkspace auto work, bool is_coupled, int row, int column) {
  if (is_coupled) return work.delassus(row * work.rows() + column);
  Vec6 response[2];
  respond(work, work.row(column), response);
  return shared_product(work.row(row), work.row(column), response);
}

/// W C' of an equation, at a row of J.
JOSTLE_HD inline double response_to(AnyWorkspace auto work, bool is_coupled, const BasisEquation& equation, int row) {
  double sum = 0;
  for (int i = 0; i < equation.count; ++i)
    if (equation.of_impulse[i] != 0)
      sum += equation.of_impulse[i] * row_interaction(work, is_coupled, row, equation.row[i]);
  return sum;
}

/// The row of direction d_i of a block, and its sign.
struct SignedRow {
  int row;
  double sign;
};
JOSTLE_HD inline SignedRow row_of_direction(const Block& block, int i) {
  i %= block.betas();
  return i < block.tangents ? SignedRow{block.tangent + i, 1.0} : SignedRow{block.tangent + i - block.tangents, -1.0};
}

/// The three equations of contact c; those that its mode does not need are 0 = 0.
JOSTLE_HD inline void write_basis_equations(AnyWorkspace auto work, bool is_coupled, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const Mode mode = work.mode_before(c);
  const auto own = [&](int e) -> BasisEquation& { return work.basis_equation(most_mode_equations * c + e); };
  for (int e = 0; e < most_mode_equations; ++e) own(e) = {};
  const double response = row_interaction(work, is_coupled, block.normal, block.normal);
  if (mode.kind == Kind::open || !(response > 0)) return;
  const auto add = [&](int e, int row, double of_speed, double of_impulse) {
    BasisEquation& to = own(e);
    const int i = to.count++;
    to.row[i] = row, to.of_speed[i] = of_speed, to.of_impulse[i] = of_impulse;
    to.weight = proximal_weight * response;
  };
  add(0, block.normal, 1, 1);
  if (block.tangents == 0) return;
  const SignedRow first = row_of_direction(block, mode.direction), next = row_of_direction(block, mode.direction + 1);
  if (mode.kind == Kind::slip) {
    add(0, first.row, 0, block.friction * first.sign);
  } else if (mode.kind == Kind::between) {
    add(0, first.row, 0, 0.5 * block.friction * first.sign);
    add(0, next.row, 0, 0.5 * block.friction * next.sign);
    add(1, first.row, -first.sign, -first.sign);
    add(1, next.row, next.sign, next.sign);
  } else {
    add(1, block.tangent, 1, 1);
    if (block.tangents > 1) add(2, block.second_tangent(), 1, 1);
  }
}

}  // namespace detail

/// Solves for the modes in work.mode_before() of contacts 0 .. `contacts` - 1. Writes the impulses x of their equations
/// (work.basis_impulse) and the speeds R v + b of all rows of J (work.basis_speed, m/s). The problem is assembled.
/// Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void solve_mode_basis(const Team& team, const Dimensions& d, AnyWorkspace auto work,
                                               int contacts, int rows) {
  const int n = most_mode_equations * contacts;
  const bool is_coupled = d.is_coupled();
  if (is_coupled) form_coupled_delassus(team, d, work);
  team.for_each(contacts, [&](int c) { detail::write_basis_equations(work, is_coupled, c); });
  team.sync();
  const LuFactors<decltype(work)::step> lu{n, work.basis_matrix(), work.basis_scale(), work.basis_order()};
  team.for_each(n * n, [&](int i) {
    const BasisEquation &of = work.basis_equation(i / n), &by = work.basis_equation(i % n);
    double sum = i / n == i % n ? (of.count > 0 ? of.weight : 1.0) : 0.0;
    for (int k = 0; k < of.count; ++k)
      if (of.of_speed[k] != 0) sum += of.of_speed[k] * detail::response_to(work, is_coupled, by, of.row[k]);
    work.basis_matrix(i) = sum;
  });
  team.for_each(n, [&](int a) { work.basis_impulse(a) = 0; });
  team.for_each(rows,
                [&](int r) { work.basis_speed(r) = add_product(work.row_bias(r), work.row(r), work.free_velocity()); });
  team.sync();
  const int rank = factorise_together(team, lu, work.factor_rank());
  for (int step = 0; step < basis_steps; ++step) {
    team.for_each(n, [&](int a) {
      const BasisEquation& own = work.basis_equation(a);
      double sum = 0;
      for (int k = 0; k < own.count; ++k) sum -= own.of_speed[k] * work.basis_speed(own.row[k]);
      work.basis_defect(a) = sum;
    });
    team.sync();
    team.once([&] { solve(lu, rank, work.basis_defect(), work.basis_change(), work.basis_sum()); });
    team.sync();
    team.for_each(n, [&](int a) { work.basis_impulse(a) += work.basis_change(a); });
    team.for_each(rows, [&](int r) {
      double sum = work.basis_speed(r);
      for (int a = 0; a < n; ++a)
        if (work.basis_change(a) != 0)
          sum += work.basis_change(a) * detail::response_to(work, is_coupled, work.basis_equation(a), r);
      work.basis_speed(r) = sum;
    });
    team.sync();
  }
}

}  // namespace jostle
