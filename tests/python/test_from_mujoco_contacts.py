"""Which bodies of MuJoCo models touch, what flags switch off, what no contact or spring of a scenario has, and names."""
import re

import jostle as js
import pytest

mujoco = pytest.importorskip("mujoco")


def refused(inside, **options):
    with pytest.raises(js.UsageError) as error:
        js.from_mujoco(f"<mujoco>{inside}</mujoco>", **options)
    return str(error.value)


def imported(inside, **options):
    """What was made, which a scenario can be loaded from."""
    made = js.from_mujoco(f"<mujoco>{inside}</mujoco>", **options)
    return made, js.load(made.scenario)


def touching(sc):
    data = sc._core.resolved(0)
    names = [data["bodies"][shape["body"]]["name"] for shape in data["shapes"]]
    return {frozenset((names[pair["shape_a"]], names[pair["shape_b"]])) for pair in data["pairs"]}


def touching_in_mujoco(inside):
    """Bodies of which MuJoCo finds contacts where every shape is so large that it reaches all others."""
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{inside}</mujoco>".replace('size=".05"', 'size="50"'))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    pairs = [model.geom_bodyid[contact.geom] for contact in data.contact]
    return {frozenset("ground" if body == 0 else model.body(body).name for body in pair) for pair in pairs}


GEOM = '<geom size=".05"/>'
TREE = f"""<worldbody>
  <geom size=".05" pos="0 0 -3"/>
  <body name="base" pos="0 0 2"><geom size=".05"/>
    <body name="arm" pos="1 0 0"><joint axis="0 1 0"/>{GEOM}</body>
  </body>
  <body name="A"><freejoint/>{GEOM}
    <body name="B" pos="1 0 0"><joint axis="0 1 0"/>{GEOM}
      <body name="E" pos="1 0 0"><joint axis="0 1 0"/>{GEOM}</body>
    </body>
    <body name="C" pos="0 1 0">{GEOM}<body name="D" pos="0 1 0"><joint axis="0 1 0"/>{GEOM}</body></body>
  </body>
  <body name="F" pos="0 0 1"><freejoint/>{GEOM}</body>
  <body name="G" pos="0 0 -1"><freejoint/>{GEOM}</body>
</worldbody>
<contact><exclude body1="G" body2="E"/></contact>
<equality><connect body1="A" body2="F" anchor="0 0 0.5"/><weld body1="A" body2="G"/></equality>"""


@pytest.mark.parametrize("flag", ["", "filterparent", "contact"])
def test_bodies_touch_that_touch_in_mujoco(flag):
    flag = flag and f'<option><flag {flag}="disable"/></option>'
    made, sc = imported(flag + TREE)
    found = touching_in_mujoco(flag + TREE)
    assert touching(sc) == found
    tied, related = {frozenset("AF"), frozenset("AG")}, {frozenset("AB"), frozenset("CB"), frozenset("AD"), frozenset("EB")}
    if not flag:  # bodies on which there is an equality touch, a body and those fixed on its parent do not
        assert tied <= found and not related & found and frozenset(("arm", "base")) in found
    elif "filterparent" in flag:
        assert tied | related <= found and frozenset("AC") not in found
    else:
        assert not found and any("touches nothing" in line for line in made.ignored)


HINGE = """
<worldbody>
  <geom type="plane" size="1 1 1" pos="0 0 -1"/>
  <body name="A" pos="0 0 1">
    <joint name="j" axis="0 1 0" stiffness="3" damping="2" frictionloss="1" range="-30 30"/>
    <geom size=".1" pos=".2 0 0"/>
  </body>
</worldbody>
<actuator>
  <velocity joint="j" kv="500" forcerange="-5 5" ctrlrange="-1 1" damping="0.5" armature="0.25"/>
</actuator>
<equality><connect body1="A" anchor="0 0 0"/></equality>
<keyframe><key ctrl="9"/></keyframe>"""
PARTS = ("friction: 1.0, axis", "limits: ", "stiffness: ", "damping: 2.5", "armature: 0.25", "motor: {speed: 1.0",
         "equality0", "friction: 1.0}")


