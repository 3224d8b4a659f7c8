#pragma once
// The answer of least norm without modes: proximal points, docs/theory.md (34), each a whole LCP for Lemke's method,
//
//     LCP(M + eps G, q - eps G x_before)
//
// with G on the impulses along the normals and the tangents: contacts yield by eps G times their impulse. Where
// contacts contradict each other by much less than that, the impulses change by the same little amount from one of
// these LCPs to the next, perhaps for 1e5 of them; with a smaller eps they change by more.
#include "core/assembly/schur.hpp"
#include "core/guess/mode_equations.hpp"

namespace jostle {

/// The smaller eps that are tried where proximal_weight leads to no answer: each is so many times the one before; below
/// the last one rounding errors are all that is left.
inline constexpr double proximal_ratio = 0x1p-8, least_proximal_weight = 0x1p-52;
/// Slopes of M + eps G are at least about eps: those of rounding errors are far below this, for proximal_weight.
inline constexpr double proximal_slope_tolerance = 1e-10;

namespace detail {

/// eps G of block c, 1/kg.
JOSTLE_HD inline double compliance(AnyWorkspace auto work, int c, double eps) { return eps * work.block_response(c); }

/// The impulse of block c along the normal and both tangents, N s.
JOSTLE_HD inline Vec3 normal_and_friction(const ModelView& model, AnyWorkspace auto work, const Block& block) {
  const Direction friction = tangential_impulse(model, work, block);
  return {block.normal >= 0 ? work.row_impulse(block.normal) : 0.0, friction.x, friction.y};
}

JOSTLE_HD inline double along(const Direction& d, const Vec3& impulse) { return d.x * impulse[1] + d.y * impulse[2]; }

}  // namespace detail

/// Adds eps G to the Delassus matrix of an island. Ends synced.
template <class Team>
JOSTLE_HD void add_proximal_matrix(const Team& team, const Island& island, const ModelView& model, double eps,
                                   AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) {
    const Block block = work.block(c);
    const double yields = detail::compliance(work, c, eps);
    if (block.normal >= 0) work.delassus(block.normal * work.rows() + block.normal) += yields;
    for (int i = 0; i < block.tangents; ++i)
      for (int j = 0; j < block.tangents; ++j) {
        work.delassus((block.tangent + i) * work.rows() + block.tangent + j) +=
            yields * dot(direction(model, i), direction(model, j));
      }
  });
  team.sync();
}

/// x_before of the next proximal LCP: 0, or the impulses in work.row_impulse. Ends synced.
template <class Team>
JOSTLE_HD void keep_impulses(const Team& team, const Island& island, const ModelView& model, bool from_zero,
                             AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) {
    work.proximal_impulse(c) = from_zero ? Vec3(Vec3::Zero()) : detail::normal_and_friction(model, work, work.block(c));
  });
  team.sync();
}

/// q of the next proximal LCP. Begins and ends synced.
template <class Team>
JOSTLE_HD void write_proximal_vector(const Team& team, const Island& island, const ModelView& model, double eps,
                                     AnyWorkspace auto work) {
  number_lcp(team, island, work);
  for_each_block(team, island, work, [&](int c) {
    const Block block = work.block(c);
    const BlockVariables first = work.block_variables(c);
    const double yields = detail::compliance(work, c, eps);
    const Vec3 before = work.proximal_impulse(c);
    if (block.normal >= 0) work.lcp_vector(first.normal) -= yields * before[0];
    for (int i = 0; i < block.tangents; ++i) {
      const double change = yields * detail::along(direction(model, i), before);
      work.lcp_vector(first.beta + i) -= change;
      work.lcp_vector(first.beta + block.tangents + i) += change;
    }
  });
  team.sync();
}

/// Adds what contacts yield to work.row_speed, for the certificate of the proximal LCP. Ends synced.
template <class Team>
JOSTLE_HD void add_compliance(const Team& team, const Island& island, const ModelView& model, double eps,
                              AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) {
    const Block block = work.block(c);
    const double yields = detail::compliance(work, c, eps);
    const Vec3 change = detail::normal_and_friction(model, work, block) - work.proximal_impulse(c);
    if (block.normal >= 0) work.row_speed(block.normal) += yields * change[0];
    for (int i = 0; i < block.tangents; ++i)
      work.row_speed(block.tangent + i) += yields * detail::along(direction(model, i), change);
  });
  team.sync();
}

}  // namespace jostle
