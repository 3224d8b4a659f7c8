"""MuJoCo models as scenarios, and back."""
import pathlib
import re

import jostle as js
import numpy as np
import pytest
from conftest import LIBRARY, library

try:
    import mujoco
except ImportError:
    mujoco = None
pytestmark = pytest.mark.skipif(mujoco is None, reason="needs mujoco")

ARM = """
<mujoco>
  <option timestep="0.001"/>
  <default><geom friction="0.7 0.01 0.001"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="upper-arm" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-90 90" damping="0.1" frictionloss="0.2" armature="0.01"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/>
      <body name="hand" pos="0.4 0 0">
        <joint name="wrist" type="ball"/>
        <geom type="box" size="0.05 0.02 0.02" pos="0.05 0 0" mass="0.2"/>
      </body>
    </body>
    <body name="cube" pos="1 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" condim="4" mass="1"/></body>
    <body name="puck" pos="2 0 0.05"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
      <geom type="sphere" size="0.05" mass="0.3" friction="0.9 0.01 0.001"/></body>
    <geom name="mark" type="sphere" size="0.1" pos="5 0 0" contype="0" conaffinity="0"/>
  </worldbody>
</mujoco>
"""


def test_an_arm_has_its_joints_shapes_and_pairs():
    made = js.from_mujoco(ARM)
    sc = js.load(made.scenario)
    assert sc.bodies == ["ground", "upper_arm", "hand", "cube", "puck"] and sc.joints == ["shoulder", "wrist"]
    assert made.left_out == [] and any("upper-arm" in line for line in made.converted)
    assert any("mark" in line for line in made.ignored)
    model = mujoco.MjModel.from_xml_string(ARM)
    b = sc.batch(1)
    for body in b.bodies:
        number = model.body(body.replace("upper_arm", "upper-arm")).id
        assert b.body(body).mass[0] == model.body_mass[number]
        if body != "puck":  # which does not turn
            np.testing.assert_allclose(np.sort(b.body(body).inertia[0]), np.sort(model.body_inertia[number]), rtol=1e-9)
    assert "damping: 0.1" in made.scenario and "friction: 0.2" in made.scenario and "armature: 0.01" in made.scenario
    assert "between: any, friction: 0.7, spin_friction: " in made.scenario  # condim 4 of the cube
    assert "between: [ground, puck], friction: 0.9}" in made.scenario
    assert "between: [upper_arm, hand], contact: false" in made.scenario  # a body does not touch its parent
    b.step(500)
    assert (b.status == 0).all()
    assert b.body("cube").position[0, 2] == pytest.approx(0.1, abs=1e-9)


def test_what_a_scenario_cannot_say_is_refused_by_its_kind():
    def refused(inside, **options):
        with pytest.raises(js.UsageError) as error:
            js.from_mujoco(f"<mujoco>{inside}</mujoco>", **options)
        return str(error.value)
    ball = '<body name="b"><freejoint/><geom size="0.1"/></body>'
    assert "allow=['ellipsoid']" in refused('<worldbody><body name="b"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body></worldbody>')
    assert "allow=['medium']" in refused(f'<option density="1.2"/><worldbody>{ball}</worldbody>')
    assert "allow=['actuator']" in refused(
        '<worldbody><body name="b"><joint name="j" axis="0 1 0"/><geom size="0.1" pos="1 0 0"/></body></worldbody>'
        '<actuator><motor joint="j"/></actuator>')
    assert "allow=['mocap']" in refused('<worldbody><body name="b" mocap="true"><geom size="0.1"/></body></worldbody>')
    made = js.from_mujoco(f'<mujoco><option density="1.2"/><worldbody>{ball}</worldbody></mujoco>', allow=["medium"])
    assert made.left_out == ["option density: jostle has no medium"]