@pytest.mark.parametrize("flag, gone", [
    ("frictionloss", PARTS[:1]), ("limit", PARTS[1:2]), ("spring", PARTS[2:3]), ("damper", PARTS[3:4]),
    ("actuation", PARTS[5:6]), ("clampctrl", PARTS[5:6]), ("equality", PARTS[6:7]), ("contact", PARTS[7:]),
    ("constraint", (*PARTS[:2], *PARTS[6:])), ("island", ()),
])
def test_flags_switch_off_what_they_do_in_mujoco(flag, gone):
    made, sc = imported(f'<option><flag {flag}="disable"/></option>{HINGE}')
    assert [part in made.scenario for part in PARTS] == [part not in gone for part in PARTS]
    assert any(line == f"flag {flag}: disable" for line in made.converted + made.ignored)
    assert ("motor: {speed: 9.0" in made.scenario) == (flag == "clampctrl")


def test_flags_that_are_values_or_refused():
    assert "gravity: [0.0, 0.0, 0.0]" in imported(f'<option><flag gravity="disable"/></option>{HINGE}')[0].scenario
    override = '<option o_friction="0.3 {} 0 0 0"><flag override="enable"/></option>'
    assert "- {between: any, friction: 0.3}" in imported(override.format(0.3) + HINGE)[0].scenario
    assert "allow=['friction']" in refused(override.format(0.4) + HINGE)
    made, _ = imported('<option actuatorgroupdisable="0"/>' + HINGE)
    assert "actuator 'actuator0': its group is switched off" in made.ignored
    assert "damping: 2.5" in made.scenario and "armature: 0.25" in made.scenario  # the joint keeps these
    assert "motor" not in made.scenario
    assert "flag sleep: enable (allow=['flag'])" in refused('<option><flag sleep="enable"/></option>' + HINGE)
    for medium in ('density="1.2"', ''):
        text = f'<option {medium}><flag spring="disable" damper="disable"/></option>' + HINGE
        assert "stiffness" not in imported(text)[0].scenario  # there are no passive forces at all


TWO = ('<worldbody><body name="A" pos="0 0 1"><freejoint/><geom name="a" size=".1" {}/></body>'
       '<body name="B" pos="0.3 0 1"><freejoint/><geom name="b" size=".1"/></body></worldbody>')
PAIR = '<contact><pair geom1="a" geom2="b" {}/></contact>'
SPRING = ('<worldbody><site name="s0"/><site name="s2" pos="1 0 0"/><body name="A" pos="0 0 1"><joint axis="0 1 0" {}/>'
          '<geom size=".1" pos=".2 0 0"/><site name="s1"/></body></worldbody>')
TENDON = '<tendon><spatial name="T" {}><site site="s0"/><site site="s{}"/></spatial></tendon>'


@pytest.mark.parametrize("kind, inside", [
    ("friction", TWO.format("") + PAIR.format('condim="3" friction="0.1 0.9 0 0 0"')),
    ("friction", TWO.format("") + PAIR.format('condim="6" friction="0.1 0.1 0 0.1 0.2"')),
    ("adhesion", TWO.format('adhesion="5"')),
    ("adhesion", TWO.format("") + PAIR.format('adhesion="5"')),
    ("margin", TWO.format('margin="0.01"')),
    ("margin", TWO.format("") + PAIR.format('margin="0.01"')),
    ("surfacevel", TWO.format('surfacevel="1 0 0 0 0 0"')),
    ("spring", SPRING.format('stiffness="3 4 5"')),
    ("spring", SPRING.format('stiffness="3" springyield="1"')),
    ("damper", SPRING.format('damping="1 2 3"')),
    ("margin", SPRING.format('range="-30 30" margin="0.1"')),
    ("spring", SPRING.format('stiffness="-3"')),
    ("damper", SPRING.format('damping="-3"')),
    ("armature", SPRING.format('armature="-0.001"')),
    ("pairs", TWO.format("") + (PAIR + PAIR).format('condim="1"', 'condim="3"')),
    ("actuator", SPRING.format("").replace("<joint", '<joint name="j"')
     + '<actuator><velocity joint="j" kv="1" gear="1e300"/></actuator>'),
    ("tendon", SPRING.format("") + TENDON.format('stiffness="-3"', 1)),
    ("tendon", SPRING.format("") + TENDON.format('damping="-3"', 1)),
    ("tendon", SPRING.format("") + TENDON.format('stiffness="3 5"', 1)),
    ("tendon", SPRING.format("") + TENDON.format('stiffness="3" damping="1 2"', 1)),
    ("tendon", SPRING.format("") + TENDON.format('stiffness="3" armature="4"', 1)),
    ("tendon", SPRING.format("") + TENDON.format('stiffness="3" springyield="0.1"', 1)),
])
def test_what_no_contact_or_spring_of_a_scenario_has_is_refused(kind, inside):
    assert f"allow=['{kind}']" in refused(inside)
    made, _ = imported(inside, allow=[kind])
    assert made.left_out


