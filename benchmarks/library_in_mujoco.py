"""Samples of a scenario as models of MuJoCo that move as jostle's bodies do, told bodies included."""
import functools

import mujoco
import numpy

import jostle

HEAVY = 100.0  # kg, of a body whose motion is told: what pushes it hardly moves it


def carried(text, motions):
    """The model of a sample, and its state at the start. A mocap body has no velocity for the peer's contacts, so that friction
    would not carry anything along. So a body whose motion is told is a heavy one on a slide, with a servo of its speed.

    motions: name of the body -> its positions after 0, 1, ... steps, on a straight line
    """
    spec = mujoco.MjSpec.from_string(text)
    first = spec.compile()
    data = mujoco.MjData(first)
    mujoco.mj_resetDataKeyframe(first, data, 0)
    for name, positions in motions.items():
        body = spec.body(name)
        body.mocap, body.gravcomp, body.explicitinertial = False, 1, True
        body.mass, body.inertia = HEAVY, [HEAVY] * 3
        ahead = positions[-1] - positions[0]
        body.add_joint(name=f"{name} slides", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=ahead / numpy.linalg.norm(ahead))
        servo = spec.add_actuator(name=f"{name} slides", target=f"{name} slides", trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_velocity(HEAVY / first.opt.timestep)
    while spec.keys:
        spec.delete(spec.keys[0])
    model = spec.compile()
    start = mujoco.MjData(model)
    slides = [f"{name} slides" for name in motions]
    old = numpy.isin(numpy.arange(model.nq), [model.joint(name).qposadr[0] for name in slides], invert=True)
    start.qpos[old] = data.qpos
    start.qvel[numpy.isin(numpy.arange(model.nv), [model.joint(name).dofadr[0] for name in slides], invert=True)] = data.qvel
    start.ctrl[:first.nu] = data.ctrl
    for name, positions in motions.items():
        start.joint(f"{name} slides").qvel = numpy.linalg.norm(positions[1] - positions[0]) / model.opt.timestep
    return model, start


@functools.lru_cache(maxsize=1)
def samples(file, count):
    """The models of the first samples, their states at the start (count, size), their controls (count, steps or 1, controls), and
    the number of steps."""
    loaded = jostle.load(file)
    steps, texts = loaded.steps, [jostle.to_mujoco(loaded, i).xml for i in range(count)]
    first = mujoco.MjModel.from_xml_string(texts[0])
    told = [first.body(int(number)).name for number in numpy.flatnonzero(first.body_mocapid >= 0)]
    places = {name: numpy.empty((steps + 1, count, 3)) for name in told}
    batch = loaded.batch(count)
    for step in range(steps + 1 if told else 0):
        for name in told:
            places[name][step] = batch.body(name).position
        batch.step()
    models, states, controls = [], [], []
    for i, text in enumerate(texts):
        model, start = carried(text, {name: places[name][:, i] for name in told})
        state = numpy.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
        mujoco.mj_getState(model, start, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        control = numpy.tile(start.ctrl, (steps if told else 1, 1))
        for name in told:
            moves = numpy.diff(places[name][:, i], axis=0)
            control[:, model.actuator(f"{name} slides").id] = moves @ model.joint(f"{name} slides").axis / model.opt.timestep
        models.append(model)
        states.append(state)
        controls.append(control)
    return models, numpy.array(states), numpy.array(controls), steps
