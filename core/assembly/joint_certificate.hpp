#pragma once
// The impulses of joints, and whether the velocities of an answer keep them together: the equations N'v = s, those that
// were left out as redundant included.
#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/coupled.hpp"
#include "core/lcp/selection.hpp"

namespace jostle {

namespace detail {

/// c = (N' A^-1 N)^-1 (s - N' A^-1 (r + J'p)) and `velocity` = A^-1 (r + J'p), with r of momentum(m), p =
/// work.row_impulse and s of bias(j). Begins and ends synced.
template <class Team>
JOSTLE_HD void solve_for_joint_impulses(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                        AnyWorkspace auto work, auto momentum, auto bias, const auto& velocity,
                                        const auto& c) {
  const LaneMemory lane(d, work, 0);
  team.for_each(d.movers, [&](int m) {
    Six sum = momentum(m);
    for (int r = 0; r < problem.rows; ++r) {
      const ConstraintRow& row = work.row(r);
      const int side = side_of(row, m);
      const double impulse = work.row_impulse(r);
      if (side >= 0 && impulse != 0) sum = fused(impulse, six(row.entry[side]), sum);
    }
    store(sum, lane.right_side.from(6 * m));
  });
  team.sync();
  team.once([&] {
    const Elimination elimination(d, work);
    elimination.apply_inverse_mass(lane, velocity);
    for (int j = 0; j < problem.joints; ++j) lane.defect[j] = bias(j) - product(work.joint_row(j), velocity);
    elimination.solve_joints(lane.defect, c, lane.sums);
  });
  team.sync();
}

}  // namespace detail

/// c_nu = (N' A^-1 N)^-1 (s - N' A^-1 (r + J'p)) from work.row_impulse if A is a full matrix; those of a diagonal A are
/// written with the velocities. 0 for redundant rows, whose impulses are not determined. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void write_joint_impulses(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                                   AnyWorkspace auto work) {
  if (!d.has_mass_matrix) return;
  detail::solve_for_joint_impulses(
      team, d, problem, work, [&](int m) { return six(work.momentum(m)); }, [&](int j) { return work.joint_bias(j); },
      work.velocity_without_joints(), work.joint_impulse());
}

/// Residuals above this are looked at more closely.
inline constexpr double doubtful_residual = 1e-9;

/// Impulses of joints that are larger than so many times the ratio of masses, relative to what they do, are not those
/// of heavy bodies but of joints that are nearly redundant.
inline constexpr double most_cancelling = 64;

namespace detail {

/// The pivot of an equation that depends on others to rounding errors.
inline constexpr double own_part_of_rounding = 1e-15;

/// Of equation j, S_j |N_j|' M^-1 times the impulses of joints, in lane.multiplier, and those of rows, in lane.defect.
/// Ends synced.
template <class Team>
JOSTLE_HD void write_sizes_of_impulses(const Team& team, AnyWorkspace auto work, const auto& lane, const auto& scale,
                                       bool with_rows) {
  const int equations = work.used_joint_rows(), rows = with_rows ? work.used_rows() : 0;
  team.for_each(equations, [&](int j) {
    const ConstraintRow& row = work.joint_row(j);
    double size = 0, of_rows = 0;
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
      Six sum = {}, pushed = {};
      for (int other = 0; other < equations; ++other) {
        const ConstraintRow& acting = work.joint_row(other);
        const int on = side_of(acting, row.body[side]);
        const double impulse = work.joint_impulse(other);
        if (on >= 0) sum = fused(std::fabs(impulse), magnitudes(six(acting.entry[on])), sum);
      }
      for (int r = 0; r < rows; ++r) {
        const int on = side_of(work.row(r), row.body[side]);
        const double impulse = work.row_impulse(r);
        if (on >= 0 && impulse != 0) pushed = fused(std::fabs(impulse), magnitudes(six(work.row(r).entry[on])), pushed);
      }
      const Six entries = magnitudes(six(row.entry[side])), inv_mass = six(work.inv_mass(row.body[side]));
      size += dot(entries, inv_mass * sum), of_rows += dot(entries, inv_mass * pushed);
    }
    lane.multiplier[j] = scale[j] * size, lane.defect[j] = scale[j] * of_rows;
  });
  team.sync();
}

