#pragma once
// Which contacts have impulses that are not unique: others, in the same modes, explain the same motion.
//
// With the modes of an answer, an impulse can act along some columns of J' and of N: the normal and both tangents of a
// contact that sticks; one column, that of its whole impulse, of one that slips, and along the polygon's side where it
// slips at right angles to one; the row of a joint, of a limit that presses and of a friction below its bound. The
// impulses are unique if these columns are independent. If not, some combination of them is 0, and every contact in one
// can have more or less of its impulse. A contact that is closed without an impulse has a column, too: it takes part
// in a combination that gives an impulse to all such contacts in it.
//
// Columns are compared in velocities sqrt(A) v with the diagonal of A, by orthogonalisation [Daniel, Gragg, Kaufman &
// Stewart 1976, Math. Comp. 30: a second time where little is left; twice is enough].
#include <cmath>

#include "core/assembly/islands.hpp"
#include "core/assembly/tangents.hpp"
#include "core/math/six.hpp"

namespace jostle {

/// A column is a combination of others if no more than this part of it is left.
inline constexpr double dependence_tolerance = 1e-9;
/// Where this part of the square of a column is left, it is at right angles to the basis to 1e-14.
inline constexpr double well_left = 1e-4;

namespace detail {

/// Independent columns of an island, as A = B R: B at right angles, in work.span_basis; R with ones on its diagonal, in
/// work.span_factor. For one lane.
template <AnyWorkspace Work>
class ImpulseSpan {
 public:
  JOSTLE_HD ImpulseSpan(const Island& island, const Work& work, int stride)
      : work_(work), movers_(island.movers), stride_(stride) {}

  JOSTLE_HD void begin_column() const {
    for (int m = 0; m < movers_; ++m) store(six(0, 0, 0, 0, 0, 0), column(m));
  }
  JOSTLE_HD void add_row(double factor, const ConstraintRow& row) const {
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
      const int m = row.body[side];
      const auto part = column(work_.local_mover(m));
      store(fused(factor, six(work_.root_inv_mass(m)) * six(row.entry[side]), six(part)), part);
    }
  }

  /// Who has a column: a contact with an impulse, one without, or nobody.
  JOSTLE_HD static int with_impulse(int contact) { return contact; }
  JOSTLE_HD static int without_impulse(int contact) { return -2 - contact; }
  static constexpr int no_contact = -1;

  /// Ends a column; those without an impulse come last. Sets work.is_shared() of all contacts in a combination that is
  /// 0.
  JOSTLE_HD void end_column(int owner) {
    if (owner >= no_contact && is_full() && all_are_shared()) return share(owner);
    const double before = square();
    const double left = orthogonalise(before);
    if (is_full() || !is_more_than_rounding(left, before)) return mark(owner, before);
    work_.span_inverse(count_) = 1 / left;
    work_.span_square(count_) = before;
    work_.span_owner(count_++) = owner;
  }

 private:
  JOSTLE_HD bool is_full() const { return count_ == 6 * movers_; }
  JOSTLE_HD auto basis(int mover, int j) const { return work_.span_basis().from(j * stride_ + 6 * mover); }
  /// The column that has begun, the next of the basis if it is independent.
  JOSTLE_HD auto column(int mover) const { return basis(mover, count_); }
  JOSTLE_HD double factor(int i, int j) const { return work_.span_factor(j * stride_ + i); }
  /// Parts of the column along the basis, a column of the factor if it is independent.
  JOSTLE_HD auto weights() const { return work_.span_factor().from(count_ * stride_); }

  JOSTLE_HD double square() const {
    double sum = 0;
    for (int m = 0; m < movers_; ++m) sum += dot(six(column(m)), six(column(m)));
    return sum;
  }
  JOSTLE_HD static bool is_more_than_rounding(double left, double before) {
    return left > dependence_tolerance * dependence_tolerance * before;
  }

  /// Leaves what is at right angles to the basis, and its parts along it in weights(). Where not much is left, rounding
  /// errors along the basis are removed once more. Returns the square of what is left.
  JOSTLE_HD double orthogonalise(double before) const {
    if (count_ == 0) return before;
    for (int j = 0; j < count_; ++j) weights()[j] = 0;
    double left = before;
    for (int pass = 0; pass < 2; ++pass) {
      remove_parts();
      const double now = square();
      if (now > well_left * left || !is_more_than_rounding(now, before)) return now;
      left = now;
    }
    return left;
  }
  /// All parts are those of the column as it was, so that they do not wait for each other.
  JOSTLE_HD void remove_parts() const {
    const auto weight = weights(), part = work_.span_part();
    for (int j = 0; j < count_; ++j) {
      double along = 0;
      for (int m = 0; m < movers_; ++m) along += dot(six(basis(m, j)), six(column(m)));
      part[j] = along * work_.span_inverse(j);
      weight[j] += part[j];
    }
    for (int m = 0; m < movers_; ++m) {
      Six left = six(column(m));
      for (int j = 0; j < count_; ++j) left = fused(-part[j], six(basis(m, j)), left);
      store(left, column(m));
    }
  }

