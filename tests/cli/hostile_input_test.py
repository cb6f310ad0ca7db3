#!/usr/bin/python3
"""Is input that would crash, hang or fool a program refused: exit 2 and one line that says what is wrong?"""
import os
import subprocess
import unittest

from program import PROGRAM, RING, CliTest


class Numbers(CliTest):
    def test_numbers_beyond_all_machines(self):
        for setting in ("device.memory.bandwidth=1e-300 B/s", "device.memory.bandwidth=1e300 B/s",
                        "strategy.batch=1e300", "memory.compression.other=1e300"):
            for verb in ("run", "sensitivity"):
                self.refuse([verb, "vgg-e-on-mc-dla", "--set", setting], setting.split("=", maxsplit=1)[0], "out of range")


class Pipes(CliTest):
    def bash(self, command):
        return subprocess.run(["/bin/bash", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              check=False, env={**os.environ, "CAIRN": PROGRAM})

    def test_a_report_that_nobody_reads(self):
        os.mkfifo(self.folder / "pipe")
        for flag in ("--report", "--trace"):
            self.refuse(["run", "vgg-e-on-dc-dla", flag, "pipe"], f'{flag}: "pipe" is a pipe that nobody reads')

    def test_a_report_goes_to_who_reads_it(self):
        done = self.bash("$CAIRN run vgg-e-on-dc-dla --report >(cat > page.html) > text; code=$?; wait $!; exit $code")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "page.html").read_text(encoding="utf-8").rstrip().endswith("</html>"))


class Terminal(CliTest):
    """What a file or an argument holds does not command the terminal."""
    NASTY = "x\u202ey\u2066z\x1b[31m\x9b"
    SHOWN = r"x\u202ey\u2066z\x1b[31m\u009b"

    def test_messages(self):
        for arguments in (["run", self.NASTY], ["run", f"./{self.NASTY}.yaml"], [self.NASTY], ["list", self.NASTY],
                          ["compare", self.NASTY, self.NASTY], ["platform", RING, "--set", f"{self.NASTY}=1"],
                          ["run", "--" + self.NASTY],
                          ["collective", "--platform", RING, "--report", f"{self.NASTY}/page.html"],
                          ["collective", "--platform", RING, "--size", self.NASTY]):
            message = self.refuse(arguments, self.SHOWN)
            self.assertTrue(message.rstrip("\n").isprintable(), ascii(message))

    def test_a_result_that_looks_like_a_graph_or_json(self):
        for start in ("graph ", "{"):
            text = self.succeed("platform", RING, "--set", fr'name="{start}\e[31m"')
            self.assertTrue(text.replace("\n", "").isprintable(), ascii(text))

    def test_graphs_for_graphviz(self):
        name = r'"x\u202ey\e[31m"'  # escapes of YAML
        self.write("p.yaml", f"topology: graph\nname: {name}\nnodes: [{{name: {name}, count: 2}}]\n"
                             f"links: [{{from: {name}, to: {name}, bandwidth: 1 GB/s}}]\n")
        dot = self.succeed("platform", "p.yaml", "--dot")
        self.assertIn(r'graph "x\\u202ey\\x1b[31m" {', dot)
        self.assertIn(r'n1 [label="x\\u202ey\\x1b[31m1", ', dot)
        for text in (dot, self.succeed("platform", "p.yaml")):
            self.assertTrue(text.replace("\n", "").isprintable(), ascii(text))


if __name__ == "__main__":
    unittest.main()
