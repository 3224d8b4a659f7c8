"""Everything that the plans need in one archive, for a machine that has a GPU but not the packages to build."""
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile

from gpu.programs import ARCHIVE, TREE, commit_of_the_tree

PROGRAMS = ("jostle", "test_cuda", "benchmark", "functions_on_device")
DATA = ("scenarios/library", "tests/data/hard_lcps", "tools/gpu_check", "tools/gpu")
# Of the system or of the driver.
LEFT_OUT = re.compile(r"(libc|libm|libdl|librt|libpthread|libresolv|libstdc\+\+|libgcc_s|libcuda.*|ld-linux.*)\.so")
LARGEST_ARCHIVE = 45_000_000


class PackError(Exception):
    """Why there is no archive to carry, in words."""


def pack(programs, to, limit):
    """Writes the archive into the folder `to`, which with the working tree may have `limit` bytes."""
    import lzma  # not every Python has it, and only this plan needs it

    if programs.is_packed or not programs.path("jostle"):
        raise PackError(f"there is no jostle in {os.environ.get('BUILD', 'build/gpu')}: build it first")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        fill(folder, programs)
        to.mkdir(parents=True, exist_ok=True)
        archive = to / ARCHIVE
        # The kernels are in three of the programs; what is that far back is found again.
        filters = [{"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": 1 << 27}]
        with lzma.open(archive, "wb", filters=filters) as file, tarfile.open(fileobj=file, mode="w") as tar:
            for path in sorted(folder.iterdir()):
                tar.add(path, path.name)
    check_size(archive, limit)


def fill(folder, programs):
    (folder / "lib").mkdir()
    libraries = set()
    for name in PROGRAMS:
        path = programs.path(name)
        if not path:
            print(f"left out: {name}, which is not in {programs.folder}")
            continue
        libraries |= libraries_of(path)
        shutil.copy(path, folder / name)
        strip(folder / name)
    for library in sorted(libraries):
        copied = folder / "lib" / pathlib.Path(library).name
        shutil.copy(library, copied)
        strip(copied)
    for name in DATA:
        if (TREE / name).is_dir():
            shutil.copytree(TREE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TREE / name, folder / name)
    (folder / "commit").write_text(commit_of_the_tree() + "\n")


def libraries_of(program):
    """Those that a bare system lacks."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    if "siconos" in listed:
        raise PackError(f"{program} needs Siconos: configure with -DJOSTLE_BENCHMARK_PEER=OFF")
    if "not found" in listed:
        raise PackError(f"{program} lacks libraries here:\n{listed}")
    paths = re.findall(r"=> (/\S+)", listed)
    return {path for path in paths if not LEFT_OUT.match(pathlib.Path(path).name)}


def strip(path):
    """Of what the linker does not need."""
    subprocess.run(["strip", "--strip-unneeded", path], check=True)


def check_size(archive, limit):
    packed, tree = archive.stat().st_size, bytes_of_the_tree()
    print(f"{archive}: {packed / 1e6:.1f} MB; "
          f"with the working tree {(packed + tree) / 1e6:.1f} MB of {limit / 1e6:.0f}")
    if packed > LARGEST_ARCHIVE:
        raise PackError(f"the archive is larger than {LARGEST_ARCHIVE / 1e6:.0f} MB: build for fewer kinds of teams "
                        "or architectures")
    if packed + tree > limit:
        raise PackError(f"archive and working tree are larger than {limit / 1e6:.0f} MB")


def bytes_of_the_tree():
    """Of files that git tracks, and of those that it does not ignore."""
    listed = subprocess.run(["git", "-C", TREE, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, check=False)
    if listed.returncode != 0:
        raise PackError(f"git does not know the size of the working tree: {os.fsdecode(listed.stderr).strip()}")
    paths = [os.path.join(os.fsencode(TREE), name) for name in listed.stdout.split(b"\0") if name]
    return sum(os.lstat(path).st_size for path in paths if os.path.lexists(path))


def size(text):
    """64MB as 64,000,000."""
    number = re.fullmatch(r"(\d+)MB", text)
    if not number:
        raise ValueError(f"expected a size such as 64MB, not {text}")
    return int(number[1]) * 1_000_000
