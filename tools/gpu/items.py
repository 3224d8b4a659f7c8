"""Items: processes with a limit of their own, said when they begin and when they end."""
import enum
import os
import signal
import subprocess
import tempfile
import time

GRACE = 5  # seconds that a process has to end after SIGTERM, and again after SIGKILL
INTERRUPTED = "interrupted"
LOGGED = 200_000  # characters of an item's output that the log keeps


class Ended(enum.Enum):
    OK = "ok"
    FAILED = "failed"
    HUNG = "hung"  # it reached the limit of its own
    CUT = "cut short"  # it would have had longer, but the plan's time was up
    NOT_BEGUN = "not begun"


class Outcome:
    """How an item ended. `status`: its exit status, or minus the signal that killed it; None if it had to be ended or
    was not begun. `why`: what is wrong, in words."""

    def __init__(self, name, ended, seconds=0.0, status=None, out="", err="", why=""):
        self.name, self.ended, self.seconds, self.status = name, ended, seconds, status
        self.out, self.err, self.why = out, err, why

    @property
    def is_ok(self):
        return self.ended is Ended.OK

    def text(self):
        """Such as "failed: rod: exit status 1: what it said last"."""
        return f"{self.ended.value}: {self.name}" + (f": {self.why}" if self.why else "")


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def end(process):
    """Ends a process and its group. False if it is still there: what waits for a GPU may not even die of SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass  # the group is empty already
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            continue
    return process.poll() is not None


def execute(name, words, limit, is_own_limit=True, cwd=None):
    """The outcome of a command. Its output goes to files: nobody waits for the end of a pipe."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        status, is_gone, is_interrupted, start = None, True, False, time.monotonic()
        try:
            process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       cwd=cwd, start_new_session=True)
        except OSError as error:
            return Outcome(name, Ended.FAILED, why=f"cannot be started: {error}")
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            pass
        except KeyboardInterrupt:
            is_interrupted = True
        finally:
            is_gone = end(process)
        seconds = time.monotonic() - start
        texts = [text_of(file) for file in (out, err)]
    if is_interrupted:
        return Outcome(name, Ended.CUT, seconds, None, *texts, INTERRUPTED)
    if status is None:
        why = f"not through after {seconds:.0f} s" + ("" if is_gone else "; it did not even die of SIGKILL")
        return Outcome(name, Ended.HUNG if is_own_limit else Ended.CUT, seconds, None, *texts, why)
    if status == 0:
        return Outcome(name, Ended.OK, seconds, 0, *texts)
    how = f"exit status {status}" if status > 0 else f"ended by {signal.Signals(-status).name}"
    why = ": ".join(filter(None, [how, last_line(texts[1])]))
    return Outcome(name, Ended.FAILED, seconds, status, *texts, why)


def text_of(file):
    file.seek(0)
    return file.read().decode("utf-8", "replace")


class Log:
    """What is said, on stdout and in a file; the file has the output of the items as well."""

    def __init__(self, path):
        self.start = time.monotonic()
        self.file = open(path, "w", encoding="utf-8", errors="replace")

    def say(self, text):
        line = f"[{time.monotonic() - self.start:4.0f} s] {text}"
        print(line, flush=True)
        self.keep(line)

    def keep(self, text):
        if len(text) > LOGGED:
            text = f"{text[:LOGGED // 2]}\n... {len(text) - LOGGED} characters ...\n{text[-LOGGED // 2:]}"
        self.file.write(text + "\n")
        self.file.flush()

    def close(self):
        self.file.close()


class Runner:
    """Runs the items of a plan one after the other until its time is up.

    `seconds`: what all of them have together; `scale`: by which their own limits are multiplied; `still_answers`: words
    of a command that shows after a hang whether the GPU still answers, empty if there is none."""

    def __init__(self, log, seconds, scale, still_answers=()):
        self.log, self.scale = log, scale
        self.deadline = time.monotonic() + seconds
        self.still_answers = list(still_answers)
        self.outcomes = []
        self.stopped = ""  # why nothing more is begun

    def run(self, name, seconds, words, cwd=None):
        """Runs a command, for `seconds` at most, and returns its outcome."""
        left = self.deadline - time.monotonic()
        own = seconds * self.scale
        if self.stopped or left <= 0:
            outcome = Outcome(name, Ended.NOT_BEGUN, why=self.stopped or "no time was left")
        else:
            self.log.say(f"begins: {name}, at most {min(own, left):.0f} s")
            outcome = execute(name, words, min(own, left), own <= left, cwd)
            self.log.keep("\n".join(["$ " + " ".join(map(str, words)), outcome.out, outcome.err]))
        self.outcomes.append(outcome)
        self.log.say(outcome.text() + (f", {outcome.seconds:.1f} s" if outcome.seconds else ""))
        if outcome.why == INTERRUPTED:  # what the item has printed until then is kept
            self.stopped = INTERRUPTED
        if outcome.ended is Ended.HUNG and self.still_answers:
            self._ask_the_gpu(outcome)
        return outcome

    def skip(self, name, why):
        """Lists an item that is left out."""
        self.outcomes.append(Outcome(name, Ended.NOT_BEGUN, why=why))
        self.log.say(self.outcomes[-1].text())

    def _ask_the_gpu(self, hung):
        words, self.still_answers = self.still_answers, []  # or a hang would ask again
        answer = self.run(f"does the GPU still answer after '{hung.name}'?", 30, words)
        self.still_answers = words
        if answer.ended in (Ended.HUNG, Ended.FAILED) or "no device" in answer.out:
            self.stopped = f"the GPU does not answer any more after '{hung.name}'"
