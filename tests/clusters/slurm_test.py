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
    return [program, "sweep", scenario, "-n", SAMPLES, "--set", "world.duration=0.01", "--set", "world.step=0.00025", "--threads", "1",
            "-o", str(out)]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def inside(program, scenario, folder):
    """Runs where Slurm does."""
    folder = pathlib.Path(folder)
    line = " ".join(sweep(program, scenario, folder / "out"))
    (folder / "job.sh").write_text(f"""#!/bin/bash
#SBATCH --array=1-2 --requeue --open-mode=append
echo "$SLURM_ARRAY_TASK_ID starts" >> {folder}/starts
srun {line} --shard auto
status=$?
echo "$SLURM_ARRAY_TASK_ID ends with $status" >> {folder}/ends
[ $status -ne 75 ] || scontrol requeue ${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID
exit $status
""")
    job = run("sbatch", "--parsable", "--output", str(folder / "log.%a"), str(folder / "job.sh")).strip()
    while not list((folder / "out" / ".jobs").glob("*")):
        time.sleep(0.05)
    run("scancel", "--signal=USR1", f"{job}_1")
    end = time.monotonic() + 120
    while run("squeue", "-h", "-j", job).strip() and time.monotonic() < end:
        # A requeued job waits two minutes, unless it is told to start.
        subprocess.run(["scontrol", "update", f"JobId={job}_1", "StartTime=now"], capture_output=True)
        time.sleep(0.5)
    print(run("cat", str(folder / "ends")))


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
        assert ends.count("1 ends with 75") == 1, ends
        assert sorted(line for line in ends if not line.endswith("75")) == ["1 ends with 0", "2 ends with 0"], ends
        log = (folder / "log.1").read_text()
        assert "--shard 1/2, from SLURM_ARRAY_TASK_ID=1" in log and "interrupted with" in log, log
        subprocess.run(sweep(program, scenario, folder / "one"), check=True, stdout=subprocess.DEVNULL)
        assert files(folder / "out") == files(folder / "one")


if len(sys.argv) == 4:
    inside(*sys.argv[1:])
else:
    main(*sys.argv[1:])
