#pragma once
// Transitions: where within a step a contact begins to slip, sticks or opens [Potra, Anitescu, Gavrea & Trinkle 2006,
// section 7]; docs/theory.md (60), (61). The modes of the step before go on until the least variable of their basis,
//
//     F(s) in a step of length s from (t_l, q_l, v_l),
//
// falls below zero; there the step is divided.
#include "core/assembly/contact_certificate.hpp"
#include "core/contacts/contact_rows.hpp"
#include "core/events/mode_basis.hpp"
#include "core/events/pair_collision.hpp"
#include "core/guess/mode_answer.hpp"
#include "core/math/root.hpp"

namespace jostle {

/// What counts as negative, as a difference of velocities, and as the defect of a basis; relative to |q'|inf.
inline constexpr double transition_tolerance = 1e-9;
/// F below this is rounding errors where a slip ends; relative to |q'|inf.
inline constexpr double transition_rounding = 1e-13;
/// The modes of a contact that separates, or slips, by less than this are closed, or sticking; relative to |q'|inf.
inline constexpr double mode_tolerance = 1e-9;
/// A contact that slips less than this, relative to |q'|inf, is held by others, but for rounding; the sign says
/// nothing.
inline constexpr double slip_rounding = 1e-14;
/// The search for a time at which the modes still hold ends at 2^-most_search_halvings of the step.
inline constexpr int most_search_halvings = 20;

/// What of a contact counts in F during a search: its slip where it is 0, and impulses and speeds also where they are
/// not negative. Negative ones always do. Numbers of a sum.
struct Counts {
  static constexpr int resting_slip = 1, impulses = 2, speeds = 4;
};

namespace detail {

/// |q'|inf of the contacts, at least the speeds along the rows: what tolerances are relative to. Begins with a sync().
template <class Team>
JOSTLE_HD double size_of_contacts(const Team& team, AnyWorkspace auto work, int contacts) {
  return largest_by_number(team, contacts, [&](int c) {
    double largest = 0;
    for_each_row(work.block(c), [&](int r) {
      const double constant = add_product(work.row_bias(r), work.row(r), work.free_velocity());
      const double speeds = speeds_along(work, work.row(r));
      largest = larger_magnitude(largest, work.block_scale(c) * constant);
      largest = larger_magnitude(largest, work.block_scale(c) * speeds);
    });
    return largest;
  });
}

/// The slip of contact c in the basis of its mode.
JOSTLE_HD inline Direction slip_of_basis(const ModelView& model, AnyWorkspace auto work, int c) {
  const ModeUnknowns& own = unknowns_of(model.dimensions, work, c);
  return slip_of_equations(model, work.mode_before(c), own, [&](int e) { return own.defect[e]; });
}

/// The lesser of two numbers, a NaN if there is one.
JOSTLE_HD inline double lesser(double a, double b) { return a <= b || is_nan(a) ? a : b; }

/// The least impulses and speeds among the variables of a contact, infinity where it has none.
struct LeastVariables {
  double impulse = infinity(), speed = infinity();
};

/// Those of contact c in the basis of its mode, in equilibrated units; `longer` times the impulses, so that they
/// compare with those of the whole step. A slip within `rounding` of 0 is 0 if it counts by work.counts(), else it does
/// not count.
JOSTLE_HD inline LeastVariables least_variables(const ModelView& model, AnyWorkspace auto work, int c, double longer,
                                                double rounding) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const Mode mode = work.mode_before(c);
  const ModeUnknowns& own = unknowns_of(model.dimensions, work, c);
  const double scale = work.block_scale(c), per_impulse = longer / scale;
  LeastVariables least;
  const auto take_impulse = [&](double value) { least.impulse = lesser(least.impulse, per_impulse * value); };
  const auto take_speed = [&](double value) { least.speed = lesser(least.speed, scale * value); };
  if (mode.kind == Kind::open) {
    take_speed(own.defect[0]);
    return least;
  }
  take_impulse(own.impulse[0]);
  if (block.tangents == 0) return least;
  const int k = block.betas();
  const double bound = block.friction * own.impulse[0];
  if (mode.kind == Kind::stick) {
    double sum = std::fabs(own.impulse[1]);
    if (k > 2) {
      const Corner corner = corner_of(model, own.impulse[1], own.impulse[2]);
      sum = corner.first + corner.second;
    }
    take_impulse(bound - sum);
    return least;
  }
  const Direction velocity = slip_of_basis(model, work, c);
  const auto speed = [&](int i) { return dot(direction(model, i % k), velocity); };
  const double slip = -speed(mode.direction);
  const bool rests = std::fabs(scale * slip) <= rounding;
  if (!rests || (work.counts(c) & Counts::resting_slip) != 0) take_speed(rests ? 0.0 : slip);
  if (mode.kind == Kind::between) {
    const double shift = own.impulse[1] / polygon_side(model).length;
    take_impulse(0.5 * bound - shift), take_impulse(0.5 * bound + shift);
  }
  const int last = mode.kind == Kind::between ? 1 : 0;
  for (int i = last + 1; i < k && !rests; ++i) take_speed(slip + speed(mode.direction + i));
  return least;
}

/// The least of these that count by work.counts(); infinity if there is none. Where a slip ends, the constant impulse
/// of its contact would hide how the slip falls.
JOSTLE_HD inline double least_variable(const ModelView& model, AnyWorkspace auto work, int c, double longer,
                                       double rounding) {
  const LeastVariables least = least_variables(model, work, c, longer, rounding);
  const auto counted = [&](double value, int kind) {
    return !(value >= 0) || (work.counts(c) & kind) != 0 ? value : infinity();
  };
  return lesser(counted(least.impulse, Counts::impulses), counted(least.speed, Counts::speeds));
}

/// |R v + b| of the equations that act: how far the modes contradict each other. In equilibrated units.
JOSTLE_HD inline double basis_defect_of(const ModelView& model, AnyWorkspace auto work, int c) {
  const ModeUnknowns& own = unknowns_of(model.dimensions, work, c);
  double largest = 0;
  for (int e = 0; e < own.acting; ++e) largest = larger_magnitude(largest, work.block_scale(c) * own.defect[e]);
  return largest;
}

/// The mode of contact c, if it slips with the velocities v_l; else unknown.
JOSTLE_HD inline Mode slip_at_start(const System& system, AnyWorkspace auto work, int c) {
  const Block block = work.block(c);
  Mode mode;
  double fastest = rounding_speed;
  const auto speed = [&](int r) {
    return add_product(prescribed_speed(system.model.dimensions, work, r), work.row(r), work.velocity());
  };
  for (int i = 0; i < block.betas(); ++i) {
    const bool turned = i >= block.tangents;  // -d of a row d
    const int row = block.tangent + (turned ? i - block.tangents : i);
    const double slip = turned ? speed(row) : -speed(row);
    if (slip > fastest) fastest = slip, mode = Mode::slip(i);
  }
  return mode;
}

}  // namespace detail

