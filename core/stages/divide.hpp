#pragma once
// Sub-steps: a step in which a body would move so far that it could pass through another one is divided,
// docs/theory.md (23a).
#include <cstdint>
#include <cstring>

#include "core/dynamics/motion.hpp"
#include "core/geometry/shape_points.hpp"
#include "core/lcp/selection.hpp"
#include "core/stages/parting.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// A step is divided into at most 2^10 sub-steps.
inline constexpr int most_halvings = 10;

/// m: the least width of a shape; infinity for a half-space.
JOSTLE_HD inline double thickness(ShapeType type, const Vec3& size) {
  const double least = size[0] < size[1] ? size[0] : size[1];
  switch (type) {
    case ShapeType::sphere:
    case ShapeType::capsule: return 2 * size[0];
    case ShapeType::box: return 2 * (least < size[2] ? least : size[2]);
    case ShapeType::cylinder: return 2 * least;
    case ShapeType::polygon:
    case ShapeType::hull: return 2 * (size[0] + size[2]);
    case ShapeType::half_space: break;
  }
  return infinity();
}

/// m/s: at most the speed of a point of a shape, with the velocity of its body.
JOSTLE_HD inline double fastest_point(const System& system, int shape, const Vec6& velocity) {
  const Vec3 position = vector_at(system.parameters().shape_position, shape);
  const Vec3 size = vector_at(system.parameters().shape_size, shape), w = velocity.angular();
  const double reach = std::sqrt(dot(position, position)) + turning_radius(system.model.shapes[shape].type, size);
  const double linear = std::sqrt(dot(velocity.linear(), velocity.linear()));
  return reach > 0 ? linear + reach * std::sqrt(dot(w, w)) : linear;
}

/// Whether the shapes of a pair cannot meet within h: balls about the middles of their bodies, which hold the shapes
/// however these turn, pass each other.
JOSTLE_HD inline bool cannot_meet(const System& system, const PairModel& pair, double h, const auto& velocity) {
  const ModelView& model = system.model;
  Vec3 between = Vec3::Zero(), relative = Vec3::Zero();
  double reach = 0;
  for (const int shape : {pair.shape_a, pair.shape_b}) {
    const int body = model.shapes[shape].body;
    const double sign = shape == pair.shape_a ? -1 : 1;
    const Vec3 position = vector_at(system.parameters().shape_position, shape);
    const PlacedShape own{model.shapes[shape].type, vector_at(system.parameters().shape_size, shape), {}, {}};
    between += sign * vector_at(system.state().position, body);
    if (!model.bodies[body].fixed) relative += sign * velocity(body).linear();
    reach += std::sqrt(dot(position, position)) + bounding_radius(own);
  }
  const double squared = dot(relative, relative), along = -dot(between, relative);
  const double nearest = along <= 0 ? 0.0 : along < squared * h ? along / squared : h;  // s
  const Vec3 passing = between + nearest * relative;
  return dot(passing, passing) > reach * reach;
}

/// The motion of the faster shape of a pair in the time h, over half the thickness of the thinner one. 0 for a pair
/// that cannot meet, or with a half-space, which has no far side, and without a thickness. A capsule of radius 0 counts
/// as thick as the other.
/// `velocity`(body): of a body that can move.
JOSTLE_HD inline double relative_motion(const System& system, const PairModel& pair, double h, const auto& velocity) {
  const ModelView& model = system.model;
  const ShapeModel &a = model.shapes[pair.shape_a], &b = model.shapes[pair.shape_b];
  if (b.type == ShapeType::half_space) return 0;
  const double of_a = thickness(a.type, vector_at(system.parameters().shape_size, pair.shape_a));
  const double of_b = thickness(b.type, vector_at(system.parameters().shape_size, pair.shape_b));
  const double thinner = of_a == 0 || (of_b > 0 && of_b < of_a) ? of_b : of_a;
  if (!(thinner > 0)) return 0;
  double fastest = 0;
  for (const int shape : {pair.shape_a, pair.shape_b}) {
    const int body = model.shapes[shape].body;
    const double speed = model.bodies[body].fixed ? 0.0 : fastest_point(system, shape, velocity(body));
    fastest = speed > fastest ? speed : fastest;
  }
  const double motion = h * fastest / (0.5 * thinner);
  return motion > 1 && cannot_meet(system, pair, h, velocity) ? 0.0 : motion;
}

/// Whether a pair is too fast for any number of sub-steps, but parts, by the velocities of the state.
JOSTLE_HD inline bool is_gone(const System& system, const PairModel& pair) {
  const auto velocity = [&](int body) { return velocity_in_state(system, body); };
  return relative_motion(system, pair, system.model.step, velocity) > power_of_two(most_halvings) &&
         parts(system, pair, velocity);
}

/// The largest relative_motion() of all pairs, without those that are gone.
template <class Team>
JOSTLE_HD double largest_motion(const Team& team, const System& system, double h, const auto& velocity) {
  if (system.model.dimensions.pairs == 0) return 0;
  return team.select(
      system.model.dimensions.pairs,
      [&](int p) {
        const PairModel& pair = system.model.pairs[p];
        const double motion = relative_motion(system, pair, h, velocity);
        if (is_nan(motion)) return 0.0;  // lanes agree only on numbers
        return motion > 1 && is_gone(system, pair) && parts(system, pair, velocity) ? 0.0 : motion;
      },
      [](double a, double b) { return a > b; });
}

/// Divides the step by v_l; too_fast where 2^10 sub-steps do not suffice.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void divide_step(const Team& team, const System& system, StepProgress& progress) {
  const auto velocity = [&](int body) { return velocity_in_state(system, body); };
  const double motion = largest_motion(team, system, system.model.step, velocity);
  while (progress.halvings <= most_halvings && motion > power_of_two(progress.halvings)) ++progress.halvings;
  if (progress.halvings > most_halvings) progress.result.status = Status::too_fast;
}

/// Does a solved velocity move a body too far in the sub-step?
template <class Team>
JOSTLE_HD bool moves_too_far(const Team& team, const System& system, AnyWorkspace auto work, double h) {
  const auto velocity = [&](int body) { return velocity_of(system.model.bodies[body], work, work.next_velocity()); };
  return largest_motion(team, system, h, velocity) > 1;
}

/// Copies the state, tallies and outcomes to the workspace, or back. Ends synced.
template <class Team>
JOSTLE_HD void keep_state(const Team& team, const System& system, AnyWorkspace auto work) {
  team.for_each(state_words(system.model.dimensions), [&](int i) {
    std::uint64_t word;
    std::memcpy(&word, system.state_memory + sizeof word * i, sizeof word);
    work.kept_state(i) = word;
  });
  team.sync();
}
template <class Team>
JOSTLE_HD void restore_state(const Team& team, const System& system, AnyWorkspace auto work) {
  team.sync();
  team.for_each(state_words(system.model.dimensions), [&](int i) {
    const std::uint64_t word = work.kept_state(i);
    std::memcpy(system.state_memory + sizeof word * i, &word, sizeof word);
  });
  team.sync();
}

}  // namespace jostle
