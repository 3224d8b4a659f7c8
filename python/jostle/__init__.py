"""jostle: thousands to millions of small rigid-body contact systems at once, with exact contact and friction.

    import jostle as js

    sc = js.load("elbow.yaml")                 # a scenario; js.ScenarioError has file, line, column, hint
    b = sc.batch(n=10_000, seed=1)             # systems that you step
    b.q, b.v, b.status                         # live arrays (n, body, 7), (n, body, 6), (n,)
    b.body("elbow").force[:, 2] = 0.1          # named views: position orientation velocity spin force torque mass
    b["mu"] = 0.4                              # a variable of the scenario; what depends on it is updated
    b.step(10, where=b.status == 0)            # never raises for one system
    b.contacts.impulse_n                       # of batch(..., contacts=True): ragged, with splits, pair, point, mode
    b.joint("elbow").speed                     # angle position speed impulse motor_speed
    b.quantity("gap(a, b)")                    # of batch(..., quantities=["gap(a, b)"])
    b.failures()                               # id, step, status, reason
    with b.on_device() as d: d.step(); d.reset(mask)   # of device="cuda": systems and arrays stay in the GPU's memory
    snap = b.save(); b.restore(snap); b.reset(ids=[3, 17])

    s = sc.sweep("out", n=100_000, progress=True)   # a dataset in a folder; the same call resumes
    print(s.rate("lies"))                           # 0.8743 [0.8722, 0.8763], invalid 0
    sc.run_shard(3, 200, "out", 100_000)            # one of 200 shares, for a job on any machine
    s.frame(); s.xarray(); s.where("jam == 1")[0].replay()

    d = sc.generate("data", n=10_000)               # training data: states, contacts, impulses
    train, test = d.split(0.9)
    x, y = train.windows(history=5, horizon=1)[:64]

    js.solve_lcp(M, q)                         # your own LCPs: one, a stack, a list of mixed sizes; a stack on a GPU
    js.jacobian(sc, of=["rest_x"], wrt=["mu"]) # by differences, and whether contact modes stayed the same
    js.to_mujoco(sc, sample=7)                 # MJCF of what MuJoCo can express
    js.load(js.from_mujoco("arm.xml").scenario)

Units are SI: m, kg, s, N, rad. Quaternions are w, x, y, z. Sample i has the same bits in a batch, a sweep and a replay, with
any number of threads and on any machine. docs/python.md is a guide.
"""
from __future__ import annotations

from . import _cpu as _cpu  # first: says whether this processor will do
from . import _core
from ._batch import Batch, Failure as Failure
from ._contacts import Contacts as Contacts
from ._device import DeviceContacts as DeviceContacts
from ._device import OnDevice as OnDevice
from ._errors import DeviceError as DeviceError, FileError as FileError, ScenarioError as ScenarioError, UsageError as UsageError
from ._mjcf import MujocoImport as MujocoImport, from_mujoco
from ._jacobian import Jacobian as Jacobian, jacobian
from ._lcp import LCP_STATUSES as LCP_STATUSES, LcpSolution as LcpSolution, solve_lcp
from ._mujoco import MujocoModel as MujocoModel, to_mujoco
from ._scenario import Scenario, load
from ._snapshot import Snapshot as Snapshot
from ._sweep import Rate as Rate, Replay as Replay, Sample as Sample, Samples as Samples, ShardRun as ShardRun, Sweep
from ._training import TrainingData, Windows as Windows
from ._views import Body as Body, Joint as Joint

__version__: str = _core.__version__

results_version: int = _core.results_version
"""Raised when results change in any bit; datasets store it."""

commit: str = _core.commit
"""That the package was built from; empty: not from a git repository."""

STATUSES = {number: _core.status_name(number) for number in (*range(12), 255)}
"""Names of the numbers in `Batch.status`."""

# What help(jostle) shows; the others are what these return or raise, and have a help of their own.
__all__ = ["load", "Scenario", "Batch", "Sweep", "TrainingData", "solve_lcp", "jacobian", "to_mujoco", "from_mujoco", "STATUSES",
           "__version__", "results_version", "commit"]
