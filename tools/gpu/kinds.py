"""Which kinds of teams are right on this GPU: each by itself against the CPU, bit by bit."""
import json

from gpu.items import Ended

SCENARIOS = ("rod", "tossed_box", "box_stack", "shapes")
ORDER = ("warp32", "warp8", "warp4", "warp16", "warp2", "warp1")
SYSTEMS = 33  # a warp of teams and one more
NO_ROOM = 6  # exit status of jostle

# By how a kind is wrong; {} is a command that shows it.
ADVICE = {
    "hangs": "see where it waits: compute-sanitizer --target-processes all --tool synccheck {}",
    "fails": "see where it fails: compute-sanitizer --target-processes all --tool memcheck {}",
    "has no room": "see with nvidia-smi who has the memory of the GPU, then again: {}",
    "differs": "see the stage and the pivots: {}",
}


class Fault:
    """What is wrong with a kind of team in a scenario, and what to do next."""

    def __init__(self, kind, scenario, how, outcome, why=""):
        self.kind, self.scenario, self.how, self.outcome = kind, scenario, how, outcome
        self.why = why or outcome.why

    def text(self):
        return f"{self.kind} {self.how} in {self.scenario}: left out ({self.why})"


def first_difference(comparison):
    """Such as "1 of 33 differ, first in sample 5, step 10, stage integrate: velocity[0]"."""
    text = f"{comparison['differing_samples']} of {comparison['samples']} differ"
    first = comparison["first"]
    if first["step"] is None:
        return text + f"; sample {first['sample']} was the same when it was simulated again"
    return text + (f", first in sample {first['sample']}, step {first['step']}, stage {first['stage']}: "
                   f"{first['field']}[{first['index']}]")


def comparisons_of(outcome):
    """What `jostle compare --json` printed; empty if it did not come so far."""
    try:
        return json.loads(outcome.out)
    except ValueError:
        return []


def fault_of(outcome, kind, scenario):
    """None if nothing is wrong with the kind, or nothing is known because time was up."""
    if outcome.ended in (Ended.OK, Ended.CUT, Ended.NOT_BEGUN):
        return None
    if outcome.ended is Ended.HUNG:
        return Fault(kind, scenario, "hangs", outcome)
    differing = [one for one in comparisons_of(outcome) if one["differing_samples"]]
    if differing:
        return Fault(kind, scenario, "differs", outcome, first_difference(differing[0]))
    return Fault(kind, scenario, "has no room" if outcome.status == NO_ROOM else "fails", outcome)


class Kinds:
    """The kinds of teams that the GPU has and the user allows, and what has become known of them."""

    def __init__(self, allowed):
        self.allowed = [kind for kind in ORDER if kind in allowed]
        self.faults, self.right = [], []

    def usable(self):
        """For what follows: those that are not known to be wrong; if all of them are, those that merely differ."""
        faults = {fault.kind: fault.how for fault in self.faults}
        return ([kind for kind in self.allowed if kind not in faults]
                or [kind for kind in self.allowed if faults.get(kind) == "differs"])

    def check(self, session):
        for kind in self.allowed:
            self._check_kind(session, kind)

    def _check_kind(self, session, kind):
        for scenario in SCENARIOS:
            outcome = session.run(f"{kind}: {session.count(SYSTEMS)} systems of {scenario}", 60,
                                  session.program("jostle", *self._words(session, scenario, kind), "--json"))
            fault = fault_of(outcome, kind, scenario)
            if fault:
                self.faults.append(fault)
                session.log.say(fault.text())
            if not outcome.is_ok:
                return
        self.right.append(kind)

    def _words(self, session, scenario, kind):
        return ["compare", session.library(scenario), "-n", session.count(SYSTEMS), "--device", session.device,
                "--team", kind, "--teams", kind]

    def advice(self, session):
        """What is wrong and what to do next, a line each."""
        lines = []
        for fault in self.faults:
            command = " ".join(session.program("jostle", *self._words(session, fault.scenario, fault.kind)))
            lines += [fault.text(), f"  next: {ADVICE[fault.how].format(command)}"]
        usable = ",".join(self.usable())
        if self.faults and not usable:
            lines.append("no kind of team is left: nothing was measured")
        elif any(fault.kind in usable.split(",") for fault in self.faults):
            lines.append(f"no kind of team is right: times are those of kinds that merely differ: --teams {usable}")
        elif self.faults:
            lines.append(f"the other kinds: --teams {usable}, an option of jostle and of tools/gpu_check")
        return lines
