"""A MuJoCo model as a scenario; needs the package mujoco, whose parser and defaults decide what a file means."""
from __future__ import annotations

import contextlib
import os
import re
import warnings
from typing import Any, Collection, Iterator, List, NamedTuple, Union

import numpy as np

from .. import _core
from .._errors import FileError, ScenarioError, UsageError
from .._names import suggestion
from .bodies import Bodies
from .contacts import Contacts
from .joints import Joints
from .model import Source, list_text


class MujocoImport(NamedTuple):
    """What `from_mujoco` returns: a scenario, and what became of the model.

    Fields:
        scenario: YAML, for `jostle.load` or a file.
        converted: what the scenario expresses in another way.
        ignored: what does not change motion, or cannot in rigid contact.
        left_out: what changes motion and was allowed to be left out.
    """

    scenario: str
    converted: List[str]
    ignored: List[str]
    left_out: List[str]


def from_mujoco(model: Any, *, allow: Collection[str] = (), key: Union[int, str, None] = None) -> MujocoImport:
    """The inverse of `to_mujoco`: a model of MuJoCo, compiled by it, as a scenario: bodies with masses, frames and inertia,
    shapes, pairs that touch with their friction, joints with all that they have, springs, gravity, step, initial state.

    Contacts, limits and equality constraints become rigid (no solref, no solimp). What `<option>` switches off is off here.
    A body without mass that is fixed on another is part of that one. Several joints of a body on the world become freedoms
    of the body where these allow the same motion, unless the shapes, as a floor, do not fit the plane that they leave.

    Args:
        model: path of an MJCF or URDF file, its text (a str that begins with "<"), or a `mujoco.MjModel`.
        allow: kinds that may be left out although they change motion, such as ["mesh"]; each message names its kind.
        key: number or name of the keyframe to start from; left out: the first one, if there is any.

    Raises:
        UsageError: something changes motion that the scenario cannot say (all of it is named); or what it says is refused.
        FileError: the file cannot be read. What MuJoCo's parser refuses is its ValueError.
    """
    for kind in allow:
        if kind not in KINDS:
            raise UsageError(f"allow: there is no kind '{kind}'" + suggestion(kind, KINDS))
    try:
        import mujoco
    except ImportError as error:
        raise ImportError("from_mujoco needs mujoco: pip install mujoco") from error
    with _warnings_of(mujoco) as messages:
        if isinstance(model, str) and model.lstrip().startswith("<"):
            model = mujoco.MjModel.from_xml_string(model)
        elif not isinstance(model, mujoco.MjModel):
            model = mujoco.MjModel.from_xml_path(_readable(os.fspath(model)))
        data = mujoco.MjData(model)
        frame = model.key(key).id if key is not None else 0 if model.nkey else None
        if frame is not None:
            mujoco.mj_resetDataKeyframe(model, data, frame)
        mujoco.mj_forward(model, data)
    for message in messages:
        warnings.warn(f"MuJoCo: {message}", stacklevel=2)
    _check_numbers(model, data)
    source = Source(mujoco, model, data)
    text = _text(source)
    problem = _problem_of(text)
    if re.search(r"\bplan(e|es|ar)\b", problem) and "freedom: [" in text:
        source = Source(mujoco, model, data)
        text = _text(source, f"as freedoms they keep the bodies in a plane, where {problem}")
        problem = _problem_of(text)
    refused = [f"{message} (allow=[{kind!r}])" for kind, message in source.refused if kind not in allow]
    if refused:
        raise UsageError("the model has what a scenario cannot say: " + "; ".join(refused))
    if not any(source.moves(body) for body in range(model.nbody)):
        problem = "none of its bodies moves"
    if problem:
        raise UsageError(f"the model makes no scenario: {problem}")
    return MujocoImport(text, source.converted, source.ignored, [message for _, message in source.refused])


KINDS = ("actuator", "adhesion", "armature", "ball", "damper", "ellipsoid", "equality", "flag", "flex", "freedom",
         "friction", "gravcomp", "hfield", "joints", "limits", "margin", "massless", "medium", "mesh", "mocap", "pairs",
         "plane", "plugin", "sdf", "spring", "surfacevel", "tendon")
"""Of what a scenario cannot say."""


def _readable(path: str) -> str:
    try:
        with open(path, "rb"):
            return path
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None


