import xml.etree.ElementTree as ElementTree

import jostle as js
import numpy as np
import pytest
from conftest import LIBRARY, library


def test_every_scenario_of_the_library_is_written():
    for path in sorted(LIBRARY.glob("*.yaml")):
        sc = js.load(path)
        xml, left_out = js.to_mujoco(sc)
        root = ElementTree.fromstring(xml)
        assert sorted(b.get("name") for b in root.find("worldbody").iter("body")) == sorted(sc.bodies), path
        assert all(isinstance(line, str) for line in left_out)


def test_what_mujoco_cannot_express_is_listed():
    assert any("restitution" in line for line in js.to_mujoco(library("bouncing_ball")).left_out)
    assert js.to_mujoco(library("tossed_box"), sample=7).left_out == []


def test_shapes_that_are_not_convex_are_listed():
    xml, left_out = js.to_mujoco(library("peg_in_plate"))
    assert any(line.startswith("shape of 'plate', which is not convex") for line in left_out)
    assert 'mesh="shape' in xml  # the peg is a hull


def test_frames_masses_and_inertia_are_those_of_mujoco():
    mujoco = pytest.importorskip("mujoco")
    for path in sorted(LIBRARY.glob("*.yaml")):
        sc = js.load(path)
        for sample in (0, 3):
            model = mujoco.MjModel.from_xml_string(js.to_mujoco(sc, sample=sample).xml)
            data = mujoco.MjData(model)
            if model.nkey:
                mujoco.mj_resetDataKeyframe(model, data, 0)
            mujoco.mj_forward(model, data)
            b = sc.batch(ids=[sample])
            numbers = {body["name"]: body for body in sc._core.resolved(sample)["bodies"]}  # of the centre of mass
            for name in b.bodies:
                body, start = model.body(name).id, numbers[name]
                np.testing.assert_allclose(data.xpos[body], start["position"], atol=1e-12, err_msg=str(path))
                same = abs(data.xquat[body] @ start["orientation"])
                assert same == pytest.approx(1, abs=1e-12), path
                if model.body_mocapid[body] >= 0:
                    continue
                assert (model.body_ipos[body] == 0).all(), "the origin is the centre of mass"
                assert model.body_mass[body] == b.body(name).mass[0]
                velocity = np.zeros(6)
                mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, velocity, 0)
                if model.body_mocapid[model.body_rootid[body]] < 0:  # a mocap body has no velocity that others could share
                    np.testing.assert_allclose(velocity[3:], start["velocity"], atol=1e-12, err_msg=str(path))
                    np.testing.assert_allclose(velocity[:3], start["spin"], atol=1e-12, err_msg=str(path))
                inertia, ours = model.body_inertia[body], b.body(name).inertia[0]
                turned = ours > 0
                if len(start["freedom"]) == 6:
                    R = np.zeros(9)
                    mujoco.mju_quat2Mat(R, model.body_iquat[body])
                    R = R.reshape(3, 3)
                    np.testing.assert_allclose(R @ np.diag(inertia) @ R.T, np.diag(ours), rtol=1e-9, atol=1e-15)
                assert turned.any() or model.body_dofnum[body] < 4


def test_a_free_body_falls_alike():
    mujoco = pytest.importorskip("mujoco")
    sc = library("tossed_box", set={"world.step": 0.001, "world.duration": 0.2})
    model = mujoco.MjModel.from_xml_string(js.to_mujoco(sc, sample=5).xml)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    b = sc.batch(ids=[5])
    for _ in range(100):
        mujoco.mj_step(model, data)
    b.step(100)
    np.testing.assert_allclose(data.qpos[:3], b.q[0, 0, :3], atol=1e-9)
    assert abs(data.qpos[3:7] @ b.q[0, 0, 3:]) == pytest.approx(1, abs=1e-5)


SWING = """\
jostle: 1
world: {step: 0.0005, duration: 1}
bodies:
  upper: {mass: 1, inertia: [0.02, 0.02, 0.001], shape: {capsule: {length: 0.4, radius: 0.02, axis: z}}, position: [0, 0, -0.25],
          spin: [0, 1, 0], velocity: [-0.25, 0, 0]}
  lower: {mass: 0.5, inertia: [0.01, 0.01, 0.001], shape: {capsule: {length: 0.4, radius: 0.02, axis: z}},
          position: [0.25, 0, -0.5], rotation: {axis: [0, 1, 0], degrees: -90}, spin: [0, -2, 0], velocity: [-0.5, 0, 0.5]}
  bob: {mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], shape: {sphere: {radius: 0.03}}, position: [0.5, 0, -0.6], velocity: [-0.5, 0, 1]}
joints:
  shoulder: {revolute: [world, upper], at: [0, 0, 0], axis: [0, 1, 0], limits: [-2, 2], damping: 0.1}
  elbow: {revolute: [lower, upper], at: [0, 0, -0.5], axis: [0, 1, 0], stiffness: 2, armature: 0.01}
  string: {ball: [lower, bob], at: [0.5, 0, -0.5]}
contacts: [{between: any, contact: false}]
"""


