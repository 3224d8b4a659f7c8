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
/// The modes of a contact that separates, or slips, by less than this are closed, or sticking; relative to |q'|inf.
inline constexpr double mode_tolerance = 1e-9;
/// The search for a time at which the modes still hold ends at 2^-most_search_halvings of the step.
inline constexpr int most_search_halvings = 20;

namespace detail {

/// |q'|inf of the contacts, at least the speeds along the rows: what tolerances are relative to. Begins with a sync().
template <class Team>
JOSTLE_HD double size_of_contacts(const Team& team, AnyWorkspace auto work, int contacts) {
  return from_magnitude_bits(team.select(
      contacts,
      [&](int c) {
        double largest = 0;
        for_each_row(work.block(c), [&](int r) {
          const double constant = add_product(work.row_bias(r), work.row(r), work.free_velocity());
          const double speeds = speeds_along(work, work.row(r));
          largest = larger_magnitude(largest, work.block_scale(c) * constant);
          largest = larger_magnitude(largest, work.block_scale(c) * speeds);
        });
        return magnitude_bits(largest);
      },
      [](std::int64_t a, std::int64_t b) { return a > b; }));
}

/// The least of the variables of contact c in the basis of its mode, in equilibrated units; `longer` times the
/// impulses, so that they compare with those of the whole step.
JOSTLE_HD inline double least_variable(const ModelView& model, AnyWorkspace auto work, int c, double longer) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const Mode mode = work.mode_before(c);
  const double scale = work.block_scale(c), per_impulse = longer / scale;
  if (mode.kind == Kind::open) return scale * work.basis_speed(block.normal);
  const auto x = [&](int e) { return work.basis_impulse(most_mode_equations * c + e); };
  double least = per_impulse * x(0);
  const auto take = [&](double value) { least = least <= value || is_nan(least) ? least : value; };
  if (block.tangents == 0) return least;
  const int k = block.betas();
  const double bound = block.friction * x(0);
  if (mode.kind == Kind::stick) {
    double sum = std::fabs(x(1));
    if (k > 2) {
      const Direction across = direction(model, second_tangent(model));
      const Corner corner = corner_of(model, x(1) + across.x * x(2), across.y * x(2));
      sum = corner.first + corner.second;
    }
    take(per_impulse * (bound - sum));
    return least;
  }
  const auto speed = [&](int i) {
    const SignedRow row = row_of_direction(block, i);
    return row.sign * work.basis_speed(row.row);
  };
  const double slip = -speed(mode.direction);
  take(scale * slip);
  if (mode.kind == Kind::between) {
    take(per_impulse * (0.5 * bound - x(1)));
    take(per_impulse * (0.5 * bound + x(1)));
  }
  const int last = mode.kind == Kind::between ? 1 : 0;
  for (int i = last + 1; i < k; ++i) take(scale * (slip + speed(mode.direction + i)));
  return least;
}

/// |R v + b| of the closed contacts: how far the modes contradict each other. In equilibrated units.
JOSTLE_HD inline double basis_defect_of(AnyWorkspace auto work, int c) {
  double largest = 0;
  for (int e = 0; e < most_mode_equations; ++e) {
    const BasisEquation& own = work.basis_equation(most_mode_equations * c + e);
    double sum = 0;
    for (int k = 0; k < own.count; ++k) sum += own.of_speed[k] * work.basis_speed(own.row[k]);
    largest = larger_magnitude(largest, work.block_scale(c) * sum);
  }
  return largest;
}

