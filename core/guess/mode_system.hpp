#pragma once
// The answer that given modes have. A mixed LCP whose modes are known is a linear system
//
//     v = A^-1 (r + C' x)
//     0 = R v + b                 R: rows of the equations that the modes ask for, C: the impulses that may act
//
// Its answer of least norm is the limit of the proximal steps
//
//     0 = R v + b + eps G (x - x_before),    G = diag(n' A^-1 n)
//
// whose matrix is regular even where contacts are redundant. The first step solves a regularised problem, in which
// contacts yield by eps G times their impulse; its signs tell which modes are wrong, also where contacts share a load.
// It is that of velocities, 1 + C' (eps G)^-1 R, or that of impulses, eps G + R C', whichever is smaller. Solves are
// repeated on what is left, so that rounding errors do not grow by 1 / eps; all is kept in velocities u = sqrt(A) v, so
// that A is the identity. Only for a diagonal A without joints.
#include "core/assembly/islands.hpp"
#include "core/assembly/rows.hpp"
#include "core/guess/block_matrix.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// eps; the defect shrinks about as much in every step.
inline constexpr double proximal_weight = 0x1p-20;
inline constexpr int max_proximal_steps = 8;
/// Steps go on until the defect is below this times |q'|inf.
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
/// A side of that polygon: its length, and its distance from the centre.
struct PolygonSide {
  double length, distance;
};
JOSTLE_HD inline PolygonSide polygon_side(const ModelView& model) {
  const double cosine = direction(model, 1).x;  // of 2 pi / k
  return {std::sqrt(2 - 2 * cosine), std::sqrt(0.5 + 0.5 * cosine)};
}
/// m: d_0 and d_m span the tangent plane.
JOSTLE_HD inline int second_tangent(const Block& block) { return block.tangents / 2; }

/// Where d_i is, 0 <= i <= k: sign times a row of J.
struct SignedRow {
  int row;
  double sign;
};
JOSTLE_HD inline SignedRow row_of_direction(const Block& block, int i) {
  const int count = block.tangents, turned = i < 2 * count ? i : 0;
  return turned < count ? SignedRow{block.tangent + turned, 1.0} : SignedRow{block.tangent + turned - count, -1.0};
}

namespace detail {

/// sqrt(A^-1) times the halves of a row, and times those of a sum of rows.
JOSTLE_HD void set_scaled(AnyWorkspace auto work, const ConstraintRow& row, Vec6 (&to)[2]) {
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
    store(six(work.root_inv_mass(row.body[side])) * six(row.entry[side]), to[side]);
}
JOSTLE_HD void add_scaled(AnyWorkspace auto work, double factor, const ConstraintRow& row, Vec6 (&to)[2]) {
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
    store(fused(factor, six(work.root_inv_mass(row.body[side])) * six(row.entry[side]), six(to[side])), to[side]);
}

/// An equation is factor times a row of J, or that is added to it.
JOSTLE_HD void set_equation(AnyWorkspace auto work, double factor, int row, int equation, ModeEquations& to) {
  const ConstraintRow& from = work.row(row);
  for (int side = 0; side < 2 && from.body[side] != no_body; ++side)
    store(fused(factor, six(work.root_inv_mass(from.body[side])) * six(from.entry[side]), Six{}),
          to.row[equation][side]);
  to.bias[equation] = factor * work.row_bias(row);
}
JOSTLE_HD void add_to_equation(AnyWorkspace auto work, double factor, int row, int equation, ModeEquations& to) {
  add_scaled(work, factor, work.row(row), to.row[equation]);
  to.bias[equation] += factor * work.row_bias(row);
}

}  // namespace detail

/// The tangents of the equations of a mode, in the coordinates of theory.md (6): of a contact that sticks t_1 and t_2;
/// that slips d_i and the one across; between d_i and d_{i+1} along the side of the polygon and to its middle.
struct ModeFrame {
  Direction first, second;
};
JOSTLE_HD inline ModeFrame frame_of(const ModelView& model, Mode mode) {
  if (mode.kind != Mode::Kind::slip && mode.kind != Mode::Kind::between) return {{1, 0}, {0, 1}};
  const Direction own = direction(model, mode.direction);
  if (mode.kind == Mode::Kind::slip) return {own, {-own.y, own.x}};
  const Direction next = direction(model, (mode.direction + 1) % model.dimensions.directions);
  const PolygonSide side = polygon_side(model);
  return {{(next.x - own.x) / side.length, (next.y - own.y) / side.length},
          {(own.x + next.x) / (2 * side.distance), (own.y + next.y) / (2 * side.distance)}};
}

