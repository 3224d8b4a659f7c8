"""A plan at work: what all of its items need, its files of results, and its summary."""
import csv
import pathlib
import tempfile

from gpu import items
from gpu.items import Ended


class Session:
    """`gpu`: None for a plan that does without. Results are named by plan, GPU and commit."""

    def __init__(self, plan, seconds, programs, gpu, kinds, options):
        self.programs, self.kinds, self.device, self.systems = programs, kinds, options.device, options.systems
        self.results = options.results
        self.results.mkdir(parents=True, exist_ok=True)
        self.stem = "-".join([plan, *([gpu.file_name()] if gpu else []), programs.commit()])
        self.log = items.Log(self.file(".log"))
        ping = programs.words("functions_on_device") if programs.path("functions_on_device") else []
        self.runner = items.Runner(self.log, seconds, options.scale, ping)
        self.scratch = tempfile.TemporaryDirectory()
        self.remarks = []  # lines of the summary
        self.lacks_results = False
        where = f"{gpu.name}, {self.device}, teams of {', '.join(kinds.usable())}" if gpu else str(programs.folder)
        self.log.say(f"== {plan}: {where}, commit {programs.commit()}; {seconds:.0f} s at most")

    def file(self, ending):
        return self.results / (self.stem + ending)

    def run(self, name, seconds, words):
        return self.runner.run(name, seconds, words, cwd=self.programs.root)

    def program(self, name, *words):
        return self.programs.words(name, *words)

    def jostle(self, command, *words):
        """`jostle` on the GPU with the teams that are usable."""
        return self.program("jostle", command, *words, "--device", self.device, "--teams", self.teams())

    def teams(self):
        return ",".join(self.kinds.usable())

    def fresh_folder(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.scratch.name))

    def count(self, systems):
        return min(systems, self.systems)

    def library(self, scenario):
        return f"scenarios/library/{scenario}.yaml"

    def remark(self, text):
        """Says something that the summary shall repeat."""
        self.remarks.append(text)
        self.log.say(text)

    def lack(self, text):
        """The same of a result that an item should have given, though it was through."""
        self.lacks_results = True
        self.remark(text)

    def end(self):
        """Prints the summary. True if every item was through and right, and no result is lacking."""
        outcomes = self.runner.outcomes
        wrong = [outcome for outcome in outcomes if not outcome.is_ok]
        told = [fault.outcome for fault in self.kinds.faults]
        lines = [outcome.text() for outcome in wrong if outcome not in told] + self.remarks + self.kinds.advice(self)
        if any(outcome.ended is Ended.HUNG for outcome in wrong) and not self.kinds.right + self.kinds.faults:
            lines.append("next: which kind of team hangs tells tools/gpu_check first; the others with --teams")
        self.log.say(f"== summary of {self.stem}: {len(outcomes) - len(wrong)} of {len(outcomes)} items ok")
        for line in lines + [f"results: {self.file('.*')}"]:
            self.log.say(line)
        self.log.close()
        self.scratch.cleanup()
        return not wrong and not self.lacks_results


class Table:
    """A CSV file that grows: tables with one header are joined, and lines that begin with # kept."""

    def __init__(self, path):
        self.path, self.header = path, ""
        path.write_text("")

    def add_text(self, text):
        kept = []
        for line in text.splitlines():
            if not line.startswith("#") and not self.header:
                self.header = line
            elif line == self.header:
                continue
            kept.append(line)
        self._append("\n".join(kept))

    def add_row(self, *values):
        self._append(",".join(map(str, values)))

    def _append(self, text):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(text + "\n" if text else "")

    def column(self, key, value):
        """Values of a column by those of another one."""
        rows = csv.DictReader(line for line in self.path.read_text().splitlines() if not line.startswith("#"))
        return {row[key]: row[value] for row in rows}
