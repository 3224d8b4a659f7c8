"""An array of jobs on a Slurm of one node: one of them is warned, ends with status 75, is put into the queue again and
finishes. The dataset has the bytes of one process.

    slurm_test.py PROGRAM SCENARIO
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
COMMANDS = ("slurmctld", "slurmd", "munged", "sbatch", "unshare", "ip")
SAMPLES = "70000"


def own_network(folder, *command):
    node = pathlib.Path(__file__).parent / "slurm_node"
    return ["unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--mount-proc", str(node), str(folder), *command]


def files(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.parent.name != ".jobs"}


def sweep(program, scenario, out):
    return [program, "sweep", scenario, "-n", SAMPLES, "--set", "world.duration=0.01", "--set", "world.step=0.0001", "--threads", "1",
            "-o", str(out)]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def logs_of(folder, share):
    """The logs of the jobs that have this share, once they have written their first line."""
    return [log for log in (folder / "out" / ".jobs").glob("*") if f'"share":"{share}"' in log.read_text()]


def wait_for(condition, what, seconds=110):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"no {what} after {seconds} s"
        time.sleep(0.05)


def run_array(program, scenario, folder):
    line = " ".join(sweep(program, scenario, folder / "out"))
    ends = folder / "ends"
    ends.touch()
    # A busy controller may answer late: then requeue asks again.
    (folder / "job.sh").write_text(f"""#!/bin/bash
#SBATCH --array=1-2 --requeue --open-mode=append
srun {line} --shard auto
status=$?
echo "$SLURM_ARRAY_TASK_ID ends with $status" >> {ends}
[ $status -ne 75 ] || until scontrol requeue ${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID; do sleep 1; done
exit $status
""")
    job = run("sbatch", "--parsable", "--output", str(folder / "log.%a"), str(folder / "job.sh")).strip()
    # A signal before that may come before the program, and ends its step as it ends any other.
    wait_for(lambda: logs_of(folder, "1/2"), "job with the first share")
    run("scancel", "--signal=USR1", f"{job}_1")
    wait_for(lambda: {"1 ends with 0", "2 ends with 0"} <= set(ends.read_text().splitlines()), "end of both jobs")


def inside(program, scenario, folder):
    """Runs where Slurm does."""
    folder = pathlib.Path(folder)
    try:
        run_array(program, scenario, folder)
    except Exception:
        for log in (folder / "ends", folder / "log.1", folder / "slurm" / "log" / "slurmctld"):
            print(f"== {log.name}", log.read_text() if log.exists() else "none", sep="\n")
        raise


def main(program, scenario):
    missing = [name for name in COMMANDS if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        print("skipped: no", ", ".join(missing) or "right to make a network")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        command = own_network(folder / "slurm", sys.executable, __file__, program, scenario, str(folder))
        status = subprocess.run(command, timeout=300).returncode
        if status == SKIPPED:
            print("skipped: Slurm does not start here")
            sys.exit(SKIPPED)
        assert status == 0
        ends = (folder / "ends").read_text().splitlines()
        assert sorted(ends) == ["1 ends with 0", "1 ends with 75", "2 ends with 0"], ends
        log = (folder / "log.1").read_text()
        assert "--shard 1/2, from SLURM_ARRAY_TASK_ID=1" in log and "interrupted with" in log, log
        subprocess.run(sweep(program, scenario, folder / "one"), check=True, stdout=subprocess.DEVNULL)
        assert files(folder / "out") == files(folder / "one")


if len(sys.argv) == 4:
    inside(*sys.argv[1:])
else:
    main(*sys.argv[1:])
