#pragma once
// From modes to the answer. The contacts that are closed make a linear system, with as many rows R and columns C as
// unknown impulses x:
//
//     A v = r + C x,   R v + b = 0            stick: R = C = (n, d_0, d_m);  slip along d_i: R = n, C = n + mu d_i
//
// Redundant contacts make it singular. The proximal point method finds, of all solutions, the one of least norm:
//
//     A v_{j+1} = r + C x_{j+1},   R v_{j+1} + b + eps G (x_{j+1} - x_j) = 0,   x_0 = 0,   G = n' A^-1 n of the contact
//
// Each of its problems is solved in velocities, with the same factors: (A + C (eps G)^-1 R) (v_{j+1} - v_j) =
// -C (eps G)^-1 (R v_j + b). It is iterated in increments: written as x - (R v + b) / eps, its floor would be
// ulp(v) / eps. It is no regularisation: the defect R v + b vanishes, and the original LCP judges the answer.
//
// All of it in velocities u = sqrt(A) v, so that A is the identity. Only for a diagonal A without joints.
#include "core/assembly/rows.hpp"
#include "core/guess/mode_matrix.hpp"
#include "core/lcp/selection.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// eps; the defect shrinks about as much in every solve.
inline constexpr double proximal_weight = 0x1p-16;
inline constexpr int max_proximal_solves = 8;
/// Solves go on until the defect is below this times |q'|inf.
inline constexpr double proximal_tolerance = 1e-14;

/// A regular polygon's corner d_i, in the coordinates of the tangents.
struct Direction {
  double x, y;
};
JOSTLE_HD inline Direction direction(const ModelView& model, int i) {
  const int half = model.dimensions.directions / 2;
  if (i < half) return {model.direction_cosine[i], model.direction_sine[i]};
  return {-model.direction_cosine[i - half], -model.direction_sine[i - half]};
}
/// m: d_0 and d_m span the tangent plane.
JOSTLE_HD inline int second_tangent(const Block& block) { return block.tangents / 2; }

namespace detail {

/// x += factor * row, both of the same bodies.
JOSTLE_HD inline void add_row(ConstraintRow& x, double factor, const ConstraintRow& row) {
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < 6; ++k) x.entry[side][k] += factor * row.entry[side][k];
  }
}

/// A row in the coordinates u.
JOSTLE_HD inline ConstraintRow scaled_row(const ConstraintRow& row, AnyWorkspace auto work) {
  ConstraintRow scaled = row;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    for (int k = 0; k < 6; ++k) scaled.entry[side][k] *= work.root_inv_mass(row.body[side])[k];
  }
  return scaled;
}

/// d_i in a sum of tangents: adds factor * d_i.
JOSTLE_HD inline void add_direction(AnyWorkspace auto work, const Block& block, int i, double factor,
                                    ConstraintRow& sum) {
  const int count = block.tangents, turned = i % (2 * count);
  add_row(sum, turned < count ? factor : -factor, work.row(block.tangent + turned % count));
}

/// b_t of d_i.
JOSTLE_HD inline double direction_bias(AnyWorkspace auto work, const Block& block, int i) {
  const int count = block.tangents, turned = i % (2 * count);
  const double bias = work.row_bias(block.tangent + turned % count);
  return turned < count ? bias : -bias;
}

}  // namespace detail

JOSTLE_HD inline ConstraintRow empty_row() { return {{no_body, no_body}, {}}; }

/// The rows that the mode of block c asks for; for an open contact those of stick, with weight 0.
JOSTLE_HD inline void write_mode_rows(AnyWorkspace auto work, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const Mode mode = work.mode(c);
  const auto to = work.mode_row().from(mode_rows_per_block * c);
  const double response = work.block_response(c);
  // Without a response no impulse along the normal moves anything: all freedoms that it has are locked.
  const double weight = mode.kind != Kind::open && response > 0 ? 1 / (proximal_weight * response) : 0.0;
  const auto set = [&](int i, const ConstraintRow& row, const ConstraintRow& column, double bias) {
    to[i] = {detail::scaled_row(row, work), detail::scaled_row(column, work), bias, weight, 0, 0};
  };
  for (int i = 0; i < mode_rows_per_block; ++i) to[i] = {empty_row(), empty_row(), 0, 0, 0, 0};
  const ConstraintRow& normal = work.row(block.normal);
  ConstraintRow column = normal;
  const bool slips = mode.kind == Kind::slip || mode.kind == Kind::between;
  if (slips) detail::add_direction(work, block, mode.direction, block.friction, column);
  set(0, normal, column, work.row_bias(block.normal));
  if (mode.kind == Kind::between) {
    ConstraintRow edge = normal;
    detail::add_row(edge, -1, normal);
    detail::add_direction(work, block, mode.direction + 1, 1, edge);
    detail::add_direction(work, block, mode.direction, -1, edge);
    const double first = detail::direction_bias(work, block, mode.direction);
    set(1, edge, edge, detail::direction_bias(work, block, mode.direction + 1) - first);
  }
  if (!slips && block.tangents > 0) {
    const int rows[2] = {block.tangent, block.tangent + second_tangent(block)};
    for (int i = 0; i < 2 && (i == 0 || block.tangents > 1); ++i)
      set(1 + i, work.row(rows[i]), work.row(rows[i]), work.row_bias(rows[i]));
  }
}

