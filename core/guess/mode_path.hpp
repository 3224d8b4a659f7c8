#pragma once
// From modes that are wrong to those of the regularised problem, one mode after the other. The biases are shifted,
//
//     0 = R v + b + t d + eps G x,    d: at t = 1 the modes in work.mode() have the right signs
//
// and t goes from 1 to 0. Where a sign of a contact turns, it takes the mode beyond that sign; as in Lemke's method t
// may grow again after that, and as there it is known beforehand whether it does: on the side on which the new mode has
// the right sign. So the modes on the way never come back, and as many change as are wrong, or a few more.
#include "core/guess/mode_answer.hpp"
#include "core/guess/mode_system.hpp"

namespace jostle {

namespace detail {

/// The signs of a mode, each of which another mode lies beyond. Of a contact number 0 is that of its gap or of its
/// normal impulse.
JOSTLE_HD inline int count_signs(const Block& block, Mode mode) {
  using Kind = Mode::Kind;
  if (block.normal < 0) return mode.kind == Kind::slip ? 1 : 2;
  if (mode.kind == Kind::open || block.tangents == 0) return 1;
  const int k = block.betas();
  switch (mode.kind) {
    case Kind::stick: return 1 + k;
    case Kind::slip: return k > 2 ? 3 : 2;
    default: return 4;
  }
}

/// 0 or more where the mode has this sign right; linear in the unknowns.
JOSTLE_HD inline double sign_of(const ModelView& model, const Block& block, Mode mode, const ModeUnknowns& own,
                                int number) {
  using Kind = Mode::Kind;
  if (block.normal < 0) {
    const double x = own.impulse[0];
    if (mode.kind != Kind::slip) return number == 0 ? block.bound - x : block.bound + x;
    const double speed = own.defect[0] + (own.weight > 0 ? x / own.weight : 0.0);
    return mode.direction == 0 ? -speed : speed;
  }
  if (mode.kind == Kind::open) return own.defect[0];
  if (number == 0) return own.impulse[0];
  const int k = block.betas(), i = mode.direction;
  if (mode.kind == Kind::stick) {
    const double bound = block.friction * own.impulse[0];
    if (k == 2) return number == 1 ? bound - own.impulse[1] : bound + own.impulse[1];
    const Direction a = direction(model, number - 1), b = direction(model, number % k);
    const PolygonSide side = polygon_side(model);
    const double along = ((a.x + b.x) * own.impulse[1] + (a.y + b.y) * own.impulse[2]) / (2 * side.distance);
    return bound * side.distance - along;
  }
  if (mode.kind == Kind::between && number < 3) {
    const double half = 0.5 * block.friction * own.impulse[0], shift = own.impulse[1] / polygon_side(model).length;
    return number == 1 ? half + shift : half - shift;
  }
  const Direction slip = regularised_slip(model, block, mode, own), d = direction(model, i);
  if (mode.kind == Kind::between) return -dot(frame_of(model, mode).second, slip);
  if (k == 2) return -dot(d, slip);
  const Direction next = direction(model, number == 1 ? (i + 1) % k : (i + k - 1) % k);
  return dot(next, slip) - dot(d, slip);
}

/// The mode beyond a sign.
JOSTLE_HD inline Mode mode_beyond(const ModelView& model, const Block& block, Mode mode, const ModeUnknowns& own,
                                  int number) {
  using Kind = Mode::Kind;
  const auto with = [](Kind kind, int i) { return Mode{kind, static_cast<std::uint8_t>(i)}; };
  if (block.normal < 0) return mode.kind == Kind::slip ? with(Kind::stick, 0) : with(Kind::slip, number);
  if (mode.kind == Kind::open) {
    if (block.tangents == 0) return with(Kind::stick, 0);
    const Direction slip = regularised_slip(model, block, {Kind::stick, 0}, own);
    return with(Kind::slip, slowest_direction(model, slip));
  }
  if (number == 0) return with(Kind::open, 0);
  const int k = block.betas(), i = mode.direction;
  if (mode.kind == Kind::stick) return k == 2 ? with(Kind::slip, number - 1) : with(Kind::between, number - 1);
  if (mode.kind == Kind::between) return number == 3 ? with(Kind::stick, 0) : with(Kind::slip, (i + number - 1) % k);
  if (k == 2) return with(Kind::stick, 0);
  return with(Kind::between, number == 1 ? i : (i + k - 1) % k);
}

/// The sign of a mode beyond which the mode before it lies.
JOSTLE_HD inline int sign_towards(const Block& block, Mode mode, Mode before) {
  using Kind = Mode::Kind;
  if (block.normal < 0) return mode.kind == Kind::slip ? 0 : before.direction;
  if (mode.kind == Kind::open || before.kind == Kind::open) return 0;
  if (mode.kind == Kind::stick) return 1 + before.direction;
  if (mode.kind == Kind::between) return before.kind == Kind::stick ? 3 : before.direction == mode.direction ? 1 : 2;
  return block.betas() == 2 || before.direction == mode.direction ? 1 : 2;
}

}  // namespace detail

/// How many times modes change on a path at most: so many for each block, and so many more.
inline constexpr int path_changes_per_block = 6, more_path_changes = 12;
/// By how much the start of a path has signs right, of |q'|inf.
inline constexpr double path_margin = 0x1p-4;

/// The path of the modes of an island.
template <class Team, AnyWorkspace Work>
class ModePath {
 public:
  JOSTLE_HD ModePath(const Team& team, const Island& island, const ModelView& model, const Work& work, double q_size,
                     double eps)
      : team_(team), island_(island), model_(model), work_(work), q_size_(q_size), eps_(eps) {}

