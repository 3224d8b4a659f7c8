#pragma once
// From modes that are wrong to those of the regularised problem, docs/theory.md (34b). The biases are shifted,
//
//     0 = R v + b + d0 + t d + eps G x,    d: so that at t = 1 the modes to begin with have the right signs
//
// and t goes from 1 to 0. Where a sign turns, the mode becomes the one beyond it. As in Lemke's method t may grow again
// after that: it goes to the side on which the new mode has the right sign. So modes do not come back, as they may
// where those change that are wrong, and about as many change as are wrong.
#include "core/guess/mode_signs.hpp"
#include "core/guess/mode_system.hpp"

namespace jostle {

/// A path that is longer gives up: so many changes of modes for each block, and so many more.
inline constexpr int path_changes_per_block = 4, more_path_changes = 8;
/// At the start of a path signs are right by at least about this, of |q'|inf.
inline constexpr double path_margin = 0x1p-4;
/// ... and gaps of contacts that are open, of those that close first.
inline constexpr double closing_margin = 1e-4;
/// A friction impulse that is beyond its polygon starts at this part of it.
inline constexpr double inner_part = 0.9;
/// A path on which t grows beyond this leads nowhere.
inline constexpr double longest_path = 1e6;

/// Paths of the modes of an island.
template <class Team, AnyWorkspace Work>
class ModePath {
 public:
  JOSTLE_HD ModePath(const Team& team, const Island& island, const ModelView& model, const Work& work, double q_size,
                     double eps)
      : team_(team), island_(island), model_(model), work_(work), q_size_(q_size), eps_(eps) {}

  /// Spin and rolling friction have no paths.
  JOSTLE_HD bool is_possible() const {
    return team_.select(
        island_.blocks, [&](int i) { return !work_.block(block(i)).is_moment(); },
        [](bool a, bool b) { return !a && b; });
  }

  /// Takes work.mode() to the modes of the regularised problem. False if they did not get there. Begins and ends
  /// synced.
  JOSTLE_HD bool follow() const {
    begin();
    for_each_block(team_, island_, work_, [&](int c) { write_shift(c); });
    team_.sync();
    return go();
  }

  /// ... from the modes of no contact: they close one after the other, as all gaps shrink alike.
  JOSTLE_HD bool follow_from_open() const {
    for_each_block(team_, island_, work_, [&](int c) {
      if (work_.block(c).normal >= 0) work_.mode(c).kind = Kind::open, work_.mode(c).direction = 0;
    });
    team_.sync();
    begin();
    const double least = largest_of_blocks(team_, island_, work_, [&](int c) {
      const double gap = work_.block(c).normal < 0 ? 0.0 : equations_of(work_, c).defect[0];
      return gap < 0 ? -gap * work_.block_scale(c) : 0.0;
    });
    for_each_block(team_, island_, work_, [&](int c) {
      if (work_.block(c).normal < 0) return write_shift(c);
      const double shift = (least + closing_margin * spread(c) * q_size_) / work_.block_scale(c);
      work_.path_point(c).shift = Vec3(shift, 0, 0);
    });
    team_.sync();
    return go();
  }

  /// From the end of a path to the modes of the next proximal problem, whose impulses may differ by as much from those
  /// at the end as these do from those that it began with; the first ones are 0.
  JOSTLE_HD bool follow_to_next_centre() const {
    solve_piece();
    for_each_block(team_, island_, work_, [&](int c) {
      PathPoint& point = work_.path_point(c);
      const Vec3 base = -(eps_ * work_.block_response(c)) * impulse_of(c);
      point.shift = point.base - base, point.base = base;
    });
    team_.sync();
    return go();
  }

 private:
  using Kind = Mode::Kind;

  /// Where the first sign of a block turns.
  struct Turn {
    double t;
    int block, number;
  };

  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }

  /// So that not all signs turn at once.
  JOSTLE_HD static double spread(int c) { return 1 + 0.0625 * (7 * c % 16); }

  /// Along the normal and both tangents, N s.
  JOSTLE_HD Vec3 impulse_of(int c) const {
    const Block b = work_.block(c);
    const Mode mode = work_.mode(c);
    const ModeUnknowns& own = equations_of(work_, c);
    if (b.normal < 0) return {0, own.impulse[0], 0};
    if (mode.kind == Kind::open) return Vec3::Zero();
    const Direction friction =
        detail::slip_of_equations(model_, mode, own, [&](int e) { return friction_along(model_, b, mode, own, e); });
    return {own.impulse[0], friction.x, friction.y};
  }

