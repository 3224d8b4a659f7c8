"""A sample of a scenario as a MuJoCo model."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Set
from xml.sax.saxutils import quoteattr

import numpy as np

from ._joint_start import keep_what_joints_allow, matrix_of
from ._names import whole
from ._scenario import Scenario

_MINIMUM = 1e-15
"""kg and kg m^2, mjMINVAL: MuJoCo reads no bodies with less."""


class MujocoModel(NamedTuple):
    """MJCF text, and what MuJoCo cannot express.

    Fields:
        xml: the MJCF text.
        left_out: a sentence for each thing in the scenario that the text does not express.
    """

    xml: str
    left_out: List[str]


def to_mujoco(sc: Scenario, sample: int = 0) -> MujocoModel:
    """One sample of a scenario as MJCF: bodies, frames, masses, inertia, shapes, pairs that may touch with their friction,
    springs, joints, gravity, step, and the initial state as keyframe "start", with the velocities that joints allow.

    A body that hangs on a ball, revolute, prismatic or fixed joint is a child of the joint's other body there, so that the
    joint has a coordinate, with limits, friction (frictionloss), spring, damper, armature, and a motor as an actuator that
    controls the speed. A joint that closes a loop is an equality constraint, as are those of bodies whose freedoms the joint
    does not fit; what such a constraint cannot have is listed.

    Contacts of the two engines differ: jostle's are exact and rigid, MuJoCo's are soft. What MuJoCo cannot express at all,
    such as restitution, is left out and listed.

    >>> model = mujoco.MjModel.from_xml_string(js.to_mujoco(sc, sample=7).xml)      # doctest: +SKIP
    """
    return _Writer(sc._core.resolved(whole("sample", sample, 0)), sc.title).write()


def _text(values: Any) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(values))


def _quaternion(R: np.ndarray) -> np.ndarray:
    """Of a rotation matrix: the eigenvector of the largest eigenvalue (Bar-Itzhack 2000)."""
    K = np.array([[R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[2, 1] - R[1, 2]],
                  [R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1], R[0, 2] - R[2, 0]],
                  [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1], R[1, 0] - R[0, 1]],
                  [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], R.trace()]])
    x, y, z, w = np.linalg.eigh(K)[1][:, -1]
    q = np.array([w, x, y, z])
    return -q if w < 0 else q


class _Link(NamedTuple):
    """How a body hangs on its parent, -1 for the world."""

    joint: int
    parent: int
    sign: float
    """-1: the body is the joint's `body_a`, so that it moves against the coordinate."""