/// Writes work.mode() of contacts 0 .. `contacts` - 1 in the answer whose velocities are in work.next_velocity(), if
/// `solve` has not. Ends synced.
template <class Team>
JOSTLE_HD void write_modes_of_velocities(const Team& team, const ModelView& model, AnyWorkspace auto work,
                                         int contacts) {
  if (contacts == 0 || (model.dimensions.has_modes() && model.multipliers == Multipliers::least_norm)) return;
  team.sync();
  team.for_each(contacts, [&](int c) { write_block_speeds(work, c); });
  const ModeTolerance tolerance{mode_tolerance * detail::size_of_contacts(team, work, contacts)};
  team.for_each(contacts, [&](int c) { work.mode(c) = mode_of_answer(work, c, tolerance, tolerance); });
  team.sync();
}

/// Writes work.mode_before(), those of the state; before the first step contacts that slip do. False if the contacts
/// are not those of the state. Ends synced.
template <class Team>
JOSTLE_HD bool load_modes_before(const Team& team, const System& system, AnyWorkspace auto work, int contacts) {
  if (contacts == 0) return false;
  const bool is_start = system.state().steps() == 0;
  team.for_each(contacts, [&](int c) {
    work.mode_before(c) = mode_in_state(system, work.contact(c).pair, work.contact(c).feature);
    if (is_start && work.mode_before(c).kind == Mode::Kind::unknown)
      work.mode_before(c) = detail::slip_at_start(system, work, c);
  });
  const auto is_new = [&](int c) {
    const Mode mode = work.mode_before(c);
    return mode.kind == Mode::Kind::unknown || (mode.slips() && work.block(c).tangents == 0);
  };
  const auto has_lost = [&](int p) {
    int kept = 0;
    for_each_mode_in_state(system, p, [&](int, KeptMode) { ++kept; });
    return !(is_start && kept == 0) && kept != work.first_contact(p + 1) - work.first_contact(p);
  };
  const bool same = !any_of(team, contacts, is_new) && !any_of(team, system.model.dimensions.pairs, has_lost);
  team.sync();
  return same;
}

/// The least variable of the basis that solve_mode_basis has solved; -infinity if the modes contradict each other.
/// `size`: |q'|inf.
template <class Team>
JOSTLE_HD double least_of_basis(const Team& team, const ModelView& model, AnyWorkspace auto work, int contacts,
                                double size, double longer) {
  const auto value = [&](int c) {
    const double defect = detail::basis_defect_of(model, work, c);
    const double least = detail::least_variable(model, work, c, longer, slip_rounding * size);
    return defect <= transition_tolerance * size && least > -infinity() ? least : -infinity();
  };
  return team.select(contacts, value, [](double a, double b) { return a < b; });
}

