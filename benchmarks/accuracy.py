#!/usr/bin/env python3
"""Error against processor time: each method of jostle and each integrator of MuJoCo, in four scenes whose motion is known.

    free arm        a double pendulum from rest; reference: its equations of motion by a Runge-Kutta method in small steps
    sliding block   stops after v^2/(2 mu g)
    stack           a box slides on a slab, which it pulls along over the floor until both stop; piecewise parabolas, error of
                    the box
    bounce          a ball with restitution 0.8

The error is the distance of a body from where it should be after a second. The time is processor time of a system, in
batches of 64. loetstedt has no friction, stewart_trinkle no restitution. MuJoCo is optional (pip install 'mujoco>=4.0'). --svg FILE draws the figure.
"""
import argparse
import math
import statistics
import time

import numpy as np

import jostle as js

try:
    import mujoco
    import mujoco.batch
    NO_PEER = None
except ImportError as error:
    NO_PEER = f"no peer: {error} (pip install 'mujoco>=4.0')"

METHODS = ["stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"]
INTEGRATORS = ["Euler", "implicitfast", "RK4"]
STEPS = [0.01, 0.005, 0.002, 0.001, 0.0005]  # s
DURATION, GRAVITY, SYSTEMS = 1.0, 9.81, 64
SPEED, FRICTION = 2.0, 0.5
CARGO_SPEED, FLOOR_FRICTION = 1.5, 0.1  # of the stack, whose box has FRICTION on its slab
HEIGHT, RADIUS, RESTITUTION = 0.5, 0.1, 0.8


