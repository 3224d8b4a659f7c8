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
        assert [b.get("name") for b in root.find("worldbody").findall("body")] == sc.bodies, path
        assert all(isinstance(line, str) for line in left_out)


def test_what_mujoco_cannot_express_is_listed():
    assert any("restitution" in line for line in js.to_mujoco(library("bouncing_ball")).left_out)
    assert js.to_mujoco(library("tossed_box"), sample=7).left_out == []


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
                np.testing.assert_allclose(velocity[3:], start["velocity"], atol=1e-12, err_msg=str(path))
                np.testing.assert_allclose(velocity[:3], start["spin"], atol=1e-12, err_msg=str(path))
                inertia, ours = model.body_inertia[body], b.body(name).inertia[0]
                turned = ours > 0
                if model.body_dofnum[body] == 6:
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
