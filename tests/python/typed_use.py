"""What a type checker has to accept, with no more than a user's annotations: test_typing.py runs mypy --strict on it."""
import types
from typing import Dict, List, Optional

import numpy as np

import jostle as js


def lcps(M: np.ndarray, q: np.ndarray) -> np.ndarray:
    one = js.solve_lcp([[2, 1], [1, 2]], [-5, -6])
    stack = js.solve_lcp(M, q, basis=one.basis)
    mixed: List[js.LcpSolution] = js.solve_lcp([M[0], M[1]], [q[0], q[1]])
    ray: Optional[np.ndarray] = one.ray
    total: np.ndarray = one.z + one.w + mixed[0].z + stack.z[0]
    return total if ray is None else ray


def batch(path: str) -> float:
    sc: js.Scenario = js.load(path, set={"world.step": 0.001}, seed=3)
    sc = js.load(types.MappingProxyType({"jostle": 1}))
    b: js.Batch = sc.batch(n=10, quantities=["energy"], contacts=True)
    b.body("rod").force[:, 1] = 2.0
    b["mu"] = 0.5
    taken: int = b.step(10, where=b.status == 0)
    reasons: List[str] = [failure.reason for failure in b.failures()]
    rows: np.ndarray = b.contacts.impulse_n
    snapshot = b.save()
    b.restore(snapshot)
    few: js.Batch = sc.batch(ids=np.array([3, 17]))
    few = sc.batch(ids=range(len(few)))
    return float(b.q[0, 0, 0] + b.v.sum() + b.quantity("energy")[0] + taken + len(reasons) + rows.size)


def sweep(sc: js.Scenario, folder: str) -> Dict[str, float]:
    s: js.Sweep = sc.sweep(folder, n=100, progress=True)
    rate: js.Rate = s.rate("lies")
    first = s.where("mu < 0.5")[0]
    motion: js.Replay = first.replay()
    s.record(ids=np.array([3]))
    s.frame().mean(), s.xarray().sizes
    chosen: int = len(s.where("mu < 0.5")[:3])
    windows: js.Windows = js.TrainingData(folder).split(0.9)[0].windows(history=2)
    j: js.Jacobian = js.jacobian(sc, of=["rest_x"], wrt=["mu"])
    return {"rate": float(rate), "x": float(motion.q[-1, 0, 0]), "chosen": chosen, "n": len(windows), "j": float(j.jacobian[0, 0])}