namespace detail {

/// start + row . u
template <class Numbers>
JOSTLE_HD double mode_product(double start, const ConstraintRow& row, Numbers u) {
  double sum = start;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    const auto own = u.from(6 * row.body[side]);
    for (int k = 0; k < 6; ++k) sum = std::fma(row.entry[side][k], own[k], sum);
  }
  return sum;
}

/// The components of body m in start + factor(row) C, summed over the rows in their order.
JOSTLE_HD Vec6 sum_of_columns(AnyWorkspace auto work, int m, const Vec6& start, auto factor) {
  Vec6 sum = start;
  for_each_mode_row(work, m, [&](const ModeRow& own, int side) {
    const double x = factor(own);
    if (x == 0) return;
    const Vec6& column = own.column.entry[side];
    for (int k = 0; k < 6; ++k) sum[k] = std::fma(x, column[k], sum[k]);
  });
  return sum;
}

/// u of body m without impulses.
JOSTLE_HD inline Vec6 free_mode_velocity(AnyWorkspace auto work, int m) {
  Vec6 u;
  for (int k = 0; k < 6; ++k) u[k] = work.root_inv_mass(m)[k] * work.momentum(m)[k];
  return u;
}

template <class Numbers>
JOSTLE_HD void set_body(Numbers numbers, int m, const Vec6& value) {
  for (int k = 0; k < 6; ++k) numbers[6 * m + k] = value[k];
}

}  // namespace detail

/// Solves the system of work.mode(): writes work.mode_row().impulse, and .defect as the first solve leaves it for open
/// contacts. `q_size` is |q'|inf. find_structure must have been called. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void solve_modes(const Team& team, const Dimensions& d, int blocks, AnyWorkspace auto work,
                                          double q_size) {
  const int nv = d.velocities(), rows = mode_rows_per_block * blocks;
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b; };
  const auto u = work.mode_velocity(), change = work.mode_change();
  team.for_each(blocks, [&](int c) { write_mode_rows(work, c); });
  team.for_each(d.movers, [&](int m) { detail::set_body(u, m, detail::free_mode_velocity(work, m)); });
  team.sync();
  team.for_each(d.movers, [&](int m) { detail::write_matrix_rows(work, nv, m, work.mode_matrix()); });
  detail::factorise_modes(team, nv, work, work.mode_matrix());
  double before = infinity();
  for (int solve = 0; solve < max_proximal_solves; ++solve) {
    team.for_each(rows, [&](int r) {
      ModeRow& own = work.mode_row(r);
      const bool is_open = work.mode(r / mode_rows_per_block).kind == Mode::Kind::open;
      if (is_open ? solve == 1 : own.weight != 0) own.defect = detail::mode_product(own.bias, own.row, u);
    });
    const double defect = from_magnitude_bits(team.select(
        rows,
        [&](int r) {
          const ModeRow& own = work.mode_row(r);
          return own.weight == 0 ? 0 : magnitude_bits(work.block_scale(r / mode_rows_per_block) * own.defect);
        },
        larger));
    if (solve > 1 && (!(defect > proximal_tolerance * q_size) || !(defect < before / 2))) break;
    before = defect;
    team.for_each(d.movers, [&](int m) {
      const auto push = [](const ModeRow& r) { return r.weight == 0 ? 0.0 : -r.defect * r.weight; };
      detail::set_body(change, m, detail::sum_of_columns(work, m, {}, push));
    });
    team.sync();
    detail::solve_factorised(team, nv, work, work.mode_matrix(), change);
    team.for_each(rows, [&](int r) {
      ModeRow& own = work.mode_row(r);
      if (own.weight != 0) own.impulse -= detail::mode_product(own.defect, own.row, change) * own.weight;
    });
    team.sync();
    team.for_each(d.movers, [&](int m) {
      const auto impulse = [](const ModeRow& r) { return r.impulse; };
      detail::set_body(u, m, detail::sum_of_columns(work, m, detail::free_mode_velocity(work, m), impulse));
    });
    team.sync();
  }
  team.sync();
}

}  // namespace jostle
