"""Plans that run jostle under the tools of CUDA: ncu, which tells where time goes, and compute-sanitizer."""
import json
import re

from gpu.items import Ended

SECTIONS = ("SpeedOfLight", "WarpStateStats", "MemoryWorkloadAnalysis", "Occupancy", "SourceCounters")

# Name, kernel, launches to skip so that a long one comes next, and systems. A sweep begins with launches of few steps.
# Stacks overflow the placements for 4, 8 and 16 contacts in its first launch, which is four of kernels then. Of LCPs
# each size takes 7 launches, and the sixth size is n = 24.
LAUNCHES = (
    ("rod", "simulate_kernel", 2, 16_384),
    ("tossed_box", "simulate_kernel", 2, 16_384),
    ("box_stack", "simulate_kernel", 4, 4_096),
    ("lcp", "solve_lcps_kernel", 38, 100_000),
)

SANITIZERS = ("memcheck", "synccheck", "initcheck", "racecheck")  # the quick ones first
FOUND = 9  # exit status of compute-sanitizer that found something


def profile(session):
    """A warm and busy launch of each kernel: why it is not faster."""
    details = session.file(".txt")
    details.write_text("")
    for name, kernel, skipped, systems in LAUNCHES:
        report = session.results / f"{session.stem}-{name}.ncu-rep"
        outcome = session.run(f"ncu: a launch of {name}", 180, ncu_words(report, kernel, skipped)
                              + launching_words(session, name, session.count(systems)))
        if not report.exists():
            session.lack(f"ncu has no report of {name}: {why_no_report(outcome)}")
            continue
        text = session.run(f"ncu: the text for {name}", 60, ["ncu", "--import", report, "--page", "details"])
        with open(details, "a", encoding="utf-8") as file:
            file.write(f"==== {name}\n{text.out}\n")


def ncu_words(report, kernel, skipped):
    words = ["ncu", "--clock-control", "none", "--target-processes", "all", "--kernel-name", f"regex:{kernel}",
             "--launch-skip", skipped, "--launch-count", 1, "--force-overwrite", "-o", report]
    for section in SECTIONS:
        words += ["--section", section]
    return words


def launching_words(session, name, systems):
    if name == "lcp":
        return session.program("benchmark", "gpu", "--device", session.device, "--systems", systems, "--names", name,
                               "--kinds", "any", "--teams", session.teams())
    return session.jostle("sweep", session.library(name), "-n", systems, "--set", f"sample.count={systems}", "-o",
                          session.fresh_folder() / "sweep")


def why_no_report(outcome):
    lines = [line for line in (outcome.out + outcome.err).splitlines() if re.match("==(ERROR|WARNING)==", line)]
    return lines[0] if lines else outcome.why or "it says nothing"


def sanitize(session):
    """Wrong accesses, barriers, races: two systems for ten steps, and LCPs; the small ones first, by every tool."""
    folder = session.fresh_folder()
    one, many = folder / "one.json", folder / "many.json"
    one.write_text('[{"M": [[1]], "q": [-1]}]')
    many.write_text(json.dumps(hard_lcps(session.programs.root)))
    checked = [("one LCP", ["lcp", one])]
    for scenario, seconds in (("rod", 0.025), ("tossed_box", 0.05), ("box_stack", 0.05)):
        checked.append((scenario, ["sweep", session.library(scenario), "-n", 2, "--set", f"world.duration={seconds}"]))
    checked.append(("LCPs", ["lcp", many]))
    unusable = {}
    for name, words in checked:
        for tool in SANITIZERS:
            if tool in unusable:
                session.runner.skip(f"{tool}: {name}", unusable[tool])
            else:
                sanitize_one(session, tool, name, words, unusable)


def sanitize_one(session, tool, name, words, unusable):
    """A tool on one program. `unusable` gets the tools that larger programs need not be tried with."""
    if words[0] == "sweep":  # into a folder of its own: one that is there is continued, where nothing is left to do
        words = [*words, "-o", session.fresh_folder() / "sweep"]
    outcome = session.run(f"{tool}: {name}", 120, [
        "compute-sanitizer", "--tool", tool, "--target-processes", "all", "--error-exitcode", FOUND,
        *session.jostle(*words)])
    summary = re.findall(r"[A-Z ]*SUMMARY: .*", outcome.out + outcome.err)
    if outcome.ended is Ended.HUNG:
        session.remark(f"{tool} took too long for {name}: nothing is known")
        unusable[tool] = f"{tool} took too long for {name}"
    elif outcome.ended in (Ended.OK, Ended.FAILED) and not summary:
        session.remark(f"{tool} cannot run here: {outcome.why or 'it gives no summary'}")
        unusable[tool] = f"{tool} cannot run here"
    elif summary and not re.search(r"SUMMARY: 0 ", summary[-1]):
        session.remark(f"{tool} found something in {name}: {summary[-1].strip()}")
        session.remark(f"  next: read {session.file('.log')}; which kind of team it is: --teams")


def hard_lcps(root):
    """LCPs of several sizes, as `jostle lcp` reads them: rows of M, then q."""
    problems = []
    for path in sorted((root / "tests" / "data" / "hard_lcps").glob("*.csv")):
        rows = [[float(number) for number in line.split(",")] for line in path.read_text().splitlines() if line.strip()]
        problems.append({"M": rows[:-1], "q": rows[-1]})
    return problems
