"""Plans that run jostle, its tests and its benchmarks. Each is a function over a session, which runs its items."""
import os
import re
import shutil
import statistics

from gpu.items import Ended
from gpu.kinds import SYSTEMS, comparisons_of, first_difference
from gpu.session import Table

TELLING = ("rod", "tossed_box", "cube_toss", "four_balls", "box_stack", "lcp")  # names of `benchmark gpu`
LIBRARY = ("rod", "painleve_rod", "rolling_sphere", "tossed_box", "sliding_block", "two_balls", "four_balls", "shapes",
           "incline", "box_stack", "v_groove", "cube_toss", "feeder")
LONGEST_TEST = 60  # seconds: a device test that takes longer hangs
# The others, most of which only kernels for all systems know.
FOR_ALL = ("four_bar", "door", "gripper", "bouncing_ball", "cradle", "superball", "oblique_balls", "double_pendulum",
           "stick_slip_block", "carts", "smooth_dome", "swinging_chain", "elbow_toss", "peg_in_hole", "rover", "pulled_block",
           "shaker", "detent", "die", "escapement", "four_legged_table", "gears", "peg_in_plate", "ratchet", "resting_faces",
           "snap_hook", "three_sided_coin")
FEW = 2_000  # of those
# Whose steps the CPU takes slowly: two minutes of 16 cores for all of 100,000 systems.
FEWER = {"incline": 30_000, "shapes": 20_000, "v_groove": 20_000, "box_stack": 10_000, "feeder": 2_000,
         "peg_in_hole": 200, "rover": 200, "escapement": 100, "gears": 200, "peg_in_plate": 100, "ratchet": 200,
         "resting_faces": 200, "snap_hook": 200}
OWN_COUNT = ("feeder",)  # says itself how many


def first(session):
    """Does it run, is it right, how fast is it?"""
    session.run("jostle info", 60, session.program("jostle", "info"))
    if shutil.which("nvidia-smi"):
        session.run("nvidia-smi", 30, ["nvidia-smi"])
    if session.programs.path("functions_on_device"):
        session.run("functions on the device", 60, session.program("functions_on_device"))
    session.kinds.check(session)
    check_all_systems(session)
    if session.kinds.usable():
        benchmark_each(session, Table(session.file(".csv")), TELLING, "--kinds", "any")
    device_tests(session)


def check_all_systems(session):
    """The kernels for joints, impacts, cones and records, which the check of kinds leaves alone."""
    for scenario in ("four_bar", "gripper", "bouncing_ball", "smooth_dome"):
        count = session.count(SYSTEMS)
        outcome = session.run(f"all systems: {count} of {scenario}", 90, session.jostle(
            "compare", session.library(scenario), "-n", count, "--json"))
        for one in comparisons_of(outcome):
            if one["differing_samples"]:
                session.remark(f"{scenario} differs: {first_difference(one)}")


def benchmark_each(session, table, names, *words):
    """`benchmark gpu` by names, each a process: one that hangs does not keep the others from their numbers."""
    for name in names:
        outcome = session.run(" ".join(["benchmark", name, *words]), 100, session.program(
            "benchmark", "gpu", "--device", session.device, "--systems", session.count(100_000), "--names", name,
            "--teams", session.teams(), *words))
        table.add_text(outcome.out)


def device_tests(session):
    """One that hangs is named, and the others are run without it. That the tests together take long is no hang."""
    if not session.programs.path("test_cuda"):
        session.runner.skip("device tests", "they were not built")
        return
    # The first read what the compiler has left in the folder of the build. The rover takes a minute; compare has it.
    left_out = [*(["DeviceCode*"] if session.programs.is_packed else []), "*/rover"]
    for _ in range(3):
        without = "-" + ":".join(left_out) if left_out else ""
        outcome = session.run("device tests" + (f" without {', '.join(left_out)}" if left_out else ""), 150,
                              ["env", f"JOSTLE_SOURCE_DIR={session.programs.root}",
                               *session.program("test_cuda", f"--gtest_filter=*{without}")])
        begun = re.findall(r"^\[ RUN +\] (\S+)", outcome.out, re.MULTILINE)
        ended = re.findall(r"^\[ +(?:OK|FAILED|SKIPPED) +\] .*\((\d+) ms\)", outcome.out, re.MULTILINE)
        of_the_last = outcome.seconds - sum(map(int, ended)) / 1000
        if outcome.ended is not Ended.HUNG or not begun or of_the_last < LONGEST_TEST * session.runner.scale:
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
        count = session.count(FEWER.get(scenario, FEW if scenario in FOR_ALL else 100_000))
        drawn = [] if scenario in OWN_COUNT else ["--set", f"sample.count={count}"]
        outcome = session.run(f"{count} systems of {scenario}", 120, session.jostle(
            "compare", session.library(scenario), "-n", count, *drawn, "--json"))
        for one in comparisons_of(outcome) or [{}]:
            table.add_row(scenario, one.get("samples", count), one.get("differing_samples", ""),
                          one.get("differing_bits", ""), f"{outcome.seconds:.1f}", outcome.ended.value)
            if one.get("differing_samples"):
                session.remark(f"{scenario} differs: {first_difference(one)}")
                command = " ".join(session.program("jostle", "compare", session.library(scenario)))
                session.remark(f"  next: {command} --device {session.device} --team KIND, for each KIND: which it is")


def measure(session):
    """All times: the start, whole sweeps beside the CPU, and every scenario and LCP by every kind of team."""
    table = Table(session.file(".csv"))
    start_up(session, table)
    sweeps(session, table)
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


def sweeps(session, table):
    """Whole commands, by the GPU and by all processors of its machine: drawing, simulating, writing, report."""
    for scenario in (*TELLING[:-1], "four_bar"):
        count = session.count(4_096 if scenario in ("box_stack", "four_bar") else 32_768)
        seconds = {}
        for device in (session.device, "cpu"):
            outcome = session.run(f"sweep of {count} {scenario} on {device}", 60, session.program(
                "jostle", "sweep", session.library(scenario), "-n", count, "--set", f"sample.count={count}", "--device",
                device, *([] if device == "cpu" else ["--teams", session.teams()]), "-o", session.fresh_folder() / "sweep"))
            if outcome.is_ok:
                seconds[device] = outcome.seconds
        text = ", ".join(f"{value:.2f} s on {device}" for device, value in seconds.items())
        session.remark(f"sweep of {count} {scenario}: {text} ({os.cpu_count()} processors)")
        table.add_text("# " + session.remarks[-1])


def variants(session):
    """Kinds of teams, also for scenes that need Lemke's method often; then other ways to compile and to place."""
    table = Table(session.file(".csv"))
    benchmark_each(session, table, (*TELLING[:-1], "v_groove", "feeder", "lcp"), "--kinds",
                   ",".join(["any", *session.kinds.usable()]))
    for words in (("--registers", "168,128"), ("--dictionary", "memory"), ("--occupancy", "2,4")):
        benchmark_each(session, table, TELLING, "--kinds", "any,warp4,warp8", *words)


def build(session):
    """With all kinds of teams and variants, tests, and benchmarks that need no peer."""
    folder, tree = session.programs.folder, session.programs.root
    configured = session.run("configure", 300, [
        "cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DJOSTLE_CUDA=ON",
        "-DJOSTLE_CUDA_TEAMS=warp1;warp2;warp4;warp8;warp16;warp32",
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
