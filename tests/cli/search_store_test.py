#!/usr/bin/python3
"""`cairn search --store` survives interruption, and resumes."""
import csv
import json
import os
import pty
import random
import re
import resource
import signal
import sqlite3
import subprocess
import time
import unittest

from program import PROGRAM, TIMEOUT_S, CliTest

DESIGN = "design: {model: alexnet, device: mc-dla, platform: mc-dla-ring, strategy: {batch: 32, batch_per: device}}\n"
SPACE = "vary: {strategy.batch: {from: 1, to: 512, whole: true}, device.memory.bandwidth: {from: 300 GB/s, to: 1200 GB/s}}\n"
# 200 steps in a row, in which the collectives of 4,096 devices contend: a minute and more for each design, nearly all of it simulation.
SLOW = """design:
  model: {network: gpt, layers: 8, hidden: 8192, heads: 64, vocab: 50000, seq: 2048}
  device: h200
  platform: tpu-v4-4096
  strategy: {spread: tensor-8-d64-p8, micro_batches: 32}
  memory: {capacity: ignored}
  steps: 200
vary: {strategy.batch: [8192, 16384, 32768, 65536]}
algorithm: {prune: false}
"""
OF_ONE_RUN = ("name", "took_s", "evaluations_per_s", "known_before")


def result(text):
    """Results of a search, without values that differ from run to run."""
    found = json.loads(text)
    for key in OF_ONE_RUN:
        del found[key]
    return found


class SearchCase(CliTest):
    def search(self, trials, more=""):
        return self.write("search.yaml", DESIGN + SPACE + f"algorithm: {{method: random, trials: {trials}}}\n{more}")

    def rows(self, what="*"):
        """Of the store, in the order of the trials; none if there is none yet."""
        # Who only reads leaves a log that is not there yet behind; who may write recovers one that a killed run has left.
        mode = "ro" if (self.folder / "trials.db-wal").exists() else "rw"
        try:
            store = sqlite3.connect(f"file:{self.folder / 'trials.db'}?mode={mode}", uri=True, timeout=TIMEOUT_S)
            try:
                return store.execute(f"SELECT {what} FROM trials ORDER BY number").fetchall()
            finally:
                store.close()
        except sqlite3.OperationalError as error:
            self.assertRegex(str(error), "no such table|unable to open")
            return []

    def start(self, *arguments, **options):
        return subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                cwd=self.folder, **options)

    def wait_for_rows(self, process, count):
        """Whether there were so many before the process ended."""
        while process.poll() is None:
            if len(self.rows("number")) >= count:
                return True
            time.sleep(0.001)
        return False


