"""Plans that run jostle, its tests and its benchmarks. Each is a function over a session, which runs its items."""
import os
import re
import shutil
import statistics

from gpu.items import Ended
from gpu.kinds import comparisons_of, first_difference
from gpu.session import Table

TELLING = ("rod", "tossed_box", "box_stack", "lcp")  # names of `benchmark gpu`
LIBRARY = ("rod", "painleve_rod", "rolling_sphere", "tossed_box", "sliding_block", "two_balls", "four_balls", "shapes",
           "incline", "box_stack", "v_groove", "cube_toss", "feeder")
# Whose steps the CPU takes slowly: two minutes of 16 cores for all of 100,000 systems.
# Those that only kernels for all systems know.
FOR_ALL = ("four_bar", "door", "gripper", "rover", "peg_in_hole", "bouncing_ball", "cradle", "superball", "oblique_balls",
           "double_pendulum", "stick_slip_block", "carts", "smooth_dome", "swinging_chain", "elbow_toss")
FEW = 2_000
FEWER = {"incline": 30_000, "shapes": 20_000, "v_groove": 20_000, "box_stack": 10_000, "feeder": 10_000}


def first(session):
    """Does it run, is it right, how fast is it?"""
    session.run("jostle info", 60, session.program("jostle", "info"))
    if shutil.which("nvidia-smi"):
        session.run("nvidia-smi", 30, ["nvidia-smi"])
    if session.programs.path("functions_on_device"):
        session.run("functions on the device", 60, session.program("functions_on_device"))
    session.kinds.check(session)
    if session.kinds.usable():
        benchmark_each(session, Table(session.file(".csv")), TELLING, "--kinds", "any")
    device_tests(session)


def benchmark_each(session, table, names, *words):
    """`benchmark gpu` by names, each a process: one that hangs does not keep the others from their numbers."""
    for name in names:
        outcome = session.run(" ".join(["benchmark", name, *words]), 100, session.program(
            "benchmark", "gpu", "--device", session.device, "--systems", session.count(100_000), "--names", name,
            "--teams", session.teams(), *words))
        table.add_text(outcome.out)


def device_tests(session):
    """One that hangs is named, and the others are run without it."""
    # They read what the compiler has left in the folder of the build.
    left_out = ["DeviceCode*"] if session.programs.is_packed else []
    for _ in range(3):
        without = "-" + ":".join(left_out) if left_out else ""
        outcome = session.run("device tests" + (f" without {', '.join(left_out)}" if left_out else ""), 150,
                              ["env", f"JOSTLE_SOURCE_DIR={session.programs.root}",
                               *session.program("test_cuda", f"--gtest_filter=*{without}")])
        begun = re.findall(r"^\[ RUN +\] (\S+)", outcome.out, re.MULTILINE)
        if outcome.ended is not Ended.HUNG or not begun:
            break
        session.remark(f"the device test {begun[-1]} hangs")
        left_out.append(begun[-1])
    for name in sorted(set(re.findall(r"^\[  FAILED  \] ([^\s,]+[.][^\s,]+)", outcome.out, re.MULTILINE))):
        session.remark(f"the device test {name} fails; its output is in {session.file('.log')}")


def compare(session):
    """0 bits may differ."""
    table = Table(session.file(".csv"))
    table.add_row("scenario", "systems", "differing_samples", "differing_bits", "seconds", "ended")
    for scenario in (*LIBRARY, *FOR_ALL):
        count = session.count(FEW if scenario in FOR_ALL else FEWER.get(scenario, 100_000))
        outcome = session.run(f"{count} systems of {scenario}", 120, session.jostle(
            "compare", session.library(scenario), "-n", count, "--set", f"sample.count={count}", "--json"))
        for one in comparisons_of(outcome) or [{}]:
            table.add_row(scenario, one.get("samples", count), one.get("differing_samples", ""),
                          one.get("differing_bits", ""), f"{outcome.seconds:.1f}", outcome.ended.value)
            if one.get("differing_samples"):
                session.remark(f"{scenario} differs: {first_difference(one)}")
                command = " ".join(session.program("jostle", "compare", session.library(scenario)))
                session.remark(f"  next: {command} --device {session.device} --team KIND, for each KIND: which it is")


def measure(session):
    """All times: the start, and every scenario and LCP by every kind of team."""
    table = Table(session.file(".csv"))
    start_up(session, table)
    kinds = ",".join(["any", *session.kinds.usable()])
    benchmark_each(session, table, (*LIBRARY, "lcp"), "--kinds", kinds)
    for name, count in table.column("name", "bytes_per_system").items():
        if count:
            session.remark(f"memory per system of {name}: {count} bytes")


def start_up(session, table):
    seconds = []
    for i in range(5):
        outcome = session.run(f"start-up, {i + 1} of 5", 60, session.jostle(
            "run", session.library("rod"), "--set", "world.duration=0.0025"))
        if not outcome.is_ok:
            break
        seconds.append(outcome.seconds)
    if seconds:
        text = f"start-up: {statistics.median(seconds):.3f} s, the median of {len(seconds)} (goal: below 1 s)"
        session.remark(text)
        table.add_text("# " + text)


def variants(session):
    """One way after the other to compile and to place, the others as they are by default."""
    table = Table(session.file(".csv"))
    ways = (("--kinds", "any", "--registers", "255,168,128"), ("--kinds", "any", "--occupancy", "0,2,4"),
            ("--kinds", "any", "--dictionary", "auto,memory"),
            ("--kinds", ",".join(["any", *session.kinds.usable()])))
    for words in ways:
        benchmark_each(session, table, TELLING, *words)


def build(session):
    """With all kinds of teams and variants, tests, and benchmarks that need no peer."""
    folder, tree = session.programs.folder, session.programs.root
    configured = session.run("configure", 300, [
        "cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DJOSTLE_CUDA=ON",
        "-DJOSTLE_CUDA_TEAMS=warp1;warp2;warp4;warp8;warp16;warp32;tile32;tile256",
        "-DJOSTLE_CUDA_REGISTERS=255;168;128", "-DJOSTLE_BUILD_TESTS=ON", "-DJOSTLE_BUILD_BENCHMARKS=ON",
        "-DJOSTLE_BENCHMARK_PEER=OFF"])
    if configured.is_ok:
        session.run("compile", 7200, ["cmake", "--build", folder])


def test(session):
    """All tests of a build. What they expect of `--device auto` is the CPU, so ctest does not see the GPU."""
    session.run("sweeps on devices", 300, [session.programs.folder / "test_drivers", "--gtest_filter=*Device*"])
    session.run("all tests without the GPU", 1500, [
        "env", "CUDA_VISIBLE_DEVICES=", "ctest", "--test-dir", session.programs.folder, "--output-on-failure",
        "--parallel", str(os.cpu_count())])