/// The friction impulse along a tangent of the frame, equation 1 or 2, N s.
JOSTLE_HD inline double friction_along(const ModelView& model, const Block& block, Mode mode, const ModeEquations& own,
                                       int equation) {
  if (equation < own.acting) return own.impulse[equation];
  const double bound = block.friction * own.impulse[0];
  if (mode.kind == Mode::Kind::slip) return equation == 1 ? bound : 0.0;
  return mode.kind == Mode::Kind::between ? polygon_side(model).distance * bound : 0.0;
}

/// The equations that the mode of block c asks for.
JOSTLE_HD inline void write_mode_equations(const ModelView& model, AnyWorkspace auto work, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const Mode mode = work.mode(c);
  ModeEquations& to = work.mode_equations(c);
  const ConstraintRow& normal = work.row(block.normal);
  const double response = work.block_response(c);
  // Without a response no impulse along the normal moves anything: all freedoms that it has are locked.
  const bool closed = mode.kind != Kind::open && response > 0;
  to.weight = closed ? 1 / (proximal_weight * response) : 0.0;
  for (int side = 0; side < 2; ++side) to.body[side] = normal.body[side];
  for (int i = 0; i < most_mode_equations; ++i) to.impulse[i] = to.defect[i] = 0;
  detail::set_scaled(work, normal, to.row[0]);
  detail::set_scaled(work, normal, to.push);
  to.bias[0] = work.row_bias(block.normal);
  to.count = mode.kind == Kind::open || block.tangents == 0 ? 1 : block.tangents == 1 ? 2 : 3;
  to.acting = !closed ? 0 : mode.kind == Kind::slip ? 1 : mode.kind == Kind::between ? 2 : to.count;
  if (to.count == 1) return;
  const ModeFrame frame = frame_of(model, mode);
  for (int e = 1; e < to.count; ++e) {
    const Direction tangent = e == 1 ? frame.first : frame.second;
    const Direction across = direction(model, second_tangent(block));
    const double second = to.count > 2 ? tangent.y / across.y : 0.0;
    const double first = to.count > 2 ? tangent.x - second * across.x : tangent.x;
    detail::set_equation(work, first, block.tangent, e, to);
    if (second != 0) detail::add_to_equation(work, second, block.tangent + second_tangent(block), e, to);
  }
  if (mode.kind == Kind::stick) return;
  const int pushing = mode.kind == Kind::slip ? 1 : 2;  // the tangent along which friction is mu c_n, or its least
  const double along = mode.kind == Kind::slip ? block.friction : block.friction * polygon_side(model).distance;
  for (int side = 0; side < 2 && to.body[side] != no_body; ++side)
    store(fused(along, six(to.row[pushing][side]), six(to.push[side])), to.push[side]);
}

namespace detail {

/// R u of one equation; u[6 m ..] is that of mover m.
template <class Numbers>
JOSTLE_HD double equation_product(const ModeEquations& own, int equation, Numbers u) {
  const double first = dot(six(own.row[equation][0]), six(u.from(6 * own.body[0])));
  return own.body[1] == no_body ? first : first + dot(six(own.row[equation][1]), six(u.from(6 * own.body[1])));
}

/// visit(own, side) for the equations of all blocks of mover m.
JOSTLE_HD void for_each_touching(AnyWorkspace auto work, int m, auto visit) {
  const MoverBlocks list = work.mover_blocks(m);
  for (int i = list.first; i < list.first + list.count; ++i) {
    const ModeEquations& own = work.mode_equations(work.mover_block(i));
    visit(own, own.body[0] == m ? 0 : 1);
  }
}

/// Adds the components of mover m in C' x, x(own, equation) being the factors.
JOSTLE_HD void add_columns(AnyWorkspace auto work, int m, Six& sum, auto x) {
  for_each_touching(work, m, [&](const ModeEquations& own, int side) {
    for (int e = 0; e < own.acting; ++e) sum = fused(x(own, e), six(own.column(e, side)), sum);
  });
}

/// The bands of the matrix in velocities.
JOSTLE_HD inline void find_bands(const Island& island, AnyWorkspace auto work) {
  for (int i = 0; i < island.movers; ++i) work.band(i) = {i, i};
  for (int b = 0; b < island.blocks; ++b) {
    const ConstraintRow& row = work.row(work.block(work.island_block(island.first_block + b)).normal);
    if (row.body[1] == no_body) continue;
    const int first = work.local_mover(row.body[0]), last = work.local_mover(row.body[1]);
    if (work.band(first).last < last) work.band(first).last = last;
  }
  for (int i = 1; i < island.movers; ++i) {
    MatrixBand& own = work.band(i);
    const MatrixBand before = work.band(i - 1);
    own.last = before.last > own.last ? before.last : own.last;
    for (own.first = before.first; work.band(own.first).last < i;) ++own.first;
  }
}

/// The matrix in velocities, 1 + C' (eps G)^-1 R.
template <AnyWorkspace Work>
class VelocityForm {
 public:
  static constexpr int size = 6;
  JOSTLE_HD VelocityForm(const Island& island, const Work& work) : island_(island), work_(work) {}

