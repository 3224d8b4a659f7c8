#pragma once
// The equations that the mode of a contact asks for, docs/theory.md (33).
#include "core/assembly/rows.hpp"
#include "core/assembly/tangents.hpp"

namespace jostle {

/// eps; the defect shrinks about as much in every step.
inline constexpr double proximal_weight = 0x1p-20;
/// ... for LCPs of fixed points. Impulses of redundant contacts have rounding errors of 1e-16 / eps, which change
/// the velocities where these contacts slip: with 2^-20 by as much as a fixed point may not change any more.
inline constexpr double fixed_point_weight = 0x1p-12;
/// Up to this ratio of the masses of an island the usual eps is small beside what a heavy body does to a light one.
inline constexpr double usual_mass_ratio = 1024;

/// eps of the equations of modes: the same for all LCPs of a step, so that an island at rest has the same bits in each.
JOSTLE_HD inline double weight_for(const ModelView& model, double mass_ratio) {
  const double usual = model.linearisation == Linearisation::fixed_point ? fixed_point_weight : proximal_weight;
  return mass_ratio > usual_mass_ratio ? usual * (usual_mass_ratio / mass_ratio) : usual;
}

/// Whether this is spin or rolling friction of a contact that is open.
JOSTLE_HD inline bool is_lifted(AnyWorkspace auto work, const Block& block) {
  return block.is_moment() && work.mode(block.partner).kind == Mode::Kind::open;
}

/// The equations of the mode of block c, in the form of these systems.
JOSTLE_HD inline auto& equations_of(AnyWorkspace auto work, int c) {
  if constexpr (decltype(work)::is_coupled)
    return work.coupled_equations(c);
  else
    return work.mode_equations(c);
}

/// ... for code that is made for coupled systems, too, and runs for others.
JOSTLE_HD inline const ModeUnknowns& unknowns_of(const Dimensions& d, AnyWorkspace auto work, int c) {
  if constexpr (decltype(work)::is_coupled) {
    if (!d.is_coupled()) return work.mode_equations(c);
  }
  return equations_of(work, c);
}

/// The tangents of the equations of a mode, in the coordinates of theory.md (6): of a contact that sticks t_1 and t_2;
/// that slips d_i and the one across; between d_i and d_{i+1} along the side of the polygon and to its middle.
struct ModeFrame {
  Direction first, second;
};
JOSTLE_HD inline ModeFrame frame_of(const ModelView& model, Mode mode) {
  if (!mode.slips()) return {{1, 0}, {0, 1}};
  const Direction own = direction(model, mode.direction);
  if (mode.kind == Mode::Kind::slip) return {own, {-own.y, own.x}};
  const Direction next = direction(model, (mode.direction + 1) % model.dimensions.directions);
  const PolygonSide side = polygon_side(model);
  return {{(next.x - own.x) / side.length, (next.y - own.y) / side.length},
          {(own.x + next.x) / (2 * side.distance), (own.y + next.y) / (2 * side.distance)}};
}

/// The friction impulse along a tangent of the frame, equation 1 or 2, N s.
JOSTLE_HD inline double friction_along(const ModelView& model, const Block& block, Mode mode, const ModeUnknowns& own,
                                       int equation) {
  if (equation < own.acting) return own.impulse[equation];
  const double bound = block.friction * own.impulse[0];
  if (mode.kind == Mode::Kind::slip) return equation == 1 ? bound : 0.0;
  return mode.kind == Mode::Kind::between ? polygon_side(model).distance * bound : 0.0;
}

/// What equations of both forms begin with. Without a response no impulse along the normal moves anything: all freedoms
/// that it has are locked.
JOSTLE_HD inline void begin_equations(const Block& block, Mode mode, double response, double eps, ModeUnknowns& to) {
  using Kind = Mode::Kind;
  const bool closed = mode.kind != Kind::open && response > 0;
  to.weight = closed ? 1 / (eps * response) : 0.0;
  for (int i = 0; i < most_mode_equations; ++i) to.impulse[i] = to.defect[i] = 0;
  to.count = mode.kind == Kind::open || block.tangents == 0 ? 1 : block.tangents == 1 ? 2 : 3;
  to.acting = !closed ? 0 : mode.kind == Kind::slip ? 1 : mode.kind == Kind::between ? 2 : to.count;
}

/// The tangent along which friction is mu c_n, or its least, and that over c_n.
struct FrictionPush {
  int equation;
  double along;
};
JOSTLE_HD inline FrictionPush friction_push(const ModelView& model, const Block& block, Mode mode) {
  if (mode.kind == Mode::Kind::slip) return {1, block.friction};
  return {2, block.friction * polygon_side(model).distance};
}

/// Sets the impulses of the equations that act to those in work.proximal_impulse.
JOSTLE_HD inline void start_from(const ModelView& model, AnyWorkspace auto work, int c, ModeUnknowns& to) {
  const Block block = work.block(c);
  const Vec3 kept = work.proximal_impulse(c);
  if (to.acting == 0) return;
  if (block.normal < 0) {
    for (int e = 0; e < to.acting; ++e) to.impulse[e] = kept[1 + e];
    return;
  }
  to.impulse[0] = kept[0];
  const ModeFrame frame = frame_of(model, work.mode(c));
  for (int e = 1; e < to.acting; ++e) {
    const Direction& d = e == 1 ? frame.first : frame.second;
    to.impulse[e] = d.x * kept[1] + d.y * kept[2];
  }
}

/// b of a row of block c, or 0 where it is at most `least_bias`, in equilibrated units.
JOSTLE_HD inline double bias_above(double least_bias, AnyWorkspace auto work, int c, int row) {
  const double bias = work.row_bias(row);
  return std::fabs(work.block_scale(c) * bias) <= least_bias ? 0.0 : bias;
}

/// The equations that the mode of block c asks for, with this eps, without what bias_above leaves out of b_n.
JOSTLE_HD inline void write_mode_equations(const ModelView& model, AnyWorkspace auto work, int c, double eps,
                                           double least_bias) {
  const Block block = work.block(c);
  const Mode mode = work.mode(c);
  ModeEquations& to = work.mode_equations(c);
  const ConstraintRow& normal = work.row(block.normal);
  begin_equations(block, mode, work.block_response(c), eps, to);
  for (int side = 0; side < 2; ++side) to.body[side] = normal.body[side];
  Direction weights[most_mode_equations] = {};  // of the two tangents that span the plane
  to.bias[0] = bias_above(least_bias, work, c, block.normal);
  FrictionPush push{0, 0};
  if (to.count > 1) {
    const ModeFrame frame = frame_of(model, mode);
    for (int e = 1; e < to.count; ++e) {
      weights[e] = row_weights(model, e == 1 ? frame.first : frame.second);
      to.bias[e] = 0.0 + weights[e].x * work.row_bias(block.tangent);
      if (weights[e].y != 0) to.bias[e] += weights[e].y * work.row_bias(block.second_tangent());
    }
    if (mode.kind != Mode::Kind::stick) push = friction_push(model, block, mode);
  }
  for (int side = 0; side < 2 && to.body[side] != no_body; ++side) {
    const Six root = six(work.root_inv_mass(to.body[side]));  // all in velocities sqrt(A) v
    const auto scaled = [&](int row) { return root * six(work.row(row).entry[side]); };
    Six of_push = scaled(block.normal);
    store(of_push, to.row[0][side]);
    for (int e = 1; e < to.count; ++e) {
      Six row{};
      if (weights[e].x != 0) row = fused(weights[e].x, scaled(block.tangent), row);
      if (weights[e].y != 0) row = fused(weights[e].y, scaled(block.second_tangent()), row);
      store(row, to.row[e][side]);
      if (e == push.equation) of_push = fused(push.along, row, of_push);
    }
    store(of_push, to.push[side]);
  }
}

}  // namespace jostle