  /// The equations of work.mode(); of an open contact those of its slip as well, which do not act.
  JOSTLE_HD void write_equations(int c) const {
    Mode& mode = work_.mode(c);
    const bool is_open = mode.kind == Kind::open;
    if (is_open) mode.kind = Kind::stick;
    if constexpr (Work::is_coupled)
      detail::write_coupled_equations(model_, work_, c, eps_, 0);
    else
      write_mode_equations(model_, work_, c, eps_, 0);
    if (!is_open) return;
    mode.kind = Kind::open;
    equations_of(work_, c).acting = 0, equations_of(work_, c).weight = 0;
  }

  JOSTLE_HD void add_to_biases(int c, double factor, const Vec3& shift) const {
    auto& own = equations_of(work_, c);
    const Direction across = Work::is_coupled ? direction(model_, second_tangent(model_)) : Direction{};
    if (work_.block(c).normal < 0) {
      own.bias[0] += factor * shift[1];
      return;
    }
    ModeFrame frame{{1, 0}, across};  // of coupled bodies: the mode rows
    if constexpr (!Work::is_coupled) frame = frame_of(model_, work_.mode(c));
    own.bias[0] += factor * shift[0];
    for (int e = 1; e < own.count; ++e)
      own.bias[e] += factor * dot(e == 1 ? frame.first : frame.second, Direction{shift[1], shift[2]});
  }

  /// Impulses for which all signs of impulses are right, and the speeds that they give.
  JOSTLE_HD void begin() const {
    for_each_block(team_, island_, work_, [&](int c) {
      work_.path_point(c).base = work_.path_point(c).shift = Vec3::Zero();
      write_equations(c);
    });
    team_.sync();
    detail::with_form(island_, work_, [&](const auto& form) {
      detail::take_first_step(team_, form, island_, work_);
      for_each_block(team_, island_, work_, [&](int c) { take_right_impulses(c); });
      team_.sync();
      detail::write_effects(team_, form, island_, work_);
      detail::write_defects(team_, form, island_, work_, true);
    });
  }

  JOSTLE_HD void take_right_impulses(int c) const {
    const Block b = work_.block(c);
    ModeUnknowns& own = equations_of(work_, c);
    if (own.acting == 0) return;
    const auto clamp = [](double& x, double most) {
      if (std::fabs(x) > most) x = x > 0 ? most : -most;
    };
    if (b.normal < 0) return clamp(own.impulse[0], inner_part * b.bound);
    const double least = path_margin * spread(c) * q_size_ * work_.block_scale(c);
    if (!(own.impulse[0] > least)) own.impulse[0] = least;
    const double bound = inner_part * b.friction * own.impulse[0];
    if (work_.mode(c).kind == Kind::between) clamp(own.impulse[1], 0.5 * bound * polygon_side(model_).length);
    if (work_.mode(c).kind != Kind::stick || own.count == 1) return;
    if (own.count == 2) return clamp(own.impulse[1], bound);
    const double inner = bound * polygon_side(model_).distance;
    const double size = std::sqrt(own.impulse[1] * own.impulse[1] + own.impulse[2] * own.impulse[2]);
    if (!(size > inner)) return;
    own.impulse[1] *= inner / size, own.impulse[2] *= inner / size;
  }

  /// d of a block: it makes these impulses those of the modes, and the signs of speeds right.
  JOSTLE_HD void write_shift(int c) const {
    const Block b = work_.block(c);
    const Mode mode = work_.mode(c);
    const ModeUnknowns& own = equations_of(work_, c);
    const double margin = path_margin * spread(c) * q_size_ / work_.block_scale(c);
    Vec3& shift = work_.path_point(c).shift;
    double of[most_mode_equations] = {0, 0, 0};  // of each equation
    for (int e = 0; e < own.acting; ++e) of[e] = -(own.defect[e] + own.impulse[e] / own.weight);
    if (b.normal < 0) {
      const double right = mode.kind == Kind::slip ? margin - detail::sign_of(model_, b, mode, own, 0) : 0.0;
      if (right > 0) of[0] = mode.direction == 0 ? -right : right;
      shift = Vec3(0, of[0], 0);
      return;
    }
    if (mode.kind == Kind::open) {
      if (own.defect[0] < margin) of[0] = margin - own.defect[0];
    } else if (own.acting > 0 && own.acting < own.count) {
      shift_slip(b, mode, own, margin, of);
    }
    const ModeFrame frame = frame_of(model_, mode);
    shift = Vec3(of[0], of[1] * frame.first.x + of[2] * frame.second.x, of[1] * frame.first.y + of[2] * frame.second.y);
  }

