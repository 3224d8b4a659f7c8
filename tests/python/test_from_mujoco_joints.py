"""Joints, bodies without mass, equality constraints and actuators of MuJoCo models: the same motion, or a refusal."""
import json

import jostle as js
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

BOX = '<geom type="box" size=".1 .2 .3" pos="{}" mass="2"/>'


def model_of(bodies, more=""):
    option = '<option timestep="0.001"><flag contact="disable"/></option>'
    return f"<mujoco>{option}<worldbody>{bodies}</worldbody>{more}</mujoco>"


def key(qpos, qvel):
    return f'<keyframe><key qpos="{qpos}" qvel="{qvel}"/></keyframe>'


def check_motion(xml, steps=300, atol=5e-5):
    """That the bodies move as MuJoCo moves them."""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    made = js.from_mujoco(xml)
    b = js.load(made.scenario, set={"world.method": "trapezoidal"}).batch(1)
    b.step(steps)
    mujoco.mj_step(model, data, nstep=steps)
    mujoco.mj_forward(model, data)
    assert b.status[0] == 0
    for name in b.bodies:
        body = model.body(name).id
        np.testing.assert_allclose(b.body(name).position[0], data.xpos[body], atol=atol, err_msg=name)
        assert abs(b.body(name).orientation[0] @ data.xquat[body]) == pytest.approx(1, abs=atol), name
    return made


def refused(xml, **options):
    with pytest.raises(js.UsageError) as error:
        js.from_mujoco(xml, **options)
    return str(error.value)


