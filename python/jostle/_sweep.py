"""Sweeps: datasets in a folder, and what they say."""
from __future__ import annotations

import contextlib
import copyreg
import csv
import io
import json
import math
import os
import pathlib
import sys
import time
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _core
from ._errors import FileError, UsageError
from ._names import briefly, folder_path, html_table, sample_numbers, suggestion, thread_count, whole

Report = Callable[[int, int, float], Any]
"""Takes samples that are done, all, and seconds."""


class Rate(NamedTuple):
    """An estimate with its 95 % interval: the rate of a truth value, or of reaching a `first_time`; else a mean.

    Fields:
        value: the rate or mean; None if no sample has a value.
        lower, upper: the bounds of its 95 % interval.
        invalid: number of samples without a value: their status is not ok, or the outcome is undefined.
        count: number of samples with a value.
        is_rate: False for a mean.
    """

    value: Optional[float]
    lower: Optional[float]
    upper: Optional[float]
    invalid: int
    count: int
    is_rate: bool = True

    def __str__(self) -> str:
        if self.value is None:
            return f"no value, invalid {self.invalid}"
        text = _rate_text if self.is_rate else "{:.6g}".format
        if self.lower is None or self.upper is None:
            return f"{text(self.value)}, invalid {self.invalid}"
        return f"{text(self.value)} [{text(self.lower)}, {text(self.upper)}], invalid {self.invalid}"

    def __float__(self) -> float:
        return math.nan if self.value is None else self.value


def _rate_text(rate: float) -> str:
    """As `jostle sweep` prints it: four decimals, or two digits of what is nearer to 0 or 1."""
    least = min(rate, 1 - rate)
    return f"{rate:.{1 - math.floor(math.log10(least)) if 1e-15 < least < 1e-4 else 4}f}"


class Replay(NamedTuple):
    """The motion of one sample, simulated alone, with the bits of the sweep.

    Fields:
        sample: its number.
        time: (t,) s; entry 0 is the initial state.
        q: (t, body, 7) position of the origin x, y, z (m) and unit quaternion w, x, y, z, world, of all bodies, fixed ones
            included; NaN after a failure.
        v: (t, body, 6) velocity (m/s) and angular velocity (rad/s), world.
        bodies: names along the axis `body`.
        status: name of the status, "ok" unless the sample failed.
        steps: number of steps taken.
    """

    sample: int
    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    bodies: List[str]
    status: str
    steps: int

    def __repr__(self) -> str:
        return (f"<jostle.Replay of sample {self.sample}: {len(self.time):,} states of {', '.join(self.bodies)}; "
                f"{self.steps:,} steps, {self.status}>")

    @staticmethod
    def of(scenario: _core.Scenario, sample: int, stride: int) -> "Replay":
        """Simulates a sample; `Scenario.replay` and `Sample.replay` call it."""
        sample, stride = whole("sample", sample, 0), whole("stride", stride, 1, 2**31 - 1)
        q, v, steps, status = scenario.trajectory(sample, stride)
        entries = np.minimum(np.arange(len(q)) * stride, scenario.steps)
        return Replay(sample, entries * scenario.step, q, v, scenario.bodies, _core.status_name(status), steps)


class Sample:
    """One sample of a sweep: `id` is its number, `values` its row of the summary."""

    def __init__(self, scenario: _core.Scenario, number: int, values: Dict[str, float]):
        self._scenario, self.id, self.values = scenario, number, values

    def replay(self, stride: int = 1) -> Replay:
        """Simulates it again, alone, and returns its motion."""
        return Replay.of(self._scenario, self.id, stride)

    def __repr__(self) -> str:
        return f"<jostle.Sample {self.id}>"