  /// Spin and rolling friction have no paths.
  JOSTLE_HD bool is_possible() const {
    return team_.select(
        island_.blocks, [&](int i) { return !work_.block(block(i)).is_moment(); }, [](bool a, bool b) { return !a && b; });
  }

  /// Takes work.mode() to the modes of the regularised problem. False if it did not come there. Begins and ends synced.
  JOSTLE_HD bool follow() const {
    begin();
    return go();
  }

  /// From the modes of the last end to those of the proximal problem around its impulses.
  JOSTLE_HD bool follow_to_next_centre() const {
    solve_piece();
    for_each_block(team_, island_, work_, [&](int c) {
      const Block b = work_.block(c);
      const ModeUnknowns& own = equations_of(work_, c);
      const Vec3 x = impulse_of(b, work_.mode(c), own);
      PathPoint& point = work_.path_point(c);
      const Vec3 base = -eps_ * work_.block_response(c) * x;
      point.shift = point.base - base;
      point.base = base;
    });
    team_.sync();
    return go();
  }

 private:
  using Kind = Mode::Kind;

  JOSTLE_HD Vec3 impulse_of(const Block& b, Mode mode, const ModeUnknowns& own) const {
    if (b.normal < 0) return {0, own.impulse[0], 0};
    if (mode.kind == Kind::open) return Vec3::Zero();
    Vec3 x(own.impulse[0], 0, 0);
    const ModeFrame frame = frame_of(model_, mode);
    for (int e = 1; e < own.count; ++e) {
      const double f = friction_along(model_, b, mode, own, e);
      const Direction along = e == 1 ? frame.first : frame.second;
      x[1] += f * along.x, x[2] += f * along.y;
    }
    return x;
  }

  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }

  JOSTLE_HD void add_bias(int c, double factor, const Vec3& shift) const {
    const Block b = work_.block(c);
    auto& own = equations_of(work_, c);
    if constexpr (Work::is_coupled) {
      if (b.normal < 0) {
        own.bias[0] += factor * shift[1];
        return;
      }
      own.bias[0] += factor * shift[0];
      own.bias[1] += factor * shift[1];
      if (own.count > 2) {
        const Direction across = direction(model_, second_tangent(model_));
        own.bias[2] += factor * (across.x * shift[1] + across.y * shift[2]);
      }
    } else {
      own.bias[0] += factor * shift[0];
      const ModeFrame frame = frame_of(model_, work_.mode(c));
      for (int e = 1; e < own.count; ++e) {
        const Direction along = e == 1 ? frame.first : frame.second;
        own.bias[e] += factor * (along.x * shift[1] + along.y * shift[2]);
      }
    }
  }

