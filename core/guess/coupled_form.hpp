#pragma once
// The linear system of the modes (mode_system.hpp) if bodies are coupled by joints or a full matrix A. Its unknowns are
// the impulses that act,
//
//     eps G + R W C',    W = J P J', the Delassus matrix with the joints eliminated
//
// R and C are weights of the mode rows of a block: the normal, d_0 and the second tangent, or the one row that friction
// or a motor of a joint, or spin friction, has, or d_0 and the second of rolling friction in space. They stand in
// CoupledEquations in this order. Spin and rolling friction that slip act in C of the normal of their contact. All
// blocks are one island, in their order.
#include "core/assembly/coupled.hpp"
#include "core/assembly/islands.hpp"
#include "core/assembly/rows.hpp"
#include "core/guess/mode_equations.hpp"

namespace jostle {

namespace detail {

/// The rows of J on which the equations of a block rest, the mode rows: how many, and row a.
JOSTLE_HD inline int mode_rows(const Block& block) {
  const int along = block.tangents > 1 ? 2 : block.tangents;
  return block.normal < 0 ? along : 1 + along;
}
JOSTLE_HD inline int mode_row(const Block& block, int a) {
  if (block.normal < 0) return a == 0 ? block.tangent : block.second_tangent();
  return a == 0 ? block.normal : a == 1 ? block.tangent : block.second_tangent();
}

/// Numbers in a row of the Delassus matrix of the mode rows, three for every block.
JOSTLE_HD inline int mode_row_stride(const Island& island) {
  return round_up_to_six(most_mode_equations * island.blocks);
}

/// Friction or a motor of a joint, or a moment in one row: one equation if it holds its speed, else its bound. Moments
/// of an open contact do not act.
JOSTLE_HD inline void write_bound_equation(AnyWorkspace auto work, const Block& block, Mode mode,
                                           CoupledEquations& to) {
  const bool slips = mode.kind == Mode::Kind::slip;
  to.count = 1, to.acting = slips || to.weight == 0 || is_lifted(work, block) ? 0 : 1;
  if (!slips) return;
  const double sign = mode.direction == 0 ? 1 : -1;
  to.impulse[0] = sign * block.bound;
  if (block.is_moment()) to.moment[0] = sign * block.friction;
}

/// Rolling friction in space: the tangential equations of a contact.
JOSTLE_HD inline void write_rolling_equations(const ModelView& model, AnyWorkspace auto work, const Block& block,
                                              Mode mode, CoupledEquations& to) {
  using Kind = Mode::Kind;
  const bool acts = to.weight > 0 && !is_lifted(work, block);
  to.count = 2, to.acting = !acts || mode.kind == Kind::slip ? 0 : mode.kind == Kind::between ? 1 : 2;
  const ModeFrame frame = frame_of(model, mode);
  const Direction first = row_weights(model, frame.first), second = row_weights(model, frame.second);
  to.row[0][0] = to.push[0] = first.x, to.row[0][1] = to.push[1] = first.y;
  to.row[1][0] = second.x, to.row[1][1] = second.y;
  if (mode.kind == Kind::stick) return;
  const FrictionPush push = friction_push(model, block, mode);
  for (int a = 0; a < 2; ++a) to.moment[a] = push.along * to.row[push.equation - 1][a];
}

/// Whether spin or rolling friction of a contact slips.
JOSTLE_HD inline bool has_slipping_moments(AnyWorkspace auto work, const Block& block) {
  const auto slips = [&](int of) { return of >= 0 && work.mode(of).kind != Mode::Kind::stick; };
  return block.normal >= 0 && (slips(block.partner) || slips(block.roller));
}

/// Those along the tangents of a contact.
JOSTLE_HD inline void write_friction_equations(const ModelView& model, const Block& block, Mode mode,
                                               CoupledEquations& to) {
  const ModeFrame frame = frame_of(model, mode);
  for (int e = 1; e < to.count; ++e) {
    const Direction weights = row_weights(model, e == 1 ? frame.first : frame.second);
    to.row[e][1] = weights.x, to.row[e][2] = weights.y;
  }
  if (mode.kind == Mode::Kind::stick) return;
  const FrictionPush push = friction_push(model, block, mode);
  for (int a = 1; a < to.count; ++a) to.push[a] = push.along * to.row[push.equation][a];
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
  to.pushes = has_slipping_moments(work, block);
  if (block.normal < 0) {
    if (block.tangents > 1)
      write_rolling_equations(model, work, block, mode, to);
    else
      write_bound_equation(work, block, mode, to);
  }
  for (int a = 0; a < to.count; ++a) {
    const int r = mode_row(block, a);
    const double bias = r == block.normal ? bias_above(least_bias, work, c, r) : work.row_bias(r);
    to.bias[a] = add_product(bias, work.row(r), work.free_velocity());
  }
  if (to.count > 1 && block.normal >= 0) write_friction_equations(model, block, mode, to);
  const int last = to.count - 1;
  to.are_mode_rows = to.acting == to.count && to.push[1] == 0 && to.push[2] == 0 && !to.pushes &&
                     (last == 0 || (to.row[last][last - 1] == 0 && to.row[last][last] == 1));
}

/// The matrix in the impulses that act, two blocks of three unknowns beside each other.
template <AnyWorkspace Work>
class CoupledForm {
 public:
  static constexpr int size = 6;
  static constexpr bool is_coupled = true, is_one_body = false;
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
    const bool are_rows = rows[0].is_mode_row && rows[1].is_mode_row && rows[2].is_mode_row;
    for (int r = 0; r < 3; ++r) {
      write_row(rows[r], are_rows, part.from(size * r));
      part[size * size * i + size * r + first + r] += rows[r].block < 0 ? 1 : 1 / rows[r].own->weight;
    }
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
        if (a < 2 && work_.block(block(i)).is_moment())
          sum += own.moment[a] * pushed_impulse(work_.block(block(i)).partner);
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
      const int rows = count == 1 && own.row[0][1] == 0 && own.row[0][2] == 0 ? 1 : own.count;
      double speed[most_mode_equations];
      for (int a = 0; a < rows; ++a) speed[a] = mode_row_speed(i, a, own.bias[a]);
      for (int e = 0; e < count; ++e) {
        double sum = 0;
        for (int a = 0; a < rows; ++a) sum += own.row[e][a] * speed[a];
        own.defect[e] = sum;
      }
    });
    team.sync();
  }

 private:
  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }
  JOSTLE_HD int unknowns() const { return work_.mode_unknowns(); }
  /// c_n of contact c, which bounds moments.
  JOSTLE_HD double pushed_impulse(int c) const {
    const CoupledEquations& of = work_.coupled_equations(c);
    return of.acting > 0 ? of.impulse[0] : 0.0;
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

  /// The equation of an unknown; none, with block -1, behind the last one.
  struct RowOfUnknown {
    int block, equation;
    const CoupledEquations* own;
    int first;  ///< the first of the two mode rows that it is made of, if it is none itself
    bool is_mode_row;
  };
  JOSTLE_HD RowOfUnknown row_of(int unknown) const {
    if (unknown >= unknowns()) return {-1, 0, nullptr, 0, false};
    const int number = work_.mode_unknown(unknown), i = number / most_mode_equations, e = number % most_mode_equations;
    const CoupledEquations& own = work_.coupled_equations(block(i));
    const int first = work_.block(block(i)).normal < 0 ? 0 : 1;
    return {i, e, &own, first, (e == 0 && own.row[0][0] == 1 && own.row[0][1] == 0) || own.are_mode_rows};
  }

  /// R W C' of an equation, then zeros: six numbers of the row, and those of the next block. `all_rows`: with those
  /// beside it, it is a mode row.
  template <class Numbers>
  JOSTLE_HD void write_row(const RowOfUnknown& row, bool all_rows, Numbers to) const {
    int column = 0;
    const auto put = [&](double x) {
      to[column] = x;
      if (++column == size) column = 0, to = to.from(size * size);
    };
    const int unknowns = row.block < 0 ? 0 : this->unknowns();
    if (unknowns > 0) {
      const int e = row.equation, base = row.is_mode_row ? e : row.first;
      const auto own = responses(row.block, base), next = responses(row.block, row.is_mode_row ? e : base + 1);
      const double weight = row.is_mode_row ? 1 : row.own->row[e][base];
      const double next_weight = row.is_mode_row ? 0 : row.own->row[e][base + 1];
      const auto response_to = [&](int place) {
        return row.is_mode_row ? own[place] : std::fma(next_weight, next[place], weight * own[place]);
      };
      for (int j = 0; j < island_.blocks; ++j) {
        const CoupledEquations& by = work_.coupled_equations(block(j));
        const int place = most_mode_equations * j;
        if (all_rows && by.are_mode_rows) {
          if (by.acting == 3 && column <= size - 3) {  // most blocks: three numbers at once
            for (int k = 0; k < 3; ++k) to[column + k] = own[place + k];
            column += 3;
            if (column == size) column = 0, to = to.from(size * size);
            continue;
          }
          for (int k = 0; k < by.acting; ++k) put(own[place + k]);
          continue;
        }
        if (by.acting == 0) continue;
        const double first = response_to(place), second = by.count > 1 ? response_to(place + 1) : 0.0,
                     third = by.count > 2 ? response_to(place + 2) : 0.0;
        for (int k = 0; k < by.acting; ++k) {
          const auto& c = by.column(k);
          double sum = std::fma(c[0], first, 0.0);
          if (by.count > 1) sum = std::fma(c[1], second, sum);
          if (by.count > 2) sum = std::fma(c[2], third, sum);
          put(k == 0 && by.pushes ? with_moments(j, sum, response_to) : sum);
        }
      }
    }
    for (int left = size * blocks() - unknowns; left > 0; --left) put(0);
  }

  /// ... and the moments that slip with c_n of block j.
  [[gnu::cold]] JOSTLE_HD double with_moments(int j, double sum, const auto& response_to) const {
    const int partner = work_.block(block(j)).partner, roller = work_.block(block(j)).roller;
    for (const int of : {partner, roller}) {
      for (int a = 0; of >= 0 && a < 2; ++a) {
        const double moment = work_.coupled_equations(of).moment[a];
        if (moment != 0) sum = std::fma(moment, response_to(most_mode_equations * of + a), sum);
      }
    }
    return sum;
  }

  const Island& island_;
  const Work& work_;
  const int stride_;
};

