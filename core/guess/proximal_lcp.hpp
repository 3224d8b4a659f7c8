#pragma once
// The answer of least norm without modes: proximal points, docs/theory.md (34), each a whole LCP for Lemke's method,
//
//     LCP(M + eps G, q - eps G x_before)
//
// with G on the impulses along the normals and the tangents: contacts yield by eps G times their impulse. Where
// contacts contradict each other by much less than that, the impulses change by the same little amount from one of
// these LCPs to the next; then as many steps are taken at once as keep all impulses in their friction cones. Only for a
// diagonal A without joints.
#include "core/assembly/schur.hpp"
#include "core/guess/mode_equations.hpp"

namespace jostle {

/// So many of them at most. Most answers take two or three.
inline constexpr int max_proximal_lcps = 16;
/// Slopes of M + eps G are at least about eps: those of rounding errors are far below this.
inline constexpr double proximal_slope_tolerance = 1e-10;
/// An impulse is at a side of the friction polygon if it is nearer to it than this, relative to mu c_n.
inline constexpr double side_tolerance = 1e-9;

namespace detail {

/// eps G of block c, 1/kg.
JOSTLE_HD inline double yielding(AnyWorkspace auto work, int c) { return proximal_weight * work.block_response(c); }

/// The direction of tangent i of a block, in the coordinates of theory.md (6).
JOSTLE_HD inline Direction tangent_direction(const ModelView& model, int i) {
  return {model.direction_cosine[i], model.direction_sine[i]};
}

/// The impulse of block c along the normal and both tangents, N s.
JOSTLE_HD inline void write_block_impulse(const ModelView& model, AnyWorkspace auto work, const Block& block,
                                          double (&impulse)[most_mode_equations]) {
  impulse[0] = work.row_impulse(block.normal);
  impulse[1] = impulse[2] = 0;
  for (int i = 0; i < block.tangents; ++i) {
    const Direction d = tangent_direction(model, i);
    impulse[1] += work.row_impulse(block.tangent + i) * d.x;
    impulse[2] += work.row_impulse(block.tangent + i) * d.y;
  }
}

JOSTLE_HD inline double along(const Direction& d, const double (&impulse)[most_mode_equations]) {
  return d.x * impulse[1] + d.y * impulse[2];
}

}  // namespace detail

/// Adds eps G to the Delassus matrix of an island. Ends synced.
template <class Team>
JOSTLE_HD void add_proximal_matrix(const Team& team, const Island& island, const ModelView& model,
                                   AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) {
    const Block block = work.block(c);
    const double yields = detail::yielding(work, c);
    work.delassus(block.normal * work.rows() + block.normal) += yields;
    for (int i = 0; i < block.tangents; ++i)
      for (int j = 0; j < block.tangents; ++j) {
        const Direction d = detail::tangent_direction(model, i), e = detail::tangent_direction(model, j);
        work.delassus((block.tangent + i) * work.rows() + block.tangent + j) += yields * (d.x * e.x + d.y * e.y);
      }
  });
  team.sync();
}

/// How many more changes like that from x_before to the impulses in work.row_impulse leave block c in the friction
/// cone, without the sides of the polygon at which it is.
JOSTLE_HD inline double steps_in_cone(const ModelView& model, AnyWorkspace auto work, int c) {
  const Block block = work.block(c);
  const double(&before)[most_mode_equations] = work.mode_equations(c).impulse;
  double now[most_mode_equations], change[most_mode_equations], steps = infinity();
  detail::write_block_impulse(model, work, block, now);
  for (int i = 0; i < most_mode_equations; ++i) change[i] = now[i] - before[i];
  if (change[0] < 0 && now[0] > 0) steps = now[0] / -change[0];
  const int k = block.betas();
  for (int i = 0; i < k; ++i) {
    const Direction own = direction(model, i), next = direction(model, (i + 1) % k);
    const Direction side = k > 2 ? Direction{(own.x + next.x) / 2, (own.y + next.y) / 2} : own;  // to its middle
    const double reach = block.friction * (side.x * side.x + side.y * side.y);
    const double slack = reach * now[0] - detail::along(side, now);
    const double falls = detail::along(side, change) - reach * change[0];
    if (falls > 0 && slack > side_tolerance * block.friction * now[0] && slack < steps * falls) steps = slack / falls;
  }
  return steps;
}

/// q of the next proximal LCP. x_before becomes 0, or the impulses in work.row_impulse and `further` times their change
/// from the last x_before. Begins and ends synced.
template <class Team>
JOSTLE_HD void write_proximal_vector(const Team& team, const Island& island, const ModelView& model, bool from_zero,
                                     double further, AnyWorkspace auto work) {
  number_lcp(team, island, work);
  for_each_block(team, island, work, [&](int c) {
    const Block block = work.block(c);
    const BlockVariables first = work.block_variables(c);
    const double yields = detail::yielding(work, c);
    double(&before)[most_mode_equations] = work.mode_equations(c).impulse;
    double now[most_mode_equations];
    detail::write_block_impulse(model, work, block, now);
    for (int i = 0; i < most_mode_equations; ++i)
      before[i] = from_zero ? 0.0 : further > 0 ? now[i] + further * (now[i] - before[i]) : now[i];
    work.lcp_vector(first.normal) -= yields * before[0];
    for (int i = 0; i < block.tangents; ++i) {
      const double change = yields * detail::along(detail::tangent_direction(model, i), before);
      work.lcp_vector(first.beta + i) -= change;
      work.lcp_vector(first.beta + block.tangents + i) += change;
    }
  });
  team.sync();
}

/// Adds what contacts yield to work.row_speed, for the certificate of the proximal LCP. Ends synced.
template <class Team>
JOSTLE_HD void add_yielding(const Team& team, const Island& island, const ModelView& model, AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) {
    const Block block = work.block(c);
    const double yields = detail::yielding(work, c);
    const double(&before)[most_mode_equations] = work.mode_equations(c).impulse;
    double change[most_mode_equations];
    detail::write_block_impulse(model, work, block, change);
    for (int i = 0; i < most_mode_equations; ++i) change[i] -= before[i];
    work.row_speed(block.normal) += yields * change[0];
    for (int i = 0; i < block.tangents; ++i)
      work.row_speed(block.tangent + i) += yields * detail::along(detail::tangent_direction(model, i), change);
  });
  team.sync();
}

}  // namespace jostle