class Samples(Sequence[Sample]):
    """Samples of a sweep, in the order of their numbers."""

    def __init__(self, scenario: _core.Scenario, columns: Dict[str, np.ndarray], rows: np.ndarray):
        self._scenario, self._columns, self._rows = scenario, columns, rows

    @property
    def ids(self) -> np.ndarray:
        """Their numbers."""
        numbers: np.ndarray = self._columns["sample"][self._rows]
        return numbers

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> "Samples": ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Sample, "Samples"]:
        if isinstance(index, slice):
            return Samples(self._scenario, self._columns, self._rows[index])
        row = self._rows[index]
        return Sample(self._scenario, int(self._columns["sample"][row]), {k: c[row].item() for k, c in self._columns.items()})

    def __reduce__(self) -> Tuple[Any, ...]:
        own = {name: values[self._rows] for name, values in self._columns.items()}
        return Samples, (self._scenario, own, np.arange(len(self)))

    def __repr__(self) -> str:
        return f"<jostle.Samples: {briefly(self.ids)}>"


class ShardRun(NamedTuple):
    """What a job that makes one of n shares of a sweep has done; `Scenario.run_shard` returns it.

    Fields:
        share: such as "3/200".
        simulated: number of samples that this job has simulated.
        kept: number of samples of its shards that were there already.
        invalid: number of samples of this share whose status is not ok.
        complete: whether all shares are there now, and this job has written run.h5 and the summaries.
        seconds: wall-clock time of the job.
    """

    share: str
    simulated: int
    kept: int
    invalid: int
    complete: bool
    seconds: float


