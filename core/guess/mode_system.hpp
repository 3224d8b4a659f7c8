#pragma once
// The answer that given modes have, docs/theory.md (33), (34). A mixed LCP whose modes are known is a linear system
//
//     v = A^-1 (r + C' x)
//     0 = R v + b        R: the equations that the modes ask for, C: a row for every impulse that may act
//
// Its answer of least norm is the limit of the proximal steps
//
//     0 = R v + b + eps G (x - x_before),    G = diag(n' A^-1 n)
//
// whose matrix is regular even where contacts are redundant. The first step solves a regularised problem, in which
// contacts yield by eps G times their impulse; its signs tell which modes are wrong, also where contacts share a load.
//
// The matrix is that of velocities, 1 + C' (eps G)^-1 R, or that of impulses, eps G + R C', whichever is smaller. Steps
// solve for what is left, so that rounding errors do not grow by 1 / eps; all is kept in velocities u = sqrt(A) v, so
// that A is the identity. Bodies that are coupled by more than contacts have a form of their own (coupled_form.hpp).
#include "core/guess/coupled_form.hpp"
#include "core/guess/mode_forms.hpp"
#include "core/guess/one_body.hpp"

namespace jostle {

inline constexpr int max_proximal_steps = 8;
/// Steps continue until the defect is below this times |q'|inf.
inline constexpr double proximal_tolerance = 1e-14;

namespace detail {

/// u = sqrt(A) v of the movers of an island, with the impulses so far. Ends synced.
template <class Team>
JOSTLE_HD void write_mode_velocities(const Team& team, const Island& island, AnyWorkspace auto work) {
  team.for_each(island.movers, [&](int i) {
    const int m = work.island_mover(island.first_mover + i);
    Six u = six(work.root_inv_mass(m)) * six(work.momentum(m));
    add_columns(work, m, u, [](const ModeEquations& own, int e) { return own.impulse[e]; });
    store(u, work.mode_velocity().from(6 * m));
  });
  team.sync();
}

/// R v + b of the equations that act, or of all. Ends synced.
template <class Team>
JOSTLE_HD void write_defects(const Team& team, const Island& island, AnyWorkspace auto work, bool all) {
  for_each_block(team, island, work, [&](int c) {
    ModeEquations& own = work.mode_equations(c);
    const int count = all ? own.count : own.acting;
    for (int e = 0; e < count; ++e) own.defect[e] = own.bias[e] + equation_product(own, e, work.mode_velocity());
  });
  team.sync();
}

/// What the impulses so far give: velocities, or impulses of rows of J. Ends synced.
template <class Team, class Form>
JOSTLE_HD void write_effects(const Team& team, const Form& form, const Island& island, AnyWorkspace auto work) {
  if constexpr (Form::is_coupled)
    form.write_effects(team);
  else
    write_mode_velocities(team, island, work);
}
template <class Team, class Form>
JOSTLE_HD void write_defects(const Team& team, const Form& form, const Island& island, AnyWorkspace auto work,
                             bool all) {
  if constexpr (Form::is_one_body)
    form.write_defects(all);
  else if constexpr (Form::is_coupled)
    form.write_defects(team, all);
  else
    write_defects(team, island, work, all);
}

/// One proximal step, with the factors. Ends synced.
template <class Team, class Matrix, class Form>
JOSTLE_HD void take_proximal_step(const Team& team, const Matrix& matrix, const Form& form, const Island& island,
                                  AnyWorkspace auto work) {
  form.write_right_side(team);
  matrix.solve(team, work.mode_change());
  team.for_each(island.blocks,
                [&](int i) { form.change_impulses(i, equations_of(work, work.island_block(island.first_block + i))); });
  team.sync();
  write_effects(team, form, island, work);
}

/// Factorises the matrix and takes the first step, from impulses 0.
template <class Form, class Team>
JOSTLE_HD JOSTLE_OUTLINE void take_first_step(const Team& team, const Form& form, const Island& island,
                                              AnyWorkspace auto work) {
  if constexpr (Form::is_one_body) {
    form.take_first_step();
  } else {
    form.prepare(team);
    write_effects(team, form, island, work);
    const BlockMatrix matrix(work.mode_matrix(), form);
    matrix.write(team);
    matrix.factorise(team);
    write_defects(team, form, island, work, false);
    take_proximal_step(team, matrix, form, island, work);
    write_defects(team, form, island, work, true);
  }
}

/// Takes further steps until the defect is small or does not shrink.
template <class Form, class Team>
JOSTLE_HD JOSTLE_OUTLINE void take_further_steps(const Team& team, const Form& form, const Island& island,
                                                 AnyWorkspace auto work, double q_size) {
  double before = infinity();
  for (int step = 1; step < max_proximal_steps; ++step) {
    const double defect = largest_of_blocks(team, island, work, [&](int c) {
      const ModeUnknowns& own = equations_of(work, c);
      double largest = 0;
      for (int e = 0; e < own.acting; ++e) largest = larger_magnitude(largest, own.defect[e]);
      return work.block_scale(c) * largest;
    });
    if (!(defect > proximal_tolerance * q_size) || !(defect < before / 2)) break;
    before = defect;
    if constexpr (Form::is_one_body) {
      form.take_further_step();
    } else {
      take_proximal_step(team, BlockMatrix(work.mode_matrix(), form), form, island, work);
      write_defects(team, form, island, work, false);
    }
  }
  team.sync();
}

/// f(form) with the form of coupled bodies, or else that of the smaller matrix.
template <class Team, AnyWorkspace Work>
JOSTLE_HD void with_form(const Team&, const Island& island, const Work& work, auto f) {
  if constexpr (Work::is_coupled) {
    f(CoupledForm(island, work));
  } else {
    const bool has_impulse_form = most_mode_equations * island.blocks < 6 * island.movers;
    if constexpr (Thread<Team>) {
      if (island.movers == 1)
        return has_impulse_form ? f(OneBody<Work, 3>(island, work)) : f(OneBody<Work, 6>(island, work));
    }
    if (has_impulse_form)
      f(ImpulseForm(island, work));
    else
      f(VelocityForm(island, work));
  }
}

}  // namespace detail

/// Solves the regularised problem of work.mode() for an island: writes impulse and defect of its equations. What of b_n
/// is at most `least_bias`, in equilibrated units, is left out; by default nothing is. `from_kept`: its centre is not 0
/// but work.proximal_impulse. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD void solve_regularised(const Team& team, const Island& island, const ModelView& model, const Work& work,
                                 double eps, double least_bias = 0, bool from_kept = false) {
  for_each_block(team, island, work, [&](int c) {
    if constexpr (Work::is_coupled)
      detail::write_coupled_equations(model, work, c, eps, least_bias);
    else
      write_mode_equations(model, work, c, eps, least_bias);
    if (from_kept) start_from(model, work, c, equations_of(work, c));
  });
  team.sync();
  detail::with_form(team, island, work, [&](const auto& form) { detail::take_first_step(team, form, island, work); });
}

/// From there to the answer of the modes. `q_size` is |q'|inf. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD void solve_modes(const Team& team, const Island& island, const Work& work, double q_size) {
  detail::with_form(team, island, work,
                    [&](const auto& form) { detail::take_further_steps(team, form, island, work, q_size); });
}

/// R v + b of the equations that do not act, too, which solve_modes leaves as the first step has them. Begins and ends
/// synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD void write_all_defects(const Team& team, const Island& island, const Work& work) {
  detail::with_form(team, island, work,
                    [&](const auto& form) { detail::write_defects(team, form, island, work, true); });
}

}  // namespace jostle
