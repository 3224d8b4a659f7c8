"""The velocities that joints leave to the bodies at the start, docs/theory.md (53c)."""
from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

_BROKEN = 1e-9  # of the speeds in play: from there on velocities are removed
_REDUNDANT = 1e-10


def matrix_of(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def keep_what_joints_allow(bodies: List[Dict[str, Any]], joints: List[Dict[str, Any]]) -> None:
    """Removes the initial velocities that joints do not allow, as jostle's first step does. MuJoCo's mocap bodies have no
    velocity, hence those with prescribed motion have none here."""
    columns = _free_columns(bodies)
    rows = np.array([row for joint in joints for row in _equations(bodies, joint)]).reshape(-1, 6 * len(bodies))[:, columns]
    velocity = np.array([[*body["velocity"], *body["spin"]] for body in bodies]).reshape(-1)
    start = velocity[columns]
    in_play = np.abs(rows) @ np.abs(start)
    if not np.any(np.abs(rows @ start) > _BROKEN * in_play):
        return
    L = np.linalg.cholesky(_mass(bodies, joints)[np.ix_(columns, columns)])
    B = np.linalg.solve(L, rows.T).T
    length = np.linalg.norm(B, axis=1)
    B, error = B[length > 0] / length[length > 0, None], (rows @ start)[length > 0] / length[length > 0]
    velocity[columns] -= np.linalg.solve(L.T, np.linalg.lstsq(B, error, rcond=_REDUNDANT)[0])
    for body, its in zip(bodies, velocity.reshape(-1, 6)):
        body["velocity"], body["spin"] = its[:3], its[3:]


def _free_columns(bodies: List[Dict[str, Any]]) -> List[int]:
    words = ("x", "y", "z", "rx", "ry", "rz")
    return [6 * b + k for b, body in enumerate(bodies) if not body["fixed"] and not body["prescribed"]
            for k in range(6) if words[k] in body["freedom"]]


def _mass(bodies: List[Dict[str, Any]], joints: List[Dict[str, Any]]) -> np.ndarray:
    M = np.zeros((6 * len(bodies), 6 * len(bodies)))
    for b, body in enumerate(bodies):
        R = matrix_of(body["orientation"])
        M[6 * b:6 * b + 3, 6 * b:6 * b + 3] = body["mass"] * np.eye(3)
        M[6 * b + 3:6 * b + 6, 6 * b + 3:6 * b + 6] = R @ np.diag(body["inertia"]) @ R.T
    for joint in joints:
        if joint["armature"]:
            slides = joint["type"] == "prismatic"
            e = _axes(bodies, joint, "a")[:, 0 if slides else 2]
            row = _row(bodies, joint, e if slides else np.zeros(3), np.zeros(3) if slides else e)
            M += joint["armature"] * np.outer(row, row)
    return M


def _axes(bodies: List[Dict[str, Any]], joint: Dict[str, Any], side: str) -> np.ndarray:
    body = joint[f"body_{side}"]
    axes: np.ndarray = joint[f"axes_{side}"]
    return axes if body < 0 else matrix_of(bodies[body]["orientation"]) @ axes


def _point(bodies: List[Dict[str, Any]], joint: Dict[str, Any], side: str) -> np.ndarray:
    body = joint[f"body_{side}"]
    point: np.ndarray = joint[f"point_{side}"]
    return point if body < 0 else bodies[body]["position"] + matrix_of(bodies[body]["orientation"]) @ point


def _row(bodies: List[Dict[str, Any]], joint: Dict[str, Any], along: np.ndarray, about: np.ndarray) -> np.ndarray:
    """Of the speed of point b against a along a direction and of the turn of b against a about one, (36) and (37)."""
    row = np.zeros(6 * len(bodies))
    turns_with_a = joint["type"] == "prismatic"  # so that the point is that of b on both
    for side, sign in (("a", -1.0), ("b", 1.0)):
        body = joint[f"body_{side}"]
        if body >= 0:
            arm = _point(bodies, joint, "b" if turns_with_a else side) - bodies[body]["position"]
            row[6 * body:6 * body + 6] += sign * np.concatenate([along, np.cross(arm, along) + about])
    return row


def _equations(bodies: List[Dict[str, Any]], joint: Dict[str, Any]) -> List[np.ndarray]:
    """What a joint keeps at 0."""
    kind, none, world = joint["type"], np.zeros(3), list(np.eye(3))
    if kind == "distance":
        line = _point(bodies, joint, "b") - _point(bodies, joint, "a")
        return [_row(bodies, joint, line / np.linalg.norm(line), none)]
    e = _axes(bodies, joint, "a").T
    along, about = {"ball": (world, []), "revolute": (world, [e[0], e[1]]), "prismatic": ([e[1], e[2]], world),
                    "fixed": (world, world)}[kind]
    pairs: List[Tuple[np.ndarray, np.ndarray]] = [(d, none) for d in along] + [(none, d) for d in about]
    return [_row(bodies, joint, *pair) for pair in pairs]
