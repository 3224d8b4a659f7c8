#pragma once
// From the impulses of modes to the z of the LCP, and back: which modes an answer has, and which of them are wrong.
#include "core/assembly/contact_certificate.hpp"
#include "core/guess/mode_system.hpp"

namespace jostle {

/// The impulses of one contact.
struct ContactImpulse {
  double normal = 0;
  double x = 0, y = 0;  ///< friction, in the coordinates of the tangents
};

/// y_i d_i + y_j d_j with j = i + 1, y >= 0: the least sum of beta for a friction impulse.
struct Corner {
  int direction = 0;  ///< i
  double first = 0, second = 0;
};

/// Which two neighbouring directions span a friction impulse: exactly, since a tolerance here would make a beta
/// negative.
JOSTLE_HD inline Corner corner_of(const ModelView& model, double x, double y) {
  const int k = model.dimensions.directions;
  const auto cross_with = [&](int i) {
    const Direction d = direction(model, i % k);
    return d.x * y - d.y * x;
  };
  if (x == 0 && y == 0) return {};
  double own = cross_with(0);
  for (int i = 0; i < k; ++i) {
    const double next = cross_with(i + 1);
    const Direction d = direction(model, i);
    if (own >= 0 && next <= 0 && d.x * x + d.y * y >= 0) {
      const Direction e = direction(model, (i + 1) % k);
      const double sine = d.x * e.y - d.y * e.x;
      return {i, -next / sine, own / sine};
    }
    own = next;
  }
  return {};  // of NaN
}

/// The impulses of block c in work.mode_row().
JOSTLE_HD inline ContactImpulse impulse_of_modes(const ModelView& model, AnyWorkspace auto work, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const Mode mode = work.mode(c);
  const auto rows = work.mode_row().from(mode_rows_per_block * c);
  ContactImpulse p;
  if (mode.kind == Kind::open) return p;
  p.normal = rows[0].impulse;
  if (block.tangents == 0) return p;
  const auto add = [&](int i, double size) {
    const Direction d = direction(model, i % model.dimensions.directions);
    p.x += size * d.x, p.y += size * d.y;
  };
  if (mode.kind == Kind::stick) {
    add(0, rows[1].impulse);
    if (block.tangents > 1) add(second_tangent(block), rows[2].impulse);
  } else {
    add(mode.direction, block.friction * p.normal);
    if (mode.kind == Kind::between) add(mode.direction + 1, rows[1].impulse), add(mode.direction, -rows[1].impulse);
  }
  return p;
}

/// w of the row of d_i without lambda: its speed, m/s.
JOSTLE_HD inline double speed_along(AnyWorkspace auto work, const Block& block, int i) {
  const int count = block.tangents, turned = i % (2 * count);
  const double speed = work.row_speed(block.tangent + turned % count);
  return turned < count ? speed : -speed;
}

/// The direction of least speed: friction acts along it.
JOSTLE_HD inline int slowest_direction(AnyWorkspace auto work, const Block& block) {
  int slowest = 0;
  for (int i = 1; i < block.betas(); ++i) {
    if (speed_along(work, block, i) < speed_along(work, block, slowest)) slowest = i;
  }
  return slowest;
}

/// Writes the impulses of block c to z: beta and c_n. lambda needs the velocities, which follow from them.
JOSTLE_HD inline void write_impulses(const ModelView& model, AnyWorkspace auto work, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const BlockVariables first = work.block_variables(c);
  const Mode mode = work.mode(c);
  const auto rows = work.mode_row().from(mode_rows_per_block * c);
  const double normal = mode.kind == Kind::open ? 0.0 : rows[0].impulse;
  work.z(first.normal) = normal;
  if (block.tangents == 0) return;
  double* const beta = &work.z(first.beta);
  const int k = block.betas();
  for (int i = 0; i < k; ++i) beta[i] = 0;
  const int i = mode.direction, j = (i + 1) % k;
  switch (mode.kind) {
    case Kind::unknown:
    case Kind::open: break;
    case Kind::slip: beta[i] = block.friction * normal; break;
    case Kind::between:
      beta[i] = block.friction * normal - rows[1].impulse;
      beta[j] = rows[1].impulse;
      break;
    case Kind::stick:
      if (block.tangents == 1) {
        const double along = rows[1].impulse;
        beta[along < 0 ? 1 : 0] = std::fabs(along);
      } else {
        const ContactImpulse p = impulse_of_modes(model, work, c);
        const Corner corner = corner_of(model, p.x, p.y);
        beta[corner.direction] = corner.first;
        beta[(corner.direction + 1) % k] = corner.second;
      }
      break;
  }
}

/// Writes lambda of block c: the slip speed.
JOSTLE_HD inline void write_slip_speed(AnyWorkspace auto work, int c) {
  const Block block = work.block(c);
  if (block.tangents == 0) return;
  const double speed = -speed_along(work, block, slowest_direction(work, block));
  work.z(work.block_variables(c).lambda) = work.mode(c).kind != Mode::Kind::stick && speed > 0 ? speed : 0.0;
}

/// What counts as zero: in equilibrated units, for impulses z / s and speeds w s.
struct ModeTolerance {
  double size;  ///< the tolerance times |q'|inf
  JOSTLE_HD double impulse(double scale) const { return size * scale; }
  JOSTLE_HD double speed(double scale) const { return size / scale; }
};

namespace detail {

/// A friction impulse beyond the polygon of mu c_n goes to the nearest point of its side.
JOSTLE_HD inline Mode mode_at_bound(const ModelView& model, const Corner& corner, double bound, double x, double y) {
  const int k = model.dimensions.directions, i = corner.direction, j = (i + 1) % k;
  if (k == 2) return {Mode::Kind::slip, static_cast<std::uint8_t>(corner.first > 0 ? i : j)};
  const Direction a = direction(model, i), b = direction(model, j);
  const double side_x = bound * (b.x - a.x), side_y = bound * (b.y - a.y);
  const double along = (x - bound * a.x) * side_x + (y - bound * a.y) * side_y;
  if (along <= 0) return {Mode::Kind::slip, static_cast<std::uint8_t>(i)};
  if (along >= side_x * side_x + side_y * side_y) return {Mode::Kind::slip, static_cast<std::uint8_t>(j)};
  return {Mode::Kind::between, static_cast<std::uint8_t>(i)};
}

JOSTLE_HD inline Mode corrected_stick(const ModelView& model, AnyWorkspace auto work, int c, double tolerance,
                                      double speed_tolerance) {
  const Block block = work.block(c);
  // Contacts that cannot all stick leave each other a slip.
  const int slowest = slowest_direction(work, block);
  if (speed_along(work, block, slowest) < -speed_tolerance)
    return {Mode::Kind::slip, static_cast<std::uint8_t>(slowest)};
  const ContactImpulse p = impulse_of_modes(model, work, c);
  Corner corner;
  if (block.tangents == 1)
    corner = {0, p.x > 0 ? p.x : 0.0, p.x < 0 ? -p.x : 0.0};
  else
    corner = corner_of(model, p.x, p.y);
  const double bound = block.friction * (p.normal > 0 ? p.normal : 0.0);
  if (!(corner.first + corner.second > bound + tolerance)) return {Mode::Kind::stick, 0};
  return mode_at_bound(model, corner, bound, p.x, p.y);
}

JOSTLE_HD inline Mode corrected_slip(AnyWorkspace auto work, int c, Mode mode, double tolerance) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const int k = block.betas(), i = mode.direction;
  const double own = speed_along(work, block, i);
  if (own > tolerance) return {Kind::stick, 0};
  const int best = slowest_direction(work, block);
  if (!(speed_along(work, block, best) < own - tolerance)) return mode;
  if (k > 2 && best == (i + 1) % k) return {Kind::between, mode.direction};
  if (k > 2 && i == (best + 1) % k) return {Kind::between, static_cast<std::uint8_t>(best)};
  return {Kind::slip, static_cast<std::uint8_t>(best)};
}

JOSTLE_HD inline Mode corrected_between(AnyWorkspace auto work, int c, Mode mode, const ModeTolerance& tolerance) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const double scale = work.block_scale(c);
  const double own = speed_along(work, block, mode.direction);
  if (own > tolerance.speed(scale)) return {Kind::stick, 0};
  const int best = slowest_direction(work, block);
  if (speed_along(work, block, best) < own - tolerance.speed(scale))
    return {Kind::slip, static_cast<std::uint8_t>(best)};
  const auto rows = work.mode_row().from(mode_rows_per_block * c);
  const double second = rows[1].impulse, first = block.friction * rows[0].impulse - second;
  if (second < -tolerance.impulse(scale)) return {Kind::slip, mode.direction};
  if (first < -tolerance.impulse(scale))
    return {Kind::slip, static_cast<std::uint8_t>((mode.direction + 1) % block.betas())};
  return mode;
}

}  // namespace detail