def test_spin_and_rolling_friction_go_to_mujoco_and_back():
    """Lengths there are moments over the normal force: mu times spin_friction, and rolling_friction."""
    made = js.from_mujoco(
        '<mujoco><worldbody><geom type="plane" size="1 1 1" condim="6" friction="0.5 0.01 0.002"/>'
        '<body name="b" pos="0 0 0.1"><freejoint/><geom size="0.1" friction="0.5 0.01 0.002"/></body></worldbody></mujoco>')
    assert "friction: 0.5, spin_friction: 0.02, rolling_friction: 0.002}" in made.scenario
    model = mujoco.MjModel.from_xml_string(js.to_mujoco(js.load(made.scenario)).xml)
    assert model.pair_dim[0] == 6
    np.testing.assert_allclose(model.pair_friction[0], [0.5, 0.5, 0.01, 0.002, 0.002], rtol=1e-15)
    one_axis = made.scenario.replace(", spin_friction: 0.02", "").replace("friction: 0.5", "friction: 0")
    model = mujoco.MjModel.from_xml_string(js.to_mujoco(js.load(one_axis)).xml)
    np.testing.assert_allclose(model.pair_friction[0][2:], [0, 0.002, 0.002], rtol=1e-15)


def test_what_jostle_writes_for_mujoco_comes_back():
    """The same masses, frames and motion, for every scenario of the library that MuJoCo can express as a whole."""
    compared = 0
    for path in sorted(LIBRARY.glob("*.yaml")):
        sc = js.load(path)
        xml, left_out = js.to_mujoco(sc, sample=1)
        if left_out or "<mesh " in xml:  # from_mujoco takes no meshes
            continue
        back = js.load(js.from_mujoco(xml).scenario, set={"world.method": "stewart_trinkle"})
        there = sc.batch(ids=[1])
        here = back.batch(1)
        assert sorted(here.bodies) == sorted(there.bodies), path
        for body in there.bodies:
            a, b = there.body(body), here.body(body)
            assert a.mass[0] == pytest.approx(b.mass[0], rel=1e-12), path
        compared += 1
    assert compared >= 8


def test_a_block_that_went_to_mujoco_and_back_slides_alike():
    sc = library("tossed_box", set={"world.duration": 0.3})
    made = js.from_mujoco(js.to_mujoco(sc, sample=3).xml)
    back = js.load(made.scenario, set={"world.duration": 0.3, "world.friction_directions": 8})
    a, b = sc.batch(ids=[3]), back.batch(1)
    for _ in range(6):
        a.step(sc.steps // 6), b.step(sc.steps // 6)
        np.testing.assert_allclose(b.v[0, :, :3], a.v[0, :, :3], atol=1e-6)


def test_warnings_of_mujoco_are_warnings_and_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = ('<mujoco><compiler settotalmass="2"/><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    with pytest.warns(UserWarning, match="^MuJoCo: .*settotalmass"):
        made = js.from_mujoco(model)
    assert js.load(made.scenario).batch(1).body("body1").mass[0] == pytest.approx(2, rel=1e-12)
    assert list(tmp_path.iterdir()) == [] and mujoco.get_mju_user_warning() is None


def test_a_file_that_cannot_be_read_and_a_kind_that_is_unknown_are_named(tmp_path):
    for path in (tmp_path / "nowhere.xml", tmp_path):
        with pytest.raises(js.FileError, match=f"^{path}: "):
            js.from_mujoco(path)
    with pytest.raises(js.UsageError, match="allow: there is no kind 'mehs' .did you mean 'mesh'"):
        js.from_mujoco(ARM, allow=["mehs"])


def test_every_kind_that_is_refused_can_be_allowed():
    from jostle import _mjcf
    folder = pathlib.Path(_mjcf.__file__).parent
    kinds = {kind for file in folder.glob("*.py") for kind in re.findall(r'\brefuse\("(\w+)"', file.read_text())}
    shapes = {name[7:].lower() for name in dir(mujoco.mjtGeom) if name in ("mjGEOM_HFIELD", "mjGEOM_ELLIPSOID", "mjGEOM_MESH",
                                                                         "mjGEOM_SDF")}
    assert len(kinds) > 15 and kinds | shapes <= {*_mjcf.KINDS}