  JOSTLE_HD void write_equations(int c) const {
    const Mode mode = work_.mode(c);
    const bool is_open = mode.kind == Kind::open;
    if (is_open) work_.mode(c).kind = Kind::stick;
    if constexpr (Work::is_coupled)
      detail::write_coupled_equations(model_, work_, c, eps_, 0);
    else
      write_mode_equations(model_, work_, c, eps_, 0);
    work_.mode(c) = mode;
    if (is_open) equations_of(work_, c).acting = 0, equations_of(work_, c).weight = 0;
  }

  /// From the solution of the modes at t = 0 to shifts.
  JOSTLE_HD void begin() const {
    for_each_block(team_, island_, work_, [&](int c) {
      work_.path_point(c).base = work_.path_point(c).shift = Vec3::Zero();
      write_equations(c);
    });
    team_.sync();
    detail::with_form(island_, work_, [&](const auto& form) {
      detail::take_first_step(team_, form, island_, work_);
      for_each_block(team_, island_, work_, [&](int c) { make_valid(c); });
      team_.sync();
      detail::write_effects(team_, form, island_, work_);
      detail::write_defects(team_, form, island_, work_, true);
    });
    for_each_block(team_, island_, work_, [&](int c) { write_shift(c); });
    team_.sync();
  }

  JOSTLE_HD double spread(int c) const { return 1 + 0.0625 * (c * 7 % 16); }

  JOSTLE_HD void make_valid(int c) const {
    const Block b = work_.block(c);
    const Mode mode = work_.mode(c);
    ModeUnknowns& own = equations_of(work_, c);
    if (own.acting == 0) return;
    const auto clamped = [](double x, double most) { return x > most ? most : x < -most ? -most : x; };
    if (b.normal < 0) {
      own.impulse[0] = clamped(own.impulse[0], 0.9 * b.bound);
      return;
    }
    const double least = path_margin * spread(c) * q_size_ * work_.block_scale(c);
    if (!(own.impulse[0] > least)) own.impulse[0] = least;
    const double bound = b.friction * own.impulse[0];
    if (mode.kind == Kind::between) {
      const double length = polygon_side(model_).length;
      own.impulse[1] = clamped(own.impulse[1], 0.45 * bound * length);
    }
    if (mode.kind == Kind::stick && own.count > 1) {
      const double inner = own.count > 2 ? 0.9 * polygon_side(model_).distance * bound : 0.9 * bound;
      const double x = own.impulse[1], y = own.count > 2 ? own.impulse[2] : 0.0;
      const double size = std::sqrt(x * x + y * y);
      if (size > inner)
        for (int e = 1; e < own.count; ++e) own.impulse[e] *= inner / size;
    }
  }

  JOSTLE_HD void write_shift(int c) const {
    const Block b = work_.block(c);
    const Mode mode = work_.mode(c);
    const ModeUnknowns& own = equations_of(work_, c);
    const double margin = path_margin * spread(c) * q_size_ / work_.block_scale(c);
    double s[3] = {0, 0, 0};
    for (int e = 0; e < own.acting; ++e) s[e] = -(own.defect[e] + own.impulse[e] / own.weight);
    Vec3& shift = work_.path_point(c).shift;
    if (b.normal < 0) {
      if (mode.kind == Kind::slip) {
        const double now = detail::sign_of(model_, b, mode, own, 0);
        if (now < margin) s[0] = (mode.direction == 0 ? -1 : 1) * (margin - now);
      }
      shift = {0, s[0], 0};
      return;
    }
    if (mode.kind == Kind::open) {
      if (own.defect[0] < margin) s[0] = margin - own.defect[0];
    } else if (mode.kind == Kind::slip && own.acting > 0) {
      const double first = own.defect[1] + friction_along(model_, b, mode, own, 1) / own.weight;
      const double second = own.count > 2 ? own.defect[2] : 0.0;
      bool right = true;
      for (int n = 1; n < detail::count_signs(b, mode); ++n) right = right && detail::sign_of(model_, b, mode, own, n) > 0.25 * margin;
      if (!right) {
        const double size = std::sqrt(first * first + second * second);
        s[1] = -(size > margin ? size : margin) - first;
        s[2] = -second;
      }
    } else if (mode.kind == Kind::between && own.acting > 0) {
      const double now = own.defect[2] + friction_along(model_, b, mode, own, 2) / own.weight;
      if (!(now < -margin)) s[2] = -margin - now;
    }
    const ModeFrame frame = frame_of(model_, mode);
    shift = {s[0], s[1] * frame.first.x + s[2] * frame.second.x, s[1] * frame.first.y + s[2] * frame.second.y};
  }

