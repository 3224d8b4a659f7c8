#pragma once
// Jams that the correction of a joint makes, docs/theory.md (17b): the correction waits.
#include "core/assembly/joint_certificate.hpp"
#include "core/prescribed/prescribed_motion.hpp"

namespace jostle::detail {

/// A joint bears in a jam if its impulse is larger than this part of the largest one.
inline constexpr double bearing_part = 1e-9;

/// Writes to work.joint_stress() the impulses of joints that balance those along the ray in work.z, if it has one: with
/// them nothing moves, so that no motion can take away what the equations of these joints and contacts ask for
/// together. Takes the ray away. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void write_joint_stress(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                                 const Island& island, AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) { write_row_impulses(work, c); });
  team.sync();
  solve_for_joint_impulses(
      team, d, problem, work, [](int) { return Six{}; }, [](int) { return 0.0; }, work.velocity_without_joints(),
      work.joint_stress());
  team.for_each(island.variables, [&](int i) { work.z(island.first_variable + i) = 0; });
  team.sync();
}

/// How equations of joints are held in a jam: c are the impulses in work.joint_stress().
template <class Team, AnyWorkspace Work>
class HeldJoints {
 public:
  JOSTLE_HD HeldJoints(const Team& team, const ModelView& model, const MixedLcp& problem, const Work& work)
      : team_(team),
        model_(model),
        work_(work),
        elimination_(model.dimensions, work),
        equations_(problem.joints < model.dimensions.joint_rows ? problem.joints : model.dimensions.joint_rows),
        largest_(largest_by_number(team, equations_, [&](int j) { return std::fabs(work.joint_stress(j)); })) {}

  /// Takes away what makes c's > 0, (17b): equations keep so much of their errors. Those that are left out as
  /// redundant, which may follow from them, keep theirs. False if there is nothing to take. Begins and ends synced.
  JOSTLE_HD bool keep_what_bears() const {
    double along = 0, size = 0;
    for (int j = 0; j < equations_; ++j) {
      if (!is_kept(j)) continue;
      const double c = work_.joint_stress(j) / largest_;
      along += c * (work_.joint_bias(j) - held(j)), size += response(j) * (c * c);
    }
    team_.sync();
    if (!(size > 0) || along == 0) return false;
    const double part = along / size;
    team_.for_each(equations_, [&](int j) {
      if (is_kept(j))
        work_.joint_bias(j) -= part * response(j) * (work_.joint_stress(j) / largest_);
      else if (has_bodies(j))
        work_.joint_bias(j) = held(j);
    });
    team_.sync();
    return true;
  }

  /// Lets the equations that bear in a jam keep their errors, and those that are left out; or those of all joints, if
  /// none that bears has one. Whether any had one. Begins and ends synced.
  JOSTLE_HD bool keep_all() const {
    const auto may_hold = [&](int j, double least) {
      return has_bodies(j) && std::fabs(work_.joint_stress(j)) >= least && work_.joint_bias(j) != held(j);
    };
    for (const double least : {bearing_part * largest_, 0.0}) {
      const bool any = any_of(team_, equations_, [&](int j) { return may_hold(j, least); });
      team_.sync();
      team_.for_each(equations_, [&](int j) {
        if (any && may_hold(j, elimination_.is_left_out(j) ? 0.0 : least)) work_.joint_bias(j) = held(j);
      });
      team_.sync();
      if (any) return true;
    }
    return false;
  }

 private:
  JOSTLE_HD bool has_bodies(int j) const { return work_.joint_row(j).body[0] != no_body; }
  JOSTLE_HD bool is_kept(int j) const { return has_bodies(j) && !elimination_.is_left_out(j); }

  /// s of an equation that keeps its error. Where contacts ask the sum of both velocities, joints do, too, else what
  /// they ask would have no answer again.
  JOSTLE_HD double held(int j) const {
    const ConstraintRow& row = work_.joint_row(j);
    const double told = prescribed_speed(model_.dimensions, work_, work_.rows() + j);
    if (!facts_of(model_.method).solves_for_sum) return -told;
    return work_.stands(row.body[0]) != 0 ? add_product(0, row, work_.velocity()) - told : -2 * told;
  }

  /// N_j M^-1 N_j'.
  JOSTLE_HD double response(int j) const {
    const ConstraintRow& row = work_.joint_row(j);
    double sum = 0;
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
      const Six entries = six(row.entry[side]);
      sum += dot(entries, six(work_.inv_mass(row.body[side])) * entries);
    }
    return sum;
  }

  const Team& team_;
  const ModelView& model_;
  const Work& work_;
  const Elimination<Work> elimination_;
  const int equations_;  ///< then follow those of stiffness
  const double largest_;
};

}  // namespace jostle::detail