class Store(SearchCase):
    def test_the_store_has_the_results(self):
        file = self.search(30)
        plain = self.succeed("search", file, "--json")
        stored = self.succeed("search", file, "--json", "--store", "trials.db")
        self.assertEqual(result(stored), result(plain))
        self.assertEqual(result(self.succeed("search", "--from", "trials.db", "--json")), result(plain))
        self.assertEqual(self.rows("count(*), count(DISTINCT point), min(step_time_s)"),
                         [(30, 30, json.loads(plain)["best"]["metrics"]["step_time_s"])])
        again = json.loads(self.succeed("search", file, "--json", "--store", "trials.db", "--resume"))
        self.assertEqual(again["known_before"], 30)
        self.assertEqual(result(json.dumps(again)), result(plain))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["search.yaml", "trials.db"])

    def test_a_store_is_shown_again_as_text_table_and_designs(self):
        file = self.search(20, "objectives: [time_per_sample, memory]\n")
        text = self.succeed("search", file, "--store", "trials.db", "--csv", "first.csv", "--out", "first")
        shown = self.succeed("search", "--from", "trials.db", "--csv", "second.csv", "--out", "second")
        self.assertEqual(shown.split("\n", 1)[1], text.split("\n", 1)[1])
        self.assertEqual((self.folder / "first.csv").read_text(), (self.folder / "second.csv").read_text())
        designs = sorted(path.name for path in (self.folder / "first").iterdir())
        self.succeed("run", "first/best-1.yaml")
        self.assertIn("best-1.yaml", designs)
        for name in designs:
            self.assertEqual((self.folder / "first" / name).read_text(), (self.folder / "second" / name).read_text())

    def unit(self, picture, axis):
        """By the prefix in the title of an axis, "memory (GB)"."""
        script = (self.folder / "pictures" / f"{picture}.gp").read_text()
        prefix = re.search(rf"set {axis}label '.*\((.?)[sB]\)'", script).group(1)
        return {"u": 1e-6, "m": 1e-3, "": 1, "M": 1e6, "G": 1e9}[prefix]

    def test_plots_show_the_pareto_front_and_convergence(self):
        file = self.search(40, "objectives: [time_per_sample, memory]\n")
        self.succeed("search", file, "--store", "trials.db")
        found = self.succeed_json("search", "--from", "trials.db", "--plot", "pictures")
        for name in ("convergence-time_per_sample", "convergence-memory", "front", "designs"):
            self.assertTrue((self.folder / "pictures" / f"{name}.gp").exists(), name)
        *_, tried, front = (self.folder / "pictures" / "front.dat").read_text().split("\n\n\n")
        drawn = [[float(value) for value in line.split()] for line in front.splitlines() if not line.startswith("#")]
        self.assertEqual(len(drawn), len(found["pareto"]))
        seconds, bytes_ = self.unit("front", "x"), self.unit("front", "y")
        for (x, y), member in zip(drawn, found["pareto"]):
            self.assertAlmostEqual(x * seconds / member["metrics"]["time_per_sample_s"], 1, places=6)
            self.assertAlmostEqual(y * bytes_ / member["metrics"]["memory_B"], 1, places=6)
        self.assertGreater(tried.count("\n"), front.count("\n"))
        steps = [[float(value) for value in line.split()] for line in
                 (self.folder / "pictures" / "convergence-memory.dat").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(steps, sorted(steps, key=lambda step: (step[0], -step[1])))
        least = min(member["metrics"]["memory_B"] for member in found["pareto"])
        self.assertAlmostEqual(steps[-1][1] * self.unit("convergence-memory", "y") / least, 1, places=6)

    def test_the_table_has_a_row_for_every_trial(self):
        found = self.succeed_json("search", self.search(25, "limits: {memory: 6 GB}\n"), "--csv", "trials.csv")
        with open(self.folder / "trials.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), found["evaluations"])
        best = [row for row in rows if row["front"] == "yes"]
        self.assertEqual(len(best), 1)
        self.assertEqual(float(best[0]["step_time_s"]), found["best"]["metrics"]["step_time_s"])
        self.assertEqual(best[0]["strategy.batch"], found["best"]["settings"]["strategy.batch"])
        self.assertEqual(best[0]["bound_by"], found["best"]["bound_by"])
        self.assertEqual(sum(1 for row in rows if row["limit"]), sum(found["impossible"].values()))
        kept = [float(row["step_time_s"]) for row in rows if row["step_time_s"] and float(row["memory_B"]) <= 6e9]
        self.assertEqual(min(kept), found["best"]["metrics"]["step_time_s"])

    def test_a_killed_search_loses_and_repeats_nothing(self):
        dice = random.Random(7)
        trials, kills = 1000, 20
        while True:
            file = self.search(trials)
            expected = self.succeed("search", file, "--json")
            killed = 0
            while killed < kills:
                before = self.rows()
                resume = ["--resume"] if (self.folder / "trials.db").exists() else []
                process = self.start("search", file, "--json", "--store", "trials.db", *resume)
                # Some before there is anything to lose, the others among trials.
                if killed % 4 != 0:
                    self.wait_for_rows(process, len(before) + dice.randint(1, 12))
                time.sleep(dice.uniform(0, 0.02 if killed % 4 != 0 else 0.15))
                process.kill()
                process.communicate()
                if process.returncode == 0:
                    break
                self.assertEqual(process.returncode, -signal.SIGKILL)
                killed += 1
                after = self.rows()
                self.assertTrue(set(before) <= set(after), "a finished trial was lost or changed")
            if killed == kills:
                break
            trials *= 2  # this machine is faster than 20 kills
            (self.folder / "trials.db").unlink()
        stored = len(self.rows())
        self.assertLess(stored, trials)
        self.assertGreater(stored, 0)
        last = self.succeed("search", file, "--json", "--store", "trials.db", "--resume")
        self.assertEqual(json.loads(last)["known_before"], stored)
        self.assertEqual(result(last), result(expected))
        self.assertEqual(result(self.succeed("search", "--from", "trials.db", "--json")), result(expected))
        self.assertEqual(self.rows("count(*), count(DISTINCT point)"), [(trials, trials)])

    def test_a_killed_search_with_pruning_ends_the_same(self):
        dice = random.Random(3)
        file = self.write("search.yaml", "design: language-model-on-512-v100\nvary:\n  strategy.spread: {spread: [row_column, column_row]}\n"
                                         "  strategy.batch: [16384, 32768]\nobjectives: [time_per_sample]\n")
        expected = self.succeed_json("search", file)
        self.assertGreater(expected["pruned"], 0)
        for _ in range(6):
            resume = ["--resume"] if (self.folder / "trials.db").exists() else []
            process = self.start("search", file, "--json", "--store", "trials.db", *resume)
            time.sleep(dice.uniform(0.01, 0.25))
            process.kill()
            process.communicate()
        resume = ["--resume"] if (self.folder / "trials.db").exists() else []
        found = self.succeed_json("search", file, "--store", "trials.db", *resume)
        shown = self.succeed_json("search", "--from", "trials.db")
        for key in ("best", "evaluations", "pruned"):
            self.assertEqual(found[key], expected[key])
            self.assertEqual(shown[key], expected[key])

    def test_one_writer_and_many_readers(self):
        file = self.search(100000)
        process = self.start("search", file, "--store", "trials.db")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.assertTrue(self.wait_for_rows(process, 3))
        seen = [self.succeed_json("search", "--from", "trials.db") for _ in range(2)]
        self.assertTrue(all(one["stopped"] and one["evaluations"] >= 3 for one in seen))
        self.assertIsNone(process.poll())
        done = self.run_here("search", file, "--store", "trials.db", "--resume")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is in use by another search", done.stderr)

    def test_an_interrupted_search_prints_the_best_and_resumes(self):
        for number, stop in enumerate((signal.SIGINT, signal.SIGTERM)):
            file = self.search(400 + number)
            process = self.start("search", file, "--json", "--store", "trials.db")
            interrupted = self.wait_for_rows(process, 5)
            process.send_signal(stop)
            out, err = process.communicate(timeout=TIMEOUT_S)
            self.assertTrue(interrupted)
            self.assertEqual(process.returncode, 128 + stop, err)
            found = json.loads(out)
            rows = self.rows("step_time_s")
            self.assertEqual(found["evaluations"], len(rows))
            self.assertEqual(found["best"]["metrics"]["step_time_s"], min(row[0] for row in rows if row[0]))
            self.assertTrue(found["stopped"])
            last = self.succeed("search", file, "--json", "--store", "trials.db", "--resume")
            self.assertEqual(json.loads(last)["known_before"], len(rows))
            self.assertEqual(result(last), result(self.succeed("search", file, "--json")))
            (self.folder / "trials.db").unlink()

    def test_an_evaluation_is_cancelled_within_two_seconds(self):
        for stop, after_s in ((signal.SIGINT, 4), (signal.SIGTERM, 8)):
            file = self.write("slow.yaml", SLOW)
            process = self.start("search", file, "--threads", "2")
            time.sleep(after_s)
            self.assertIsNone(process.poll())
            sent = time.monotonic()
            process.send_signal(stop)
            _, err = process.communicate(timeout=TIMEOUT_S)
            self.assertLess(time.monotonic() - sent, 2)
            self.assertEqual(process.returncode, 128 + stop)
            self.assertEqual(err, "cairn: infeasible: stopped: no design was evaluated (4 not tried)\n")

    def test_designs_not_tried_are_counted(self):
        """Where nothing fits, and where something does."""
        batches = [8 * number for number in range(1, 5001)]
        for capacity, feasible in (("1 MB", False), ("32 GB", True)):
            file = self.write("search.yaml", DESIGN + f"vary: {{strategy.batch: {batches}}}\nobjectives: [step_time, memory]\n")
            process = self.start("search", file, "--store", "trials.db", "--set", f"design.device.memory.capacity={capacity}")
            self.assertTrue(self.wait_for_rows(process, 5))
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=TIMEOUT_S)
            tried = len(self.rows())
            self.assertLess(tried, len(batches))
            self.assertEqual(process.returncode, 128 + signal.SIGTERM)
            if feasible:
                self.assertRegex(out, rf"(?m)^stopped +before the end, {len(batches) - tried} not tried$")
                found = self.succeed_json("search", "--from", "trials.db")
                self.assertEqual((found["stopped"], found["not_tried"]), (True, len(batches) - tried))
            else:
                self.assertIn(f"none of the {tried} designs tried is feasible ({len(batches) - tried} not tried); the nearest (strategy.batch=8): device memory", err)
            (self.folder / "trials.db").unlink()

    def test_a_terminal_shows_progress(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        process = subprocess.Popen([PROGRAM, "search", self.search(1000000), "--threads", "1"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=theirs, cwd=self.folder)
        os.close(theirs)
        seen = ""
        while "left" not in seen:
            seen += os.read(ours, 1000).decode()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=TIMEOUT_S), 130)
        self.assertRegex(seen, r"cairn: \[[#.]{10}\] \d+ of at most 1000000 designs, [\d.,]+/s, step time [\d.]+ \w+, at most \d+ s left")


class BadStore(SearchCase):
    def test_an_existing_store_is_not_overwritten(self):
        file = self.search(5)
        self.succeed("search", file, "--store", "trials.db")
        before = (self.folder / "trials.db").read_bytes()
        self.refuse(("search", file, "--store", "trials.db"), "--store", "trials.db", "--resume")
        self.assertEqual((self.folder / "trials.db").read_bytes(), before)

    def test_a_store_of_another_search_or_version_is_rejected_and_kept(self):
        file = self.search(5)
        self.succeed("search", file, "--store", "trials.db")
        before = self.rows()
        for changed, key in (("vary={strategy.batch: [1, 2]}", "vary"), ("algorithm.seed=2", "algorithm"), ("design.model=vgg-e", "design.model.network"), ("design.strategy.micro_batches=2", "design.strategy.micro_batches"),
                             ("limits={memory: 1 GB}", "limits"), ("objectives=[memory]", "objectives")):
            self.refuse(("search", file, "--store", "trials.db", "--resume", "--set", changed), "--store", "trials.db", "another search", f'"{key}"')
        self.succeed("search", file, "--store", "trials.db", "--resume", "--set", "design.description=the same in other words")
        self.assertEqual(self.rows(), before)
        store = sqlite3.connect(self.folder / "trials.db")
        with store:
            store.execute("UPDATE meta SET value = '0.0.1' WHERE key = 'version'")
        store.close()
        self.refuse(("search", file, "--store", "trials.db", "--resume"), "--store", "trials.db", 'version "0.0.1"')
        self.assertEqual(self.rows(), before)
        shown = self.run_here("search", "--from", "trials.db")
        self.assertEqual(shown.returncode, 0)
        self.assertIn('--from: "trials.db" is from version "0.0.1"', shown.stderr)

    def test_a_changed_file_of_an_axis_is_rejected(self):
        """Else trials of the old one would be taken for those of the new, and strategies for others."""
        platform = "topology: ring\ndevices: {}\nbandwidth: 25 GB/s\nlatency: 1 us\n"
        self.write("ring.yaml", platform.format(8))
        file = self.write("search.yaml", DESIGN + "vary: {platform: [ring.yaml, mc-dla-ring], strategy.spread: {spread: [data, model]}}\n")
        self.succeed("search", file, "--store", "trials.db")
        self.succeed("search", "--from", "trials.db")
        self.succeed("search", file, "--store", "trials.db", "--resume")
        self.write("ring.yaml", platform.format(4))
        self.refuse(("search", "--from", "trials.db"), "--from", "trials.db", '"platform=ring.yaml" has changed since the search')
        self.refuse(("search", file, "--store", "trials.db", "--resume"), "--store", "trials.db", "another search", '"platform=ring.yaml"')

    def test_a_changed_file_of_the_design_is_rejected(self):
        platform = "topology: ring\ndevices: 8\nbandwidth: {} GB/s\nlatency: 1 us\n"
        self.write("ring.yaml", platform.format(25))
        file = self.write("search.yaml", DESIGN.replace("mc-dla-ring", "ring.yaml") + "vary: {strategy.batch: [64, 128]}\n")
        self.succeed("search", file, "--store", "trials.db")
        self.write("ring.yaml", platform.format(50))
        self.refuse(("search", file, "--store", "trials.db", "--resume"), '"design.platform.bandwidth" was "25 GB/s"')
        (self.folder / "ring.yaml").unlink()
        self.assertEqual(self.succeed_json("search", "--from", "trials.db")["evaluations"], 2)

    def test_files_that_are_not_stores_are_rejected(self):
        file = self.search(5)
        self.write("text.db", "this is no database, however long it may be " * 100)
        other = sqlite3.connect(self.folder / "other.db")
        with other:
            other.execute("CREATE TABLE t(x)")
        other.close()
        self.succeed("search", file, "--store", "trials.db")
        content = (self.folder / "trials.db").read_bytes()
        self.write("cut.db", content[:len(content) // 2])
        self.write("hole.db", content[:4096] + b"\x5a" * (len(content) - 4096))
        for name, part in (("text.db", "not a store of trials"), ("other.db", "not a store of trials"), ("cut.db", "damaged"), ("hole.db", "damaged"),
                           ("none.db", "does not exist")):
            self.refuse(("search", "--from", name), "--from", name, part)
            self.refuse(("search", file, "--store", name, "--resume"), "--store", name, part)
        self.refuse(("search", file, "--store", "no/such/folder.db"), "--store", "No such file or directory")
        self.refuse(("search", "--from", str(self.folder)), "--from")

    def test_invalid_rows_are_rejected(self):
        """A negative time would be the best; an empty point names no design."""
        file = self.search(5)
        self.succeed("search", file, "--store", "trials.db")
        whole = (self.folder / "trials.db").read_bytes()
        for change, problem in (("step_time_s = -1", "trial 3: step_time_s is -1 (must not be negative)"),
                                ("step_time_s = NULL", "trial 3: step_time_s is NULL (must be a number)"),
                                ("energy_J = 'nan'", 'trial 3: energy_J is "nan" (must be a number)'),
                                ("point = ''", 'a trial has the point "" (must be 2 numbers within the bounds of the search)'),
                                ("point = '64'", 'a trial has the point "64"'),
                                ("point = '1e9 5'", 'a trial has the point "1000000000 5"')):
            (self.folder / "trials.db").write_bytes(whole)
            store = sqlite3.connect(self.folder / "trials.db")
            with store:
                store.execute(f"UPDATE trials SET {change} WHERE number = 3")
            store.close()
            for more in ((), ("--json",), ("--csv", "trials.csv"), ("--report", "page.html")):
                self.refuse(("search", "--from", "trials.db", *more), '--from: "trials.db" is damaged: ', problem)
            if "point" not in change:
                self.refuse(("search", file, "--store", "trials.db", "--resume"), '--store: "trials.db" is damaged: ', problem)

    def test_another_database_is_not_modified(self):
        file = self.search(5)
        other = sqlite3.connect(self.folder / "other.db")
        with other:
            other.execute("CREATE TABLE t(x)")
        other.close()
        before = (self.folder / "other.db").read_bytes()
        self.refuse(("search", file, "--store", "other.db", "--resume"), "--store", "other.db", "not a store of trials")
        self.assertEqual((self.folder / "other.db").read_bytes(), before)

    def test_a_store_that_cannot_be_created_is_removed(self):
        file = self.search(5)
        process = self.start("search", file, "--store", "trials.db", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        _, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 2, err)
        self.assertIn('--store: "trials.db" cannot be written', err)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["search.yaml"])
        self.succeed("search", file, "--store", "trials.db")

    def test_a_full_disk_stops_the_search_and_keeps_the_store(self):
        file = self.search(1000)

        def no_large_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

        process = self.start("search", file, "--store", "trials.db", preexec_fn=no_large_files)
        out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 2, err)
        self.assertEqual(out, "")
        self.assertIn("--store: \"trials.db\" cannot be written", err)
        self.assertEqual(err.count("\n"), 1, err)
        kept = len(self.rows())
        self.assertGreater(kept, 0)
        self.assertLess(kept, 1000)
        last = self.succeed("search", file, "--json", "--store", "trials.db", "--resume")
        self.assertEqual(json.loads(last)["known_before"], kept)
        self.assertEqual(result(last), result(self.succeed("search", file, "--json")))

    def test_conflicting_flags_are_rejected(self):
        file = self.search(5)
        self.refuse(("search", file, "--resume"), "--resume", "--store")
        self.refuse(("search", file, "--from", "trials.db"), "--from")
        self.refuse(("search", file, "--threads", "-1"), "--threads")
        self.refuse(("search", file, "--csv", "no/such/folder.csv"), "--csv")


if __name__ == "__main__":
    unittest.main()