/// The mode rows of all blocks of an island, three places for each, in the matrix of their interactions.
template <AnyWorkspace Work>
struct ModeRows {
  static constexpr int group = most_mode_equations;
  Span<ConstraintRow, Work::step> all;
  Span<int, Work::step> rows;
  Span<double, Work::step> matrix;
  int places, room;
  JOSTLE_HD ModeRows(const Work& work, const Island& island)
      : all(work.row()),
        rows(work.mode_row()),
        matrix(work.mode_row_response()),
        places(most_mode_equations * island.blocks),
        room(mode_row_stride(island)) {}

  JOSTLE_HD int row(int i) const { return rows[i]; }
  JOSTLE_HD auto to(int i) const { return matrix.from(i * room); }
};

}  // namespace detail

/// The Delassus matrix of the mode rows, 0 where a block has less than three: of the LCP of an island, for all modes.
/// Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE void write_mode_row_responses(const Team& team, const Dimensions& d, const Island& island,
                                                       const Work& work) {
  const detail::ModeRows rows(work, island);
  team.for_each(island.blocks, [&](int i) {
    const Block& block = work.block(work.island_block(island.first_block + i));
    const int count = detail::mode_rows(block);
    for (int a = 0; a < most_mode_equations; ++a)
      work.mode_row(most_mode_equations * i + a) = a < count ? detail::mode_row(block, a) : -1;
  });
  team.sync();
  detail::form_interactions(team, d, work, rows);
}

}  // namespace jostle
