"""Training data: the folder of `Scenario.generate`, split and cut into windows. Needs h5py."""
from __future__ import annotations

import contextlib
import operator
import os
import pathlib
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._contacts import Contacts
from ._errors import FileError, UsageError
from ._names import briefly, folder_path, sample_numbers, suggestion, whole
from ._sweep import read_json, reading

_META = {"bodies": list, "groups": {...: {...: {"dimensions": str}}}, "pairs": list, "stride": int, "times": int}


def split_of(samples: np.ndarray) -> np.ndarray:
    """A hash of the numbers of samples, 0 to below 1: splitmix64, as in meta.json."""
    x = np.asarray(samples).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return ((x ^ x >> np.uint64(31)) >> np.uint64(11)) / 2.0**53


class Lcp(NamedTuple):
    """One linear complementarity problem: w = M z + q >= 0, z >= 0, z'w = 0."""

    time: int
    """Entry, along lcp/time."""
    M: np.ndarray
    """(n, n)"""
    q: np.ndarray
    """(n,)"""
    z: np.ndarray
    """(n,) its answer."""
    basis: np.ndarray
    """(n,) 1 where z > 0."""
    labels: Dict[str, np.ndarray]
    """By name, (n,) or (n, 3): problem piece stage kind contact pair feature joint direction."""


