"""Runs what a document shows: its scenarios, command lines and lines of Python, in the order of the text.

    run_blocks.py PROGRAM DOCUMENT

In a scratch folder where `build/release/jostle`, `scenarios` and `examples` lead to PROGRAM and the project's folders,
    ```yaml     is saved if its first line is a comment with a file name ("# cube.yaml"), else left alone;
    ```sh       is run by bash, which must not fail. A line that ends in "# exits 2" must end with that status. Lines
                that install, configure or build are not run; the tool that they name must exist;
    ```output   must be among the lines that the last ```sh printed, in this order. "..." stands for anything;
    ```python   is run by this interpreter.
Exit status 77: everything else was right, but this Python lacks what the lines of Python import.
"""
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_RUN = ("tools/", "cmake ", "ctest ", "git ", "cd ", "ninja ", "pip ")
BLOCK = re.compile(r"^ *```(yaml|sh|output|python)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)  # also those in lists


def save_scenario(text, folder):
    name = re.match(r"# (\S+\.yaml)\n", text)
    if name:
        (folder / name[1]).write_text(text)


def run_shell(text, folder):
    script = []
    for line in text.splitlines():
        if line.startswith("tools/"):
            assert (ROOT / line.split()[0]).exists(), f"there is no {line.split()[0]}"
        if line.startswith(NOT_RUN):
            continue
        status = re.search(r"# exits (\d+)$", line)
        script.append(f"({line}\n) && s=0 || s=$?; test $s = {status[1]}" if status else line)
    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(script)], cwd=folder, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(ran.stdout, flush=True)
    ran.check_returncode()
    return ran.stdout


def check_output(text, printed):
    rest = iter(printed.splitlines())
    for line in text.splitlines():
        pattern = ".*".join(map(re.escape, line.split("...")))
        assert any(re.fullmatch(pattern, one) for one in rest), f"not printed, or not in this place: {line}"


def run_python(text, folder):
    modules = re.findall(r"^(?:import|from) ([\w.]+)", text, re.MULTILINE)
    needed = [module.split(".")[0] for module in modules]
    needed += ["h5netcdf"] if "xarray" in modules else []
    needed += ["gymnasium"] if "jostle.gym" in modules else []
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if not missing:
        subprocess.run([sys.executable, "-c", text], cwd=folder, check=True)
    return missing


def main(program, document):
    missing, count, printed = [], 0, ""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "build" / "release").mkdir(parents=True)
        (folder / "build" / "release" / "jostle").symlink_to(pathlib.Path(program).resolve())
        (folder / "scenarios").symlink_to(ROOT / "scenarios")
        (folder / "examples").symlink_to(ROOT / "examples")
        for language, text in BLOCK.findall((ROOT / document).read_text()):
            text = textwrap.dedent(text)
            print(f"--- {language}\n{text}", flush=True)
            count += 1
            if language == "yaml":
                save_scenario(text, folder)
            elif language == "sh":
                printed = run_shell(text, folder)
            elif language == "output":
                check_output(text, printed)
            else:
                missing += run_python(text, folder)
    assert count > 0, f"{document} shows nothing to run"
    if missing:
        print("skipped the lines of Python: no", ", ".join(sorted(set(missing))))
        sys.exit(77)


main(*sys.argv[1:])
