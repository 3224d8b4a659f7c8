"""What ranks cost: steps/s of a sweep by several ranks of MPI, over those of one process on the same processors.

    ranks.py build/release/jostle [--ranks 4] [--processors 2] [--shards 40] [--runs 5]

Both run in turn; medians. The first line is by the clock, until the last shard is written: other work on the machine
counts against the fewer processes. The second one is by the processor time of all processes, with their start and end;
threads sleep where they wait, so that only work counts.
"""
import argparse
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ASLEEP = {"OMP_WAIT_POLICY": "passive"}
OVERSUBSCRIBED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--processors", type=int, default=2)
    parser.add_argument("--shards", type=int, default=40)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mpiexec", default="mpiexec")
    return parser.parse_args()


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(command):
    """Steps per second of the clock, and of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        before = processor_time()
        text = subprocess.run([*command, "-o", folder + "/out"], check=True, capture_output=True, text=True).stdout
        used = processor_time() - before
    steps, rate = re.search(r"([\d,]+) steps in .*, ([\d,]+) steps/s", text).groups()
    number = lambda digits: int(digits.replace(",", ""))
    return number(rate), number(steps) / used


def main(o):
    sweep = [o.program, "sweep", ROOT / "scenarios/library/rod.yaml", "-n", str(o.shards * 16384), "--set", "world.duration=0.2"]
    variables = (f"{name}={value}" for name, value in {**ASLEEP, **OVERSUBSCRIBED}.items())
    place = ["taskset", "-c", f"0-{o.processors - 1}", "env", *variables]
    alone = [*place, *sweep, "--threads", str(o.processors)]
    ranks = [*place, o.mpiexec, "-n", str(o.ranks), *sweep, "--threads", "1"]
    one, many = [], []
    for _ in range(o.runs):
        one.append(measure(alone))
        many.append(measure(ranks))
    for kind, what in enumerate(("steps/s", "steps per second of processor time")):
        a, b = (statistics.median(values[kind] for values in runs) for runs in (one, many))
        print(f"{o.processors} threads: {a:,.0f}, {o.ranks} ranks: {b:,.0f} {what}; {b / a:.3f}", flush=True)


main(options())