  /// The unknowns of work.mode() at t = 1, in work.path_point(), and at t = 0, in the equations.
  JOSTLE_HD void solve_piece() const {
    for_each_block(team_, island_, work_, [&](int c) {
      write_equations(c);
      add_bias(c, 1, work_.path_point(c).base);
      add_bias(c, 1, work_.path_point(c).shift);
    });
    team_.sync();
    detail::with_form(island_, work_, [&](const auto& form) {
      detail::take_first_step(team_, form, island_, work_);
      for_each_block(team_, island_, work_, [&](int c) {
        auto& own = equations_of(work_, c);
        PathPoint& point = work_.path_point(c);
        for (int e = 0; e < most_mode_equations; ++e) point.impulse[e] = own.impulse[e], point.defect[e] = own.defect[e];
        for (int e = 0; e < own.acting; ++e) own.impulse[e] = 0;
        add_bias(c, -1, point.shift);
      });
      team_.sync();
      detail::take_step_from_zero(team_, form, island_, work_);
    });
  }

  JOSTLE_HD ModeUnknowns unknowns_at(int c, double t) const {
    ModeUnknowns own = equations_of(work_, c);
    const PathPoint& point = work_.path_point(c);
    for (int e = 0; e < most_mode_equations; ++e) {
      own.impulse[e] += t * (point.impulse[e] - own.impulse[e]);
      own.defect[e] += t * (point.defect[e] - own.defect[e]);
    }
    return own;
  }

  struct Turn {
    double t;
    int block, number;
  };

  /// Where the first sign of a block turns on the way from t on.
  JOSTLE_HD Turn turn_of(int c, double t, bool up) const {
    const Block b = work_.block(c);
    const Mode mode = work_.mode(c);
    const ModeUnknowns own = equations_of(work_, c), other = unknowns_at(c, 1);
    Turn first{up ? infinity() : -infinity(), c, 0};
    if (mode.kind != Kind::open && own.weight == 0) return first;
    for (int n = 0; n < detail::count_signs(b, mode); ++n) {
      const double at_0 = detail::sign_of(model_, b, mode, own, n), at_1 = detail::sign_of(model_, b, mode, other, n);
      const double slope = at_1 - at_0;
      if (!(up ? slope < 0 : slope > 0)) continue;
      double at = -at_0 / slope;
      if (up ? at < t : at > t) at = t;
      if (up ? at < first.t : at > first.t) first.t = at, first.number = n;
    }
    return first;
  }

  JOSTLE_HD bool go() const {
    const int most = path_changes_per_block * island_.blocks + more_path_changes;
    double t = 1;
    bool up = false;
    solve_piece();
    for (int changes = 0; changes <= most; ++changes) {
      const Turn turn = up ? team_.select(
                                 island_.blocks, [&](int i) { return turn_of(block(i), t, true); },
                                 [](const Turn& a, const Turn& b) { return a.t < b.t || (a.t == b.t && a.block < b.block); })
                           : team_.select(
                                 island_.blocks, [&](int i) { return turn_of(block(i), t, false); },
                                 [](const Turn& a, const Turn& b) { return a.t > b.t || (a.t == b.t && a.block < b.block); });
      if (!up && !(turn.t > 0)) return true;
      if (!(turn.t < 1e6)) return false;
      t = turn.t;
      const int c = turn.block;
      const Block b = work_.block(c);
      const Mode before = work_.mode(c);
      Mode next = detail::mode_beyond(model_, b, before, unknowns_at(c, t), turn.number);
      next.held = before.held;
      team_.sync();
      team_.once([&] { work_.mode(c) = next; });
      team_.sync();
      solve_piece();
      const int number = detail::sign_towards(b, next, before);
      const double slope = detail::sign_of(model_, b, next, unknowns_at(c, 1), number) -
                           detail::sign_of(model_, b, next, equations_of(work_, c), number);
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