def test_a_tree_of_joints_is_a_tree_and_swings_alike():
    mujoco = pytest.importorskip("mujoco")
    sc = js.load(SWING)
    xml, left_out = js.to_mujoco(sc)
    assert left_out == []
    root = ElementTree.fromstring(xml)
    assert [b.get("name") for b in root.find("worldbody/body/body").iter("body")] == ["lower", "bob"]
    assert root.find("equality") is None
    model = mujoco.MjModel.from_xml_string(xml)
    assert model.nv == 1 + 1 + 3
    model.opt.timestep = 0.0001
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    b = js.load(SWING, set={"world.method": "trapezoidal_midpoint"}).batch(1)
    for _ in range(10):
        b.step(60)
        mujoco.mj_step(model, data, 300)
        for name in b.bodies:
            np.testing.assert_allclose(data.xpos[model.body(name).id], b.body(name).position[0], atol=2e-4)
        np.testing.assert_allclose(data.joint("shoulder").qpos, b.joint("shoulder").angle, atol=5e-4)
        np.testing.assert_allclose(data.joint("elbow").qpos, b.joint("elbow").angle, atol=1e-3)


def test_limits_friction_and_motors_are_those_of_joints():
    xml, left_out = js.to_mujoco(library("door"))
    root = ElementTree.fromstring(xml)
    hinge, = root.iter("joint")
    assert hinge.get("type") == "hinge" and hinge.get("range") == "0.0 1.6" and float(hinge.get("frictionloss")) > 0
    motor, = root.find("actuator")
    assert motor.tag == "velocity" and motor.get("forcerange") == "-1.0 1.0" and root.find("keyframe/key").get("ctrl") == "-0.5"
    assert left_out == []
    xml, left_out = js.to_mujoco(library("four_bar"))  # one joint closes the loop
    root = ElementTree.fromstring(xml)
    assert root.find("equality") is not None and len(list(root.iter("body"))) == 3 and len(root.find("worldbody").findall("body")) == 2


def test_the_motor_of_a_light_body_holds_it():
    mujoco = pytest.importorskip("mujoco")
    sc = js.load({"jostle": 1, "world": {"step": 0.001, "duration": 0.2},
                  "bodies": {"ram": {"mass": 0.01, "inertia": 1e-6, "freedom": ["x", "z", "ry"]}},
                  "joints": {"drive": {"prismatic": ["world", "ram"], "axis": [0, 0, 1], "motor": {"speed": 0, "limit": 50}}}})
    model = mujoco.MjModel.from_xml_string(js.to_mujoco(sc).xml)
    data = mujoco.MjData(model)
    for _ in range(200):
        mujoco.mj_step(model, data)
        assert abs(data.joint("drive").qvel[0]) < 1e-3  # an explicit servo would go to and fro at 5 m/s
    b = sc.batch(1)
    b.step(200)
    assert abs(b.joint("drive").position[0]) < 1e-12


@pytest.mark.parametrize("sample", [1.5, -1, "a", None, True])
def test_a_sample_is_a_whole_number(sample):
    with pytest.raises(js.UsageError, match="^sample must be a whole number, 0 or more, not "):
        js.to_mujoco(library("rod"), sample=sample)


def test_contacts_and_limits_that_mujoco_lacks_are_listed():
    def listed(rule, joint="{limits: [-1, 1]"):
        text = f"""
jostle: 1
world: {{step: 0.001, duration: 0.001, method: trapezoidal}}
bodies:
  floor: {{fixed: true, shape: {{half_space: {{normal: [0, 0, 1]}}}}}}
  a: {{mass: 1, shape: {{box: {{size: [1, 1, 1]}}}}, position: [0, 0, 1]}}
joints: {{slide: {joint}, prismatic: [world, a], axis: [1, 0, 0]}}}}
contacts: [{{between: any, friction: 0.1{rule}}}]
"""
        return js.to_mujoco(js.load(text)).left_out
    assert listed("") == listed(", adhesion: 0, tangential_restitution: 0") == []
    assert [line.split(":")[0] for line in listed(", across: {friction: 0.9, axis: [1, 0, 0], of: a}")] == ["across"]
    assert listed(", adhesion: 5") == ["adhesion of contacts"]
    assert [line.split(":")[0] for line in listed(", tangential_restitution: 0.3")] == ["tangential_restitution"]
    assert listed("", "{limits: [-1, 1], restitution: 0.5") == ["restitution of the limits of joint 'slide'"]
