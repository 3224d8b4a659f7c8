"""Where the programs are, how they are called, and what they say of the GPU."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

from gpu import items

ARCHIVE = "gpu_check.tar.xz"
TREE = pathlib.Path(__file__).resolve().parents[2]


class Programs:
    """Programs in `folder`; what they read lies in `root`. An archive brings both, with `commit` and `lib`."""

    def __init__(self, folder, root):
        self.folder, self.root = folder, root

    @property
    def is_packed(self):
        return (self.folder / "commit").exists()

    def path(self, name):
        """Of a program; None if it is not there."""
        for path in (self.folder / name, self.folder / "tests" / "cuda" / name):
            if os.access(path, os.X_OK):
                return path
        return None

    def words(self, name, *more):
        """A command line. Libraries that were packed are for our programs alone: ncu and others have their own."""
        library_path = ["env", f"LD_LIBRARY_PATH={self.folder / 'lib'}"] if self.is_packed else []
        return [*library_path, str(self.path(name) or self.folder / name), *map(str, more)]

    def commit(self):
        if self.is_packed:
            return (self.folder / "commit").read_text().strip()
        return commit_of_the_tree()


def commit_of_the_tree():
    """Such as 1a2b3c4, or 1a2b3c4-changed with changes that are not committed."""
    def git(*words):
        return subprocess.run(["git", "-C", TREE, *words], capture_output=True, text=True, check=True).stdout.strip()
    try:
        return git("rev-parse", "--short", "HEAD") + ("-changed" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def find_programs():
    """In BUILD, or else build/gpu, or else build/carried, where an archive is unpacked first. If this script comes from
    an archive itself, they lie beside it."""
    if (TREE / "commit").exists():
        return Programs(TREE, TREE)
    named = os.environ.get("BUILD")
    folder = pathlib.Path(named).resolve() if named else TREE / "build" / "gpu"
    carried = TREE / "build" / "carried"
    if not named and not (folder / "jostle").exists() and (carried / ARCHIVE).exists():
        folder = carried
    if (folder / ARCHIVE).exists():
        unpacked = unpack(folder / ARCHIVE)
        return Programs(unpacked, unpacked)
    return Programs(folder, TREE)


def unpack(archive):
    """Into `unpacked` beside the archive, unless that was done with this one."""
    folder = archive.parent / "unpacked"
    mark, this = folder / "archive", f"{archive.stat().st_size} {archive.stat().st_mtime_ns}"
    if not mark.exists() or mark.read_text() != this:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            with tarfile.open(archive, "r:xz") as tar:
                tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        except tarfile.CompressionError:  # this Python is built without lzma
            subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)
        mark.write_text(this)
    return folder


class NoGpu(Exception):
    """Why there is none to check, in words."""


class Gpu:
    def __init__(self, name, team_kinds):
        self.name, self.team_kinds = name, team_kinds

    def file_name(self):
        return re.sub(r"[^A-Za-z0-9.-]+", "_", self.name)


def find_gpu(programs, device):
    """What `jostle info` says of a device. Throws NoGpu."""
    if not programs.path("jostle"):
        raise NoGpu(f"there is no {programs.folder / 'jostle'}: see the plans build and pack")
    answer = items.execute("info", programs.words("jostle", "info", "--json"), 60)
    if not answer.is_ok:
        raise NoGpu(f"{programs.folder / 'jostle'} info: {answer.why}")
    info = json.loads(answer.out)
    if not info["build"]["cuda"]:
        raise NoGpu(f"{programs.folder / 'jostle'} is built without CUDA")
    found = {one["name"]: one for one in info["devices"] if "gpu" in one}
    if device not in found:
        raise NoGpu(f"{programs.folder / 'jostle'} sees no {device}; it sees {', '.join(found) or 'no GPU at all'}")
    gpu = found[device]
    if not gpu["team_kinds"]:
        why = gpu.get("error", "there is no code for it")
        raise NoGpu(f"{device}, {gpu['gpu']}, runs no kernel of this build: {why}")
    return Gpu(gpu["gpu"], gpu["team_kinds"])
