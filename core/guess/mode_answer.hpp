#pragma once
// From the impulses of modes to the z of the LCP, and back: which modes an answer has, and which of them are wrong.
#include "core/assembly/contact_certificate.hpp"
#include "core/guess/mode_system.hpp"

namespace jostle {

/// y_i d_i + y_j d_j with j = i + 1, y >= 0: the least sum of beta for a friction impulse.
struct Corner {
  int direction = 0;  ///< i
  double first = 0, second = 0;
};

/// Which two neighbouring directions span a friction impulse: exactly, since a tolerance here would make a beta
/// negative.
JOSTLE_HD inline Corner corner_of(const ModelView& model, double x, double y) {
  const int k = model.dimensions.directions;
  const auto cross_with = [&](const Direction& d) { return d.x * y - d.y * x; };
  if (x == 0 && y == 0) return {};
  Direction d = direction(model, 0);
  double own = cross_with(d);
  for (int i = 0; i < k; ++i) {
    const Direction e = direction(model, direction_after(model, i));
    const double next = cross_with(e);
    if (own >= 0 && next <= 0 && d.x * x + d.y * y >= 0) {
      const double sine = d.x * e.y - d.y * e.x;
      return {i, -next / sine, own / sine};
    }
    d = e, own = next;
  }
  return {};  // of NaN
}

/// w of the row of d_i without lambda, 0 <= i < k: its speed, m/s.
JOSTLE_HD inline double speed_along(AnyWorkspace auto work, const Block& block, int i) {
  const bool turned = i >= block.tangents;  // -d of a row d
  const double speed = work.row_speed(block.tangent + (turned ? i - block.tangents : i));
  return turned ? -speed : speed;
}

/// The direction of least speed.
JOSTLE_HD inline int slowest_direction(AnyWorkspace auto work, const Block& block) {
  return slowest_of(block.tangents, [&](int i) { return work.row_speed(block.tangent + i); });
}

/// N s or N m s: the most that friction in a joint, its motor or a moment of a contact gives with the impulses of the
/// modes.
JOSTLE_HD inline double most_impulse(AnyWorkspace auto work, const Block& block) {
  if (!block.is_moment()) return block.bound;
  const double normal = is_lifted(work, block) ? 0.0 : equations_of(work, block.partner).impulse[0];
  return block.bound + block.friction * (normal > 0 ? normal : 0.0);
}

/// What it gives in its mode.
JOSTLE_HD inline double block_impulse(AnyWorkspace auto work, const Block& block, Mode mode, const ModeUnknowns& own) {
  if (!block.is_moment() || mode.kind != Mode::Kind::slip) return own.impulse[0];
  return mode.direction == 0 ? most_impulse(work, block) : -most_impulse(work, block);
}

/// The unknowns of rolling friction in space as those of a contact: the normal impulse of its contact, and its own.
JOSTLE_HD inline ModeUnknowns rolling_unknowns(AnyWorkspace auto work, const Block& block, const ModeUnknowns& own) {
  ModeUnknowns as{own.count + 1, own.acting + 1, own.weight, {}, {}, {}};
  const double normal = is_lifted(work, block) ? 0.0 : equations_of(work, block.partner).impulse[0];
  as.impulse[0] = normal > 0 ? normal : 0.0;
  for (int e = 0; e < own.count; ++e) as.impulse[e + 1] = own.impulse[e], as.defect[e + 1] = own.defect[e];
  return as;
}

/// Writes the beta of a block of friction in its mode, in N s or N m s.
JOSTLE_HD inline void write_betas(const ModelView& model, const Block& block, Mode mode, const ModeUnknowns& own,
                                  double bound, double* beta) {
  using Kind = Mode::Kind;
  const int k = block.betas();
  const auto set = [&](int i, double of_i, int j, double of_j) {
    for (int m = 0; m < k; ++m) beta[m] = m == i ? of_i : m == j ? of_j : 0.0;
  };
  const int i = mode.direction;
  switch (mode.kind) {
    case Kind::unknown:
    case Kind::open: return set(-1, 0, -1, 0);
    case Kind::slip: return set(i, bound, -1, 0);
    case Kind::between: {
      const double shift = own.impulse[1] / polygon_side(model).length;
      return set(i, 0.5 * bound - shift, direction_after(model, i), 0.5 * bound + shift);
    }
    case Kind::stick: {
      if (block.tangents == 1) return set(own.impulse[1] < 0 ? 1 : 0, std::fabs(own.impulse[1]), -1, 0);
      const Corner corner = corner_of(model, own.impulse[1], own.impulse[2]);
      return set(corner.direction, corner.first, direction_after(model, corner.direction), corner.second);
    }
  }
}

/// Writes the impulses of block c to z: beta and c_n. lambda needs the velocities, which follow from them.
JOSTLE_HD inline void write_impulses(const ModelView& model, AnyWorkspace auto work, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const BlockVariables first = work.block_variables(c);
  const Mode mode = work.mode(c);
  const ModeUnknowns& own = equations_of(work, c);
  double* const beta = &work.z(first.beta);
  if constexpr (decltype(work)::is_coupled) {
    if (block.normal < 0 && block.tangents > 1)
      return write_betas(model, block, mode, rolling_unknowns(work, block, own), most_impulse(work, block), beta);
  }
  if (block.normal < 0) {
    const double x = block_impulse(work, block, mode, own);
    beta[0] = x > 0 ? x : 0.0;
    beta[1] = x < 0 ? -x : 0.0;
    return;
  }
  const double normal = mode.kind == Kind::open ? 0.0 : own.impulse[0];
  work.z(first.normal) = normal;
  if (block.tangents > 0) write_betas(model, block, mode, own, block.friction * normal, beta);
}

/// Writes lambda of block c: the slip speed.
JOSTLE_HD inline void write_slip_speed(AnyWorkspace auto work, int c) {
  const Block block = work.block(c);
  if (block.tangents == 0) return;
  double& lambda = work.z(work.block_variables(c).lambda);
  lambda = 0;
  if (work.mode(c).kind == Mode::Kind::stick && !is_lifted(work, block)) return;
  const double speed = -speed_along(work, block, slowest_direction(work, block));
  if (speed > 0) lambda = speed;
}

/// The mode and the z of block c, friction or a motor of a joint whose bound is 0: it slips as its speed in
/// work.row_speed says.
JOSTLE_HD inline void write_slip_without_impulse(AnyWorkspace auto work, int c) {
  const Block& block = work.block(c);
  for (int i = 0; i < block.betas(); ++i) work.z(work.block_variables(c).beta + i) = 0;
  work.mode(c) = Mode::slip(work.row_speed(block.tangent) > 0 ? 1 : 0);
  write_slip_speed(work, c);
}

/// What counts as zero: of a block, an impulse and a speed.
struct BlockTolerance {
  double impulse, speed;
};
/// ... in equilibrated units, for impulses z / s and speeds w s.
struct ModeTolerance {
  double size;  ///< the tolerance times |q'|inf
  JOSTLE_HD BlockTolerance of(double scale) const { return {size * scale, size / scale}; }
};

/// Which signs change modes: those of the regularised problem; those of the modes' own answer; or these but for slips
/// of contacts that stick, where contacts that contradict each other make them.
enum class Signs { regularised, answer, near_answer };

namespace detail {

/// A friction impulse beyond the polygon of mu c_n goes to the nearest point of its side.
JOSTLE_HD inline Mode mode_at_bound(const ModelView& model, const Corner& corner, double bound, double x, double y) {
  const int k = model.dimensions.directions, i = corner.direction, j = (i + 1) % k;
  if (k == 2) return Mode::slip(corner.first > 0 ? i : j);
  const Direction a = direction(model, i), b = direction(model, j);
  const double side_x = bound * (b.x - a.x), side_y = bound * (b.y - a.y);
  const double along = (x - bound * a.x) * side_x + (y - bound * a.y) * side_y;
  if (along <= 0) return Mode::slip(i);
  if (along >= side_x * side_x + side_y * side_y) return Mode::slip(j);
  return Mode::between(i);
}

/// The slip of a contact whose speed along the tangent of equation e is speed(e).
JOSTLE_HD Direction slip_of_equations(const ModelView& model, Mode mode, const ModeUnknowns& own, auto speed) {
  const ModeFrame frame = frame_of(model, mode);
  double slip[2] = {0, 0};
  for (int e = 1; e < own.count; ++e) slip[e - 1] = speed(e);
  return {slip[0] * frame.first.x + slip[1] * frame.second.x, slip[0] * frame.first.y + slip[1] * frame.second.y};
}

/// ... in the answer of the regularised problem: with what it yields.
JOSTLE_HD inline Direction regularised_slip(const ModelView& model, const Block& block, Mode mode,
                                            const ModeUnknowns& own) {
  return slip_of_equations(model, mode, own, [&](int e) {
    return own.defect[e] + (own.weight > 0 ? friction_along(model, block, mode, own, e) / own.weight : 0.0);
  });
}

JOSTLE_HD inline Mode corrected_stick(const ModelView& model, const Block& block, const ModeUnknowns& own,
                                      double tolerance) {
  const double x = own.impulse[1], y = own.count > 2 ? own.impulse[2] : 0.0;
  const double inner = own.count > 2 ? polygon_side(model).distance * block.friction * own.impulse[0] : 0.0;
  if (x * x + y * y < inner * inner) return {Mode::Kind::stick, 0};  // well within the polygon
  const Corner corner = own.count > 2 ? corner_of(model, x, y) : Corner{0, x > 0 ? x : 0.0, x < 0 ? -x : 0.0};
  const double bound = block.friction * (own.impulse[0] > 0 ? own.impulse[0] : 0.0);
  if (!(corner.first + corner.second > bound + tolerance)) return {Mode::Kind::stick, 0};
  return mode_at_bound(model, corner, bound, x, y);
}

/// For a contact that slips along d_i, or between d_i and d_{i+1}.
JOSTLE_HD inline Mode corrected_slip(const ModelView& model, const Block& block, Mode mode, const ModeUnknowns& own,
                                     const Direction& slip, const BlockTolerance& tolerance) {
  using Kind = Mode::Kind;
  const int k = block.betas(), i = mode.direction;
  const double speed = dot(direction(model, i), slip);
  if (speed > tolerance.speed) return {Kind::stick, 0};
  const int best = slowest_direction(model, slip);
  const bool is_slower = dot(direction(model, best), slip) < speed - tolerance.speed;
  if (mode.kind == Kind::slip) {
    if (!is_slower) return mode;
    if (k > 2 && best == (i + 1) % k) return {Kind::between, mode.direction};
    if (k > 2 && i == (best + 1) % k) return Mode::between(best);
    return Mode::slip(best);
  }
  if (is_slower) return Mode::slip(best);
  const double half = 0.5 * block.friction * own.impulse[0], shift = own.impulse[1] / polygon_side(model).length;
  if (half + shift < -tolerance.impulse) return {Kind::slip, mode.direction};
  if (half - shift < -tolerance.impulse) return Mode::slip((i + 1) % k);
  return mode;
}

/// For friction or a motor of a joint, whose impulse has a constant bound, or a moment in one row.
JOSTLE_HD inline Mode corrected_bound(AnyWorkspace auto work, const Block& block, Mode mode, const ModeUnknowns& own,
                                      Signs signs, const BlockTolerance& tolerance) {
  using Kind = Mode::Kind;
  if (is_lifted(work, block)) return mode;
  const double x = block_impulse(work, block, mode, own);
  const auto slip_of = [](bool forwards) { return Mode::slip(forwards ? 1 : 0); };
  if (mode.kind == Kind::slip) {
    const bool at_end = signs != Signs::regularised;
    const double yields = !at_end && own.weight > 0 ? x / own.weight : 0.0;
    const double speed = (at_end ? work.row_speed(block.tangent) : own.defect[0]) + yields;
    return (mode.direction == 0 ? speed : -speed) > tolerance.speed ? Mode{Kind::stick, 0} : mode;
  }
  if (std::fabs(x) > most_impulse(work, block) + tolerance.impulse) return slip_of(x < 0);
  const double left = signs == Signs::answer ? work.row_speed(block.tangent) : 0.0;
  return std::fabs(left) > tolerance.speed ? slip_of(left > 0) : mode;
}

/// For the friction of a contact that has an impulse, or its rolling friction in space.
JOSTLE_HD inline Mode corrected_friction(const ModelView& model, AnyWorkspace auto work, const Block& block, Mode mode,
                                         const ModeUnknowns& own, Signs signs, const BlockTolerance& tolerance) {
  using Kind = Mode::Kind;
  if (mode.kind == Kind::stick && signs != Signs::answer) return corrected_stick(model, block, own, tolerance.impulse);
  const Direction slip = signs != Signs::regularised
                             ? slip_of_rows(model, block.tangent, [&](int r) { return work.row_speed(r); })
                             : regularised_slip(model, block, mode, own);
  if (mode.kind != Kind::stick) return corrected_slip(model, block, mode, own, slip, tolerance);
  // Contacts that cannot all stick leave each other a slip.
  const int slowest = slowest_direction(model, slip);
  if (dot(direction(model, slowest), slip) < -tolerance.speed) return Mode::slip(slowest);
  return corrected_stick(model, block, own, tolerance.impulse);
}

}  // namespace detail

/// The mode of block c, changed if it violates signs: a step of a semismooth Newton method. The signs are those of the
/// regularised problem in equations_of(work, c), or those of the modes' own answer in work.row_speed.
JOSTLE_HD inline Mode corrected_mode(const ModelView& model, AnyWorkspace auto work, int c, Signs signs,
                                     const ModeTolerance& tolerance) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const BlockTolerance least = tolerance.of(work.block_scale(c));
  const Mode mode = work.mode(c);
  const ModeUnknowns& own = equations_of(work, c);
  if constexpr (decltype(work)::is_coupled) {
    if (block.normal < 0 && block.tangents > 1) {
      if (is_lifted(work, block)) return mode;
      const ModeUnknowns as = rolling_unknowns(work, block, own);
      return detail::corrected_friction(model, work, block, mode, as, signs, least);
    }
  }
  if (block.normal < 0) return detail::corrected_bound(work, block, mode, own, signs, least);
  if (mode.kind == Kind::open) {
    const double speed = signs != Signs::regularised ? work.row_speed(block.normal) : own.defect[0];
    return speed < -least.speed ? Mode{Kind::stick, 0} : mode;
  }
  if (own.impulse[0] < -least.impulse) return {Kind::open, 0};
  return block.tangents == 0 ? mode : detail::corrected_friction(model, work, block, mode, own, signs, least);
}