  /// Of a contact that slips.
  JOSTLE_HD void shift_slip(const Block& b, Mode mode, const ModeUnknowns& own, double margin,
                            double (&of)[most_mode_equations]) const {
    const auto slip = [&](int e) { return own.defect[e] + friction_along(model_, b, mode, own, e) / own.weight; };
    if (mode.kind == Kind::between) {
      if (!(slip(2) < -margin)) of[2] = -margin - slip(2);
      return;
    }
    bool is_right = true;
    for (int n = 1; n < detail::count_signs(b, mode); ++n)
      is_right = is_right && detail::sign_of(model_, b, mode, own, n) > margin / 4;
    if (is_right) return;
    const double first = slip(1), second = own.count > 2 ? slip(2) : 0.0;
    const double size = std::sqrt(first * first + second * second);
    of[1] = -(size > margin ? size : margin) - first, of[2] = -second;
  }

  /// The unknowns of work.mode() at t = 1, in work.path_point(), and at t = 0, in the equations. Ends synced.
  JOSTLE_HD JOSTLE_OUTLINE void solve_piece() const {
    for_each_block(team_, island_, work_, [&](int c) {
      write_equations(c);
      add_to_biases(c, 1, work_.path_point(c).base);
      add_to_biases(c, 1, work_.path_point(c).shift);
    });
    team_.sync();
    detail::with_form(island_, work_, [&](const auto& form) {
      detail::take_first_step(team_, form, island_, work_);
      for_each_block(team_, island_, work_, [&](int c) {
        auto& own = equations_of(work_, c);
        PathPoint& point = work_.path_point(c);
        for (int e = 0; e < most_mode_equations; ++e)
          point.impulse[e] = own.impulse[e], point.defect[e] = own.defect[e];
        for (int e = 0; e < own.acting; ++e) own.impulse[e] = 0;
        add_to_biases(c, -1, point.shift);
      });
      team_.sync();
      detail::take_step_from_zero(team_, form, island_, work_);
    });
  }

  JOSTLE_HD ModeUnknowns unknowns_at(int c, double t) const {
    ModeUnknowns own = equations_of(work_, c);
    const PathPoint& at_1 = work_.path_point(c);
    for (int e = 0; e < most_mode_equations; ++e) {
      own.impulse[e] += t * (at_1.impulse[e] - own.impulse[e]);
      own.defect[e] += t * (at_1.defect[e] - own.defect[e]);
    }
    return own;
  }

  /// How much a sign of the mode of block c grows with t.
  JOSTLE_HD double slope_of(int c, Mode mode, int number) const {
    const Block b = work_.block(c);
    return detail::sign_of(model_, b, mode, unknowns_at(c, 1), number) -
           detail::sign_of(model_, b, mode, equations_of(work_, c), number);
  }

  /// On the way from t down, or up.
  JOSTLE_HD Turn turn_of(int c, double t, bool up) const {
    const Block b = work_.block(c);
    const Mode mode = work_.mode(c);
    const ModeUnknowns own = equations_of(work_, c), at_1 = unknowns_at(c, 1);
    Turn first{up ? infinity() : -infinity(), c, 0};
    if (mode.kind != Kind::open && own.weight == 0) return first;  // no impulse moves it
    for (int n = 0; n < detail::count_signs(b, mode); ++n) {
      const double sign = detail::sign_of(model_, b, mode, own, n);
      const double slope = detail::sign_of(model_, b, mode, at_1, n) - sign;
      if (!(up ? slope < 0 : slope > 0)) continue;
      const double zero = -sign / slope, at = up ? (zero < t ? t : zero) : (zero > t ? t : zero);
      if (up ? at < first.t : at > first.t) first.t = at, first.number = n;
    }
    return first;
  }
  JOSTLE_HD Turn next_turn(double t, bool up) const {
    return team_.select(
        island_.blocks, [&](int i) { return turn_of(block(i), t, up); },
        [up](const Turn& a, const Turn& b) { return a.t == b.t ? a.block < b.block
                                                    : up       ? a.t < b.t
                                                               : a.t > b.t; });
  }

  /// From t = 1 to 0.
  JOSTLE_HD bool go() const {
    const int most = path_changes_per_block * island_.blocks + more_path_changes;
    double t = 1;
    bool up = false;
    solve_piece();
    for (int changes = 0; changes <= most; ++changes) {
      const Turn turn = next_turn(t, up);
      if (!up && !(turn.t > 0)) return true;
      if (!(turn.t < longest_path)) return false;
      t = turn.t;
      const int c = turn.block;
      const Block b = work_.block(c);
      const Mode before = work_.mode(c);
      const Mode next = detail::mode_beyond(model_, b, before, unknowns_at(c, t), turn.number);
      team_.sync();
      team_.once([&] { work_.mode(c) = next; });
      team_.sync();
      solve_piece();
      const double slope = slope_of(c, next, detail::sign_towards(b, next, before));
      if (slope == 0 || is_nan(slope)) return false;
      up = slope > 0;
    }
    return false;
  }

  const Team& team_;
  const Island& island_;
  const ModelView& model_;
  const Work& work_;
  const double q_size_, eps_;
};

}  // namespace jostle
