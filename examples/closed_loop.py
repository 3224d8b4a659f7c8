"""A thousand carts, each with its own mass, friction and start, are driven to a mark by one controller.

    python examples/closed_loop.py

The controller sees positions and velocities, and sets forces every 20 ms. Sticking friction needs its integral part.
"""
import numpy as np

import jostle as js

CARTS = """\
jostle: 1
title: Carts with unknown mass and friction
variables:
  mass: {uniform: [0.5, 2.0]}                 # kg
  mu: {uniform: [0.05, 0.3]}
  start: {uniform: [-1, 0.5]}                 # m
world: {step: 0.01, duration: 8, friction_directions: 2}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  cart: {mass: $mass, freedom: [x, z], shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [$start, 0, 0.05]}
contacts:
  - {between: any, friction: $mu}
"""
MARK, STIFFNESS, DAMPING, INTEGRAL = 1.0, 40.0, 15.0, 40.0  # m, N/m, N s/m, N/(m s)


def main(n=1000):
    scenario = js.load(CARTS)
    carts = scenario.batch(n, seed=1)
    cart = carts.body("cart")
    x, velocity, force = cart.position[:, 0], cart.velocity[:, 0], cart.force[:, 0]  # live: no copies
    sum_of_errors = np.zeros(n)
    steps_at_once = 2
    for _ in range(scenario.steps // steps_at_once):
        error = MARK - x
        sum_of_errors += error * steps_at_once * scenario.step
        force[:] = np.clip(STIFFNESS * error - DAMPING * velocity + INTEGRAL * sum_of_errors, -15, 15)
        carts.step(steps_at_once)
    there = np.abs(x - MARK) < 0.05
    print(f"{there.sum()} of {n} carts are within 5 cm of the mark, the farthest is off by {np.abs(x - MARK).max():.3f} m;",
          f"{len(carts.failures())} failed")
    return there.mean()


if __name__ == "__main__":
    main()
