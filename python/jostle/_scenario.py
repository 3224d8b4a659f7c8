"""Scenarios: read, sampled, stepped, swept."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._batch import Batch
from ._errors import ScenarioError, UsageError
from ._names import folder_path, html_table, sample_numbers, thread_count, truth, whole
from ._sweep import Replay, ShardRun, Sweep, print_progress
from ._training import TrainingData

Settings = Union[Mapping[str, Any], Sequence[str], None]


def load(source: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, set: Settings = None, seed: Optional[int] = None) -> "Scenario":
    """Reads a scenario.

    Args:
        source: path of a YAML file, or its text: a str with a line break is a text; or a dict (or mapping) of what it says.
        set: values that replace those of the file, as ``{"world.step": 0.001, "bodies.rod.spin[2]": 4}`` or
            ``["world.step=0.001"]``. None removes a key. A text in the dict is a text of the file: quoted, not YAML.
        seed: replaces `sample.seed`; 0 or more.

    Raises:
        ScenarioError: the file cannot be read, or is wrong in every sample; has file, line, column and hint.
    """
    settings = _settings(set)
    seed = _seed(seed)
    text: Optional[str] = None
    if isinstance(source, Mapping):
        file, text = "<dict>", as_json(source, 1)
    elif isinstance(source, str) and "\n" in source:
        file, text = "<text>", source
    else:
        file = os.fsdecode(source)
        if not file:
            raise UsageError("load needs the path of a file, the text of a scenario, or a dict, not an empty text")
    _check_characters(file if text is None else text, file)
    place = _absolute(file)
    try:
        if text is None:
            core = _core.Scenario.read(place, settings, seed)
        else:
            core = _core.Scenario.parse(text, place, settings, seed)
        core.check()
    except ScenarioError as error:
        shown, name = str(error).replace(place, file), error.file.replace(place, file)
        raise ScenarioError(shown, name, error.line, error.column) from None
    return Scenario(core, file, _paths_of_record(settings))


class Scenario:
    """A scenario that has been read and checked; `jostle.load` makes it.

    Sample i depends on (scenario, seed, i) alone: it has the same bits in a batch, a sweep or a replay, on any machine
    (in a Latin hypercube also on how many there are: n of a batch or sweep, else `sample.count`).
    """

    def __init__(self, core: _core.Scenario, file: str, record: Sequence[str] = ()):
        self._core, self._file = core, file
        self._record = list(record)  # paths that `load` has set of it: training data leave these as they are

    def _with_seed(self, seed: int) -> "Scenario":
        return Scenario(_core.Scenario.parse(self.text, self._core.file, [], seed), self.file, self._record)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _unpickled, (self.text, self._core.file, self.file, self._record)

    @property
    def title(self) -> str:
        """As in the file; may be empty."""
        return self._core.title

    @property
    def file(self) -> str:
        """As given to `load`; "<text>" for a text, "<dict>" for a dict."""
        return self._file

    @property
    def text(self) -> str:
        """The scenario as YAML with all defaults and with what you have set: the canonical form."""
        return self._core.canonical

    @property
    def step(self) -> float:
        """Length of a time step, s."""
        return self._core.step

    @property
    def steps(self) -> int:
        """Steps of a sample from start to end."""
        return self._core.steps

    @property
    def variables(self) -> List[str]:
        """Names of the random numbers: `variables`, and distributions written in place by their path."""
        return self._core.variables

    @property
    def outcomes(self) -> List[str]:
        """Names of the outcomes, in the order of the file."""
        return self._core.outcomes

    @property
    def bodies(self) -> List[str]:
        """All bodies in the order of the file, fixed ones included."""
        return self._core.bodies

    @property
    def joints(self) -> List[str]:
        """All joints in the order of the file."""
        return [name for name, _, _ in self._core.joints]

    @property
    def seed(self) -> int:
        """Of the samples; `load` and `batch` may give another one."""
        return self._core.seed

    def __repr__(self) -> str:
        return f"<jostle.Scenario {self.title or self.file!r}: bodies {', '.join(self.bodies)}; {self.steps} steps of {self.step:g} s>"

    def _repr_html_(self) -> str:
        rows = [("bodies", self.bodies), ("variables", self.variables), ("outcomes", self.outcomes)]
        rows += [("steps", [f"{self.steps} of {self.step:g} s"])]
        return html_table(self.title or self.file, ["", ""], [[name, ", ".join(items) or "none"] for name, items in rows])

    def draw(self, sample: int) -> Dict[str, float]:
        """Values of the variables in a sample; of a Latin hypercube one of its `sample.count` samples."""
        return dict(zip(self.variables, self._core.draw(whole("sample", sample, 0))))

    def batch(self, n: Optional[int] = None, seed: Optional[int] = None, device: str = "cpu", *,
              ids: Union[Sequence[int], np.ndarray, None] = None, threads: int = 0, contacts: bool = False,
              quantities: Sequence[str] = (), modes: bool = False) -> Batch:
        """Systems that you step: samples 0 .. n - 1, or those with the numbers `ids`, in their initial state.

        Args:
            n: number of systems; left out with `ids`.
            seed: replaces the seed of the scenario.
            device: "cpu", "cuda", "cuda:1" or "auto"; "emulated" is a mock of a GPU, for tests. The arrays lie in the memory
                of the host in any case; `Batch.on_device` gives arrays in that of the GPU.
            ids: numbers of samples, in any order; of a Latin hypercube those of its `sample.count`, not of n.
            threads: at most 1,024; 0 for one per processor.
            contacts: keep the contacts of each system's last step, for `Batch.contacts` and `Batch.impulse`.
            quantities: expressions such as "gap(a, b)" or "elbow.speed^2", for `Batch.quantity`.
            modes: follow the contact modes of all steps, for `Batch.modes_digest`; implies contacts, one step at a time.
        """
        if (n is None) == (ids is None):
            raise UsageError("give either n or ids, for example sc.batch(n=1000) or sc.batch(ids=[3, 17])")
        seed = _seed(seed)
        n = None if n is None else whole("n", n, 1)
        if n is not None and n > 10**6:
            self._core.check_room(n)  # before the numbers of the samples fill the memory
        numbers = sample_numbers(ids) if n is None else np.arange(n)
        if numbers.size and numbers.min() < 0:
            raise UsageError(f"there is no sample {numbers.min()}, the first is 0")
        modes = truth("modes", modes)
        core, contacts, quantities = self._core, truth("contacts", contacts) or modes, _expressions(quantities)
        if contacts or quantities:
            record = {"trajectories": "all", "contacts": contacts, "quantities": quantities}
            core = _recording(core, _settings({"record": record}), "quantities", live=True)
        made = _core.Batch.make(core, numbers, seed, device, thread_count(threads), ids is None)
        return Batch(core, made, numbers, quantities, modes, contacts)

    def sweep(self, folder: Union[str, "os.PathLike[str]"], n: Optional[int] = None, *, seed: Optional[int] = None,
              device: str = "cpu", threads: int = 0,
              progress: Union[bool, Callable[[int, int, float], Any]] = False) -> Sweep:
        """A Monte Carlo sweep of samples 0 .. n - 1 into a folder: the dataset that `jostle sweep` makes, with the same bits.

        Only what is missing is simulated: the same call resumes, a larger n extends. Ctrl-C leaves the folder resumable.

        Args:
            n: number of samples; left out: `sample.count` of the scenario, or all rows of its table.
            progress: True prints a line to stderr now and then; a function is called with (done, total, seconds).

        Raises:
            UsageError: the folder holds another dataset; the message shows the difference.
            FileError: it cannot be written.
        """
        n, seed, threads = self._samples("n", n), _seed(seed), thread_count(threads)
        with print_progress(progress) as report:
            _core.sweep(self._core, folder_path(folder), n, seed, device, threads, report)
        return Sweep(self._core, folder, seed)

    def run_shard(self, k: int, n: int, out: Union[str, "os.PathLike[str]"], samples: Optional[int] = None, *,
                  seed: Optional[int] = None, device: str = "cpu", threads: int = 1,
                  scratch: Union[str, "os.PathLike[str]"] = "") -> ShardRun:
        """Share k of n, 1 to n, of the sweep that `sweep(out, samples)` makes: `jostle sweep --shard k/n`.

        For executors such as those of Dask, Ray or `concurrent.futures`: scenarios and results can be pickled. Jobs of
        different shares run at the same time on any machines that share the folder. The one that finds all shares there
        writes run.h5 and the summaries; the bytes are those of one process.

        Args:
            samples: of the whole sweep; left out: `sample.count` of the scenario, or all rows of its table.
            threads: of this job, at most 1,024; 0 for one per processor.
            scratch: a folder on a disk of this machine, where shards are written before they are copied.
        """
        n = whole("n", n, 1)
        k = whole("k", k, 1, n)
        samples, seed, threads = self._samples("samples", samples), _seed(seed), thread_count(threads)
        made = _core.sweep(self._core, folder_path(out), samples, seed, device, threads, None, False, (k, n),
                           folder_path(scratch))
        return ShardRun(f"{k}/{n}", made["simulated"], made["kept"], made["invalid"], made["end"] == "complete", made["seconds"])

    def _samples(self, name: str, n: Optional[int]) -> int:
        """The number that was given, or that of the scenario."""
        n = self._core.own_count() if n is None else n
        if n is None:
            raise UsageError(f"how many samples? Give {name}, or sample.count in the scenario")
        return whole(name, n, 1)

    def generate(self, folder: Union[str, "os.PathLike[str]"], n: Optional[int] = None, *, contacts: Optional[bool] = None,
                 lcp_every: Optional[int] = None, dtype: Optional[str] = None, stride: Optional[int] = None,
                 quantities: Optional[Sequence[str]] = None, seed: Optional[int] = None, threads: int = 0,
                 progress: Union[bool, Callable[[int, int, float], Any]] = False) -> TrainingData:
        """Training data of samples 0 .. n - 1 in a folder: what `jostle generate` makes. The same call resumes. Left out, an
        argument is as in `record` of the scenario; but contacts, f4 and all samples are recorded unless `load` sets these.

        Args:
            contacts: also parameters, steps and contacts with their impulses and modes (docs/layout.md).
            lcp_every: steps from one recorded LCP to the next; 0: none is. `TrainingData.lcps` reads them.
            dtype: of the numbers in records, "f4" or "f8".
            stride: steps from one recorded state to the next.
            quantities: also stored, such as ["cube.kinetic_energy"].
        """
        threads = thread_count(threads)
        lcp_every = None if lcp_every is None else whole("lcp_every", lcp_every, 0)
        given = {"contacts": None if contacts is None else truth("contacts", contacts), "dtype": dtype, "stride": stride,
                 "quantities": None if quantities is None else _expressions(quantities),
                 "lcp": {"every": lcp_every} if lcp_every else None}
        chosen = _settings({f"record.{key}": value for key, value in given.items() if value is not None})
        if lcp_every is not None and not lcp_every:
            chosen += ["record.lcp.every=1", "record.lcp=null"]  # only what is there can be removed
        core = _recording(self._core, [*self._training_records(), *chosen], "generate")
        n = self._samples("n", n)
        with print_progress(progress) as report:
            _core.sweep(core, folder_path(folder), n, _seed(seed), "cpu", threads, report, True)
        return TrainingData(folder)

    def _training_records(self) -> List[str]:
        """What training data record by themselves, but for what `load` has set."""
        def is_set(path: str) -> bool:
            return any(own in ("record", path) or own.startswith((path + ".", path + "[")) for own in self._record)
        return [setting for setting in _core.training_records() if not is_set(_path(setting))]

    def replay(self, sample: int, stride: int = 1) -> Replay:
        """Simulates one sample alone and returns its motion; of a Latin hypercube one of its `sample.count` samples."""
        return Replay.of(self._core, sample, stride)


def _recording(core: _core.Scenario, settings: List[str], place: str, live: bool = False) -> _core.Scenario:
    """The scenario with settings of `record` that the arguments of a call stand for: messages name the arguments."""
    try:
        return _core.Scenario.parse(core.canonical, core.file, settings, None, live)
    except ScenarioError as error:
        text = error.message.replace("record.lcp.every", "lcp_every", 1).replace("record.", "", 1)
        raise ScenarioError(text, place) from None


def _unpickled(text: str, place: str, file: str, record: Sequence[str] = ()) -> Scenario:
    return Scenario(_core.Scenario.parse(text, place, [], None), file, record)


def _path(setting: str) -> str:
    return setting.partition("=")[0].strip()


def _paths_of_record(settings: Sequence[str]) -> List[str]:
    paths = [path.replace("record.samples", "record.trajectories", 1) for path in map(_path, settings)]  # the same key
    return [path for path in paths if path == "record" or path.startswith("record.")]


def _absolute(file: str) -> str:
    """A table lies beside the file, wherever the current folder is later, and in another process."""
    try:
        return os.path.join(os.getcwd(), file)
    except FileNotFoundError:  # the current folder has been deleted
        return file


def _seed(seed: Optional[int]) -> Optional[int]:
    return None if seed is None else whole("seed", seed, 0, 2**64 - 1)


def _expressions(quantities: Sequence[str]) -> List[str]:
    if isinstance(quantities, Iterable) and not isinstance(quantities, str):
        texts = list(quantities)
        if all(isinstance(text, str) for text in texts):
            return texts
    raise UsageError(f"quantities is a list of expressions, such as ['cube.kinetic_energy'], not {quantities!r}")


def as_json(value: Any, indent: Optional[int] = None) -> str:
    """A value in JSON that is YAML, too: no character is written as two halves, and DEL not as it is."""
    return json.dumps(value, indent=indent, ensure_ascii=False, default=_plain).replace("\x7f", "\\u007f")


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy, mappings and paths, as json has them."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise UsageError(f"a scenario has numbers, texts, lists and dicts, not {value!r}")


def _settings(set: Settings) -> List[str]:
    if set is None:
        return []
    if isinstance(set, Mapping):
        settings = [f"{path}={as_json(value)}" for path, value in set.items()]
    else:
        settings = [set] if isinstance(set, str) else [str(item) for item in set]
    for setting in settings:
        _check_characters(setting, f"set {setting}")
    return settings


def _check_characters(text: str, name: str) -> None:
    """Half of a surrogate pair, which UTF-8 cannot have, is a mistake in this text, which messages call `name`; and so is
    the character 0, at which the message of the reader would end."""
    if "\0" in text and name not in ("<dict>", "<text>"):  # of which the reader says that they are no text
        shown = name.replace("\0", "\\0")
        raise ScenarioError(f"{shown}: there is a character 0", shown)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        at, shown = error.start, name.encode(errors="backslashreplace").decode()
        line = text.count("\n", 0, at) + 1 if name in ("<dict>", "<text>") else 0
        column = at - text.rfind("\n", 0, at) if line else 0
        place = f"{shown}:{line}:{column}" if line else shown
        raise ScenarioError(f"{place}: {text[at]!a} is half of a character", shown, line, column) from None
