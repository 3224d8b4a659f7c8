#pragma once
// The linear system of the modes (mode_system.hpp) if bodies are coupled by joints or a full matrix A. Its unknowns are
// the impulses that act,
//
//     eps G + R W C',    W = J P J', the Delassus matrix with the joints eliminated
//
// R and C are weights of the mode rows of a block: the normal, d_0 and the second tangent, or the one row that friction
// or a motor of a joint, or spin friction, has. They stand in CoupledEquations in this order.
// Spin friction that slips acts in C of the normal of its contact. All blocks are one island, in their order.
#include "core/assembly/coupled.hpp"
#include "core/assembly/islands.hpp"
#include "core/assembly/rows.hpp"
#include "core/guess/mode_equations.hpp"

namespace jostle {

namespace detail {

/// The rows of J on which the equations of a block rest, the mode rows: how many, and row a.
JOSTLE_HD inline int mode_rows(const Block& block) {
  return block.normal < 0 || block.tangents == 0 ? 1 : block.tangents == 1 ? 2 : 3;
}
JOSTLE_HD inline int mode_row(const Block& block, int a) {
  if (block.normal < 0) return block.tangent;
  return a == 0 ? block.normal : a == 1 ? block.tangent : block.second_tangent();
}

/// Numbers in a row of the Delassus matrix of the mode rows, three for every block.
JOSTLE_HD inline int mode_row_stride(const Island& island) {
  return round_up_to_six(most_mode_equations * island.blocks);
}

/// Friction or a motor of a joint, or spin friction: one equation if it holds its speed, else its bound. Spin friction
/// of an open contact does not act.
JOSTLE_HD inline void write_bound_equation(AnyWorkspace auto work, const Block& block, Mode mode,
                                           CoupledEquations& to) {
  const bool slips = mode.kind == Mode::Kind::slip;
  to.count = 1, to.acting = slips || to.weight == 0 || is_lifted(work, block) ? 0 : 1;
  if (slips) to.impulse[0] = mode.direction == 0 ? block.bound : -block.bound;
}

/// Over c_n of a contact: the impulse of its spin friction, 0 while that holds.
JOSTLE_HD inline double spin_push_of(AnyWorkspace auto work, const Block& block) {
  if (block.normal < 0 || block.partner < 0) return 0;
  const Mode mode = work.mode(block.partner);
  const double most = work.block(block.partner).friction;
  return mode.kind != Mode::Kind::slip ? 0.0 : mode.direction == 0 ? most : -most;
}

/// The equations that the mode of block c of coupled bodies asks for, with this eps, without what bias_above leaves out
/// of b_n.
JOSTLE_HD inline void write_coupled_equations(const ModelView& model, AnyWorkspace auto work, int c, double eps,
                                              double least_bias) {
  const Block block = work.block(c);
  const Mode mode = work.mode(c);
  CoupledEquations& to = work.coupled_equations(c);
  to = {};
  begin_equations(block, mode, work.block_response(c), eps, to);
  to.row[0][0] = to.push[0] = 1;
  to.spin_push = spin_push_of(work, block);
  if (block.normal < 0) write_bound_equation(work, block, mode, to);
  for (int a = 0; a < to.count; ++a) {
    const int r = mode_row(block, a);
    const double bias = r == block.normal ? bias_above(least_bias, work, c, r) : work.row_bias(r);
    to.bias[a] = add_product(bias, work.row(r), work.free_velocity());
  }
  if (to.count == 1) return;
  const ModeFrame frame = frame_of(model, mode);
  for (int e = 1; e < to.count; ++e) {
    const Direction weights = row_weights(model, e == 1 ? frame.first : frame.second);
    to.row[e][1] = weights.x, to.row[e][2] = weights.y;
  }
  if (mode.kind == Mode::Kind::stick) return;
  const FrictionPush push = friction_push(model, block, mode);
  for (int a = 1; a < to.count; ++a) to.push[a] = push.along * to.row[push.equation][a];
}

/// The matrix in the impulses that act, two blocks of three unknowns beside each other.
template <AnyWorkspace Work>
class CoupledForm {
 public:
  static constexpr int size = 6;
  static constexpr bool is_coupled = true;
  JOSTLE_HD CoupledForm(const Island& island, const Work& work)
      : island_(island), work_(work), stride_(mode_row_stride(island)) {}

