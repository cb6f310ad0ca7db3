#!/usr/bin/python3
"""Text output of every command: lines fit, columns align, colours only on a terminal."""
import os
import pathlib
import pty
import re
import select
import subprocess
import termios
import unittest

from program import PROGRAM, RING, TIMEOUT_S, CliTest

WIDTH = 100
ESCAPE = re.compile(r"\x1b\[[0-9;]*[a-zA-Z]")
POWER_OF_TEN = re.compile(r"[0-9]e[-+]?[0-9]")
SEARCH = """design: vgg-e-on-mc-dla
vary: {strategy.batch: [256, 512], platform.bandwidth: [25 GB/s, 50 GB/s]}
objectives: [step_time, energy]
algorithm: {method: exhaustive}
"""


class Terminal(CliTest):
    def measurements(self):
        data = subprocess.run([PROGRAM, "list", "devices", "h200"], capture_output=True, text=True, check=True).stdout
        return pathlib.Path(re.search(r"file: (.*)/devices/", data).group(1)) / "measurements" / "h200" / "gemm.csv"

    def verbs(self):
        """An example of each command and each form of its output."""
        measurements = str(self.measurements())
        self.write("s.yaml", SEARCH)
        self.write("a.json", self.succeed("run", "vgg-e-on-dc-dla", "--json", "--detail"))
        self.write("b.json", self.succeed("run", "vgg-e-on-mc-dla", "--json", "--detail"))
        yield from (["run", name] for name in ("vgg-e-on-mc-dla", "language-model-on-512-v100", "dlrm-on-ace"))
        yield ["collective", "--platform", RING]
        yield ["collective", "--platform", "ace-4x4x4", "--size", "1 KiB..1 GiB"]
        yield ["collective", "--platform", "ace-4x4x4", "--algorithm", "hierarchical", "--endpoint", "ace"]
        yield ["platform", "mc-dla-ring"]
        yield ["model", "llama-3.1-405b"]
        yield ["chip", "v100"]
        yield ["kernel", "gemm", "--device", "h200", "--m", "4096", "--n", "4096", "--k", "4096", "--precision", "bf16"]
        yield from (["study", name] for name in ("ace", "mc-dla", "deepflow-intensity", "deepflow-technology"))
        yield ["study", "deepflow-intensity", "--range"]
        yield ["search", "s.yaml"]
        yield ["sensitivity", "vgg-e-on-dc-dla"]
        yield ["validate", measurements, "--device", "h200"]
        yield ["compare", "a.json", "b.json"]
        yield ["list"]
        for item in ("designs", "studies", "searches", "models", "networks", "layers", "operators", "strategies", "devices",
                     "chips", "technologies", "endpoints", "platforms", "topologies", "collectives", "algorithms"):
            yield ["list", item]
            yield ["list", item, "--verbose"]

    def test_lines_fit_and_have_no_escape_codes(self):
        for arguments in self.verbs():
            with self.subTest(arguments):
                text = self.succeed(*arguments)
                long = [line for line in text.splitlines() if len(line) > WIDTH]
                self.assertEqual(long, [])
                self.assertNotIn("\x1b", text)
                self.assertNotRegex(text, r"[ \t]\n", "blanks at the end of a line")
                self.assertTrue(text.endswith("\n") and not text.endswith("\n\n"))
                self.assertNotRegex(text, POWER_OF_TEN)

    def test_no_number_has_an_exponent(self):
        """Units and whole numbers instead: nobody should have to resolve 5.14e+03 times."""
        self.write("tiny.json", self.succeed("run", "vgg-e-on-dc-dla", "--json"))
        huge = ["run", "vgg-e-on-dc-dla", "--set", "platform.pcie_bandwidth=10 kB/s"]
        self.write("huge.json", self.succeed(*huge, "--json"))
        for arguments in (huge, ["compare", "tiny.json", "huge.json"], ["sensitivity", "language-model-on-512-v100"],
                          ["sensitivity", "vgg-e-on-dc-dla", "--to", "1000000x"],
                          ["collective", "--platform", "ring:1024@25GB/s,500ns", "--size", "1 B"],
                          ["collective", "--platform", RING, "--size", "1 B,1 PB,2 PB"],
                          ["kernel", "gemm", "--device", "h200", "--m", "99999", "--n", "99999", "--k", "99999", "--precision", "bf16"]):
            with self.subTest(arguments):
                self.assertNotRegex(self.succeed(*arguments), POWER_OF_TEN)

    def test_a_step_is_bound_by_a_part_of_its_breakdown(self):
        """By the name it has there, and then why or where."""
        for design in ("vgg-e-on-dc-dla", "vgg-e-on-mc-dla", "gpt-on-h200"):
            text = self.succeed("run", design)
            rows = re.findall(r"(?m)^(\w[\w ]*?)  .*[#.]{10} +([\d.]+) %$", text.split("where the time goes")[1].split("\n\n")[0])
            most = max(rows, key=lambda row: float(row[1]))[0]
            self.assertRegex(text, rf"(?m)^bound by +{most}( \(|$)")

    def test_help_fits(self):
        verbs = re.findall(r"(?m)^  ([a-z]+) {2,}\w", self.succeed("--help").split("Commands:")[1].split("\n\n")[0])
        self.assertIn("compare", verbs)
        for verb in verbs:
            text = self.succeed(verb, "--help")
            self.assertLessEqual(max(map(len, text.splitlines())), WIDTH, verb)
            self.assertRegex(text, r"Examples:\n  cairn ")

    def seen(self, *arguments, columns=None, **env):
        """What a person sees at a terminal."""
        leader, follower = pty.openpty()
        if columns:
            termios.tcsetwinsize(follower, (40, columns))
        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        with subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.PIPE,
                              cwd=self.folder, env={**environment, "TERM": "xterm", **env}) as process:
            os.close(follower)
            text = b""
            while select.select([leader], [], [], 60)[0]:
                try:
                    part = os.read(leader, 65536)
                except OSError:  # the other end is closed
                    break
                if not part:
                    break
                text += part
            process.communicate()
        os.close(leader)
        self.assertEqual(process.returncode, 0)
        return text.decode().replace("\r\n", "\n")

    def test_colours_only_on_terminals(self):
        self.write("s.yaml", SEARCH)
        for arguments in (["run", "vgg-e-on-mc-dla"], ["study", "deepflow-intensity"], ["collective", "--platform", RING],
                          ["validate", str(self.measurements()), "--device", "h200"]):
            plain = self.succeed(*arguments)
            shown = self.seen(*arguments)
            self.assertIn("\x1b[", shown)
            self.assertEqual(ESCAPE.sub("", shown), plain)
            self.assertEqual(self.seen(*arguments, NO_COLOR="1"), plain)
            self.assertEqual(self.seen(*arguments, TERM="dumb"), plain)
            self.assertNotIn("\x1b", self.seen(*arguments, "--json"))

    def test_lines_fit_the_width_of_the_terminal(self):
        self.write("s.yaml", SEARCH)
        measurements = str(self.measurements())
        for arguments in (["run", "vgg-e-on-dc-dla"], ["study", "mc-dla"], ["search", "s.yaml"], ["platform", "mc-dla-ring"],
                          ["validate", measurements, "--device", "h200"], ["list", "designs"]):
            widest = {columns: max(map(len, ESCAPE.sub("", self.seen(*arguments, columns=columns)).splitlines()))
                      for columns in (72, 80, 140)}
            with self.subTest(arguments):
                self.assertTrue(all(width <= columns for columns, width in widest.items()), widest)

    def test_every_answer_has_a_title_and_bars(self):
        """A title in bold, and something drawn; how long a search took differs."""
        self.write("s.yaml", SEARCH)
        for arguments, title in ((["run", "vgg-e-on-mc-dla"], "vgg-e by data"), (["search", "s.yaml"], "s.yaml: minimize step time, energy"),
                                 (["validate", str(self.measurements()), "--device", "h200"], "gemm of")):
            shown = self.seen(*arguments)
            self.assertTrue(shown.startswith(f"\x1b[1m{title}"), shown[:200])
            self.assertRegex(shown, r"\x1b\[34m#+\x1b\[0m")
            self.assertLessEqual(max(map(len, ESCAPE.sub("", shown).splitlines())), WIDTH)

    def progress(self, arguments, until):
        """What a terminal sees while a verb works."""
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs,
                                   cwd=self.folder)
        os.close(theirs)
        seen = ""
        try:
            while not re.search(until, seen) and select.select([ours], [], [], TIMEOUT_S)[0]:
                seen += os.read(ours, 1000).decode()
        finally:
            process.kill()
            process.wait(timeout=TIMEOUT_S)
        self.assertRegex(seen, until)

    def test_a_study_shows_progress(self):
        self.progress(["study", "ace-memory-nodes"], r"cairn: \[[#.]{10}\] [1-9]\d* of about \d+ evaluations, \d+ s")
        # As it is asked here nobody has counted.
        self.progress(["study", "ace-memory-nodes", "--set", "assumptions.batch.value=256"], r"cairn: [1-9]\d* evaluations, \d+ s")

    def test_a_search_shows_progress(self):
        """Ten descents of a hundred steps, each along fourteen numbers."""
        self.progress(["search", "language-model-chip"],
                      r"cairn: \[[#.]{10}\] [1-9]\d* of at most 15150 designs, [\d.]+/s, step time [\d.]+ s, at most \d+ s left")

    def test_a_validation_shows_progress(self):
        head, *rows = (self.measurements().parent / "training.csv").read_text().splitlines()
        self.write("long.csv", "\n".join([head, *(rows * 400)]) + "\n")
        self.progress(["validate", "long.csv", "--device", "h200"], r"cairn: \[[#.]{10}\] [1-9]\d* of \d+ rows, \d+ s")


if __name__ == "__main__":
    unittest.main()
