"""Rehearses tools/gpu_check with GPUs that hang, fail, are wrong or too small: those of tests/support/mock_gpus.cpp.

    gpu_check_test.py JOSTLE_WITH_MOCK_GPUS [NAME OF A CLASS OR TEST ...]

The other programs, and the tools of CUDA, are short scripts here.
"""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOSTLE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
from gpu import items, kinds, pack, plans, programs, session  # noqa: E402
from gpu.items import Ended  # noqa: E402

FAKES = {
    "benchmark": 'echo "# $*"; echo "kind,name,steps_per_second,bytes_per_system"; echo "steps,$7,5,123"',
    "test_cuda": 'echo "[ RUN      ] A.B"; echo "[       OK ] A.B (0 ms)"',
    "functions_on_device": "exit 0",
    "ncu": 'for word; do case $last in -o) echo report >"$word" ;; esac; last=$word; done; echo "Duration 1 ms"',
    "compute-sanitizer": 'while [ "$1" != --error-exitcode ]; do shift; done; shift 2\n'
                         '"$@" >/dev/null || exit; echo "========= ERROR SUMMARY: 0 errors"',
}


def write_script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)


class Rehearsal(Scratch):
    """Calls tools/gpu_check with a folder of programs."""

    def setUp(self):
        super().setUp()
        self.build, self.results = self.folder / "build", self.folder / "results"
        self.build.mkdir()
        (self.build / "jostle").symlink_to(JOSTLE)
        for name, text in FAKES.items():
            write_script(self.build / name, text)

    def words(self, plan, device, *more):
        return [sys.executable, ROOT / "tools" / "gpu_check", plan, "--device", device, "--systems", "6",
                "--scale", "0.2", "--teams", "warp4,warp8", *more]

    def environment(self):
        return {**os.environ, "BUILD": str(self.build), "RESULTS": str(self.results),
                "PATH": f"{self.build}:{os.environ['PATH']}"}

    def check(self, plan, device, *more):
        """Exit status and summary; the whole output is in self.out."""
        answer = subprocess.run(self.words(plan, device, *more), env=self.environment(), capture_output=True, text=True,
                                timeout=200, check=False)
        self.out, self.err = answer.stdout, answer.stderr
        self.assertNotIn("Traceback", self.err)
        summary = re.sub(r"^\[ *\d+ s\] ", "", self.out, flags=re.MULTILINE).partition("== summary")[2]
        return answer.returncode, summary

    def result(self, pattern):
        """The text of the file of results that fits."""
        found = list(self.results.glob(pattern))
        self.assertEqual(len(found), 1, list(self.results.iterdir()))
        return found[0].read_text()