  /// Numbers the unknowns.
  template <class Team>
  JOSTLE_HD void prepare(const Team& team) const {
    team.once([&] {
      int n = 0;
      for (int i = 0; i < island_.blocks; ++i) {
        work_.first_unknown(i) = n;
        for (int e = 0; e < work_.coupled_equations(block(i)).acting; ++e)
          work_.mode_unknown(n++) = most_mode_equations * i + e;
      }
      work_.mode_unknowns() = n;
    });
    team.sync();
  }
  JOSTLE_HD int blocks() const { return (unknowns() + size - 1) / size; }
  JOSTLE_HD MatrixBand band(int) const { return {0, blocks() - 1}; }

  JOSTLE_HD void write_rows(int i, int first, auto to) const {
    const auto part = to(0).from(size * first);  // the blocks of a row lie beside each other
    const RowOfUnknown rows[3] = {row_of(size * i + first), row_of(size * i + first + 1), row_of(size * i + first + 2)};
    int block = 0, column = 0;  // of the next entries
    const auto put = [&](double a, double b, double c) {
      const int at = size * size * block + column;
      part[at] = a, part[at + size] = b, part[at + 2 * size] = c;
      if (++column == size) column = 0, ++block;
    };
    const bool are_rows = rows[0].is_mode_row && rows[1].is_mode_row && rows[2].is_mode_row;
    for (int j = 0; j < island_.blocks; ++j) {
      const CoupledEquations& by = work_.coupled_equations(this->block(j));
      if (by.acting == 0) continue;
      if (are_rows && are_mode_rows(by)) {
        const auto from = [&](int r) {
          return responses(rows[r].block, rows[r].equation).from(most_mode_equations * j);
        };
        const auto a = from(0), b = from(1), c = from(2);
        for (int k = 0; k < by.acting; ++k) put(a[k], b[k], c[k]);
      } else {
        for (int k = 0; k < by.acting; ++k)
          put(entry(rows[0], j, by, k), entry(rows[1], j, by, k), entry(rows[2], j, by, k));
      }
    }
    while (block < blocks()) put(0, 0, 0);
    for (int r = 0; r < 3; ++r)
      part[size * size * i + size * r + first + r] += rows[r].block < 0 ? 1 : 1 / rows[r].own->weight;
  }

  template <class Team>
  JOSTLE_HD void write_right_side(const Team& team) const {
    team.for_each(size * blocks(), [&](int i) {
      double defect = 0;
      if (i < unknowns()) {
        const int number = work_.mode_unknown(i);
        defect = work_.coupled_equations(block(number / most_mode_equations)).defect[number % most_mode_equations];
      }
      work_.mode_change(i) = defect;
    });
    team.sync();
  }
  JOSTLE_HD void change_impulses(int i, CoupledEquations& own) const {
    for (int e = 0; e < own.acting; ++e) own.impulse[e] -= work_.mode_change(work_.first_unknown(i) + e);
  }

  /// The impulses of the mode rows, C' x. Ends synced.
  template <class Team>
  JOSTLE_HD void write_effects(const Team& team) const {
    team.for_each(island_.blocks, [&](int i) {
      const CoupledEquations& own = work_.coupled_equations(block(i));
      for (int a = 0; a < most_mode_equations; ++a) {
        double sum = own.acting == 0 ? own.impulse[a] : 0.0;
        for (int e = 0; e < own.acting; ++e) sum = std::fma(own.impulse[e], own.column(e)[a], sum);
        if (a == 0 && work_.block(block(i)).is_spin_friction()) sum += pushed_spin(work_.block(block(i)).partner);
        work_.mode_row_impulse(most_mode_equations * i + a) = sum;
      }
    });
    const int used = most_mode_equations * island_.blocks;
    team.for_each(stride_ - used, [&](int i) { work_.mode_row_impulse(used + i) = 0; });
    team.sync();
  }

  /// R v + b of the equations that act, or of all. Ends synced.
  template <class Team>
  JOSTLE_HD void write_defects(const Team& team, bool all) const {
    team.for_each(island_.blocks, [&](int i) {
      CoupledEquations& own = work_.coupled_equations(block(i));
      const int count = all ? own.count : own.acting;
      if (count == 0) return;
      double speed[most_mode_equations];
      for (int a = 0; a < own.count; ++a) speed[a] = mode_row_speed(i, a, own.bias[a]);
      for (int e = 0; e < count; ++e) {
        double sum = 0;
        for (int a = 0; a < own.count; ++a) sum += own.row[e][a] * speed[a];
        own.defect[e] = sum;
      }
    });
    team.sync();
  }

