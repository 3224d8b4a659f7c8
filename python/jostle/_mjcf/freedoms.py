"""Several joints of a body on the world as the freedoms of the body, where these allow the same motion."""
from __future__ import annotations

from typing import List, NamedTuple, Tuple

import numpy as np

from .model import AXES, Source

_BALL, _SLIDE, _HINGE = 1, 2, 3
CLOSE = 1e-9


class Freedoms(NamedTuple):
    words: Tuple[str, ...]
    """As `freedom` lists them; empty: `why_not` says why there are none."""
    why_not: str = ""


def freedoms(source: Source, body: int, centre: np.ndarray) -> Freedoms:
    """A freedom is along or about an axis of the world, and a turn is about the centre of mass (here in the axes of the
    body). So a hinge that is somewhere else is one only where the body can move freely across it, and a slide that turns
    with a hinge only where others let it move freely in the plane of the turn. A ball joint is three hinges at a point."""
    m, d, joints = source.m, source.d, source.joints(body)
    slides = [j for j in joints if m.jnt_type[j] == _SLIDE]
    hinges = [j for j in joints if m.jnt_type[j] == _HINGE]
    balls = [j for j in joints if m.jnt_type[j] == _BALL]
    if len(slides) + len(hinges) < len(joints) and (hinges or len(balls) > 1 or len(slides) + len(balls) < len(joints)):
        return Freedoms((), "one of them is neither a slide nor a hinge, nor a ball joint beside slides alone")
    along = _axes_within(d.xaxis[slides])
    if len(along) != len(slides):
        return Freedoms((), "the slides are not along axes of the world")
    words = tuple(AXES[k] for k in along)
    if not hinges + balls:
        return Freedoms(words)
    about = [0, 1, 2] if balls else _axes_within(d.xaxis[hinges])
    if not balls and (len(about) != len(hinges) or len(hinges) == 2):
        return Freedoms((), "the hinges are neither one about an axis of the world nor three")
    across = [k for k in range(3) if len(about) == 3 or k not in about]
    if not set(across) <= set(along):
        problem = _problem_of_place(source, centre, slides, hinges + balls)
        if problem:
            return Freedoms((), problem)
    if len(about) == 1 and any(abs(d.xquat[body][1 + k]) > CLOSE for k in across):
        only = AXES[about[0]]
        return Freedoms((), f"the body is turned about another axis than {only}, the only one that it can turn about")
    return Freedoms(words + tuple("r" + AXES[k] for k in about))


def _axes_within(directions: np.ndarray) -> List[int]:
    """Axes of the world that lie in what the directions span; as many as there are directions, if they are independent."""
    if len(directions) == 0:
        return []
    values, basis = np.linalg.svd(directions)[1:]
    basis = basis[:len(values)][values > 1e-6]
    outside = np.eye(3) - basis.T @ basis
    return [k for k in range(3) if np.linalg.norm(outside[k]) < CLOSE]


def _problem_of_place(source: Source, centre: np.ndarray, slides: List[int], hinges: List[int]) -> str:
    """Why turns about the hinges are none about a centre that the slides alone move; empty: they are."""
    m = source.m
    if np.linalg.norm(centre) > CLOSE:
        return "the body cannot move freely across its hinge, and its centre of mass is not its origin"
    for j in hinges:
        arm = m.jnt_pos[j] - centre
        is_ball = m.jnt_type[j] == _BALL
        off = np.linalg.norm(arm if is_ball or len(hinges) == 3 else np.cross(arm, m.jnt_axis[j]))
        if off > CLOSE:
            return f"{'ball' if is_ball else 'hinge'} '{source.label('joint', j)}' does not go through the centre of mass"
    for j in slides:
        turned = [h for h in hinges if h < j]
        across = [np.linalg.norm(np.cross(source.d.xaxis[h], source.d.xaxis[j])) for h in turned]
        if any(m.jnt_type[h] == _BALL or off > CLOSE for h, off in zip(turned, across)):
            return f"slide '{source.label('joint', j)}' turns with a hinge before it"
    return ""