  /// Whether no column can tell more of the contacts in the basis.
  JOSTLE_HD bool all_are_shared() const {
    for (int j = 0; j < count_; ++j)
      if (work_.span_owner(j) >= 0 && work_.is_shared(work_.span_owner(j)) == 0) return false;
    return true;
  }

  JOSTLE_HD void share(int owner) const {
    if (owner != no_contact) work_.is_shared(owner >= 0 ? owner : -2 - owner) = 1;
  }

  /// The column is the sum of others times c, with R c = weights.
  JOSTLE_HD void mark(int owner, double before) const {
    const auto weight = weights();
    const auto takes_part = [&](int j) {
      return weight[j] * weight[j] * work_.span_square(j) > dependence_tolerance * dependence_tolerance * before;
    };
    bool gives = true;  // all contacts without an impulse get one
    for (int j = count_ - 1; j >= 0; --j) {
      const double c = weight[j];
      for (int i = 0; i < j; ++i) weight[i] -= factor(i, j) * c;
      if (work_.span_owner(j) < no_contact && takes_part(j) && c > 0) gives = false;
    }
    if (!gives) return;
    share(owner);
    for (int j = 0; j < count_; ++j)
      if (takes_part(j)) share(work_.span_owner(j));
  }

  const Work& work_;
  const int movers_, stride_;
  int count_ = 0;
};

/// Adds a tangential vector of contact c to the column.
template <AnyWorkspace Work>
JOSTLE_HD void add_tangential(const ModelView& model, const Work& work, int c, const ImpulseSpan<Work>& span,
                              const Direction& vector) {
  const int tangent = model.dimensions.contact_rows(c).tangent;
  const Direction weights = row_weights(model, vector);
  span.add_row(weights.x, work.row(tangent));
  if (second_tangent(model) > 0) span.add_row(weights.y, work.row(tangent + second_tangent(model)));
}

JOSTLE_HD inline Direction recorded_slip(const ContactRow& row) { return {row.slip[0], row.slip[1]}; }

/// Where friction would act on a contact without an impulse, over mu c_n; 0 if it does not slip.
JOSTLE_HD inline Direction friction_direction(const ModelView& model, const ContactRow& row) {
  const double x = row.slip[0], y = row.slip[1], speed = std::sqrt(x * x + y * y);
  if (!(speed > sticking_speed)) return {0, 0};
  if (model.dimensions.has_circular_cone) return {-x / speed, -y / speed};
  return direction(model, slowest_direction(model, recorded_slip(row)));
}

/// Whether the greatest two speeds along directions agree within sticking_speed; most often they do not.
JOSTLE_HD inline bool has_two_fastest(const ModelView& model, const Direction& slip) {
  double most = 0, second = 0;
  for (int i = 0; i < model.dimensions.directions / 2; ++i) {
    const double speed = std::fabs(dot(direction(model, i), slip));
    const double lower = speed < most ? speed : most;
    second = lower > second ? lower : second;
    most = speed > most ? speed : most;
  }
  return -second <= -most + sticking_speed;
}

/// The side of the polygon whose ends have the same, least speed; of length 0: there is none.
JOSTLE_HD inline Direction sliding_side(const ModelView& model, const ContactRow& row) {
  const int k = model.dimensions.directions;
  if (k == 2 || model.dimensions.has_circular_cone) return {0, 0};
  const Direction slip = recorded_slip(row);
  if (!has_two_fastest(model, slip)) return {0, 0};
  const int slowest = slowest_direction(model, slip);
  const Direction own = direction(model, slowest);
  const int side =
      slowest_side(k, slowest, dot(own, slip) + sticking_speed, [&](int i) { return dot(direction(model, i), slip); });
  if (side < 0) return {0, 0};
  const Direction other = direction(model, side == slowest ? direction_after(model, side) : side);
  return {other.x - own.x, other.y - own.y};
}

/// Whether friction or a motor of a joint, or spin or rolling friction, is at its bound: block c.
JOSTLE_HD inline bool is_at_bound(AnyWorkspace auto work, int c) {
  const Block& block = work.block(c);
  double bound = block.bound;
  if (block.is_moment()) bound += block.friction * work.row_impulse(work.block(block.partner).normal);
  double sum = 0;
  for (int i = 0; i < block.tangents; ++i) sum += std::fabs(work.row_impulse(block.tangent + i));
  return !(sum < bound * (1 - dependence_tolerance));
}

/// Adds the moment of rolling friction, times a factor, to the column.
template <AnyWorkspace Work>
JOSTLE_HD void add_rolling(const Work& work, const Block& block, double factor, ImpulseSpan<Work>& span) {
  for (int i = 0; i < block.tangents; ++i) {
    const double impulse = work.row_impulse(block.tangent + i);
    if (impulse != 0) span.add_row(factor * impulse, work.row(block.tangent + i));
  }
}

/// The column along the side of the polygon of rolling friction that is at its bound between two directions.
template <AnyWorkspace Work>
JOSTLE_HD void add_rolling_side(const ModelView& model, const Work& work, int c, const Block& block,
                                ImpulseSpan<Work>& span) {
  int ends[2] = {-1, -1}, count = 0;
  for (int i = 0; i < block.tangents; ++i)
    if (work.row_impulse(block.tangent + i) != 0 && count++ < 2) ends[count - 1] = block.tangent + i;
  if (count != 2 || second_tangent(model) == 0) return;
  const auto sign = [&](int end) { return work.row_impulse(ends[end]) < 0 ? -1.0 : 1.0; };
  span.begin_column();
  span.add_row(sign(0), work.row(ends[0]));
  span.add_row(-sign(1), work.row(ends[1]));
  span.end_column(span.with_impulse(c));
}

/// The columns of contact c, which has an impulse.
template <AnyWorkspace Work>
JOSTLE_HD void add_contact_columns(const ModelView& model, const Work& work, int c, const ContactRow& row,
                                   ImpulseSpan<Work>& span) {
  const Block block = work.block(c);
  const bool slips = row.mode == contact_slips && block.tangents > 0;
  span.begin_column();
  span.add_row(1, work.row(block.normal));
  if (slips) add_tangential(model, work, c, span, {row.impulse_t[0] / row.impulse_n, row.impulse_t[1] / row.impulse_n});
  if (block.partner >= 0 && is_at_bound(work, block.partner))
    span.add_row(row.impulse_spin / row.impulse_n, work.row(work.block(block.partner).tangent));
  const bool rolls = block.roller >= 0 && is_at_bound(work, block.roller);
  if (rolls) add_rolling(work, work.block(block.roller), 1 / row.impulse_n, span);
  span.end_column(span.with_impulse(c));
  if (rolls) add_rolling_side(model, work, c, work.block(block.roller), span);
  if (block.tangents == 0) return;
  const Direction side = slips ? sliding_side(model, row) : Direction{1, 0};
  if (side.x == 0 && side.y == 0) return;
  span.begin_column();
  add_tangential(model, work, c, span, side);
  span.end_column(span.with_impulse(c));
  if (slips || second_tangent(model) == 0) return;
  span.begin_column();
  add_tangential(model, work, c, span, {0, 1});
  span.end_column(span.with_impulse(c));
}

/// The columns of joints that belong to an island: N, limits that press, and frictions and motors below their bounds;
/// and spin and rolling friction below their bounds.
template <AnyWorkspace Work>
JOSTLE_HD void add_joint_columns(const ModelView& model, const Work& work, int island, int contacts,
                                 ImpulseSpan<Work>& span) {
  const Dimensions& d = model.dimensions;
  const auto add = [&](const ConstraintRow& row) {
    span.begin_column();
    span.add_row(1, row);
    span.end_column(span.no_contact);
  };
  for (int j = 0; j < d.joint_rows; ++j) {
    const ConstraintRow& row = work.joint_row(j);
    if (row.body[0] != no_body && work.island_of(row.body[0]) == island) add(row);
  }
  const Island own = work.island(island);
  for (int i = 0; i < own.blocks; ++i) {
    const int c = work.island_block(own.first_block + i);
    if (c < contacts) continue;
    const Block block = work.block(c);
    const bool acts = block.normal >= 0 ? work.row_impulse(block.normal) > 0 : !is_at_bound(work, c);
    const int first = block.normal >= 0 ? block.normal : block.tangent;
    const bool is_rolling = block.is_moment() && block.tangents > 1;
    const int axes = is_rolling                               ? 2
                     : block.normal < 0 && block.tangents > 1 ? 3
                                                              : 1;  // those of a ball joint are three
    for (int a = 0; acts && a < axes; ++a) add(work.row(first + a));
  }
}

}  // namespace detail

