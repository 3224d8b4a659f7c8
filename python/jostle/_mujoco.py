"""A sample of a scenario as a MuJoCo model."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np


class MujocoModel(NamedTuple):
    """MJCF text, and what MuJoCo cannot express."""

    xml: str
    left_out: List[str]
    """One sentence for each thing of the scenario that the text does not say."""


def to_mujoco(sc, sample: int = 0) -> MujocoModel:
    """One sample of a scenario as MJCF: bodies, frames, masses, inertia, shapes, pairs that may touch with their friction,
    springs, ball and revolute and fixed joints, gravity, step, and the initial state as keyframe "start".

    Contacts of the two engines differ: jostle's are exact and rigid, MuJoCo's are soft. What MuJoCo cannot express at all,
    such as restitution, is left out and listed.

    >>> model = mujoco.MjModel.from_xml_string(js.to_mujoco(sc, sample=7).xml)      # doctest: +SKIP
    """
    return _Writer(sc._core.resolved(sample), sc.title).write()


def _text(values: Any) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(values))


def _matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def _quaternion(R: np.ndarray) -> np.ndarray:
    """Of a rotation matrix: the eigenvector of the largest eigenvalue (Bar-Itzhack 2000)."""
    K = np.array([[R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[2, 1] - R[1, 2]],
                  [R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1], R[0, 2] - R[2, 0]],
                  [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1], R[1, 0] - R[0, 1]],
                  [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], R.trace()]])
    x, y, z, w = np.linalg.eigh(K)[1][:, -1]
    q = np.array([w, x, y, z])
    return -q if w < 0 else q


class _Writer:
    def __init__(self, data: Dict[str, Any], title: str):
        self.data, self.title = data, title
        self.bodies, self.shapes = data["bodies"], data["shapes"]
        self.left_out: List[str] = []
        self.sites: Dict[int, List[str]] = {}
        self.qpos: List[float] = []
        self.qvel: List[float] = []

    def write(self) -> MujocoModel:
        springs = [self.spring(i, spring) for i, spring in enumerate(self.data["springs"])]
        equality = [line for joint in self.data["joints"] for line in self.joint(joint)]
        bodies = [line for number, body in enumerate(self.bodies) for line in self.body(number, body)]
        pairs = [self.pair(pair) for pair in self.data["pairs"]]
        if any(pair["restitution"] for pair in self.data["pairs"]):
            self.left_out.append("restitution: MuJoCo's contacts have none")
        if self.data["forces"]:
            self.left_out.append("forces: functions of time and state")
        if self.data["impulses"]:
            self.left_out.append("impulses at given times")
        lines = [f"<mujoco model={quoteattr(self.title or 'jostle')}>",
                 f'  <option timestep="{self.data["step"]!r}" gravity="{_text(self.data["gravity"])}" cone="elliptic"/>',
                 '  <compiler angle="radian" inertiafromgeom="false" balanceinertia="false" boundmass="0"/>',
                 "  <worldbody>", *self.sites.get(-1, []), *bodies, "  </worldbody>"]
        for name, content in (("contact", pairs), ("tendon", springs), ("equality", equality)):
            if content:
                lines += [f"  <{name}>", *content, f"  </{name}>"]
        key = f'    <key name="start" qpos="{_text(self.qpos)}" qvel="{_text(self.qvel)}"/>'
        if self.qpos:
            lines += ["  <keyframe>", key, "  </keyframe>"]
        return MujocoModel("\n".join(lines + ["</mujoco>", ""]), self.left_out)

    def body(self, number: int, body: Dict[str, Any]) -> List[str]:
        mocap = ' mocap="true"' if body["prescribed"] else ""
        if body["prescribed"]:
            self.left_out.append(f"prescribed motion of '{body['name']}': set mocap_pos and mocap_quat yourself")
        lines = [f"    <body name={quoteattr(body['name'])} pos=\"{_text(body['position'])}\" "
                 f"quat=\"{_text(body['orientation'])}\"{mocap}>"]
        if not body["fixed"] and not body["prescribed"]:
            lines += self.freedoms(body)
        lines += [f"  {line}" for line in self.sites.get(number, [])]
        lines += [self.geom(s, shape, body) for s, shape in enumerate(self.shapes) if shape["body"] == number]
        return [line for line in lines if line] + ["    </body>"]

    def freedoms(self, body: Dict[str, Any]) -> List[str]:
        freedom, R = body["freedom"], _matrix(body["orientation"])
        turns = [k for k in range(3) if "xyz"[k] in [f[1:] for f in freedom if len(f) == 2]]
        inertia = np.array(body["inertia"])
        if len(turns) < 3:  # what no freedom turns has no effect, but must be positive
            unused = [k for k in range(3) if k not in turns]
            inertia[unused] = max(inertia.max(), 1e-9 * body["mass"])
        lines = [f'      <inertial pos="0 0 0" mass="{body["mass"]!r}" diaginertia="{_text(inertia)}"/>']
        velocity, spin = body["velocity"], body["spin"]
        if len(freedom) == 6:
            self.qpos += [*body["position"], *body["orientation"]]
            self.qvel += [*velocity, *(R.T @ spin)]
            return lines + ["      <freejoint/>"]
        for k in range(3):
            if "xyz"[k] in freedom:
                lines.append(f'      <joint type="slide" axis="{_text(R.T[:, k])}"/>')
                self.qpos.append(0.0)
                self.qvel.append(velocity[k])
        for k in turns:
            lines.append(f'      <joint type="hinge" axis="{_text(R.T[:, k])}"/>')
            self.qpos.append(0.0)
            self.qvel.append(spin[k])
        return lines

    def geom(self, number: int, shape: Dict[str, Any], body: Dict[str, Any]) -> str:
        kind, size = shape["type"], shape["size"]
        if kind == "half_space" and not body["fixed"]:
            self.left_out.append(f"half_space of '{body['name']}': MuJoCo has planes on fixed bodies only")
            return ""
        size = np.maximum(size, 1e-9)  # a particle or a thin rod: MuJoCo wants positive sizes
        known = {"sphere": ("sphere", size[:1]), "capsule": ("capsule", size[:2]), "cylinder": ("cylinder", size[:2]),
                 "box": ("box", size), "half_space": ("plane", (0, 0, 1))}
        type_, numbers = known[kind]
        return (f'      <geom name="shape{number}" type="{type_}" size="{_text(numbers)}" pos="{_text(shape["position"])}" '
                f'quat="{_text(_quaternion(shape["axes"]))}" contype="0" conaffinity="0"/>')

    def pair(self, pair: Dict[str, Any]) -> str:
        mu = pair["friction"]
        slides = "3" if mu > 0 else "1"
        return (f'    <pair geom1="shape{pair["shape_a"]}" geom2="shape{pair["shape_b"]}" condim="{slides}" '
                f'friction="{_text([mu, mu, 0, 0, 0]) if mu > 0 else _text([1, 1, 0, 0, 0])}"/>')

    def site(self, name: str, body: int, point: np.ndarray) -> str:
        self.sites.setdefault(body, []).append(f'    <site name={quoteattr(name)} pos="{_text(point)}"/>')
        return name

    def spring(self, number: int, spring: Dict[str, Any]) -> str:
        ends = [self.site(f"spring{number}_{side}", spring[f"body_{side}"], spring[f"point_{side}"]) for side in "ab"]
        return (f'    <spatial name={quoteattr(spring["name"])} stiffness="{spring["stiffness"]!r}" '
                f'damping="{spring["damping"]!r}" springlength="{spring["rest"]!r}"><site site="{ends[0]}"/>'
                f'<site site="{ends[1]}"/></spatial>')

    def joint(self, joint: Dict[str, Any]) -> List[str]:
        name, kind = joint["name"], joint["type"]
        for what, is_there in (("friction", joint["friction"]), ("limits", joint["limits"] is not None), ("motor", joint["has_motor"]),
                               ("spring or damper", joint["has_spring"]), ("armature", joint["has_armature"]),
                               ("speed limits", joint["has_speed_limits"])):
            if is_there:
                self.left_out.append(f"{what} of joint '{name}': it is an equality constraint in MuJoCo, without a coordinate")
        if kind not in ("ball", "revolute", "fixed"):
            self.left_out.append(f"{kind} joint '{name}'")
            return []
        a, b = joint["body_a"], joint["body_b"]
        points = [(joint["point_a"], joint["point_b"])]
        if kind == "revolute":  # two points of the axis
            axis_a = self.axis_in(a, b, joint["axes_b"][:, 2])
            points.append((joint["point_a"] + 0.1 * axis_a, joint["point_b"] + 0.1 * joint["axes_b"][:, 2]))
        if kind == "fixed":
            ends = self.frames(name, joint)
            return [f'    <weld name={quoteattr(name)} site1="{ends[0]}" site2="{ends[1]}"/>']
        lines = []
        for i, (point_a, point_b) in enumerate(points):
            ends = [self.site(f"{name}_{i}a", a, point_a), self.site(f"{name}_{i}b", b, point_b)]
            lines.append(f'    <connect name="{name}_{i}" site1="{ends[0]}" site2="{ends[1]}"/>')
        return lines

    def axes(self, body: int) -> np.ndarray:
        return np.eye(3) if body < 0 else _matrix(self.bodies[body]["orientation"])

    def axis_in(self, a: int, b: int, axis_b: np.ndarray) -> np.ndarray:
        return self.axes(a).T @ self.axes(b) @ axis_b

    def frames(self, name: str, joint: Dict[str, Any]) -> List[str]:
        """Sites with the same world axes at the start."""
        ends = []
        for side in "ab":
            body = joint[f"body_{side}"]
            quaternion = _quaternion(self.axes(body).T)
            site = f"{name}_{side}"
            ends.append(site)
            self.sites.setdefault(body, []).append(
                f'    <site name={quoteattr(site)} pos="{_text(joint[f"point_{side}"])}" quat="{_text(quaternion)}"/>')
        return ends