class Sweep:
    """A finished sweep in its folder; `Scenario.sweep` makes it. `str(s)` is a table of its outcomes. What reads the
    folder raises FileError if a file is damaged, or the folder has another dataset by now, perhaps of more samples."""

    def __init__(self, scenario: _core.Scenario, folder: Union[str, "os.PathLike[str]"], seed: Optional[int] = None):
        self.folder = pathlib.Path(os.path.abspath(folder_path(folder)))
        self._summary = self._read_summary()
        self._scenario = scenario.with_sampling(seed, self.n)  # the samples of a Latin hypercube depend on n
        self._columns: Optional[Dict[str, np.ndarray]] = None

    @property
    def n(self) -> int:
        """Samples."""
        return int(self._summary["samples"])

    @property
    def statuses(self) -> Dict[str, int]:
        """Samples by the name of their status."""
        return dict(self._summary["statuses"])

    @property
    def outcomes(self) -> List[str]:
        """Names of the outcomes, in the order of the scenario."""
        return list(self._summary["outcomes"])

    def rate(self, outcome: str) -> Rate:
        """Rate of an outcome, or the mean of a number, with its 95 % interval as for independent samples."""
        if outcome not in self._summary["outcomes"]:
            raise KeyError(f"there is no outcome '{outcome}'" + suggestion(outcome, self.outcomes))
        found = self._summary["outcomes"][outcome]
        is_rate = "rate" in found
        return Rate(found["rate" if is_rate else "mean"], found["lower"], found["upper"], found["invalid"], found["count"], is_rate)

    @property
    def categories(self) -> Dict[str, Dict[str, Any]]:
        """Of each categorical outcome: `shares` with their simultaneous 95 % intervals, chi-square and its p, as in summary.json."""
        found: Dict[str, Dict[str, Any]] = json.loads(json.dumps(self._summary.get("categories", {})))
        return found

    def columns(self) -> Dict[str, np.ndarray]:
        """Copies of (n,) arrays by name, docs/layout.md: sample, variables, outcomes (1, 0, NaN undefined), status, ..."""
        return {name: values.copy() for name, values in self._kept_columns().items()}

    def _kept_columns(self) -> Dict[str, np.ndarray]:
        if self._columns is None:
            self._check_unchanged()
            path = self.folder / "summary.csv"
            try:
                self._columns = self._columns_of(path.read_text(encoding="utf-8"))
            except OSError as error:
                raise FileError(f"{path}: {error.strerror or error}") from None
            except (ValueError, csv.Error, OverflowError) as error:
                raise FileError(f"{path} is damaged: {error}; the same sweep writes it again") from None
        return self._columns

    def _columns_of(self, text: str) -> Dict[str, np.ndarray]:
        names, *table = csv.reader(io.StringIO(text)) if text.endswith("\n") else [[]]
        if names[:1] != ["sample"] or len(table) != self.n or any(len(row) != len(names) for row in table):
            raise ValueError(f"it does not have {self.n} whole rows")
        types = {"sample": "int64", **_core.summary_types()}  # of others, variables and outcomes: float64
        return {name: np.array(texts, dtype=types.get(name, "float64")) for name, texts in zip(names, zip(*table))}

    def _read_summary(self) -> Dict[str, Any]:
        return read_json(self.folder / "summary.json", _SUMMARY, "is the sweep complete?")

    def _check_unchanged(self) -> None:
        now = self._read_summary()
        if now != self._summary:
            raise FileError(f"{self.folder} has changed: this Sweep is of {self.n} samples, and there are "
                            f"{now['samples']} now; call sweep again")

    def frame(self) -> Any:
        """All samples as a pandas DataFrame, indexed by sample. Needs pandas."""
        import pandas
        return pandas.DataFrame(self.columns()).set_index("sample")

    def xarray(self, group: str = "summary") -> Any:
        """The dataset file as an xarray Dataset: "summary", or "trajectory" if there are any. Needs xarray and h5netcdf.
        "trajectory" has those that the scenario records and those that `record` has added, ordered by their samples."""
        import xarray
        self._check_unchanged()
        names = ["run.h5"]
        if group == "trajectory" and (self.folder / "trajectories.h5").exists():
            names.append("trajectories.h5")
        parts = [part for part in (_open_group(self.folder / name, group) for name in names) if part is not None]
        if not parts:
            raise FileError(f"{self.folder / 'run.h5'} has no group '{group}'")
        if group == "trajectory":  # the sweep may have had more samples when they were added
            parts = [part.isel(sample=slice(int(np.searchsorted(part["sample"].values, self.n)))) for part in parts]
        if len(parts) == 1:
            return parts[0]
        parts = [part for part in parts if part.sizes["sample"]] or parts[:1]
        with reading(self.folder):
            return xarray.concat(parts, dim="sample", data_vars="minimal").sortby("sample")

    def where(self, condition: str) -> Samples:
        """The samples for which a condition on the columns holds, such as ``"jam and $mu < 0.4"``: what `--where` of
        the program takes, an expression as in scenarios.

        Columns are named as they are, `bodies.rod.spin[2]` too, with or without a $; comparisons with NaN are false.
        """
        if not isinstance(condition, str):
            raise UsageError(f"a condition is a text such as 'mu < 0.4', not {condition!r}")
        try:
            condition.encode()
        except UnicodeEncodeError as error:
            raise UsageError(f"condition {condition!a}: {condition[error.start]!a} is half of a character") from None
        columns = self._kept_columns()
        truths = {name for name, found in self._summary["outcomes"].items() if found["kind"] == "truth"}
        table = [(name, name in truths, values.astype(np.float64)) for name, values in columns.items()]
        return Samples(self._scenario, columns, _core.rows_where(condition, table))

    def record(self, where: Optional[str] = None, max: int = 20, *,
               ids: Union[Sequence[int], np.ndarray, None] = None, device: str = "cpu", threads: int = 0) -> Samples:
        """Adds trajectories to the folder by simulating samples again, with the same bits; the dataset stays as it is.

        Args:
            where: a condition as in `where`; its first `max` samples are meant.
            ids: numbers of samples, in place of a condition.

        Returns:
            The samples that were asked for, all of which have a trajectory now: `xarray("trajectory")` has them. They are
            in FOLDER/trajectories.h5. The same call continues what Ctrl-C has interrupted.
        """
        if (where is None) == (ids is None):
            raise UsageError("give either where or ids, for example s.record(where='jam', max=20)")
        max, threads = whole("max", max, 1), thread_count(threads)
        columns = self._kept_columns()
        if where is not None:
            chosen = self.where(where)[:max]
        else:
            rows = np.unique(sample_numbers(ids))
            if rows.size and not (0 <= rows[0] and rows[-1] < self.n):
                raise UsageError(f"ids must be numbers of samples from 0 to {self.n - 1}")
            chosen = Samples(self._scenario, columns, rows)
        _core.record(self._scenario, os.fspath(self.folder), self.n, chosen.ids.tolist(), device, threads)
        return chosen

    def replay(self, sample: int, stride: int = 1) -> Replay:
        """Simulates one sample again, alone."""
        return Replay.of(self._scenario, sample, stride)

    def __str__(self) -> str:
        lines = [f"{self.n:,} samples in {self.folder}: " + ", ".join(f"{k} {v:,}" for k, v in self.statuses.items() if v)]
        return "\n".join(lines + [f"  {name:16} {self.rate(name)}" for name in self.outcomes])

    def _repr_html_(self) -> str:
        rates = [(name, self.rate(name)) for name in self.outcomes]
        rows = [[name, *("" if x is None else f"{x:.4g}" for x in rate[:3]), rate.invalid] for name, rate in rates]
        return html_table(str(self).split("\n")[0], ["outcome", "value", "lower", "upper", "invalid"], rows)

    def __reduce__(self) -> Tuple[Any, ...]:
        return Sweep, (self._scenario, self.folder)

    def __repr__(self) -> str:
        return f"<jostle.Sweep of {self.n} samples in '{self.folder}'>"