/// Writes work.is_shared() of the contacts of the last problem, whose rows in the record are `rows`. By one lane.
template <AnyWorkspace Work>
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE void find_shared_impulses(const ModelView& model, const Work& work, int contacts,
                                                                 const ContactRow* rows) {
  for (int c = 0; c < contacts; ++c) work.is_shared(c) = 0;
  for (int i = 0; i < work.islands(); ++i) {
    const Island island = work.island(i);
    detail::ImpulseSpan<Work> span(island, work, model.dimensions.span_size());
    const auto for_each_contact = [&](bool with_impulse, auto visit) {
      for (int b = 0; b < island.blocks; ++b) {
        const int c = work.island_block(island.first_block + b);
        if (c < contacts && (rows[c].impulse_n > 0) == with_impulse) visit(c);
      }
    };
    for_each_contact(true, [&](int c) { detail::add_contact_columns(model, work, c, rows[c], span); });
    detail::add_joint_columns(model, work, i, contacts, span);
    for_each_contact(false, [&](int c) {
      const Block block = work.block(c);
      if (std::fabs(work.row_speed(block.normal)) > sticking_speed) return;
      const Direction d = detail::friction_direction(model, rows[c]);
      span.begin_column();
      span.add_row(1, work.row(block.normal));
      detail::add_tangential(model, work, c, span, {block.friction * d.x, block.friction * d.y});
      span.end_column(span.without_impulse(c));
    });
  }
}

}  // namespace jostle