 private:
  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }
  JOSTLE_HD int unknowns() const { return work_.mode_unknowns(); }
  /// The impulse of the spin friction of contact c, if that slips.
  JOSTLE_HD double pushed_spin(int c) const {
    const CoupledEquations& of = work_.coupled_equations(c);
    return of.acting > 0 ? of.spin_push * of.impulse[0] : 0.0;
  }
  /// Row a of block i in the Delassus matrix of the mode rows.
  JOSTLE_HD auto responses(int i, int a) const {
    return work_.mode_row_response().from((most_mode_equations * i + a) * stride_);
  }

  JOSTLE_HD double mode_row_speed(int i, int a, double constant) const {
    double sum = constant;
    for (int k = 0; k < stride_; k += 6)
      sum += dot(six(responses(i, a).from(k)), six(work_.mode_row_impulse().from(k)));
    return sum;
  }

  /// Whether the equations of a block are its mode rows.
  JOSTLE_HD static bool are_mode_rows(const CoupledEquations& own) {
    return own.acting == own.count && own.push[1] == 0 && own.push[2] == 0 && own.spin_push == 0 &&
           (own.count < 3 || (own.row[2][1] == 0 && own.row[2][2] == 1));
  }

  /// The equation of an unknown; none, with block -1, behind the last one.
  struct RowOfUnknown {
    int block, equation;
    const CoupledEquations* own;
    bool is_mode_row;
  };
  JOSTLE_HD RowOfUnknown row_of(int unknown) const {
    if (unknown >= unknowns()) return {-1, 0, nullptr, false};
    const int number = work_.mode_unknown(unknown), i = number / most_mode_equations, e = number % most_mode_equations;
    const CoupledEquations& own = work_.coupled_equations(block(i));
    return {i, e, &own, e == 0 || are_mode_rows(own)};
  }

  /// R W C' of an equation and the impulse of equation k of block j.
  JOSTLE_HD double entry(const RowOfUnknown& row, int j, const CoupledEquations& by, int k) const {
    double sum = 0;
    const auto response_to = [&](int column) {
      return row.is_mode_row ? responses(row.block, row.equation)[column]
                             : std::fma(row.own->row[row.equation][2], responses(row.block, 2)[column],
                                        row.own->row[row.equation][1] * responses(row.block, 1)[column]);
    };
    for (int b = 0; b < by.count && row.block >= 0; ++b)
      sum = std::fma(by.column(k)[b], response_to(most_mode_equations * j + b), sum);
    const double spin = k == 0 && row.block >= 0 ? by.spin_push : 0.0;
    if (spin != 0) sum = std::fma(spin, response_to(most_mode_equations * work_.block(block(j)).partner), sum);
    return sum;
  }

  const Island& island_;
  const Work& work_;
  const int stride_;
};

/// The mode rows of all blocks of an island, three for each.
template <AnyWorkspace Work>
struct ModeRows {
  static constexpr int group = most_mode_equations;
  const Work& work;
  int count;
  JOSTLE_HD int row(int i) const { return work.mode_row(i); }
};

}  // namespace detail

/// The Delassus matrix of the mode rows, 0 where a block has less than three: of the LCP of an island, for all modes.
/// Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE void write_mode_row_responses(const Team& team, const Dimensions& d, const Island& island,
                                                       const Work& work) {
  const int stride = detail::mode_row_stride(island);
  const detail::ModeRows<Work> rows{work, most_mode_equations * island.blocks};
  team.for_each(rows.count, [&](int i) {
    const Block& block = work.block(work.island_block(island.first_block + i / most_mode_equations));
    const int a = i % most_mode_equations;
    work.mode_row(i) = a < detail::mode_rows(block) ? detail::mode_row(block, a) : -1;
  });
  team.sync();
  const auto entry = [&](int r, int s) -> double& { return work.mode_row_response(r * stride + s); };
  detail::form_interactions(team, d, work, rows, entry);
  team.for_each(rows.count, [&](int r) {
    for (int s = rows.count; s < stride; ++s) entry(r, s) = 0;
  });
  team.sync();
}

}  // namespace jostle