class First(Rehearsal):
    def test_a_right_gpu_passes(self):
        status, summary = self.check("first", "cuda:0", "--teams", "warp4,warp8,warp32")
        self.assertEqual(status, 0, self.out)
        self.assertRegex(summary, r"(\d+) of \1 items ok")
        self.assertIn("--names box_stack --teams warp32,warp8,warp4 --kinds any", self.result("first-mock-*.csv"))
        self.assertIn("kernels for teams of: warp1", self.result("first-mock-*.log"))

    def test_a_kind_that_hangs_is_left_out(self):
        status, summary = self.check("first", "cuda:3")
        self.assertEqual(status, 1)
        self.assertIn("warp8 hangs in rod: left out", summary)
        self.assertIn("--tool synccheck ", summary)
        self.assertIn("the other kinds: --teams warp4,", summary)
        self.assertIn("ok: does the GPU still answer", self.out)
        self.assertIn("--names rod --teams warp4 --kinds any", self.result("first-hangs_in_warp8-*.csv"))

    def test_a_kind_that_fails_is_left_out(self):
        status, summary = self.check("first", "cuda:4")
        self.assertEqual(status, 1)
        self.assertRegex(summary, "warp8 fails in rod: left out .*launch of teams of warp8 failed")
        self.assertIn("--tool memcheck ", summary)
        self.assertIn("the other kinds: --teams warp4,", summary)

    def test_a_kind_that_differs_is_left_out(self):
        status, summary = self.check("first", "cuda:5")
        self.assertEqual(status, 1)
        self.assertRegex(summary, "warp8 differs in rod: left out .*sample 5, step 1, stage integrate: velocity")
        self.assertRegex(summary, "next: see the stage and the pivots: .*jostle compare .*rod.yaml .* --team warp8")
        self.assertIn("the other kinds: --teams warp4,", summary)

    def test_kinds_that_merely_differ_are_timed_if_none_is_right(self):
        status, summary = self.check("first", "cuda:1")
        self.assertEqual(status, 1)
        self.assertIn("warp8 differs in rod", summary)
        self.assertIn("warp4 differs in rod", summary)
        self.assertIn("no kind of team is right: times are those of kinds that merely differ: --teams warp8,warp4",
                      summary)
        self.assertIn("--names rod --teams warp8,warp4", self.result("first-wrong-*.csv"))

    def test_a_gpu_without_room_is_said_to_have_none(self):
        status, summary = self.check("first", "cuda:2")
        self.assertEqual(status, 1)
        self.assertRegex(summary, "warp4 has no room in rod: left out .*no room for")
        self.assertIn("see with nvidia-smi who has the memory", summary)
        self.assertIn("nothing was measured", summary)

    def test_there_must_be_a_gpu(self):
        self.assertEqual(self.check("first", "cuda:9")[0], 1)
        self.assertIn("sees no cuda:9; it sees cuda:0, cuda:1", self.err)
        self.assertEqual(self.check("frist", "cuda:0")[0], 2)
        (self.build / "jostle").unlink()
        self.assertEqual(self.check("first", "cuda:0")[0], 1)
        self.assertIn("see the plans build and pack", self.err)