_NUMBER = (int, float, type(None))
_ESTIMATE = {"kind": str, "count": int, "invalid": int, "lower": _NUMBER, "upper": _NUMBER}
_OUTCOMES = {...: [{**_ESTIMATE, "mean": _NUMBER}, {**_ESTIMATE, "rate": _NUMBER}]}
_SUMMARY = {"outcomes": _OUTCOMES, "samples": int, "statuses": {...: int}}


def _lack(found: Any, needed: Any) -> Optional[str]:
    """The path of what is missing, or of another type, in what was read; None: nothing. `needed` is a type, a list of which
    one is enough, or a dict of what is needed for each key, where ... stands for every key."""
    if isinstance(needed, list):
        lacks = [_lack(found, one) for one in needed]
        return None if None in lacks else " or ".join(dict.fromkeys(filter(None, lacks)))
    if not isinstance(needed, dict):
        return None if isinstance(found, needed) else ""
    if not isinstance(found, dict):
        return ""
    for key in found if ... in needed else needed:
        lack = _lack(found[key], needed.get(key, needed.get(...))) if key in found else ""
        if lack is not None:
            return f"{key}.{lack}" if lack else key
    return None


def read_json(path: pathlib.Path, needed: Dict[Any, Any], question: str) -> Dict[str, Any]:
    """What jostle has written into a folder, with what is needed of it; `question` is asked where it has not."""
    try:
        found: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}; {question}") from None
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is damaged: {error}") from None
    lack = _lack(found, needed)
    if lack is not None:
        raise FileError(f"{path} is damaged: it does not have {lack or ', '.join(needed)}; {question}")
    return found


_DAMAGE = (AttributeError, KeyError, OSError, RuntimeError)
"""What h5py and h5netcdf raise for a damaged file."""


@contextlib.contextmanager
def reading(path: pathlib.Path) -> Iterator[None]:
    """Makes the errors of h5py a FileError."""
    try:
        yield
    except _DAMAGE as error:
        raise FileError(f"{path}: {error.args[0] if isinstance(error, KeyError) else error}") from None


def _open_group(path: pathlib.Path, group: str) -> Any:
    """A group as an xarray Dataset; None: the file has no such group."""
    import h5py
    import xarray
    with reading(path):
        with h5py.File(path) as file:
            if group not in file:
                return None
        return xarray.open_dataset(path, group=group, engine="h5netcdf")


def _again(text: str, file: str) -> _core.Scenario:
    return _core.Scenario.parse(text, file, [], None)


copyreg.pickle(_core.Scenario, lambda core: (_again, (core.canonical, core.file)))


@contextlib.contextmanager
def print_progress(progress: Union[bool, Report]) -> Iterator[Optional[Report]]:
    """The function that a sweep calls: none, your own, or one that prints a line to stderr."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    terminal = sys.stderr.isatty()
    last = [time.monotonic() - 1e9 if terminal else time.monotonic()]

    def report(done: int, total: int, seconds: float) -> None:
        now = time.monotonic()
        if now - last[0] < (0.2 if terminal else 10) and not (terminal and done == total):
            return
        last[0] = now
        text = f"{done:,} of {total:,} samples ({100 * done // total} %), {seconds:.0f} s"
        print("\r" + text + "\x1b[K" if terminal else text, end="" if terminal else "\n", file=sys.stderr, flush=True)

    try:
        yield report
    finally:
        if terminal:
            print(file=sys.stderr)