  template <class Team>
  JOSTLE_HD void prepare(const Team& team) const {
    team.once([&] { find_bands(island_, work_); });
    team.sync();
  }
  JOSTLE_HD int blocks() const { return island_.movers; }
  JOSTLE_HD MatrixBand band(int i) const { return work_.band(i); }

  JOSTLE_HD void write_rows(int i, int first, auto to) const {
    const MatrixBand own_band = band(i);
    for (int j = own_band.first; j <= own_band.last; ++j) {
      for (int r = first; r < first + 3; ++r) {
        for (int k = 0; k < 6; ++k) to(j)[6 * r + k] = j == i && k == r ? 1.0 : 0.0;
      }
    }
    for_each_touching(work_, mover(i), [&](const ModeEquations& own, int side) {
      for (int other = 0; other < 2 && own.acting > 0 && own.body[other] != no_body; ++other) {
        const auto block = to(work_.local_mover(own.body[other]));
        for (int r = first; r < first + 3; ++r) {
          Six sum = fused(own.weight * own.push[side][r], six(own.row[0][other]), six(block.from(6 * r)));
          for (int e = 1; e < own.acting; ++e)
            sum = fused(own.weight * own.row[e][side][r], six(own.row[e][other]), sum);
          store(sum, block.from(6 * r));
        }
      }
    });
  }

  /// What is left, and the change of the impulses for the solution.
  template <class Team>
  JOSTLE_HD void write_right_side(const Team& team) const {
    team.for_each(island_.movers, [&](int i) {
      Six sum{};
      add_columns(work_, mover(i), sum, [](const ModeEquations& own, int e) { return -own.defect[e] * own.weight; });
      store(sum, work_.mode_change().from(6 * i));
    });
    team.sync();
  }
  JOSTLE_HD void change_impulses(int, ModeEquations& own) const {
    for (int e = 0; e < own.acting; ++e) {
      double product = own.defect[e];
      for (int side = 0; side < 2 && own.body[side] != no_body; ++side)
        product += dot(six(own.row[e][side]), six(work_.mode_change().from(6 * work_.local_mover(own.body[side]))));
      own.impulse[e] -= product * own.weight;
    }
  }

 private:
  JOSTLE_HD int mover(int i) const { return work_.island_mover(island_.first_mover + i); }
  const Island& island_;
  const Work& work_;
};

/// The matrix in impulses, eps G + R C'.
template <AnyWorkspace Work>
class ImpulseForm {
 public:
  static constexpr int size = most_mode_equations;
  JOSTLE_HD ImpulseForm(const Island& island, const Work& work) : island_(island), work_(work) {}

  template <class Team>
  JOSTLE_HD void prepare(const Team&) const {}
  JOSTLE_HD int blocks() const { return island_.blocks; }
  JOSTLE_HD MatrixBand band(int) const { return {0, island_.blocks - 1}; }

  JOSTLE_HD void write_rows(int i, int, auto to) const {
    const ModeEquations& own = equations(i);
    for (int j = 0; j < island_.blocks; ++j) {
      const ModeEquations& other = equations(j);
      for (int r = 0; r < size; ++r) {
        for (int e = 0; e < size; ++e) {
          const bool acts = r < own.acting && e < other.acting;
          const double proximal = i != j || r != e ? 0.0 : acts ? 1 / own.weight : 1.0;
          to(j)[size * r + e] = acts ? proximal + response(own, r, other, e) : proximal;
        }
      }
    }
  }