/// The mode of contact c, if it slips with the velocities v_l; else unknown.
JOSTLE_HD inline Mode slip_at_start(const System& system, AnyWorkspace auto work, int c) {
  const Block block = work.block(c);
  Mode mode;
  double fastest = rounding_speed;
  for (int i = 0; i < block.betas(); ++i) {
    const SignedRow row = row_of_direction(block, i);
    const double told = prescribed_speed(system.model.dimensions, work, row.row);
    const double slip = -row.sign * add_product(told, work.row(row.row), work.velocity());
    if (slip > fastest) fastest = slip, mode = {Mode::Kind::slip, static_cast<std::uint8_t>(i)};
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

JOSTLE_HD inline bool slips(Mode mode) { return mode.kind == Mode::Kind::slip || mode.kind == Mode::Kind::between; }

/// Writes work.mode_before(), those of the state; before the first step contacts that slip do. False if the contacts
/// are not those of the state. Ends synced.
template <class Team>
JOSTLE_HD bool load_modes_before(const Team& team, const System& system, AnyWorkspace auto work, int contacts) {
  if (contacts == 0) return false;
  const bool is_start = system.state().steps() == 0;
  team.for_each(contacts, [&](int c) {
    work.mode_before(c) = {};
    for_each_mode_in_state(system, work.contact(c).pair, [&](int, KeptMode kept) {
      if (kept.feature() == work.contact(c).feature) work.mode_before(c) = kept.mode();
    });
    if (is_start && work.mode_before(c).kind == Mode::Kind::unknown)
      work.mode_before(c) = detail::slip_at_start(system, work, c);
  });
  const auto is_new = [&](int c) {
    const Mode mode = work.mode_before(c);
    return mode.kind == Mode::Kind::unknown || (slips(mode) && work.block(c).tangents == 0);
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
/// Begins with a sync().
template <class Team>
JOSTLE_HD double least_of_basis(const Team& team, const ModelView& model, AnyWorkspace auto work, int contacts,
                                double longer) {
  const double size = detail::size_of_contacts(team, work, contacts);
  const auto value = [&](int c) {
    const double defect = detail::basis_defect_of(work, c), least = detail::least_variable(model, work, c, longer);
    return defect <= transition_tolerance * size && is_finite(least) ? least : -infinity();
  };
  return team.select(contacts, value, [](double a, double b) { return a < b; });
}

/// F(h), if the basis of the modes before gives other velocities than the answer in work.next_velocity(), and a
/// negative variable: then a contact has changed its mode in this step. Else 0. Only problems without frictions, motors
/// and limits of joints and without spin and rolling friction are looked at. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE double violation_of_modes(const Team& team, const System& system, AnyWorkspace auto work,
                                                   const StepProgress& progress) {
  const int contacts = progress.result.contacts;
  if (progress.blocks != contacts || !load_modes_before(team, system, work, contacts)) return 0;
  const bool changes = any_of(team, contacts, [&](int c) { return !(work.mode_before(c) == work.mode(c)); });
  team.sync();
  if (!changes) return 0;
  solve_mode_basis(team, system.model.dimensions, work, contacts, progress.rows);
  const double tolerance = transition_tolerance * detail::size_of_contacts(team, work, contacts);
  const auto differs = [&](int c) {
    bool found = false;
    for_each_row(work.block(c), [&](int r) {
      const double speed = add_product(work.row_bias(r), work.row(r), work.next_velocity());
      found = found || work.block_scale(c) * std::fabs(speed - work.basis_speed(r)) > tolerance;
    });
    return found;
  };
  const bool is_other = any_of(team, contacts, differs);
  const double least = is_other ? least_of_basis(team, system.model, work, contacts, 1) : 0.0;
  team.sync();
  return is_finite(least) && least < -tolerance ? least : 0.0;
}

/// The time in (0, h) at which F falls below zero, F(h) < 0; h if F is not positive before.
JOSTLE_HD double transition_time(auto F, double h, double at_end) {
  double after = h, value_after = at_end;
  for (int i = 0; i < most_search_halvings; ++i) {
    const double before = 0.5 * after, value = F(before);
    if (value > 0) return root_between(F, before, value, after, value_after);
    after = before, value_after = value;
  }
  return h;
}

}  // namespace jostle
