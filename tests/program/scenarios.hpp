#pragma once
// Scenarios that fail or are sampled in ways that those of the library do not.

namespace jostle::test {

/// A force that is no number from a drawn time on: in half of the samples before the end.
inline constexpr const char* kicked_ball = R"yaml(jostle: 1
variables:
  limit: {uniform: [0.5, 1.5]}
world: {step: 0.01, duration: 1.0}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.5]}
contacts:
  - {between: any, friction: 0.5}
forces:
  - {body: ball, force: [0, 0, "20*sqrt($limit - t)"]}
outcomes:
  height: {at_end: ball.position.z}
  lands: {first_time: ball.normal_impulse > 0}
  high: {at_end: ball.position.z > 1}
record: {trajectories: failures, stride: 10}
)yaml";

/// The sliding block of the library with its numbers from points.csv.
inline constexpr const char* block_over_table = R"yaml(jostle: 1
variables:
  mu: {uniform: [0.2, 0.5]}
  speed: {uniform: [2.0, 4.0]}
world: {step: 0.01, duration: 2.5, friction_directions: 4}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  block: {mass: 2.0, shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [0, 0, 0.05], velocity: [$speed, 0, 0]}
contacts:
  - {between: any, friction: $mu}
sample: {method: table, table: points.csv}
outcomes:
  distance: {at_end: block.position.x}
)yaml";

}  // namespace jostle::test