def test_pairs_of_the_same_geoms_are_one_contact_if_they_say_the_same():
    made, _ = imported(TWO.format("") + PAIR.format('condim="1"') * 2)
    assert "2 pairs of b and a: one contact, which is as rigid" in made.converted and "friction: 0.0" in made.scenario


def test_coefficients_below_0_are_0_as_in_mujoco():
    made, _ = imported(TWO.format('friction="-1 0 0"').replace('name="b"', 'name="b" friction="-2 0 0"'))
    assert "friction: 0.0}" in made.scenario
    assert "friction" not in imported(SPRING.format('frictionloss="-1"'))[0].scenario.split("contacts:")[0]


START = '<keyframe><key {}/></keyframe>'


@pytest.mark.parametrize("why, inside", [
    ("none of its bodies moves", '<worldbody><geom size=".1"/></worldbody>'),
    ("none of its bodies moves", "<worldbody/>"),
    ("gravity is not finite", '<option gravity="0 0 nan"/>' + SPRING.format("")),
    ("qpos at the start is not finite", SPRING.format("") + START.format('qpos="nan"')),
    ("qvel at the start is not finite", SPRING.format("") + START.format('qvel="inf"')),
    ("world.step must be greater than 0", '<option timestep="0"/>' + SPRING.format("")),
    ("stiffness must be finite", SPRING.format('stiffness="nan"')),
])
@pytest.mark.filterwarnings("ignore:MuJoCo")
def test_what_no_scenario_can_be_made_of_is_refused(why, inside):
    assert re.match(f"the model makes no scenario: .*{why}", refused(inside))


def test_tendons_without_effect_are_left_out():
    for text in (TENDON.format('stiffness="3"', 2), TENDON.format("", 1)):
        made, sc = imported(SPRING.format("") + text)
        assert "springs:" not in made.scenario and any(line.startswith("tendon 'T': it") for line in made.ignored)
    made, sc = imported(SPRING.format("") + TENDON.format('stiffness="3"', 1))
    assert "T: {between: [world, A]" in made.scenario and "stiffness: 3.0, damping: 0.0, rest: 1" in made.scenario


def test_a_tendon_that_only_damps_has_no_length_at_rest():
    made, sc = imported(SPRING.format("") + TENDON.format('damping="3"', 1))
    assert "stiffness: 0.0, damping: 3.0}" in made.scenario


def test_names_that_the_reader_refuses_or_that_clash_are_changed():
    words = ("arm", "gap", "t", "null", "True", "sin", "any", "1st", "ground", "a-b", "a_b")
    bodies = "".join(f'<body name="{word}" pos="{n} 0 1"><joint name="{word}" axis="0 1 0"/><site name="{word}"/>'
                     f'<geom size=".1" pos="0 0.2 0"/></body>' for n, word in enumerate(words))
    more = "".join(f'<connect name="{word}" body1="{word}" anchor="0 0 0"/>' for word in words)
    springs = "".join(f'<spatial name="{word}" stiffness="1"><site site="{word}"/><site site="there"/></spatial>'
                      for word in words)
    made, sc = imported(f'<worldbody><geom type="plane" size="1 1 1"/><site name="there" pos="9 9 9"/>{bodies}</worldbody>'
                        f"<equality>{more}</equality><tendon>{springs}</tendon>")
    assert len(set(sc.bodies)) == len(words) + 1 and len(set(sc.joints)) == 2 * len(words)
    assert not set(sc.bodies) & set(sc.joints)
    assert "joint 'arm' is called 'arm_'" in made.converted and "body '1st' is called '_1st'" in made.converted
    made, sc = imported('<worldbody><body name="b" pos="0 0 1"><freejoint name="b"/><geom size=".1"/></body></worldbody>')
    assert made.converted == []  # a free joint needs no name