class OtherPlans(Rehearsal):
    def test_compare_counts_differing_bits(self):
        status, summary = self.check("compare", "cuda:5", "--teams", "warp8")
        self.assertEqual(status, 1)
        self.assertRegex(summary, r"rod differs: 1 of 6 differ, first in sample 5, step 1")
        table = self.result("compare-*.csv")
        self.assertEqual(table.count("\n"), 41)
        self.assertRegex(table, r"\nrod,6,1,[12],[0-9.]+,failed\n")

    def test_a_scenario_that_hangs_sends_the_user_to_first(self):
        status, summary = self.check("compare", "cuda:3", "--teams", "warp8", "--seconds", "2", "--scale", "0.003")
        self.assertEqual(status, 1)
        self.assertIn("hung: 6 systems of rod: not through", summary)
        self.assertIn("which kind of team hangs tells tools/gpu_check first", summary)

    def test_measure_and_variants_join_tables(self):
        status, summary = self.check("measure", "cuda:0")
        self.assertEqual(status, 0, self.out)
        self.assertRegex(summary, r"start-up: 0\.\d+ s, the median of 5")
        self.assertIn("memory per system of box_stack: 123 bytes", summary)
        self.assertRegex(summary, r"sweep of 6 four_bar: [0-9.]+ s on cuda:0, [0-9.]+ s on cpu")
        self.assertEqual(self.result("measure-*.csv").count("kind,name"), 1)
        self.assertEqual(self.check("variants", "cuda:0")[0], 0)
        self.assertEqual(self.result("variants-*.csv").count("\nsteps,"), 26)

    def test_profile_keeps_a_report_of_each_launch(self):
        status, _ = self.check("profile", "cuda:0")
        self.assertEqual(status, 0, self.out)
        self.assertEqual(len(list(self.results.glob("*.ncu-rep"))), 4)
        self.assertLessEqual(len(list(self.results.iterdir())), 8)
        self.assertIn("==== box_stack\nDuration", self.result("profile-*.txt"))
        self.assertIn("--clock-control none", self.result("profile-*.log"))

    def test_ncu_may_refuse(self):
        write_script(self.build / "ncu", 'echo "==ERROR== LibraryNotLoaded"; exit 1')
        status, summary = self.check("profile", "cuda:0", "--seconds", "20")
        self.assertEqual(status, 1)
        self.assertIn("ncu has no report of rod: ==ERROR== LibraryNotLoaded", summary)

    def test_ncu_may_find_no_launch(self):
        write_script(self.build / "ncu", 'echo "==WARNING== No kernels were profiled."')
        status, summary = self.check("profile", "cuda:0")
        self.assertEqual(status, 1)
        self.assertIn("4 of 4 items ok", summary)
        self.assertIn("ncu has no report of rod: ==WARNING== No kernels were profiled.", summary)

    def test_sanitizers_find_nothing_in_a_right_gpu(self):
        status, summary = self.check("sanitize", "cuda:0")
        self.assertEqual(status, 0, self.out)
        self.assertIn("20 of 20 items ok", summary)

    def test_sanitizers_that_find_that_cannot_run_and_that_take_too_long(self):
        write_script(self.build / "compute-sanitizer", """case $2 in
memcheck) echo "========= ERROR SUMMARY: 3 errors"; exit 9 ;;
synccheck) echo "Device not supported"; exit 1 ;;
initcheck) echo "========= ERROR SUMMARY: 0 errors"; exit 0 ;;
racecheck) sleep 100 ;;
esac""")
        status, summary = self.check("sanitize", "cuda:0", "--scale", "0.01")
        self.assertEqual(status, 1)
        self.assertIn("memcheck found something in rod: ERROR SUMMARY: 3 errors", summary)
        self.assertIn("synccheck cannot run here: exit status 1", summary)
        self.assertIn("not begun: synccheck: rod: synccheck cannot run here", summary)
        self.assertIn("racecheck took too long for one LCP: nothing is known", summary)
        self.assertEqual(self.out.count("ok: initcheck"), 5)

    def test_an_interrupt_ends_what_runs_and_prints_the_summary(self):
        process = subprocess.Popen(self.words("compare", "cuda:3", "--scale", "9"), env=self.environment(), text=True,
                                   stdout=subprocess.PIPE)
        while "begins: 6 systems of rod" not in process.stdout.readline():
            pass
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        rest = process.communicate(timeout=30)[0]
        self.assertEqual(process.returncode, 1)
        self.assertIn("== summary", rest)
        self.assertIn("interrupted", rest)


@unittest.skipUnless((ROOT / ".git").exists(), "an archive has the name of a commit")
class Pack(Rehearsal):
    def pack(self, *more):
        return self.check("pack", "cuda:0", "--to", self.folder / "carried", "--limit", "9999MB", *more)[0]

    def test_an_archive_is_unpacked_where_it_is_carried_to(self):
        for name in ("benchmark", "test_cuda", "functions_on_device"):
            (self.build / name).unlink()  # scripts need no libraries
        self.assertEqual(self.pack(), 0, self.err)
        self.assertIn("left out: benchmark", self.out)
        self.assertRegex(self.out, r"MB; with the working tree \d+\.\d MB of 9999")

        self.build = self.folder / "carried"
        commit = programs.commit_of_the_tree()
        self.assertEqual(self.check("first", "cuda:9")[0], 1)
        self.assertIn("unpacked/jostle sees no cuda:9", self.err)
        self.assertEqual((self.build / "unpacked" / "commit").read_text().strip(), commit)
        self.check("compare", "cuda:0", "--seconds", "2")
        self.assertTrue(list(self.results.glob(f"compare-mock-{commit}.csv")))
        for name in ("tools/gpu_check", "scenarios/library/rod.yaml", "lib"):
            self.assertTrue((self.build / "unpacked" / name).exists(), name)

    def test_what_is_too_large_is_refused(self):
        archive = self.folder / "archive"
        archive.write_bytes(b"")
        with self.assertRaisesRegex(pack.PackError, "archive and working tree are larger than 1 MB"):
            pack.check_size(archive, pack.size("1MB"))
        os.truncate(archive, 46_000_000)
        with self.assertRaisesRegex(pack.PackError, "the archive is larger than 45 MB"):
            pack.check_size(archive, pack.size("100MB"))
        self.assertEqual(self.pack("--limit", "1"), 2)


