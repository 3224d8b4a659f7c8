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


def exported(text):
    """The model in MuJoCo at its start, and what was left out."""
    mujoco = pytest.importorskip("mujoco")
    xml, left_out = js.to_mujoco(js.load(text))
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data, left_out


def velocities(model, data, bodies):
    import mujoco
    found = np.zeros((len(bodies), 6))
    for row, name in zip(found, bodies):
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, model.body(name).id, row, 0)
    return found[:, [3, 4, 5, 0, 1, 2]]


PENDULUM = """
jostle: 1
world: {step: 1e-9, duration: 1e-9, gravity: [0, 0, 0]}
bodies:
  rod: {mass: 1, inertia: [0.3, 0.2, 0.1], position: [0, 0, -1], velocity: [1, 0.5, 0], spin: [0, 1, 2]}
  bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, -2], velocity: [0, 0.5, 1]}
joints:
  pivot: {KIND: [world, rod], at: [0, 0, 0.2], axis: [0, 1, 0], armature: 0.5}
  END: {ball: [rod, bob], at: [0, 0, -2]}
contacts: [{between: any, contact: false}]
"""
LOOP = """
jostle: 1
world: {step: 1e-9, duration: 1e-9, gravity: [0, 0, 0]}
bodies:
  a: {mass: 1, inertia: [0.3, 0.2, 0.1], position: [0, 0, 0.5], rotation: {axis: [1, 2, 3], degrees: 50},
      velocity: [1, 1, 1]}
  b: {mass: 2, inertia: 0.1, position: [0.5, 0, 1], freedom: [x, z, ry], velocity: [0, 0, 1]}
  c: {mass: 1, inertia: 0.1, position: [1, 0, 0.5], spin: [0, 2, 0]}
joints:
  one: {revolute: [world, a], at: [0, 0, 0], axis: [0, 1, 0]}
  two: {revolute: [a, b], at: [0, 0, 1], axis: [0, 1, 0]}
  three: {ball: [b, c], at: [1, 0, 1]}
  four: {distance: [c, world], at: [[1, 0, 0], [1, 0, -1]]}
contacts: [{between: any, contact: false}]
"""


@pytest.mark.parametrize("text", [PENDULUM.replace("KIND", kind).replace("END", end) for kind, end in (
    ("revolute", "string"), ("prismatic", "string"))] + [LOOP])
def test_velocities_that_joints_do_not_allow_are_those_after_the_first_step(text):
    """v - A^-1 N' (N A^-1 N')^-1 N v, docs/theory.md (53c)"""
    if "prismatic" in text:
        text = text.replace(", at: [0, 0, 0.2], axis", ", axis")
    model, data, left_out = exported(text)
    assert all(line.startswith("distance") for line in left_out)
    b = js.load(text).batch(1)
    before = b.v[0].copy()
    b.step()
    np.testing.assert_allclose(velocities(model, data, b.bodies), b.v[0], atol=1e-7)
    assert np.abs(b.v[0] - before).max() > 0.1


def test_the_pair_of_a_shape_that_is_left_out_is_left_out():
    model, _, left_out = exported("""
jostle: 1
world: {step: 0.001, duration: 1}
bodies:
  belt: {prescribed: {velocity: [0.3, 0, 0]}, shape: {half_space: {normal: [0, 0, 1]}}}
  a: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}
contacts: [{between: any, friction: 0.3}]
""")
    assert model.npair == 0 and "half_space of 'belt': MuJoCo has planes on fixed bodies only" in left_out


def test_friction_of_a_ball_joint_is_listed():
    text = "jostle: 1\nworld: {step: 0.001, duration: 1}\nbodies: {a: {mass: 1, inertia: 1}}\n" \
           "joints: {j: {ball: [world, a], at: [0, 0, 0], friction: %s}}\n"
    assert exported(text % 0)[2] == []
    assert exported(text % 0.5)[2] == ["friction of the ball joint 'j' as a whole: in MuJoCo each axis has its own"]


@pytest.mark.parametrize("freedom", ["rx, ry, rz", "x, rx, ry, rz", "x, z, rx, ry, rz"])
def test_a_body_that_turns_freely_has_no_gimbal(freedom):
    """A tumbling body passes the pose in which three hinges would lock."""
    mujoco = pytest.importorskip("mujoco")
    text = f"""
jostle: 1
world: {{step: 0.0005, duration: 3, method: trapezoidal, gravity: [0, 0, 0]}}
bodies:
  a: {{mass: 1, inertia: [1, 1.5, 2, 0.1, 0.05, 0.2], freedom: [{freedom}], rotation: {{axis: [1, 2, 3], degrees: 40}},
       spin: [0.1, 3, 0.05]{", velocity: [0.1, 0, 0]" if "x," in freedom[:2] else ""}}}
"""
    model, data, left_out = exported(text)
    assert left_out == [] and model.nv == len(freedom.split(","))
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    b, back = (js.load(t).batch(1) for t in (text, js.from_mujoco(js.to_mujoco(js.load(text)).xml).scenario))
    np.testing.assert_allclose(back.v, b.v, atol=1e-12)
    assert freedom == "rx, ry, rz" or f"freedom: [{freedom}]" in js.from_mujoco(js.to_mujoco(js.load(text)).xml).scenario
    b.step(6000), mujoco.mj_step(model, data, 6000), mujoco.mj_forward(model, data)
    np.testing.assert_allclose(velocities(model, data, ["a"])[0], b.v[0, 0], atol=1e-3)


def test_names_are_composed_that_nothing_else_has():
    _, _, left_out = exported("""
jostle: 1
world: {step: 0.001, duration: 1}
bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, position: [1, 0, 0]}}
joints: {z: {ball: [a, b], at: [0, 0, 0]}, q: {ball: [a, b], at: [0, 0, 0]}, q_0: {fixed: [b, a]}, spring0: {fixed: [a, b]}}
springs: {s: {between: [a, b], stiffness: 1}}
""")
    assert left_out == []


def test_what_is_too_small_for_mujoco_is_listed():
    def listed(body):
        return exported(f"jostle: 1\nworld: {{step: 0.001, duration: 1}}\nbodies: {{a: {{{body}}}}}\n")[2]
    ball = "density: 1000, shape: {sphere: {radius: %s}}"
    assert listed(ball % 1e-3) == []
    assert listed(ball % 1e-4) == ["inertia of 'a' below 1e-15 kg m^2: MuJoCo has none smaller"]
    assert listed(ball % 1e-7) == ["mass of 'a' below 1e-15 kg: MuJoCo has none smaller",
                                   "inertia of 'a' below 1e-15 kg m^2: MuJoCo has none smaller"]
    assert listed("mass: 1e-7, freedom: [x, z]") == []  # it does not turn
    corners = "[0, 0, 0], [1e-5, 0, 0], [0, 1e-5, 0], [0, 0, 1e-5]"
    assert listed(f"mass: 1, inertia: 1, shape: {{hull: {{points: [{corners}]}}}}") == []


def test_a_motor_without_force_comes_back():
    pytest.importorskip("mujoco")
    text = "jostle: 1\nworld: {step: 0.001, duration: 1}\nbodies: {a: {mass: 1, inertia: 1}}\n" \
           "joints: {j: {revolute: [world, a], at: [0, 0, 0], axis: [0, 1, 0], motor: {speed: 2, limit: 0}}}\n"
    assert "motor: {speed: 2.0, limit: 0.0}" in js.from_mujoco(js.to_mujoco(js.load(text)).xml).scenario