class _Writer:
    def __init__(self, data: Dict[str, Any], title: str):
        self.data, self.title = data, title
        self.bodies, self.shapes, self.joints = data["bodies"], data["shapes"], data["joints"]
        keep_what_joints_allow(self.bodies, self.joints)
        self.left_out: List[str] = []
        self.meshes: List[str] = []
        self.absent: Set[int] = set()
        """Shapes that have no geom."""
        self.taken: Dict[str, Set[str]] = {"site": set(), "equality": {joint["name"] for joint in self.joints}}
        self.sites: Dict[int, List[str]] = {}
        self.qpos: List[float] = []
        self.qvel: List[float] = []
        self.actuators: List[str] = []
        self.controls: List[float] = []
        self.links = self.tree()

    def write(self) -> MujocoModel:
        in_tree = {link.joint for link in self.links.values()}
        springs = [self.spring(i, spring) for i, spring in enumerate(self.data["springs"])]
        equality = [line for j, joint in enumerate(self.joints) if j not in in_tree for line in self.constraint(joint)]
        roots = [b for b in range(len(self.bodies)) if b not in self.links or self.links[b].parent < 0]
        bodies = [line for number in roots for line in self.body(number)]
        pairs = [self.pair(pair) for pair in self.data["pairs"] if not self.absent & {pair["shape_a"], pair["shape_b"]}]
        of_pairs = {"restitution": "restitution: MuJoCo's contacts have none",
                    "tangential_restitution": "tangential_restitution: MuJoCo's contacts have none",
                    "adhesion": "adhesion of contacts",
                    "has_axis": "across: the friction of contacts is that of the direction in which it is greatest"}
        self.left_out += [text for key, text in of_pairs.items() if any(pair[key] for pair in self.data["pairs"])]
        self.left_out += [f"restitution of the limits of joint '{joint['name']}'"
                          for joint in self.joints if joint["restitution"]]
        if self.data["forces"]:
            self.left_out.append("forces: functions of time and state")
        if self.data["impulses"]:
            self.left_out.append("impulses at given times")
        lines = [f"<mujoco model={quoteattr(self.title or 'jostle')}>",
                 f'  <option timestep="{self.data["step"]!r}" gravity="{_text(self.data["gravity"])}" cone="elliptic"',
                 '          integrator="implicitfast"/>',  # as an explicit servo of the speed of a light body would chatter
                 '  <compiler angle="radian" inertiafromgeom="false" balanceinertia="false" boundmass="0" autolimits="true"/>',
                 *(["  <asset>", *self.meshes, "  </asset>"] if self.meshes else []),
                 "  <worldbody>", *self.sites.get(-1, []), *bodies, "  </worldbody>"]
        for name, content in (("contact", pairs), ("tendon", springs), ("equality", equality), ("actuator", self.actuators)):
            if content:
                lines += [f"  <{name}>", *content, f"  </{name}>"]
        controls = f' ctrl="{_text(self.controls)}"' if self.controls else ""
        key = f'    <key name="start" qpos="{_text(self.qpos)}" qvel="{_text(self.qvel)}"{controls}/>'
        if self.qpos:
            lines += ["  <keyframe>", key, "  </keyframe>"]
        return MujocoModel("\n".join(lines + ["</mujoco>", ""]), self.left_out)

    # Which body hangs on which.

    def tree(self) -> Dict[int, _Link]:
        """Bodies that are children of others: from the world and all that no joint moves outwards, then from the first body of
        each mechanism that is left."""
        links: Dict[int, _Link] = {}
        reached = {-1, *(b for b in range(len(self.bodies)) if not self.moves(b))}
        todo = sorted(reached)
        for first in [None, *range(len(self.bodies))]:
            if first is not None:
                if first in reached:
                    continue
                reached.add(first)
                todo = [first]
            while todo:
                parent = todo.pop(0)
                for number, joint in enumerate(self.joints):
                    for child, other, sign in ((joint["body_b"], joint["body_a"], 1.0), (joint["body_a"], joint["body_b"], -1.0)):
                        if other == parent and child not in reached and self.fits(child, parent, joint):
                            links[child] = _Link(number, parent, sign)
                            reached.add(child)
                            todo.append(child)
        return links

    def moves(self, body: int) -> bool:
        return not self.bodies[body]["fixed"] and not self.bodies[body]["prescribed"]

    def fits(self, child: int, parent: int, joint: Dict[str, Any]) -> bool:
        """Whether the joint leaves the child the freedoms that it has besides, and those alone."""
        freedom = self.bodies[child]["freedom"]
        if joint["type"] not in ("ball", "revolute", "prismatic", "fixed"):
            return False
        if len(freedom) == 6:
            return parent < 0 or not self.moves(parent) or len(self.bodies[parent]["freedom"]) == 6
        turns = [f[1] for f in freedom if len(f) == 2]
        if len(freedom) != 3 or len(turns) != 1 or turns[0] in freedom:
            return False
        if parent >= 0 and self.moves(parent) and self.bodies[parent]["freedom"] != freedom:
            return False
        along = float(abs(self.axis(joint, "b")["xyz".index(turns[0])]))
        return along > 1 - 1e-9 if joint["type"] == "revolute" else joint["type"] == "prismatic" and along < 1e-9

    def axis(self, joint: Dict[str, Any], side: str) -> np.ndarray:
        """World direction of a revolute or prismatic joint at the start."""
        column = 2 if joint["type"] == "revolute" else 0
        direction: np.ndarray = self.axes(joint[f"body_{side}"]) @ joint[f"axes_{side}"][:, column]
        return direction

    def axes(self, body: int) -> np.ndarray:
        return np.eye(3) if body < 0 else matrix_of(self.bodies[body]["orientation"])

    # Bodies.

    def body(self, number: int) -> List[str]:
        body, link = self.bodies[number], self.links.get(number)
        parent = link.parent if link else -1
        mocap = ' mocap="true"' if body["prescribed"] else ""
        if body["prescribed"]:
            self.left_out.append(f"prescribed motion of '{body['name']}': set mocap_pos and mocap_quat yourself; "
                                 "friction there does not feel its velocity")
        position, orientation = body["position"], body["orientation"]
        if parent >= 0:
            R, above = self.axes(parent), self.bodies[parent]
            position, orientation = R.T @ (position - above["position"]), _quaternion(R.T @ self.axes(number))
        lines = [f"    <body name={quoteattr(body['name'])} pos=\"{_text(position)}\" quat=\"{_text(orientation)}\"{mocap}>"]
        if self.moves(number):
            lines.append(self.inertial(body))
            lines += self.hinges(number, link) if link else self.freedoms(body)
        lines += [f"  {line}" for line in self.sites.get(number, [])]
        lines += [self.geom(s, shape, body) for s, shape in enumerate(self.shapes) if shape["body"] == number]
        for child, below in self.links.items():
            if below.parent == number and number >= 0:
                lines += ["  " + line for line in self.body(child)]
        return [line for line in lines if line] + ["    </body>"]

    def turns(self, body: Dict[str, Any]) -> List[int]:
        return [k for k in range(3) if "xyz"[k] in [f[1:] for f in body["freedom"] if len(f) == 2]]

    def inertial(self, body: Dict[str, Any]) -> str:
        turns, mass, inertia = self.turns(body), body["mass"], np.array(body["inertia"])
        for what, unit, least in (("mass", "kg", mass), ("inertia", "kg m^2", inertia[turns].min(initial=np.inf))):
            if least < _MINIMUM:
                self.left_out.append(f"{what} of '{body['name']}' below {_MINIMUM:g} {unit}: MuJoCo has none smaller")
        if len(turns) < 3:  # what no freedom turns has no effect, but must be positive
            unused = [k for k in range(3) if k not in turns]
            inertia[unused] = max(inertia.max(), 1e-9 * mass)
        mass, inertia = max(mass, _MINIMUM), np.maximum(inertia, _MINIMUM)
        return f'      <inertial pos="0 0 0" mass="{mass!r}" diaginertia="{_text(inertia)}"/>'

    def freedoms(self, body: Dict[str, Any]) -> List[str]:
        freedom, R = body["freedom"], matrix_of(body["orientation"])
        velocity, spin = body["velocity"], body["spin"]
        if len(freedom) == 6:
            self.qpos += [*body["position"], *body["orientation"]]
            self.qvel += [*velocity, *(R.T @ spin)]
            return ["      <freejoint/>"]
        lines = []
        for k in range(3):
            if "xyz"[k] in freedom:
                lines.append(f'      <joint type="slide" axis="{_text(R.T[:, k])}"/>')
                self.qpos.append(0.0)
                self.qvel.append(velocity[k])
        turns = self.turns(body)
        if len(turns) == 3:  # three hinges would be a gimbal, which locks
            lines.append('      <joint type="ball"/>')
            self.qpos += [1.0, 0.0, 0.0, 0.0]
            self.qvel += [*(R.T @ spin)]
            return lines
        for k in turns:
            lines.append(f'      <joint type="hinge" axis="{_text(R.T[:, k])}"/>')
            self.qpos.append(0.0)
            self.qvel.append(spin[k])
        return lines

    # Joints.

    def hinges(self, number: int, link: _Link) -> List[str]:
        """The joint of a body on its parent."""
        joint, R = self.joints[link.joint], self.axes(number)
        name, kind = joint["name"], joint["type"]
        own, other = ("b", "a") if link.sign > 0 else ("a", "b")
        above = self.bodies[link.parent] if link.parent >= 0 else {"velocity": np.zeros(3), "spin": np.zeros(3)}
        spin = self.bodies[number]["spin"] - above["spin"]
        if kind == "fixed":
            return []
        point = joint[f"point_{own}"]
        if kind == "ball":
            if joint["friction"]:
                self.left_out.append(f"friction of the ball joint '{name}' as a whole: in MuJoCo each axis has its own")
            self.qpos += [1.0, 0.0, 0.0, 0.0]
            self.qvel += [*(R.T @ spin)]
            return [f'      <joint name={quoteattr(name)} type="ball" pos="{_text(point)}"{self.loss(joint)}/>']
        axis = link.sign * self.axis(joint, own)
        self.qpos.append(0.0)
        if kind == "revolute":
            self.qvel.append(float(axis @ spin))
        else:
            arms = [self.axes(joint[f"body_{side}"]) @ joint[f"point_{side}"] for side in (own, other)]
            velocity = self.bodies[number]["velocity"] + np.cross(self.bodies[number]["spin"], arms[0])
            velocity -= above["velocity"] + np.cross(above["spin"], arms[1])
            self.qvel.append(float(axis @ velocity))
        type_ = "hinge" if kind == "revolute" else "slide"
        return [f'      <joint name={quoteattr(name)} type="{type_}" pos="{_text(point)}" axis="{_text(R.T @ axis)}"'
                f"{self.loss(joint)}{self.coordinate(joint)}/>"]

    def loss(self, joint: Dict[str, Any]) -> str:
        return f' frictionloss="{joint["friction"]!r}"' if joint["friction"] else ""

    def coordinate(self, joint: Dict[str, Any]) -> str:
        """Attributes of a hinge or slide, and the actuator of its motor."""
        name, text = joint["name"], ""
        if joint["limits"] is not None:
            text += f' range="{_text(joint["limits"])}"'
        if joint["spring"] is not None:
            stiffness, damping, rest = joint["spring"]
            text += f' stiffness="{stiffness!r}" damping="{damping!r}" springref="{rest!r}"'
        if joint["armature"]:
            text += f' armature="{joint["armature"]!r}"'
        if joint["has_speed_limits"]:
            self.left_out.append(f"speed limits of joint '{name}'")
        if joint["motor"] is not None:
            speed, limit = joint["motor"]
            if speed is None:
                self.left_out.append(f"speed of the motor of joint '{name}', a function of time: set ctrl of its actuator yourself")
            gain = 100 * limit / max(abs(speed or 0.0), 1.0) or 1.0  # it is at its limit until 1 % before the speed
            self.actuators.append(f'    <velocity name={quoteattr(name)} joint={quoteattr(name)} kv="{gain!r}" '
                                  f'forcerange="{_text([-limit, limit]) if limit > 0 else "0 1e-300"}"/>')
            self.controls.append(speed or 0.0)
        return text

    def constraint(self, joint: Dict[str, Any]) -> List[str]:
        name, kind = joint["name"], joint["type"]
        for what, is_there in (("friction", joint["friction"]), ("limits", joint["limits"] is not None),
                               ("motor", joint["motor"] is not None), ("spring or damper", joint["spring"] is not None),
                               ("armature", joint["armature"]), ("speed limits", joint["has_speed_limits"])):
            if is_there:
                self.left_out.append(f"{what} of joint '{name}': it is an equality constraint in MuJoCo, without a coordinate")
        if kind not in ("ball", "revolute", "fixed"):
            self.left_out.append(f"{kind} joint '{name}'")
            return []
        a, b = joint["body_a"], joint["body_b"]
        points = [(joint["point_a"], joint["point_b"])]
        if kind == "revolute":  # two points of the axis
            points.append((joint["point_a"] + 0.1 * joint["axes_a"][:, 2], joint["point_b"] + 0.1 * joint["axes_b"][:, 2]))
        if kind == "fixed":
            ends = self.frames(name, joint)
            return [f'    <weld name={quoteattr(name)} site1={quoteattr(ends[0])} site2={quoteattr(ends[1])}/>']
        lines = []
        for i, (point_a, point_b) in enumerate(points):
            ends = [self.site(f"{name}_{i}a", a, point_a), self.site(f"{name}_{i}b", b, point_b)]
            lines.append(f'    <connect name={quoteattr(self.free_name("equality", f"{name}_{i}"))} '
                         f'site1={quoteattr(ends[0])} site2={quoteattr(ends[1])}/>')
        return lines

    def geom(self, number: int, shape: Dict[str, Any], body: Dict[str, Any]) -> str:
        kind, size, name = shape["type"], shape["size"], body["name"]
        without = {"polygon": f"polygon of '{name}': MuJoCo has no polygons",
                   "surface": f"shape of '{name}', which is not convex: MuJoCo's meshes touch as their hulls; "
                              "write convex pieces in `shapes`"}
        if not body["fixed"]:
            without["half_space"] = f"half_space of '{name}': MuJoCo has planes on fixed bodies only"
        if kind in without:
            self.absent.add(number)
            self.left_out.append(without[kind])
            return ""
        if kind == "hull":
            if size[0] > 0:
                self.left_out.append(f"radius of the hull of '{name}': MuJoCo rounds no edges")
            is_small = np.prod(np.ptp(shape["corners"], axis=0)) < 1e-9  # MuJoCo wants no volume of what is called a shell
            self.meshes.append(f'    <mesh name="shape{number}" vertex="{_text(np.ravel(shape["corners"]))}"'
                               f"{' inertia=' + quoteattr('shell') if is_small else ''}/>")
            return (f'      <geom name="shape{number}" type="mesh" mesh="shape{number}" pos="{_text(shape["position"])}" '
                    f'quat="{_text(_quaternion(shape["axes"]))}" contype="0" conaffinity="0"/>')
        size = np.maximum(size, 1e-9)  # a particle or a thin rod: MuJoCo wants positive sizes
        known = {"sphere": ("sphere", size[:1]), "capsule": ("capsule", size[:2]), "cylinder": ("cylinder", size[:2]),
                 "box": ("box", size), "half_space": ("plane", (0, 0, 1))}
        type_, numbers = known[kind]
        return (f'      <geom name="shape{number}" type="{type_}" size="{_text(numbers)}" pos="{_text(shape["position"])}" '
                f'quat="{_text(_quaternion(shape["axes"]))}" contype="0" conaffinity="0"/>')

    def pair(self, pair: Dict[str, Any]) -> str:
        mu, rolls = pair["friction"], pair["rolling_friction"]
        spins = mu * pair["spin_friction"]  # MuJoCo's is a length times the normal force, like that of rolling
        condim = 6 if rolls > 0 else 4 if spins > 0 else 3 if mu > 0 else 1
        return (f'    <pair geom1="shape{pair["shape_a"]}" geom2="shape{pair["shape_b"]}" condim="{condim}" '
                f'friction="{_text([mu, mu, spins, rolls, rolls] if condim > 1 else [1, 1, 0, 0, 0])}"/>')

    def free_name(self, kind: str, name: str) -> str:
        """A name that no other site or equality constraint has."""
        while name in self.taken[kind]:
            name += "_"
        self.taken[kind].add(name)
        return name

    def site(self, name: str, body: int, point: np.ndarray, more: str = "") -> str:
        name = self.free_name("site", name)
        self.sites.setdefault(body, []).append(f'    <site name={quoteattr(name)} pos="{_text(point)}"{more}/>')
        return name

    def spring(self, number: int, spring: Dict[str, Any]) -> str:
        ends = [self.site(f"spring{number}_{side}", spring[f"body_{side}"], spring[f"point_{side}"]) for side in "ab"]
        return (f'    <spatial name={quoteattr(spring["name"])} stiffness="{spring["stiffness"]!r}" '
                f'damping="{spring["damping"]!r}" springlength="{spring["rest"]!r}"><site site={quoteattr(ends[0])}/>'
                f'<site site={quoteattr(ends[1])}/></spatial>')

    def frames(self, name: str, joint: Dict[str, Any]) -> List[str]:
        """Sites with the same world axes at the start."""
        turned = [f' quat="{_text(_quaternion(self.axes(joint[f"body_{side}"]).T))}"' for side in "ab"]
        return [self.site(f"{name}_{side}", joint[f"body_{side}"], joint[f"point_{side}"], more)
                for side, more in zip("ab", turned)]