  template <class Team>
  JOSTLE_HD void write_right_side(const Team& team) const {
    team.for_each(island_.blocks, [&](int i) {
      const ModeEquations& own = equations(i);
      for (int e = 0; e < size; ++e) work_.mode_change(size * i + e) = e < own.acting ? own.defect[e] : 0.0;
    });
    team.sync();
  }
  JOSTLE_HD void change_impulses(int i, ModeEquations& own) const {
    for (int e = 0; e < own.acting; ++e) own.impulse[e] -= work_.mode_change(size * i + e);
  }

 private:
  JOSTLE_HD const ModeEquations& equations(int i) const {
    return work_.mode_equations(work_.island_block(island_.first_block + i));
  }
  JOSTLE_HD static double response(const ModeEquations& own, int r, const ModeEquations& other, int e) {
    double sum = 0;
    for (int side = 0; side < 2 && own.body[side] != no_body; ++side)
      for (int shared = 0; shared < 2; ++shared)
        if (other.body[shared] == own.body[side]) sum += dot(six(own.row[r][side]), six(other.column(e, shared)));
    return sum;
  }
  const Island& island_;
  const Work& work_;
};

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

/// One proximal step, with the factors. Ends synced.
template <class Team, class Matrix, class Form>
JOSTLE_HD void take_proximal_step(const Team& team, const Matrix& matrix, const Form& form, const Island& island,
                                  AnyWorkspace auto work) {
  form.write_right_side(team);
  matrix.solve(team, work.mode_change());
  team.for_each(island.blocks, [&](int i) {
    form.change_impulses(i, work.mode_equations(work.island_block(island.first_block + i)));
  });
  team.sync();
  write_mode_velocities(team, island, work);
}

/// Factorises the matrix and takes the first step, from impulses 0.
template <class Form, class Team>
JOSTLE_HD JOSTLE_OUTLINE void take_first_step(const Team& team, const Form& form, const Island& island,
                                              AnyWorkspace auto work) {
  form.prepare(team);
  write_mode_velocities(team, island, work);
  const BlockMatrix matrix(work.mode_matrix(), form);
  matrix.write(team);
  matrix.factorise(team);
  write_defects(team, island, work, false);
  take_proximal_step(team, matrix, form, island, work);
  write_defects(team, island, work, true);
}

/// Takes further steps until the defect is small or does not shrink.
template <class Form, class Team>
JOSTLE_HD JOSTLE_OUTLINE void take_further_steps(const Team& team, const Form& form, const Island& island,
                                                 AnyWorkspace auto work, double q_size) {
  const BlockMatrix matrix(work.mode_matrix(), form);
  double before = infinity();
  for (int step = 1; step < max_proximal_steps; ++step) {
    const double defect = largest_of_blocks(team, island, work, [&](int c) {
      const ModeEquations& own = work.mode_equations(c);
      double largest = 0;
      for (int e = 0; e < own.acting; ++e) largest = larger_magnitude(largest, own.defect[e]);
      return work.block_scale(c) * largest;
    });
    if (!(defect > proximal_tolerance * q_size) || !(defect < before / 2)) break;
    before = defect;
    take_proximal_step(team, matrix, form, island, work);
    write_defects(team, island, work, false);
  }
  team.sync();
}

/// f(form) with the form of the smaller matrix.
template <AnyWorkspace Work>
JOSTLE_HD void with_smaller_form(const Island& island, const Work& work, auto f) {
  if (most_mode_equations * island.blocks < 6 * island.movers)
    f(ImpulseForm(island, work));
  else
    f(VelocityForm(island, work));
}

}  // namespace detail

/// Solves the regularised problem of work.mode() for an island: writes impulse and defect of work.mode_equations().
/// Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD void solve_regularised(const Team& team, const Island& island, const ModelView& model, const Work& work) {
  for_each_block(team, island, work, [&](int c) { write_mode_equations(model, work, c); });
  team.sync();
  detail::with_smaller_form(island, work, [&](const auto& form) { detail::take_first_step(team, form, island, work); });
}

/// From there to the answer of the modes. `q_size` is |q'|inf. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD void solve_modes(const Team& team, const Island& island, const Work& work, double q_size) {
  detail::with_smaller_form(island, work,
                            [&](const auto& form) { detail::take_further_steps(team, form, island, work, q_size); });
}

}  // namespace jostle