/// Says which slips count where they are 0: those that are more than that, in the basis that solve_mode_basis has
/// solved, so that a search ends where they become 0. Begins and ends synced.
template <class Team>
JOSTLE_HD void mark_slips(const Team& team, const ModelView& model, AnyWorkspace auto work, int contacts, double size) {
  team.for_each(contacts, [&](int c) {
    const Mode mode = work.mode_before(c);
    const double slip =
        mode.slips() ? dot(direction(model, mode.direction), detail::slip_of_basis(model, work, c)) : 0.0;
    const int falling = work.counts(c) & ~Counts::resting_slip;
    work.counts(c) =
        std::fabs(work.block_scale(c) * slip) > slip_rounding * size ? falling | Counts::resting_slip : falling;
  });
  team.sync();
}

/// Of the variables in the basis that solve_mode_basis has solved, those that are negative count from now on. Begins
/// and ends synced.
template <class Team>
JOSTLE_HD void count_negative(const Team& team, const ModelView& model, AnyWorkspace auto work, int contacts,
                              double size) {
  team.for_each(contacts, [&](int c) {
    const detail::LeastVariables least = detail::least_variables(model, work, c, 1, slip_rounding * size);
    work.counts(c) = (least.impulse < 0 ? Counts::impulses : 0) | (least.speed < 0 ? Counts::speeds : 0);
  });
  team.sync();
}

/// F(h), if the basis of the modes before gives other velocities than the answer in work.next_velocity(), and a
/// negative variable: then a contact has changed its mode in this step. Else 0. `ends_slips`: the answer is that
/// without friction at the end of the slips of work.ends_slip(), which the problem has; the basis is no answer of the
/// problem if one of these turns round in it. Writes `size`, |q'|inf, and work.counts(). Only problems without
/// frictions, motors and limits of joints and without spin and rolling friction are looked at. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE double violation_of_modes(const Team& team, const System& system, AnyWorkspace auto work,
                                                   const StepProgress& progress, bool ends_slips, double& size) {
  const int contacts = progress.result.contacts;
  if (progress.blocks != contacts || !load_modes_before(team, system, work, contacts)) return 0;
  const auto changes = [&](int c) { return !(work.mode_before(c) == work.mode(c)); };
  const bool any_changes = ends_slips || any_of(team, contacts, changes);
  team.sync();
  if (!any_changes) return 0;
  size = detail::size_of_contacts(team, work, contacts);
  const double tolerance = transition_tolerance * size;
  team.for_each(contacts, [&](int c) { work.counts(c) = Counts::impulses | Counts::speeds; });
  team.sync();
  solve_mode_basis(team, system.model, work, contacts, size);
  const auto differs = [&](int c) {
    const Block block = work.block(c);
    const auto speed = [&](int r) { return add_product(work.row_bias(r), work.row(r), work.next_velocity()); };
    const auto is_apart = [&](double by) { return work.block_scale(c) * std::fabs(by) > tolerance; };
    const ModeUnknowns& own = unknowns_of(system.model.dimensions, work, c);
    if (ends_slips) {
      const Mode mode = work.mode_before(c);
      const bool slips = work.ends_slip(c) != 0 && mode.slips() && block.friction * own.impulse[0] > 0;
      return slips && dot(direction(system.model, mode.direction), detail::slip_of_basis(system.model, work, c)) *
                              work.block_scale(c) >
                          tolerance;
    }
    if (is_apart(speed(block.normal) - own.defect[0])) return true;
    if (own.count == 1) return false;
    const Direction slip = slip_of_rows(system.model, block.tangent, speed);
    const Direction of_basis = detail::slip_of_basis(system.model, work, c);
    return is_apart(slip.x - of_basis.x) || is_apart(slip.y - of_basis.y);
  };
  const bool is_other = any_of(team, contacts, differs);
  if (is_other && progress.ends_slips) count_negative(team, system.model, work, contacts, size);
  const double least = is_other ? least_of_basis(team, system.model, work, contacts, size, 1) : 0.0;
  team.sync();
  return is_finite(least) && least < -tolerance ? least : 0.0;
}

/// The time in (0, h) at which F falls below zero, F(h) < 0; h if F is not positive before, or is below -tolerance at
/// once. begin_at(): F has just been computed at the start of the bracket of that time. `all_falls`: F is of variables
/// that are negative at h, so that a search may begin with the whole piece, and ends where F is within rounding errors.
JOSTLE_HD double transition_time(auto F, auto begin_at, double h, double at_end, double tolerance, bool all_falls) {
  const double shortest = h / (1 << most_search_halvings), at_start = F(shortest);
  if (at_start < -tolerance) return h;
  if (all_falls && at_start > 0 && is_finite(at_start)) {
    begin_at();
    return root_between(F, shortest, at_start, h, at_end, transition_rounding / transition_tolerance * tolerance);
  }
  double after = h, value_after = at_end;
  for (int i = 0; i < most_search_halvings; ++i) {
    const double before = 0.5 * after, value = F(before);
    if (value > 0) {
      begin_at();
      return root_between(F, before, value, after, value_after);
    }
    after = before, value_after = value;
  }
  return h;
}

}  // namespace jostle
