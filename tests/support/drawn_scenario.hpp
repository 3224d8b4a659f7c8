#pragma once
// Scenarios in which every kind of parameter follows from variables.
#include <string>

namespace jostle::test {

/// In space: rotations of all kinds, inertia from shapes of drawn sizes, capsules that may be segments, a tilted floor.
/// Samples with $bad < 0 have a negative mass.
inline const std::string drawn_scenario = R"(jostle: 1
variables:
  a: {uniform: [-1, 1]}
  r: {uniform: [0.05, 0.15]}
  thin: {choice: {values: [0, 0.02]}}
  bad: {uniform: [-0.1, 1]}
world: {gravity: [0.1 * $a, 0, -9.81], step: 0.005, duration: 0.05}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0.1*$a, 0.05*$a*$a, 1 - 0.1*$r], offset: -0.01*$r}}}
  ball: {mass: 10*$bad, shape: {sphere: {radius: $r}}, position: [0, 0, 1], rotation: uniform, velocity: [$a, 2*$a, 0]}
  brick:
    mass: 2*$r
    shapes:
      - {box: {size: [0.2, $r, 0.1 + $r]}, position: [0.2, 0, 0]}
      - {box: {size: [0.2, $r, 0.1 + $r]}, position: [-0.2, 0, 0]}
      - {capsule: {length: 0.1 + $r, radius: 0.1*$r, axis: y}, rotation: {axis: [0, 1, 0], degrees: 90}}
    position: [2, 0, 0.6 + $a*0.1]
    rotation: {axis: [$a, 1, 0.3], degrees: 30*$r}
  stick:
    mass: 1
    inertia: [$r, $r, $r*$r]
    shape: {capsule: {length: 0.4, radius: $thin, axis: y}, rotation: {quaternion: [1, $a, 0, 0.2]}}
    position: [4, 0, 0.5]
    rotation: {quaternion: [1, 0.1, $a, $r]}
    spin: [0, 0, {normal: [3, 1]}]
  cross:
    mass: 0.1
    shapes: [{capsule: {length: 0.4, radius: $thin, axis: x}}, {capsule: {length: 0.2, radius: $thin, axis: z}}]
    position: [6, 0, 0.5]
    freedom: [x, z, ry]
    rotation: {axis: [0, -2, 0], degrees: 400*$a}
contacts: [{between: any, friction: $r}, {between: [ball, floor], friction: 3*$r + abs($a)}]
outcomes: {height: {at_end: ball.position.z}, energy: {maximum: energy}}
sample: {method: random, seed: 5}
)";

}  // namespace jostle::test