def free_arm():
    """Where the centre of the second link is, from the Lagrange equations of its two angles."""
    m, l, c, inertia = 1.0, 1.0, 0.5, 0.1

    def rate(y):
        a, b, da, db = y
        coupling, s = m * l * c * math.cos(a - b), m * l * c * math.sin(a - b)
        first, second = inertia + m * c * c + m * l * l, inertia + m * c * c
        p = -s * db * db - m * (c + l) * GRAVITY * math.cos(a)
        q = s * da * da - m * c * GRAVITY * math.cos(b)
        det = first * second - coupling * coupling
        return np.array([da, db, (second * p - coupling * q) / det, (first * q - coupling * p) / det])

    y, steps = np.zeros(4), 10000
    h = DURATION / steps
    for _ in range(steps):
        k1 = rate(y)
        k2 = rate(y + h / 2 * k1)
        k3 = rate(y + h / 2 * k2)
        k4 = rate(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    a, b = y[:2]
    return np.array([l * math.cos(a) + c * math.cos(b), 0, l * math.sin(a) + c * math.sin(b)])


def bounce():
    """Height of the centre of a ball dropped from rest, after its last bounce before the end."""
    left, up = DURATION, 0.0
    fall = math.sqrt(2 * (HEIGHT - RADIUS) / GRAVITY)
    if left < fall:
        return np.array([0, 0, HEIGHT - GRAVITY * left * left / 2])
    left -= fall
    up = RESTITUTION * GRAVITY * fall
    while left > 2 * up / GRAVITY:
        left -= 2 * up / GRAVITY
        up *= RESTITUTION
    return np.array([0, 0, RADIUS + up * left - GRAVITY * left * left / 2])


def stack():
    """Where the box on the slab stops. Masses are equal: the slab gains what the box loses, less the floor's friction."""
    pull, brake = FRICTION * GRAVITY, (FRICTION - 2 * FLOOR_FRICTION) * GRAVITY
    together = CARGO_SPEED / (pull + brake)
    shared = brake * together
    assert together + shared / (FLOOR_FRICTION * GRAVITY) < DURATION
    way = CARGO_SPEED * together - pull * together**2 / 2 + shared**2 / (2 * FLOOR_FRICTION * GRAVITY)
    return np.array([way, 0, 0.2])


class Scene:
    def __init__(self, name, exact, bodies, parts, peer, methods=METHODS, speeds=None):
        self.name, self.exact, self.bodies, self.parts, self.peer, self.methods = name, exact, bodies, parts, peer, methods
        self.speeds = speeds or {}  # of the peer at the start: number in qvel -> m/s

    def scenario(self, method, step):
        world = {"step": step, "duration": DURATION, "method": method, "gravity": [0, 0, -GRAVITY]}
        return js.load({"jostle": 1, "world": world, "bodies": self.bodies, **self.parts})

    def model(self, integrator, step):
        return mujoco.MjModel.from_xml_string(
            f"<mujoco><option timestep='{step}' integrator='{integrator}' cone='elliptic' gravity='0 0 -{GRAVITY}'/>"
            f"<worldbody>{self.peer}</worldbody></mujoco>")


def scenes():
    arm = {"mass": 1, "inertia": 0.1, "freedom": ["x", "z", "ry"]}
    link = "<joint type='hinge' axis='0 1 0'/><inertial pos='.5 0 0' mass='1' diaginertia='.1 .1 .1'/>"
    floor = {"fixed": True, "shape": {"half_space": {"normal": [0, 0, 1]}}}
    box = {"mass": 1, "shape": {"box": {"size": [0.2, 0.2, 0.2]}}, "position": [0, 0, 0.1], "velocity": [SPEED, 0, 0]}
    ball = {"mass": 1, "shape": {"sphere": {"radius": RADIUS}}, "position": [0, 0, HEIGHT]}
    slab = {"mass": 1, "shape": {"box": {"size": [2, 0.4, 0.1]}}, "position": [0, 0, 0.05]}
    cargo = box | {"position": [0, 0, 0.2], "velocity": [CARGO_SPEED, 0, 0]}
    # A spring with this damping gives back the share RESTITUTION of the speed.
    decay = -math.log(RESTITUTION)
    damping = decay / math.hypot(math.pi, decay)
    stiffness = 1e5
    soft = f"solref='-{stiffness} -{2 * damping * math.sqrt(stiffness)}' solimp='.99 .99 .001'"
    return [
        Scene("free arm", free_arm(), {"first": arm | {"position": [0.5, 0, 0]}, "last": arm | {"position": [1.5, 0, 0]}},
              {"joints": {"a": {"revolute": ["world", "first"], "at": [0, 0, 0], "axis": [0, 1, 0]},
                          "b": {"revolute": ["first", "last"], "at": [1, 0, 0], "axis": [0, 1, 0]}}},
              f"<body>{link}<body pos='1 0 0'>{link}</body></body>"),
        Scene("sliding block", np.array([SPEED**2 / (2 * FRICTION * GRAVITY), 0, 0.1]), {"floor": floor, "last": box},
              {"contacts": [{"between": "any", "friction": FRICTION}]},
              f"<geom type='plane' size='9 9 1' friction='{FRICTION} 0 0'/><body pos='0 0 .1'><freejoint/>"
              f"<geom type='box' size='.1 .1 .1' mass='1' friction='{FRICTION} 0 0'/></body>", METHODS[:4], {0: SPEED}),
        Scene("stack", stack(), {"floor": floor, "slab": slab, "last": cargo},
              {"contacts": [{"between": "any", "friction": FLOOR_FRICTION},
                            {"between": ["slab", "last"], "friction": FRICTION}]},
              f"<geom type='plane' size='9 9 1' friction='{FLOOR_FRICTION} 0 0'/>"
              f"<body pos='0 0 .05'><freejoint/><geom type='box' size='1 .2 .05' mass='1' friction='{FLOOR_FRICTION} 0 0'/></body>"
              f"<body pos='0 0 .2'><freejoint/><geom type='box' size='.1 .1 .1' mass='1' friction='{FRICTION} 0 0'/></body>",
              METHODS[:4], {6: CARGO_SPEED}),
        Scene("bounce", bounce(), {"floor": floor, "last": ball},
              {"contacts": [{"between": "any", "friction": 0, "restitution": RESTITUTION}]},
              f"<geom type='plane' size='9 9 1' {soft}/><body pos='0 0 {HEIGHT}'><freejoint/>"
              f"<geom type='sphere' size='{RADIUS}' mass='1' {soft}/></body>", METHODS[1:]),
    ]


def ours(scene, method, step, repeats):
    """(error in m, microseconds of a system for the whole second)"""
    scenario = scene.scenario(method, step)
    steps, times = round(DURATION / step), []
    for _ in range(repeats):
        batch = scenario.batch(SYSTEMS, threads=1)
        before = time.process_time()
        batch.step(steps)
        times.append(time.process_time() - before)
    if batch.status.any():
        return None
    return float(np.linalg.norm(batch.body("last").position[0] - scene.exact)), statistics.median(times) / SYSTEMS * 1e6


def peers(scene, integrator, step, repeats):
    model = scene.model(integrator, step)
    steps, times = round(DURATION / step), []
    for _ in range(repeats):
        batch = mujoco.batch.Batch(model, SYSTEMS, nthread=1)
        for number, speed in scene.speeds.items():
            batch.qvel[:, number] = speed
        before = time.process_time()
        batch.step(nstep=steps)
        times.append(time.process_time() - before)
    data = mujoco.MjData(model)
    data.qpos[:] = batch.qpos[0]
    mujoco.mj_forward(model, data)
    error = float(np.linalg.norm(data.xipos[-1] - scene.exact))
    return (error, statistics.median(times) / SYSTEMS * 1e6) if math.isfinite(error) else None


COLOURS = dict(zip(METHODS + INTEGRATORS, ["#1f5fa8", "#7fb0e0", "#2f855a", "#8ac926", "#805ad5", "#b3261e", "#d9822b", "#8a6d3b"]))


def svg(figures):
    """A chart for each scene, side by side: error over time, both logarithmic; a line per method, a point per step size."""
    width, height, left, bottom, top = 360, 300, 56, 40, 30
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width * len(figures)} {height + 70}' font-family='sans-serif' font-size='11'>",
             f"<rect width='{width * len(figures)}' height='{height + 70}' fill='white'/>"]
    for number, (name, lines) in enumerate(figures):
        points = [(t, max(e, 1e-13)) for line in lines.values() for e, t in line]
        low = [math.floor(math.log10(min(p[k] for p in points))) for k in (0, 1)]
        high = [math.ceil(math.log10(max(p[k] for p in points))) for k in (0, 1)]
        x = lambda t: number * width + left + (math.log10(t) - low[0]) / (high[0] - low[0]) * (width - left - 12)
        y = lambda e: height - bottom - (math.log10(e) - low[1]) / (high[1] - low[1]) * (height - bottom - top)
        parts.append(f"<text x='{number * width + left}' y='18' font-size='13' font-weight='bold'>{name}</text>")
        for p in range(low[0], high[0] + 1):
            parts.append(f"<path d='M{x(10**p)} {top}V{height - bottom}' stroke='#e0e5ea'/>"
                         f"<text x='{x(10**p)}' y='{height - bottom + 15}' text-anchor='middle'>1e{p}</text>")
        for p in range(low[1], high[1] + 1):
            parts.append(f"<path d='M{number * width + left} {y(10.0**p)}H{(number + 1) * width - 12}' stroke='#e0e5ea'/>")
            if p % max(1, (high[1] - low[1]) // 6) == 0:
                parts.append(f"<text x='{number * width + left - 5}' y='{y(10.0**p) + 4}' text-anchor='end'>1e{p}</text>")
        parts.append(f"<text x='{number * width + (left + width) / 2}' y='{height - 6}' text-anchor='middle'>time of a system for 1 s (us)</text>"
                     f"<text transform='translate({number * width + 12} {height / 2}) rotate(-90)' text-anchor='middle'>error (m)</text>")
        for method, line in lines.items():
            path = "L".join(f"{x(t):.1f} {y(max(e, 1e-13)):.1f}" for e, t in line)
            dash = " stroke-dasharray='5 3'" if method in INTEGRATORS else ""
            parts.append(f"<path d='M{path}' fill='none' stroke='{COLOURS[method]}' stroke-width='1.6'{dash}/>")
            parts += [f"<circle cx='{x(t):.1f}' cy='{y(max(e, 1e-13)):.1f}' r='2.4' fill='{COLOURS[method]}'/>" for e, t in line]
    for k, method in enumerate(COLOURS):
        at, row = 20 + 260 * (k % 4), height + 22 + 22 * (k // 4)
        label = f"MuJoCo {method}" if method in INTEGRATORS else method
        parts.append(f"<path d='M{at} {row - 4}h24' stroke='{COLOURS[method]}' stroke-width='2'/><text x='{at + 30}' y='{row}'>{label}</text>")
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--svg", metavar="FILE", help="the figure")
    options = parser.parse_args()
    if NO_PEER:
        print(NO_PEER)
    figures = []
    for scene in scenes():
        lines = {}
        runs = [(method, ours) for method in scene.methods]
        runs += [] if NO_PEER else [(integrator, peers) for integrator in INTEGRATORS]
        print(f"\n| {scene.name}: error in mm, us | " + " | ".join(f"{1000 * step:g} ms" for step in STEPS) + " |")
        print("|" + "---|" * (1 + len(STEPS)))
        for name, run in runs:
            found = [run(scene, name, step, options.repeats) for step in STEPS]
            lines[name] = [one for one in found if one]
            cells = ["failed" if one is None else f"{1000 * one[0]:.2g}, {one[1]:.0f}" for one in found]
            print(f"| {'MuJoCo ' if run is peers else ''}{name} | " + " | ".join(cells) + " |", flush=True)
        figures.append((scene.name, {name: line for name, line in lines.items() if line}))
    if options.svg:
        with open(options.svg, "w") as file:
            file.write(svg(figures))


if __name__ == "__main__":
    main()