/// The mode of block c in an answer that work.z and work.row_speed hold.
JOSTLE_HD inline Mode mode_of_answer(AnyWorkspace auto work, int c, const ModeTolerance& closed,
                                     const ModeTolerance& sticks) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const double scale = work.block_scale(c), speed = sticks.of(scale).speed;
  if (block.normal >= 0 && work.row_speed(block.normal) > closed.of(scale).speed) return {Kind::open, 0};
  if (block.tangents == 0) return {Kind::stick, 0};
  const int k = block.betas(), slowest = slowest_direction(work, block);
  const double least = speed_along(work, block, slowest);
  if (!(least < -speed)) return {Kind::stick, 0};
  const auto along = [&](int i) { return speed_along(work, block, i); };
  const int side = k > 2 ? slowest_side(k, slowest, least + speed, along) : -1;
  return side < 0 ? Mode::slip(slowest) : Mode::between(side);
}

/// The mode of block c that the impulses in work.z show.
JOSTLE_HD inline Mode mode_of_impulses(AnyWorkspace auto work, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const BlockVariables first = work.block_variables(c);
  const double* const z = work.z();
  if (block.normal >= 0 && !(z[first.normal] > 0)) return {Kind::open, 0};
  if (block.tangents == 0 || !(z[first.lambda] > 0)) return {Kind::stick, 0};
  const int k = block.betas();
  const auto acts = [&](int i) { return z[first.beta + i % k] > 0; };
  int i = 0;
  while (i < k && !acts(i)) ++i;
  if (i == k) return {Kind::stick, 0};
  if (k > 2 && i == 0 && !acts(1) && acts(k - 1)) i = k - 1;
  return {k > 2 && acts(i + 1) ? Kind::between : Kind::slip, static_cast<std::uint8_t>(i)};
}

}  // namespace jostle