/// The mode of block c, changed if the answer violates its signs: a step of a semismooth Newton method.
JOSTLE_HD inline Mode corrected_mode(const ModelView& model, AnyWorkspace auto work, int c,
                                     const ModeTolerance& tolerance) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const double scale = work.block_scale(c);
  const Mode mode = work.mode(c);
  if (mode.kind == Kind::open) {
    const bool closes = work.row_speed(block.normal) < -tolerance.speed(scale);
    return closes ? Mode{Kind::stick, 0} : mode;
  }
  if (work.mode_row(mode_rows_per_block * c).impulse < -tolerance.impulse(scale)) return {Kind::open, 0};
  if (block.tangents == 0) return mode;
  if (mode.kind == Kind::stick)
    return detail::corrected_stick(model, work, c, tolerance.impulse(scale), tolerance.speed(scale));
  if (mode.kind == Kind::slip) return detail::corrected_slip(work, c, mode, tolerance.speed(scale));
  return detail::corrected_between(work, c, mode, tolerance);
}

/// The mode of block c in an answer that work.z and work.row_speed hold.
JOSTLE_HD inline Mode mode_of_answer(AnyWorkspace auto work, int c, const ModeTolerance& closed,
                                     const ModeTolerance& sticks) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const double speed = sticks.speed(work.block_scale(c));
  if (work.row_speed(block.normal) > closed.speed(work.block_scale(c))) return {Kind::open, 0};
  if (block.tangents == 0) return {Kind::stick, 0};
  const int k = block.betas(), slowest = slowest_direction(work, block);
  const double least = speed_along(work, block, slowest);
  if (!(least < -speed)) return {Kind::stick, 0};
  if (k > 2) {
    for (const int i : {slowest, (slowest + k - 1) % k}) {
      const int other = i == slowest ? (i + 1) % k : i;
      if (speed_along(work, block, other) <= least + speed) return {Kind::between, static_cast<std::uint8_t>(i)};
    }
  }
  return {Kind::slip, static_cast<std::uint8_t>(slowest)};
}

/// The mode in which an open contact closes: it resists the slip that the first solve left it with.
JOSTLE_HD inline Mode mode_of_first_slip(const ModelView& model, AnyWorkspace auto work, int c) {
  const Block block = work.block(c);
  if (block.tangents == 0) return {Mode::Kind::stick, 0};
  const auto rows = work.mode_row().from(mode_rows_per_block * c);
  const double x = rows[1].defect;  // along d_0
  if (block.tangents == 1) return {Mode::Kind::slip, static_cast<std::uint8_t>(x > 0 ? 1 : 0)};
  const Direction second = direction(model, second_tangent(block));
  const double y = (rows[2].defect - second.x * x) / second.y;
  int slowest = 0;
  double least = infinity();
  for (int i = 0; i < block.betas(); ++i) {
    const Direction d = direction(model, i);
    const double speed = d.x * x + d.y * y;
    if (speed < least) slowest = i, least = speed;
  }
  return {Mode::Kind::slip, static_cast<std::uint8_t>(slowest)};
}

}  // namespace jostle
