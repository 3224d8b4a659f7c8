#pragma once
// The signs of the regularised problem that a mode has right in its piece of it, and the modes beyond them. The pieces
// fit together: of two modes beside each other, the sign of each is 0 where that of the other is.
//
//     open      the gap                                            beyond it: slip along the direction of least speed
//     closed    the normal impulse                                 open
//     stick     the distance to each side of the polygon           between the two directions of that side
//     slip      how much slower d_i is than each neighbour         between them
//     between   the distance to both ends of the side, the slip    slip along one of the two directions; stick
//
// In a plane, stick and slip are beside each other.
#include "core/guess/mode_answer.hpp"

namespace jostle::detail {

JOSTLE_HD inline int count_signs(const Block& block, Mode mode) {
  using Kind = Mode::Kind;
  if (block.normal < 0) return mode.kind == Kind::slip ? 1 : 2;
  if (mode.kind == Kind::open || block.tangents == 0) return 1;
  const int k = block.betas();
  if (mode.kind == Kind::stick) return 1 + k;
  return mode.kind == Kind::between ? 4 : k > 2 ? 3 : 2;
}

/// The sign of friction or a motor of a joint: the slip, or how far the impulse is from either bound.
JOSTLE_HD inline double sign_of_bound(const Block& block, Mode mode, const ModeUnknowns& own, int number) {
  const double x = own.impulse[0];
  if (mode.kind != Mode::Kind::slip) return number == 0 ? block.bound - x : block.bound + x;
  const double speed = own.defect[0] + (own.weight > 0 ? x / own.weight : 0.0);
  return mode.direction == 0 ? -speed : speed;
}

/// How far the friction impulse of a contact that sticks is from side i of the polygon.
JOSTLE_HD inline double distance_to_side(const ModelView& model, const Block& block, const ModeUnknowns& own, int i) {
  const int k = block.betas();
  const double bound = block.friction * own.impulse[0];
  if (k == 2) return i == 0 ? bound - own.impulse[1] : bound + own.impulse[1];
  const Direction a = direction(model, i), b = direction(model, (i + 1) % k);
  const double distance = polygon_side(model).distance;
  const double along = ((a.x + b.x) * own.impulse[1] + (a.y + b.y) * own.impulse[2]) / (2 * distance);
  return bound * distance - along;
}

/// 0 or more where the mode has sign `number` right, below 0 where it has it wrong; linear in the unknowns.
JOSTLE_HD inline double sign_of(const ModelView& model, const Block& block, Mode mode, const ModeUnknowns& own,
                                int number) {
  using Kind = Mode::Kind;
  if (block.normal < 0) return sign_of_bound(block, mode, own, number);
  if (mode.kind == Kind::open) return own.defect[0];
  if (number == 0) return own.impulse[0];
  if (mode.kind == Kind::stick) return distance_to_side(model, block, own, number - 1);
  if (mode.kind == Kind::between && number < 3) {
    const double half = 0.5 * block.friction * own.impulse[0], shift = own.impulse[1] / polygon_side(model).length;
    return number == 1 ? half + shift : half - shift;
  }
  const Direction slip = regularised_slip(model, block, mode, own);
  if (mode.kind == Kind::between) return -dot(frame_of(model, mode).second, slip);
  const int k = block.betas(), i = mode.direction;
  const double speed = dot(direction(model, i), slip);
  if (k == 2) return -speed;
  return dot(direction(model, (i + (number == 1 ? 1 : k - 1)) % k), slip) - speed;
}

/// The mode beyond sign `number`, where it turns with these unknowns.
JOSTLE_HD inline Mode mode_beyond(const ModelView& model, const Block& block, Mode mode, const ModeUnknowns& own,
                                  int number) {
  using Kind = Mode::Kind;
  const auto mode_of = [&](Kind kind, int i) { return Mode{kind, static_cast<std::uint8_t>(i), mode.held}; };
  if (block.normal < 0) return mode.kind == Kind::slip ? mode_of(Kind::stick, 0) : mode_of(Kind::slip, number);
  if (mode.kind == Kind::open) {
    if (block.tangents == 0) return mode_of(Kind::stick, 0);
    return mode_of(Kind::slip, slowest_direction(model, regularised_slip(model, block, mode, own)));
  }
  if (number == 0) return mode_of(Kind::open, 0);
  const int k = block.betas(), i = mode.direction;
  if (mode.kind == Kind::stick) return mode_of(k == 2 ? Kind::slip : Kind::between, number - 1);
  if (mode.kind == Kind::between)
    return number == 3 ? mode_of(Kind::stick, 0) : mode_of(Kind::slip, (i + number - 1) % k);
  return k == 2 ? mode_of(Kind::stick, 0) : mode_of(Kind::between, number == 1 ? i : (i + k - 1) % k);
}

/// The number of the sign beyond which `other` lies, a mode beside this one.
JOSTLE_HD inline int sign_towards(const Block& block, Mode mode, Mode other) {
  using Kind = Mode::Kind;
  if (block.normal < 0) return mode.kind == Kind::slip ? 0 : other.direction;
  if (mode.kind == Kind::open || other.kind == Kind::open) return 0;
  if (mode.kind == Kind::stick) return 1 + other.direction;
  if (mode.kind == Kind::between) return other.kind == Kind::stick ? 3 : other.direction == mode.direction ? 1 : 2;
  return block.betas() == 2 || other.direction == mode.direction ? 1 : 2;
}

}  // namespace jostle::detail