class TrainingData:
    """Some or all samples of a folder of training data; `Scenario.generate` makes it. Arrays are read when you ask for them.

    `len(d)` is the number of samples; `meta` what meta.json says; `ids` their numbers, by default all that are recorded.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"], ids: Union[Sequence[int], np.ndarray, None] = None):
        self.folder = pathlib.Path(os.path.abspath(folder_path(folder)))
        self.meta = read_json(self.folder / "meta.json", _META,
                              "is it a finished folder of jostle generate? (jostle sweep writes no meta.json)")
        self._ids: Optional[np.ndarray] = None if ids is None else sample_numbers(ids)
        if self._ids is not None:
            _places(self._recorded(), self._ids)
            self._ids.flags.writeable = False

    @property
    def ids(self) -> np.ndarray:
        """(n,) numbers of the samples, in the order of the rows of `read`; read only."""
        if self._ids is None:
            self._ids = self._recorded()
            self._ids.flags.writeable = False
        return self._ids

    def _recorded(self) -> np.ndarray:
        with self._open() as file:
            return file.samples("trajectory") if file.has("trajectory") else np.arange(0)

    @property
    def bodies(self) -> List[str]:
        """Names along the axis `body`: all bodies that are not fixed."""
        return list(self.meta["bodies"])

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<jostle.TrainingData of {len(self)} samples in '{self.folder}'>"

    def split(self, part: float = 0.9) -> Tuple["TrainingData", "TrainingData"]:
        """(training, test), `part` of the samples for training, by a hash of each number: a larger folder moves none of them."""
        if not 0 < part < 1:
            raise UsageError(f"part must be between 0 and 1, not {part}")
        is_training = split_of(self.ids) < part
        return TrainingData(self.folder, self.ids[is_training]), TrainingData(self.folder, self.ids[~is_training])

    def read(self, name: str) -> np.ndarray:
        """An array of these samples, such as "trajectory/q" (n, times, body, 7) or "step/impulse" (n, times, body, 6).

        A parameter that does not vary, such as "param/mass" (n, body), is the same in all rows, which share its memory. An
        axis, such as "trajectory/time" (times,), is returned as it is.

        Raises:
            KeyError: there is no such array, or a sample is not recorded.
            UsageError: its rows are contacts or LCPs, not samples.
        """
        group, _, field = name.partition("/")
        with self._open() as file:
            if not group or not field or not file.has(name):
                known = [f"{group}/{field}" for group, fields in self.meta["groups"].items() for field in fields]
                raise KeyError(f"there is no '{name}'" + suggestion(name, known))
            fields = self.meta["groups"].get(group, {})
            if field not in fields and field != "sample" and file.is_axis(name):
                return file.read(name)
            first = fields.get(field, {"dimensions": "sample"})["dimensions"].split(",")[0]
            if first == "1":
                values = file.read(name)
                return np.broadcast_to(values, (len(self.ids),) + values.shape[1:])
            if first != "sample":
                raise UsageError(f"the rows of '{name}' are not samples; {group}s(sample) has those of a sample")
            rows: np.ndarray = file.read(name)[file.rows(group, self.ids)]
            return rows

    def contacts(self, sample: int) -> Contacts:
        """All contacts of the sample with this number, if they are recorded (`record.contacts`); else a KeyError."""
        with self._open() as file:
            if not file.has("contact"):
                raise KeyError("this data has no contacts: generate it with contacts=True (record.contacts)")
            splits = file.read("contact/splits", file.row("contact", sample))
            rows = slice(int(splits[0]), int(splits[-1]))
            names = [name for name in self.meta["groups"]["contact"] if name != "splits"]
            fields = {name: file.read(f"contact/{name}", rows) for name in names}
        return Contacts(splits - splits[0], fields, self.meta["pairs"])

    def lcps(self, sample: int) -> List[Lcp]:
        """All LCPs of the sample with this number, if they are recorded (`record.lcp`); else a KeyError."""
        with self._open() as file:
            if not file.has("lcp"):
                raise KeyError("this data has no LCPs: generate it with record.lcp.every")
            place = file.row("lcp", sample)
            splits, numbers = file.read("lcp/splits", place), file.read("lcp/M_splits", place)
            rows = slice(int(splits[0]), int(splits[-1]))
            fields = {name: file.read(f"lcp/{name}", rows) for name in self.meta["groups"]["lcp"]
                      if name not in ("splits", "M_splits", "M")}
            matrices = file.read("lcp/M", slice(int(numbers[0]), int(numbers[-1])))
        found: List[Lcp] = []
        row = number = 0
        while row < len(fields["size"]):
            n = int(fields["size"][row])
            own = {name: values[row:row + n] for name, values in fields.items()}
            time = int(np.searchsorted(splits - splits[0], row, side="right")) - 1
            M = matrices[number:number + n * n].reshape(n, n)
            found.append(Lcp(time, M, own.pop("q"), own.pop("z"), own.pop("basis"), own))
            del own["size"]
            row, number = row + n, number + n * n
        return found

    def windows(self, history: int = 1, horizon: int = 1, bodies: Optional[Sequence[str]] = None, *,
                impulses: bool = False, in_memory: Optional[bool] = None) -> "Windows":
        """Pieces of all motions for a learner: `history` states in a row, and the `horizon` states that follow.

        Args:
            bodies: names; left out: all that have mass.
            impulses: also the contact impulses of the steps that end at those states.
            in_memory: whether the states of all samples are read once and kept; left out: if they take less than 1 GB.
        """
        history, horizon = whole("history", history, 1), whole("horizon", horizon, 1)
        if history + horizon > self.meta["times"]:
            raise UsageError(f"history and horizon together must be at most {self.meta['times']}, "
                             f"not {history} and {horizon}")
        return Windows(self, history, horizon, bodies, impulses, in_memory)

    @contextlib.contextmanager
    def _open(self) -> Iterator["_File"]:
        import h5py
        path = self.folder / "run.h5"
        with reading(path):
            file = h5py.File(path)
        with file:
            yield _File(path, file, self.meta["groups"])


class _File:
    """run.h5, in which damage is a FileError: a KeyError is about what was never recorded."""

    def __init__(self, path: pathlib.Path, file: Any, groups: Dict[str, Any]):
        self._path, self._file, self._groups = path, file, groups

    def has(self, name: str) -> bool:
        """Whether there is a group, or an array of one."""
        group, _, field = name.partition("/")
        with reading(self._path):
            if name in self._file:
                return True
        if group in self._groups and (not field or field in self._groups[group]):
            raise FileError(f"{self._path} is damaged: it does not have '{name}'")
        return False

    def read(self, name: str, rows: Any = slice(None)) -> np.ndarray:
        with reading(self._path):
            values: np.ndarray = self._file[name][rows]
            return values

    def is_axis(self, name: str) -> bool:
        with reading(self._path):
            return bool(self._file[name].is_scale)

    def dtype(self, name: str) -> np.dtype[Any]:
        with reading(self._path):
            found: np.dtype[Any] = self._file[name].dtype
            return found

    def samples(self, group: str) -> np.ndarray:
        """Those of which a group has arrays, in the order of their numbers."""
        numbers = self.read(f"{group}/sample")
        if (np.diff(numbers) <= 0).any():
            raise FileError(f"{self._path} is damaged: the samples of '{group}' are not in the order of their numbers")
        return numbers

    def rows(self, group: str, samples: np.ndarray) -> np.ndarray:
        """Rows of samples in the arrays of a group."""
        return _places(self.samples(group), samples)

    def row(self, group: str, sample: int) -> int:
        return int(self.rows(group, np.array([operator.index(sample)]))[0])


def _places(recorded: np.ndarray, samples: np.ndarray) -> np.ndarray:
    rows = np.searchsorted(recorded, samples)
    missing = (rows == len(recorded)) | (np.append(recorded, -1)[rows] != samples)
    if missing.any():
        raise KeyError(f"sample {samples[missing][0]} is not recorded (recorded: {briefly(recorded)})")
    return rows


class Windows(Sequence[Any]):
    """Pieces of motions. `w[i]`, `w[a:b]` and `w[indices]`, such as those of a shuffled batch, are (x, y): x (.., history,
    body, 13), y (.., horizon, body, 13); a state is x y z, w x y z, velocity and angular velocity. With impulses they are
    (x, y, p): p (.., horizon, body, 6) N s and N m s, the contact impulses on each body, world, of the step that ends at
    each state of y. Arrays of numpy, which torch and others take by DLPack. The states of a window are `stride` steps
    apart: where the stride does not divide the steps, the last recorded state, which comes sooner, is in no window.
    """

    def __init__(self, data: TrainingData, history: int, horizon: int, bodies: Optional[Sequence[str]],
                 impulses: bool = False, in_memory: Optional[bool] = None):
        self._data, self.history, self.horizon, self._impulses = data, history, horizon, impulses
        known = data.bodies
        if isinstance(bodies, str):
            raise UsageError(f"bodies is a list of names, such as [{bodies!r}], not a text")
        with data._open() as file:
            if bodies is None:
                mass = file.read("param/mass").max(axis=0) if file.has("param") else np.ones(len(known))
                bodies = [name for name, m in zip(known, mass) if m > 0]
            for name in bodies:
                if name not in known:
                    raise KeyError(f"there is no body '{name}'" + suggestion(name, known))
            if impulses and not file.has("step"):
                raise UsageError("this data has no impulses: generate it with contacts=True")
            times = data.meta["times"]
            self._rows = file.rows("trajectory", data.ids)
            entries = file.read("trajectory/valid_steps")[self._rows] // data.meta["stride"] + 1
            self._dtype = file.dtype("trajectory/q")
        self.bodies = list(bodies)
        self._columns = [known.index(name) for name in bodies]
        counts = np.maximum(entries - history - horizon + 1, 0)
        self._ends = np.cumsum(counts)
        self._counts = counts
        bytes_of_all = len(data) * times * len(self.bodies) * (19 if impulses else 13) * self._dtype.itemsize
        self._keeps = bytes_of_all < 1e9 if in_memory is None else in_memory
        self._states: Optional[np.ndarray] = None  # [sample, time, body, 13 or 19]

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __repr__(self) -> str:
        return f"<jostle.Windows: {len(self):,} of {self.history} states and the next {self.horizon}, of {', '.join(self.bodies)}>"

    def place(self, index: int) -> Tuple[int, int]:
        """(number of the sample, entry of its first state) of a window."""
        row, start = self._places(np.array([range(len(self))[index]]))
        return int(self._data.ids[row[0]]), int(start[0])

    def __getitem__(self, index: Any) -> Tuple[np.ndarray, ...]:
        one = isinstance(index, (int, np.integer))
        if one:
            index = [index]
        if isinstance(index, slice):
            indices = np.arange(*index.indices(len(self)))
        else:
            indices = np.asarray(index)
            if indices.size == 0:
                indices = indices.astype(np.int64)
            if indices.ndim != 1 or indices.dtype.kind not in "iu":
                raise TypeError("windows are indexed by a whole number, a slice or a list of whole numbers")
            places = indices.astype(np.int64)
            wraps = (places < 0) & (indices >= 0)  # an unsigned number beyond all windows
            outside = wraps | (places < -len(self)) | (places >= len(self))
            if outside.any():
                raise IndexError(f"there is no window {indices[outside][0]}, only {len(self)}")
            indices = np.where(places < 0, places + len(self), places)
        rows, starts = self._places(indices)
        samples, own = np.unique(rows, return_inverse=True)
        states = self._of(samples)
        if states is self._states:
            own = rows
        entries = starts[:, None] + np.arange(self.history + self.horizon)
        pieces = states[own.reshape(-1, 1), entries]
        x, y = pieces[:, :self.history, :, :13], pieces[:, self.history:, :, :13]
        parts = (x, y, pieces[:, self.history:, :, 13:]) if self._impulses else (x, y)
        return tuple(part[0] for part in parts) if one else parts

    def _places(self, indices: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """(row among the samples, entry of its first state) of windows."""
        rows = np.searchsorted(self._ends, indices, side="right")
        return rows, indices - (self._ends[rows] - self._counts[rows]) if len(rows) else indices

    def _of(self, rows: np.ndarray) -> np.ndarray:
        """States of some samples; of all, if they are kept."""
        if self._states is not None:
            return self._states
        if self._keeps:
            self._states = self._read(np.arange(len(self._data)))
            return self._states
        return self._read(rows)

    def _read(self, rows: np.ndarray) -> np.ndarray:
        names = ["trajectory/q", "trajectory/v"] + (["step/impulse"] if self._impulses else [])
        if len(rows) == 0:
            shape = (0, self._data.meta["times"], len(self._columns), 19 if self._impulses else 13)
            return np.empty(shape, dtype=self._dtype)
        samples, own = self._rows[rows], None  # rows in the file
        if (np.diff(samples) <= 0).any():
            samples, own = np.unique(samples, return_inverse=True)
        runs = np.split(samples, np.flatnonzero(np.diff(samples) > 64) + 1)  # each is read in one go
        with self._data._open() as file:
            parts = [np.concatenate([file.read(name, slice(run[0], run[-1] + 1))[run - run[0]][:, :, self._columns]
                                     for run in runs]) for name in names]
        states = np.concatenate(parts, axis=-1)
        return states if own is None else states[own]