@contextlib.contextmanager
def _warnings_of(mujoco: Any) -> Iterator[List[str]]:
    """Takes what MuJoCo warns of, which else goes into a file in the user's folder."""
    messages: List[str] = []
    previous = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(messages.append)
    try:
        yield messages
    finally:
        mujoco.set_mju_user_warning(previous)


def _problem_of(text: str) -> str:
    """Why it is no scenario, such as freedoms that make a planar scene, in which the shapes do not fit: a floor that is the
    plane itself. Empty: it is one."""
    try:
        _core.Scenario.parse(text, "scenario", [], None)
    except ScenarioError as error:
        return str(error.message)
    return ""


def _check_numbers(model: Any, data: Any) -> None:
    """What MuJoCo reads although it is not finite."""
    start = {f"{name} at the start": getattr(data, name) for name in ("qpos", "qvel", "ctrl")}
    for what, numbers in {"gravity": model.opt.gravity, "the timestep": model.opt.timestep, **start}.items():
        if not np.all(np.isfinite(numbers)):
            raise UsageError(f"the model makes no scenario: {what} is not finite")


def _text(source: Source, no_freedoms: str = "") -> str:
    """The scenario; what it cannot say is refused. `no_freedoms`: why joints do not become freedoms."""
    _check_options(source)
    option = source.m.opt
    bodies = Bodies(source, no_freedoms)
    joints = Joints(source, bodies.freedoms)
    gravity = [0.0, 0.0, 0.0] if source.is_off("GRAVITY") else option.gravity
    lines = ["jostle: 1", "title: Imported from MuJoCo", "world:", f"  gravity: {list_text(gravity)}",
             f"  step: {option.timestep!r}", f"  duration: {1000 * option.timestep!r}", "bodies:", *bodies.lines()]
    for section, content in (("joints:", joints.lines()), ("springs:", joints.springs())):
        lines += [section, *content] if content else []
    lines += ["contacts:", *Contacts(source, bodies.touches, joints.tied).rules()]
    return "\n".join(lines) + "\n"


_APPLIED = ("CONSTRAINT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT", "SPRING", "DAMPER", "PASSIVE", "GRAVITY",
            "CLAMPCTRL", "FILTERPARENT", "ACTUATION", "OVERRIDE")
_OF_THE_SOLVER = ("WARMSTART", "REFSAFE", "SENSOR", "MIDPHASE", "EULERDAMP", "AUTORESET", "NATIVECCD", "ISLAND", "MULTICCD",
                  "ENERGY", "FWDINV", "INVDISCRETE", "DIAGEXACT", "SPECULATIVE")


def _check_options(source: Source) -> None:
    m, mj = source.m, source.mj
    has_passive_forces = not (source.is_off("SPRING") and source.is_off("DAMPER"))
    for name in ("wind", "density", "viscosity"):
        if has_passive_forces and np.any(getattr(m.opt, name)):
            source.refuse("medium", f"option {name}: jostle has no medium")
    if has_passive_forces and m.body_gravcomp.any():
        source.refuse("gravcomp", "compensation of gravity")
    for name in ("nflex", "nplugin"):
        if getattr(m, name, 0):
            source.refuse(name[1:], f"{name[1:]}s")
    if getattr(m, "nskin", 0):
        source.ignored.append("skins")
    _check_flags(source, m.opt.disableflags, mj.mjtDisableBit, "disable")
    _check_flags(source, m.opt.enableflags, mj.mjtEnableBit, "enable")
    source.ignored += ["solref and solimp: contacts, limits and equality constraints are rigid here",
                       f"integrator {mj.mjtIntegrator(m.opt.integrator).name}"]
    if m.nsensor:
        source.ignored.append(f"{m.nsensor} sensors")


def _check_flags(source: Source, flags: int, names: Any, word: str) -> None:
    for bit in (1 << k for k in range(31) if flags >> k & 1):
        found = [name[7:] for name, value in names.__members__.items() if int(value) == bit and name.startswith("mj")]
        name = found[0] if found else str(bit)
        if name in _OF_THE_SOLVER:
            source.ignored.append(f"flag {name.lower()}: {word}")
        elif name in _APPLIED:
            source.converted.append(f"flag {name.lower()}: {word}")
        else:
            source.refuse("flag", f"flag {name.lower()}: {word}")