/// Equations that are left out follow from the others where joints are closed. Takes from their defects what may be:
/// errors_in_a_row times what their own parts do with the largest size, and the largest sum of a share of s and as many
/// times its rounding errors, with the scale of its equation or with theirs. Ends synced.
template <class Team>
JOSTLE_HD void excuse_dependent(const Team& team, const Dimensions& d, AnyWorkspace auto work, const auto& scale,
                                double largest, double share, const auto& defect) {
  const int equations = work.used_joint_rows();
  if (work.joint_rank() == equations) return;
  const auto of_bias = [&](int j) {
    const double rounding = j < d.joint_rows ? work.joint_rounding(j) : 0.0;
    return share * std::fabs(work.joint_bias(j)) + errors_in_a_row * rounding;
  };
  const double plain = largest_by_number(team, equations, of_bias);
  const double scaled = largest_by_number(team, equations, [&](int j) { return scale[j] * of_bias(j); });
  const double dependence = work.joint_dependence();
  const Elimination elimination(d, work);
  team.sync();
  team.for_each(equations, [&](int j) {
    if (!elimination.is_left_out(j)) return;
    const double part = elimination.own_part(j), own = part > own_part_of_rounding ? part : own_part_of_rounding;
    const double turned = std::sqrt(own < dependence ? own : dependence);
    const double excess =
        std::fabs(defect[j]) - larger_magnitude(scaled, scale[j] * plain) - errors_in_a_row * turned * largest;
    defect[j] = excess <= 0 ? 0.0 : excess;
  });
  team.sync();
}

}  // namespace detail

/// By how much of the largest s equations that are left out may differ from what follows from the others: s of rows
/// that errors of joints turn agree to first order; in stages, velocities keep joints closed only up to the order of
/// the stage; and in a jam some equations of a loop keep their errors and others do not, so that of one that is left
/// out s is a sum of some of them.
JOSTLE_HD inline double share_of_bias(const MixedLcp& problem, AnyWorkspace auto work, bool is_held) {
  constexpr double of_stages = 0.125;
  if (is_held || problem.stage > 0) return is_held ? detail::errors_in_a_row : of_stages;
  return std::sqrt(work.joint_dependence());
}

/// max_j |S_j (N_j'v - s_j)| / max_j S_j (|s_j| + |N_j|'(|v| + |x| + |y|)) over all rows of joints, docs/theory.md
/// (42), with v = work.next_velocity or, `at_rest`, 0, x = work.velocity_without_joints, y = M^-1 r and S_j about 1 /
/// sqrt(N_j' A^-1 N_j), a power of two; of a direction that is stiff, G v + D^-1 c = s. Where that is above
/// doubtful_residual, the denominator is at least what makes 8 rounding errors of the impulses of joints an exact
/// residual, and of those of rows, as where a motor presses a body at rest against a limit. `share`: share_of_bias().
/// NaN if any occurs. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE double certify_joints(const Team& team, const Dimensions& d, double share,
                                               const LemkeOptions& options, AnyWorkspace auto work,
                                               bool at_rest = false) {
  const auto scale = detail::Elimination(d, work).joint_scale();
  const int equations = work.used_joint_rows();
  const detail::LaneMemory lane(d, work, 0);
  const detail::ByBody<decltype(lane.solution)> sizes{lane.solution};
  team.for_each(d.movers, [&](int m) {
    const Six v = at_rest ? Six{} : six(work.next_velocity(m)), x = six(work.velocity_without_joints().from(6 * m)),
              y = six(work.inv_mass(m)) * six(work.momentum(m));
    store(magnitudes(v) + magnitudes(x) + magnitudes(y), sizes[m]);
  });
  team.sync();
  team.for_each(equations, [&](int j) {
    const ConstraintRow& row = work.joint_row(j);
    const double s = work.joint_bias(j), speed = at_rest ? 0.0 : add_product(0, row, work.next_velocity());
    const double yielding = j < d.joint_rows ? 0.0 : work.softness(j - d.joint_rows) * work.joint_impulse(j);
    double size = std::fabs(s) + std::fabs(yielding);
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
      size += dot(magnitudes(six(row.entry[side])), six(sizes[row.body[side]]));
    lane.defect[j] = scale[j] * (speed - s + yielding), lane.multiplier[j] = scale[j] * size;
  });
  team.sync();
  const auto largest_of = [&](const auto& numbers) {
    return largest_by_number(team, equations, [&](int j) { return numbers[j]; });
  };
  const double largest = larger_magnitude(largest_of(lane.multiplier), least_size);
  team.sync();
  detail::excuse_dependent(team, d, work, scale, largest, share, lane.defect);
  const double worst = largest_of(lane.defect);
  team.sync();
  if (worst == 0) return 0;
  if (worst <= doubtful_residual * largest) return worst / largest;
  // Impulses of joints that cancel each other on a light body have rounding errors that no answer is without.
  detail::write_sizes_of_impulses(team, work, lane, scale, !at_rest);
  const double of_impulses = largest_of(lane.multiplier), of_rows = largest_of(lane.defect);
  team.sync();
  const double most = most_cancelling * largest * mass_ratio(team, d.movers, work, [](int m) { return m; });
  const double impulses = (of_impulses < most ? of_impulses : most) + of_rows;
  const double rounding = impulses * (least_rounding / options.exact_tolerance);
  return worst / (rounding > largest ? rounding : largest);
}

}  // namespace jostle