X, Y, Z = (f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
ABOUT_X, ABOUT_Y, ABOUT_Z = (f'<joint axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))


@pytest.mark.parametrize("freedom, joints, centre, start", [
    ("x, y", X + Y, "0.1 0 0.2", ("0.1 0.2", "3 0")),
    ("x, ry", X + '<joint axis="0 1 0" pos="0 0.3 0"/>', "0 0 0", ("0.5 0.1", "1 3")),
    ("y, ry", ABOUT_Y + Y, "0 0 0", ("0.5 0.1", "1 3")),
    ("x, z, ry", X + Z + '<joint axis="0 1 0" pos="0 0 0.3"/>', "0.1 0 0.2", ("0.1 0.2 0.5", "3 0 1")),
    ("x, z, ry", '<joint axis="0 1 0" pos="0 0 0.3"/>' + X + Z, "0.1 0 0.2", ("0.5 0.1 0.2", "1 3 2")),
    ("rx, ry, rz", ABOUT_X + ABOUT_Y + ABOUT_Z, "0 0 0", ("0 0 0", "1 3 2")),
    ("x, rx, ry, rz", X + '<joint type="ball"/>', "0 0 0", ("0.1 1 0 0 0", "1 1 3 2")),
    ("x, y, z, rx, ry, rz", X + Y + Z + '<joint type="ball" pos="1 2 3"/>', "0.3 0.2 0.1",
     ("0 0 0 1 0 0 0", "1 3 2 1 1 1")),
    ("x, y, z, rx, ry, rz", '<joint axis="1 0 0" pos="1 2 3"/>' + ABOUT_Y + ABOUT_Z + X + Y + Z, "0.3 0.2 0.1",
     ("0 0 0 0.1 0.1 0.1", "1 3 2 1 1 1")),
])
def test_joints_that_are_freedoms_of_a_body(freedom, joints, centre, start):
    made = check_motion(model_of(f'<body name="A" pos="0 0 1">{joints}{BOX.format(centre)}</body>', key(*start)))
    assert f"freedom: [{freedom}]" in made.scenario
    assert f"joints of 'A' are freedoms of the body: {freedom}" in made.converted


@pytest.mark.parametrize("why, joints, centre", [
    ("does not go through the centre of mass", X + '<joint name="h" axis="0 1 0" pos="0 0 0.5"/>', "0 0 0"),  # a pendulum
    ("does not go through the centre of mass", 3 * '<joint axis="{}" pos="0 0 0.5"/>', "0 0 0"),
    ("turns with a hinge before it", ABOUT_Z + X, "0 0 0"),  # a polar arm
    ("turns with a hinge before it", ABOUT_X + ABOUT_Y + ABOUT_Z + X, "0 0 0"),
    ("its centre of mass is not its origin", X + ABOUT_Y, "0.1 0 0"),
    ("the slides are not along axes", '<joint type="slide" axis="1 1 0"/>' + ABOUT_Y, "0 0 0"),
    ("neither one about an axis", ABOUT_X + ABOUT_Y, "0 0 0"),
    ("nor a ball joint beside slides alone", ABOUT_X + '<joint type="ball"/>', "0 0 0"),
    ("ball 'joint1' does not go through the centre of mass", X + '<joint type="ball" pos="0 0 0.1"/>', "0 0 0"),
    ("its centre of mass is not its origin", X + '<joint type="ball"/>', "0 0 0.1"),
    ("turns with a hinge before it", '<joint type="ball"/>' + X, "0 0 0"),
])
def test_joints_that_are_no_freedoms_are_refused(why, joints, centre):
    joints = joints.format("1 0 0") if joints.count("{}") == 1 else joints.format("1 0 0", "0 1 0", "0 0 1")
    message = refused(model_of(f'<body name="A" pos="0 0 1">{joints}{BOX.format(centre)}</body>'))
    assert why in message and "allow=['joints']" in message


@pytest.mark.parametrize("floor, why", [
    ("", None),
    ('<geom type="plane" size="1 1 1"/>', "as freedoms they keep the bodies in a plane, where the half_space of 'ground' must "
                                          "have a normal in the plane in which all bodies move"),
    ('<geom type="box" size="1 1 1" pos="3 0 0.5"/>', "where the box of 'ground' must have its centre in the plane"),
])
def test_freedoms_that_keep_a_body_in_the_plane_of_its_floor(floor, why):
    """What is imported can be loaded, or is refused."""
    xml = (f'<mujoco><worldbody>{floor}<body name="A">{X + Y + ABOUT_Z}<geom size="0.5" pos="0 0 0.5"/></body>'
           "</worldbody></mujoco>")
    if why is None:
        made = js.from_mujoco(xml)
        assert "freedom: [x, y, rz]" in made.scenario
    else:
        message = refused(xml)
        assert "body 'A' has 3 joints on its parent: " in message and why in message and "allow=['joints']" in message
        made = js.from_mujoco(xml, allow=["joints"])
    js.load(made.scenario)


def test_a_body_that_is_turned_by_its_parent():
    """A speed along a locked freedom is exactly 0, and a body turned about another axis than its own is refused."""
    turned = '<body euler="0 0 90"><body name="A" pos="0 0 1">{}' + BOX.format("0 0 0") + "</body></body>"
    made = check_motion(model_of(turned.format(X + Z), key("0 0", "3 1")))
    assert "freedom: [y, z]" in made.scenario
    made = check_motion(model_of(turned.format(X + Z + ABOUT_Z), key("0 0 0", "3 1 2")))
    assert "freedom: [y, z, rz]" in made.scenario
    assert "the only one that it can turn about (allow=['joints'])" in refused(model_of(turned.format(X + Z + ABOUT_Y)))


def test_bodies_without_mass_are_part_of_those_they_are_fixed_on():
    tool = '<body name="tool" pos="0.5 0 0" euler="0 0 40"><site name="tip"/>{}</body>'
    arm = '<body name="arm" pos="0 0 1"><joint axis="0 1 0"/>{}{}</body>'
    below = f'<body name="hand" pos="0 0.1 0.2" euler="10 0 0"><joint axis="1 0 0"/>{BOX.format("0 0.1 0.2")}</body>'
    made = check_motion(model_of(arm.format(BOX.format("0.1 0 0.2"), tool.format(below)), key("0.1 0.2", "3 0")))
    assert "body 'tool' is part of 'arm', on which it is fixed" in made.converted
    other = f'<body name="other" pos="-0.3 0.2 0" euler="10 50 30">{BOX.format("0 0 0.2")}</body>'
    parts = tool.format(BOX.format("0.1 0 0.2")) + other
    made = check_motion(model_of(arm.format("", parts), key("0.1", "3")))  # the arm has no mass, what is fixed on it has
    assert js.load(made.scenario).bodies == ["arm"]
    shape = '<geom type="sphere" size="0.1" mass="0" pos="0.2 0 0"/>'
    made = js.from_mujoco(model_of(arm.format(BOX.format("0 0 0"), tool.format(shape))).replace("disable", "enable"))
    position = [0.5 + 0.2 * np.cos(np.radians(40)), 0.2 * np.sin(np.radians(40)), 0]
    line = next(line for line in made.scenario.splitlines() if "sphere" in line)
    np.testing.assert_allclose(json.loads(line.split("position: ")[1].split("]")[0] + "]"), position, atol=1e-12)


TWO = ('<body name="A" pos="0 0 1"><freejoint/><geom size=".1"/></body>'
       '<body name="B" pos="0.3 0 1"><freejoint/><geom size=".1"/></body>')


@pytest.mark.parametrize("kind", ['connect body1="A" body2="B" anchor="0.15 0 0"', 'weld body1="A" body2="B"'])
def test_equality_constraints_that_the_start_does_not_meet_are_refused(kind):
    equality = f"<equality><{kind}/></equality>"
    starts = "0.3000002 0 1 1 0 0 0", "2 0 1 1 0 0 0", "0.3 0 1 0.8 0 0 0.6"
    near, far, turned = ("0 0 1 1 0 0 0 " + of_B for of_B in starts)
    assert js.load(js.from_mujoco(model_of(TWO, equality)).scenario).joints == ["equality0"]
    assert any("open by 2e-07" in line for line in js.from_mujoco(model_of(TWO, equality + key(near, "0 " * 12))).converted)
    for start in (far, turned):
        message = refused(model_of(TWO, equality + key(start, "0 " * 12)))
        assert "is not met at the start" in message and "allow=['equality']" in message
    assert js.load(js.from_mujoco(model_of(TWO, equality.replace("/>", ' active="false"/>'))).scenario).joints == []


HINGE = '<body name="A" pos="0 0 1"><joint name="j" axis="0 1 0" {}/>' + BOX.format("0.1 0 0.2") + "</body>"


def drive(attributes, joint="", start=""):
    actuator = f"<actuator><general joint='j' biastype='affine' {attributes}/></actuator>"
    return model_of(HINGE.format(joint), actuator + start)


def test_an_actuator_that_controls_the_speed_is_a_motor():
    servo = "gainprm='1000' biasprm='{} 0 -1000' gear='2' forcerange='-1 1' ctrlrange='0 3' armature='0.5' damping='0.1'"
    start = '<keyframe><key qpos="0" qvel="0" ctrl="9"/></keyframe>'
    made = check_motion(drive(servo.format(0), 'stiffness="5" damping="1"', start))
    assert "motor: {speed: 1.5, limit: 2.0}" in made.scenario  # ctrl is clamped, and the gear is 2
    assert "damping: 1.4" in made.scenario and "armature: 2.0" in made.scenario
    assert "motor: {speed: 2.5, limit: 2.0}" in js.from_mujoco(drive(servo.format(2000), "", start)).scenario
    limited = js.from_mujoco(drive(servo.format(0), 'actuatorfrcrange="-0.3 0.3"', start))
    assert "limit: 0.3}" in limited.scenario
    on_site = refused(model_of(TWO.replace("<geom", '<site name="s"/><geom', 1), '<actuator><motor site="s"/></actuator>'))
    assert "allow=['actuator']" in on_site and "freedom" not in on_site  # it has the number of a joint, too


@pytest.mark.parametrize("why, attributes, joint", [
    ("equal in both directions", "gainprm='500' biasprm='0 0 -500' forcerange='-1 5'", ""),
    ("equal in both directions", "gainprm='500' biasprm='0 0 -500' forcerange='-5 5'", 'actuatorfrcrange="-0.1 0.2"'),
    ("the limit of its force 1 from its speed", "forcerange='-5 5'", ""),
    ("a state of its own", "forcerange='-5 5' dyntype='integrator' actlimited='true' actrange='-1 1'", ""),
    ("a delay", "forcerange='-5 5' nsample='2' delay='0.002'", ""),
    ("controls the speed", "gainprm='5' biasprm='0 -1 -5'", ""),
    ("controls the speed", "forcerange='-5 5' gaintype='affine'", ""),
    ("damping that is not linear", "forcerange='-5 5' damping='1 2 3'", ""),
    ("gear is 1e-150 and its kv 5", "gear='1e-150'", ""),
    ("gear is 0", "forcerange='-5 5' gear='0'", "actuatorfrcrange='-1 1'"),
    ("an angle or a position", "forcerange='-5 5'", 'type="ball"'),
])
def test_actuators_that_are_no_motors_are_refused(why, attributes, joint):
    servo = "" if "gainprm" in attributes else "gainprm='5' biasprm='0 0 -5'"
    assert why in refused(drive(f"{servo} {attributes}", joint))


SERVO = "<velocity joint='j' kv='{}' {}/>"


def servos(*drives, controls=""):
    start = f'<keyframe><key ctrl="{controls}"/></keyframe>' if controls else ""
    return model_of(HINGE.format(""), f"<actuator>{''.join(SERVO.format(*one) for one in drives)}</actuator>{start}")


def test_a_servo_of_the_speed_without_limits_is_a_damper_and_a_constant_force():
    """gear kv (ctrl - gear q') = -kv gear^2 q' + kv gear ctrl"""
    made = check_motion(servos((3, "gear='2'"), controls="0"))
    assert "damping: 12.0}" in made.scenario and "actuator 'actuator0': a damper of kv = 3" in made.converted
    made = check_motion(servos((3, "gear='-2'"), controls="1.5"))
    assert "damping: 12.0, motor: {speed: -1000000.0, limit: 9.0}}" in made.scenario
    assert "actuator 'actuator0': a damper of kv = 3 and a constant force" in made.converted
    made = check_motion(servos((3, "gear='2'"), (1, "damping='0.5' armature='0.1'"), controls="0.5 -7"))
    assert "damping: 13.5, armature: 0.1, motor: {speed: -1000000.0, limit: 4.0}}" in made.scenario
    made = check_motion(servos((0.01, "forcerange='-5 5'"), controls="1"))
    assert "damping: 0.01, motor: {speed: 1000000.0, limit: 0.01}}" in made.scenario
    assert made.converted[-1].endswith("and a constant force, without the limits that its force has 500 from its speed")
    made = check_motion(servos((0.5, ""), (5000, "forcerange='-2 2'"), controls="0 1"))
    assert "damping: 0.5, motor: {speed: 1.0, limit: 2.0}}" in made.scenario  # a damper beside a motor
    assert "its joint has a motor already" in refused(servos((0.5, ""), (5000, "forcerange='-2 2'"), controls="1 1"))


def test_an_actuator_whose_group_is_switched_off_leaves_damping_and_inertia():
    off = '<option actuatorgroupdisable="2"/>'
    position = "<position joint='j' kp='5' group='2' armature='0.5' damping='0.25'/>"
    xml = model_of(HINGE.format(""), f"<actuator>{position}</actuator>").replace("<worldbody>", off + "<worldbody>")
    made = check_motion(xml)
    assert "damping: 0.25, armature: 0.5" in made.scenario
    assert "actuator 'actuator0': its group is switched off" in made.ignored
    free = model_of(HINGE.format('type="ball"'), '<actuator><motor joint="j" group="2" {}/></actuator>')
    free = free.replace("<worldbody>", off + "<worldbody>")
    assert "actuator 'actuator0': its group is switched off" in js.from_mujoco(free.format("")).ignored
    assert "allow=['actuator']" in refused(free.format('armature="0.5"'))