class Items(Scratch):
    """The runner by itself."""

    def setUp(self):
        super().setUp()
        self.log = items.Log(self.folder / "log")
        self.addCleanup(self.log.close)

    def runner(self, seconds=10.0, scale=1.0, still_answers=()):
        return items.Runner(self.log, seconds, scale, still_answers)

    def test_limits(self):
        runner = self.runner(seconds=1.5, scale=0.01)
        self.assertIs(runner.run("a", 20, ["sleep", "9"]).ended, Ended.HUNG)
        self.assertIs(runner.run("b", 900, ["sleep", "9"]).ended, Ended.CUT)
        self.assertIs(runner.run("c", 100, ["true"]).ended, Ended.NOT_BEGUN)

    def test_exit_statuses_and_signals(self):
        runner = self.runner()
        self.assertIs(runner.run("a", 5, ["true"]).ended, Ended.OK)
        self.assertEqual(runner.run("b", 5, ["sh", "-c", "echo why >&2; exit 3"]).why, "exit status 3: why")
        self.assertEqual(runner.run("c", 5, ["sh", "-c", "kill -SEGV $$"]).why, "ended by SIGSEGV")
        self.assertIn("cannot be started", runner.run("d", 5, [self.folder / "nothing"]).why)

    def test_children_are_ended_too(self):
        mark = self.folder / "mark"
        self.runner().run("a", 0.2, ["sh", "-c", f"(sleep 1; touch {mark}) & wait"])
        time.sleep(1.2)
        self.assertFalse(mark.exists())

    def test_a_process_that_ignores_sigterm_is_killed(self):
        with mock.patch.object(items, "GRACE", 0.2):
            outcome = self.runner().run("a", 0.2, ["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"])
        self.assertIs(outcome.ended, Ended.HUNG)
        self.assertNotIn("SIGKILL", outcome.why)

    def test_nobody_waits_for_a_process_that_does_not_die(self):
        start = time.monotonic()
        with mock.patch.object(items, "GRACE", 0.1), mock.patch.object(items.os, "killpg"):
            outcome = self.runner().run("a", 0.2, ["sleep", "2"])
        self.assertIn("did not even die of SIGKILL", outcome.why)
        self.assertLess(time.monotonic() - start, 1.5)

    def test_nothing_more_is_begun_when_the_gpu_does_not_answer(self):
        runner = self.runner(still_answers=["false"])
        runner.run("a", 0.2, ["sleep", "9"])
        self.assertEqual(runner.run("b", 1, ["true"]).text(),
                         "not begun: b: the GPU does not answer any more after 'a'")

    def test_a_device_test_that_hangs_is_named_and_left_out(self):
        write_script(self.folder / "test_cuda", """echo "[ RUN      ] A.B"
case $1 in *A.B*) echo "[  FAILED  ] C.D (1 ms)"; exit 1 ;; *) sleep 9 ;; esac""")
        options = argparse.Namespace(device="cuda:0", systems=6, scale=0.004, results=self.folder)
        found = programs.Programs(self.folder, self.folder)
        at_work = session.Session("first", 60, found, None, kinds.Kinds([]), options)
        plans.device_tests(at_work)
        self.assertFalse(at_work.end())
        self.assertEqual([line.partition(";")[0] for line in at_work.remarks],
                         ["the device test A.B hangs", "the device test C.D fails"])


if __name__ == "__main__":
    unittest.main(buffer=True)
