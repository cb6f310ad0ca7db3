#!/usr/bin/python3
"""Ranks of `cairn search` find what one process finds, and lose nothing when one is killed."""
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import unittest

from program import PROGRAM, TIMEOUT_S, run
from search_store_test import DESIGN, SearchCase, result

MPIRUN = shutil.which("mpirun")
# In a container, as root, with fewer cores than ranks.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
       "OMPI_MCA_plm_rsh_agent": "false", "OMPI_MCA_mpi_yield_when_idle": "1"}


def built_with_mpi():
    return (pathlib.Path(PROGRAM).resolve().parents[1] / "lib" / "libcairn_mpi.so").exists()


def rank_of(process):
    """Of a process's folder in /proc; None: it is no rank of ours."""
    try:
        if os.readlink(process / "exe") != os.path.realpath(PROGRAM):
            return None
        for entry in (process / "environ").read_bytes().split(b"\0"):
            if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                return int(entry.split(b"=")[1])
    except OSError:
        pass
    return None


def children(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


@unittest.skipUnless(MPIRUN and built_with_mpi(), "needs Open MPI")
class Ranks(SearchCase):
    def together(self, ranks, *arguments):
        return subprocess.run([MPIRUN, "-n", str(ranks), PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=2 * TIMEOUT_S, cwd=self.folder, env={**os.environ, **MPI}, check=False)

    def begin(self, ranks, *arguments):
        """mpirun, and the process of each rank, when some trials more are stored."""
        before = len(self.rows())
        process = subprocess.Popen([MPIRUN, "-n", str(ranks), PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder, env={**os.environ, **MPI})
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.assertTrue(self.wait_for_rows(process, before + 5), "it ended before anything was stored")
        of_rank = {rank_of(pathlib.Path(f"/proc/{child}")): child for child in children(process.pid)}
        self.assertEqual(sorted(rank for rank in of_rank if rank is not None), list(range(ranks)))
        return process, of_rank

    def test_results_do_not_depend_on_ranks_and_threads(self):
        evolution = self.write("evolution.yaml", DESIGN + "vary: {strategy.batch: {from: 8, to: 512, whole: true, scale: log}, "
                               "device.memory.bandwidth: {from: 300 GB/s, to: 1200 GB/s}}\n"
                               "objectives: [time_per_sample, memory]\nalgorithm: {population: 16, generations: 4}\n")
        for file in (self.search(150), evolution):
            expected = self.succeed("search", file, "--json", "--threads", "1", "--csv", "one.csv")
            for ranks, threads in ((1, 2), (1, 4), (2, 1), (4, 1), (2, 2)):
                if ranks == 1:
                    found = self.run_here("search", file, "--json", "--threads", str(threads), "--csv", "many.csv")
                else:
                    found = self.together(ranks, "search", file, "--json", "--threads", str(threads), "--csv", "many.csv")
                self.assertEqual((found.returncode, found.stderr), (0, ""))
                self.assertEqual(result(found.stdout), result(expected), f"{ranks} ranks, {threads} threads")
                self.assertEqual((self.folder / "many.csv").read_bytes(), (self.folder / "one.csv").read_bytes())

    def test_one_rank_is_one_process(self):
        file = self.search(10)
        self.assertEqual(result(self.together(1, "search", file, "--json").stdout), result(self.succeed("search", file, "--json")))

    def test_all_ranks_write_into_one_store(self):
        file = self.search(60)
        stored = self.together(3, "search", file, "--json", "--store", "trials.db")
        self.assertEqual(stored.returncode, 0, stored.stderr)
        self.assertEqual(self.rows("count(*), count(DISTINCT point)"), [(60, 60)])
        shown = self.together(2, "search", "--from", "trials.db", "--json")
        self.assertEqual(result(shown.stdout), result(stored.stdout))

    def test_a_killed_rank_ends_the_run_and_keeps_the_store(self):
        trials = 1000
        file = self.search(trials)
        expected = self.succeed("search", file, "--json")
        for victim in (1, 0):
            process, of_rank = self.begin(3, "search", file, "--store", "trials.db", *(["--resume"] if victim == 0 else []))
            os.kill(of_rank[victim], signal.SIGKILL)
            _, err = process.communicate(timeout=TIMEOUT_S)
            self.assertNotEqual(process.returncode, 0)
            self.assertIn(f"rank {victim}", err)
            self.assertIn("signal 9", err)
            self.assertLess(len(self.rows()), trials)
        stored = len(self.rows())
        last = self.together(2, "search", file, "--json", "--store", "trials.db", "--resume")
        self.assertEqual(last.returncode, 0, last.stderr)
        self.assertEqual(json.loads(last.stdout)["known_before"], stored)
        self.assertEqual(result(last.stdout), result(expected))

    def test_a_full_disk_is_reported(self):
        file = self.search(100000)
        for _ in range(3):  # whichever rank's trial is the first that does not fit
            process, of_rank = self.begin(3, "search", file, "--store", "trials.db")
            resource.prlimit(of_rank[0], resource.RLIMIT_FSIZE, (50_000, 50_000))
            out, err = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual((process.returncode, out), (2, ""), err)
            self.assertRegex(err, 'cairn: --store: "trials.db" cannot be written: ')
            for path in self.folder.glob("trials.db*"):
                path.unlink()

    def seen(self, *arguments, until=None):
        """What a terminal shows that mpirun writes to with standard output and standard error; the run is interrupted
        once it shows `until`."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([MPIRUN, "-n", "2", PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                                   cwd=self.folder, env={**os.environ, **MPI, "TERM": "xterm", "NO_COLOR": ""})
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 1000):
                text += part
                if until and re.search(until, text.decode(errors="replace")):
                    process.send_signal(signal.SIGINT)
                    until = None
        except OSError:  # all have closed it
            pass
        os.close(ours)
        process.wait(timeout=TIMEOUT_S)
        self.assertIsNone(until, text)
        return text.decode()

    def test_a_terminal_has_colours_and_progress_and_a_file_has_neither(self):
        file = self.search(20)
        self.assertNotIn("\x1b", self.together(2, "search", file).stdout)
        self.assertIn("\x1b[1m", self.seen("search", file))
        slow = self.write("slow.yaml", "design: language-model-on-512-v100\nvary: {device.launch: {from: 1 us, to: 20 us}}\n"
                                       "algorithm: {method: random, trials: 100000}\n")
        self.seen("search", slow, until=r"cairn: \[[#.]{10}\] \d+ of at most 100,?000 designs")

    def test_an_interrupted_search_prints_the_best_so_far(self):
        process, _ = self.begin(2, "search", self.search(100000), "--json", "--store", "trials.db")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertNotEqual(process.returncode, 0)
        found = json.loads(out)
        self.assertTrue(found["stopped"], err)
        self.assertEqual(found["evaluations"], len(self.rows()))

    def test_errors_are_printed_once(self):
        for arguments, code, part in ((("search", self.write("bad.yaml", DESIGN + "vary: {}\n")), 2, "bad.yaml:2: vary"),
                                      (("search", "no-such"), 2, "no-such"),
                                      (("search", self.search(5, "limits: {memory: 1 MB}\n")), 3, "the nearest (")):
            failed = self.together(3, *arguments)
            self.assertEqual(failed.returncode, code, failed.stderr)
            self.assertEqual(failed.stderr.count("cairn: "), 1, failed.stderr)
            self.assertIn(part, failed.stderr)


class WithoutRanks(SearchCase):
    def test_ranks_of_another_mpi_are_rejected(self):
        done = run("search", self.search(5), cwd=self.folder, env={"PMI_SIZE": "4", "PMI_RANK": "1"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("another MPI", done.stderr)

    @unittest.skipIf(built_with_mpi(), "is for a build without MPI")
    def test_a_build_without_mpi_rejects_several_ranks(self):
        done = run("search", self.search(5), cwd=self.folder, env={"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "1"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("built without MPI", done.stderr)


if __name__ == "__main__":
    unittest.main()
