#pragma once
// Contacts that contradict each other, docs/theory.md (34b): where modes end along the way of their proximal points.
#include "core/guess/mode_answer.hpp"

namespace jostle {

/// How far contacts that contradict each other can go on along the way of their proximal points, x - t defect / (eps
/// G), before the mode of a block ends, and its mode beyond.
struct ModeEnd {
  double distance = infinity();
  Mode beyond{};
};

/// Where block c reaches the end of its mode.
JOSTLE_HD inline ModeEnd end_of_mode(const ModelView& model, AnyWorkspace auto work, int c) {
  using Kind = Mode::Kind;
  const Block block = work.block(c);
  const Mode mode = work.mode(c);
  const ModeUnknowns& own = equations_of(work, c);
  ModeEnd end;
  if (own.acting == 0) return end;
  const auto change = [&](int e) { return e < own.acting ? -own.weight * own.defect[e] : 0.0; };
  const auto reach = [&](double room, double loss, Kind kind, int direction) {
    if (!(loss > 0)) return;
    const double distance = room > 0 ? room / loss : 0.0;
    if (distance < end.distance) end = {distance, {kind, static_cast<std::uint8_t>(direction)}};
  };
  if (block.normal < 0) {
    if (block.tangents > 1) return end;
    double growth = 0;  // of the bound, with the impulse along the normal
    if (block.is_moment()) {
      const ModeUnknowns& partner = equations_of(work, block.partner);
      if (partner.acting > 0) growth = -block.friction * partner.weight * partner.defect[0];
    }
    const double most = most_impulse(work, block), x = own.impulse[0];
    reach(most - x, change(0) - growth, Kind::slip, 0);
    reach(most + x, -change(0) - growth, Kind::slip, 1);
    return end;
  }
  reach(own.impulse[0], -change(0), Kind::open, 0);
  if (own.acting < 2) return end;
  const double bound = block.friction * own.impulse[0], growth = block.friction * change(0);
  const double x = own.impulse[1], along = change(1);
  if (own.count == 2) {
    reach(bound - x, along - growth, Kind::slip, 0);
    reach(bound + x, -along - growth, Kind::slip, 1);
    return end;
  }
  const int k = model.dimensions.directions;
  const PolygonSide side = polygon_side(model);
  if (mode.kind == Kind::between) {
    const double half = 0.5 * side.length;
    reach(half * bound + x, -half * growth - along, Kind::slip, mode.direction);
    reach(half * bound - x, along - half * growth, Kind::slip, (mode.direction + 1) % k);
    return end;
  }
  for (int i = 0; i < k; ++i) {
    const Direction a = direction(model, i), b = direction(model, (i + 1) % k);
    const Direction middle{(a.x + b.x) / (2 * side.distance), (a.y + b.y) / (2 * side.distance)};
    reach(side.distance * bound - dot(middle, {x, own.impulse[2]}),
          dot(middle, {along, change(2)}) - side.distance * growth, Kind::between, i);
  }
  return end;
}

/// Keeps, in work.proximal_impulse, the impulse of block c at x - t defect / (eps G), with the tangential part along
/// t_1 and t_2.
JOSTLE_HD inline void keep_impulse(const ModelView& model, AnyWorkspace auto work, int c, double distance) {
  const Block block = work.block(c);
  const Mode mode = work.mode(c);
  ModeUnknowns own = equations_of(work, c);
  for (int e = 0; e < own.acting; ++e) own.impulse[e] -= distance * own.weight * own.defect[e];
  if (block.normal < 0) {
    work.proximal_impulse(c) = Vec3(0, own.impulse[0], block.tangents > 1 ? own.impulse[1] : 0.0);
    return;
  }
  Vec3 kept(mode.kind == Mode::Kind::open ? 0.0 : own.impulse[0], 0, 0);
  if (block.tangents > 0 && mode.kind != Mode::Kind::open) {
    const ModeFrame frame = frame_of(model, mode);
    const double first = friction_along(model, block, mode, own, 1),
                 second = own.count > 2 ? friction_along(model, block, mode, own, 2) : 0.0;
    kept[1] = first * frame.first.x + second * frame.second.x;
    kept[2] = first * frame.first.y + second * frame.second.y;
  }
  work.proximal_impulse(c) = kept;
}

}  // namespace jostle
