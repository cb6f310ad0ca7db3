#!/usr/bin/python3
"""Hostile input is rejected with exit 2 and one line of explanation."""
import os
import subprocess
import unittest

from program import PROGRAM, RING, CliTest


class EveryReader(CliTest):
    """Commands that read YAML, JSON and CSV have the same limits."""

    def refuse_each(self, name, *expected):
        path = name if name.startswith("/") else f"./{name}"
        for arguments in (["platform", path], ["run", path], ["sensitivity", path], ["search", path], ["study", path],
                          ["chip", path], ["kernel", "gemm", "--m", "8", "--n", "8", "--k", "8", "--device", path],
                          ["run", "vgg-e-on-dc-dla", "--set", f"model={path}"],
                          ["collective", "--platform", RING, "--endpoint", path], ["compare", path, path],
                          ["validate", path, "--device", "h100"],
                          ["calibrate", path, "--device", "h100", "--out", "out.yaml"]):
            self.refuse(arguments, name, *expected)

    def test_paths_that_are_not_files(self):
        (self.folder / "folder").mkdir()
        os.symlink("loop", self.folder / "loop")
        self.refuse_each("folder", "a directory (expected a file)")
        self.refuse_each("loop", "cannot be read: Too many levels of symbolic links")
        self.refuse_each("x" * 300, "cannot be read: File name too long")
        self.refuse_each("/dev/zero", "a device (expected a file or a pipe)")
        self.refuse_each("missing", "cannot be read: No such file or directory")

    def test_a_pipe_without_a_writer_is_not_waited_for(self):
        os.mkfifo(self.folder / "pipe")
        self.refuse_each("pipe", "a pipe that nobody writes to")

    def test_too_large(self):
        with open(self.folder / "large", "wb") as file:
            file.truncate(1 << 40)  # takes no room on the disk
        self.refuse_each("large", "too large (expected at most")

    def test_empty_and_binary_files(self):
        for content in (b"", b"\n", bytes(range(256)), b"\x7fELF\x02\x01\x01" + bytes(1000), b"\xff\xfe{\x00}\x00"):
            self.write("file", content)
            self.refuse_each("file")

    def test_deep_nesting(self):
        for deep in ("[" * 100000 + "]" * 100000, '{"verb": ' + "[" * 100000 + "]" * 100000 + "}",
                     '{"a":' * 100000 + "1" + "}" * 100000, "[" * 100000):
            self.write("deep", deep)
            self.refuse_each("deep")
            self.refuse(["compare", "deep", "deep"], "nested deeper than 64 levels")

    def test_files_that_are_not_stores(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / "folder").mkdir()
        for name in ("pipe", "folder", "/dev/zero"):
            self.refuse(["search", "--from", name], f'--from: "{name}" is not a store of trials')
        name = "x" * 253  # SQLite writes NAME-wal
        self.refuse(["search", "language-model-chip", "--store", name], "--store: ", "cannot be used as a store of trials")

    def test_a_working_directory_that_was_removed(self):
        for arguments in (["run", "./x.yaml"], ["compare", "a", "b"], ["search", "--from", "x"],
                          *(["run", "vgg-e-on-dc-dla", flag, "x"] for flag in ("--plot", "--report", "--trace"))):
            done = subprocess.run(["/bin/bash", "-c", 'mkdir gone; cd gone; rmdir ../gone; "$0" "$@"', PROGRAM, *arguments],
                                  cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), f"{arguments}: {done.stderr}")

    def test_huge_numbers(self):
        for setting in ("device.memory.bandwidth=1e-300 B/s", "device.memory.bandwidth=1e300 B/s",
                        "strategy.batch=1e300", "memory.compression.other=1e300"):
            for verb in ("run", "sensitivity"):
                self.refuse([verb, "vgg-e-on-mc-dla", "--set", setting], setting.split("=", maxsplit=1)[0], "out of range")


class Pipes(CliTest):
    def bash(self, command):
        return subprocess.run(["/bin/bash", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              check=False, env={**os.environ, "CAIRN": PROGRAM})

    def test_standard_input_is_a_file_too(self):
        for from_where in ("/dev/stdin < ring.yaml", "/dev/stdin < <(sleep 2; cat ring.yaml)", "<(cat ring.yaml)"):
            self.write("ring.yaml", "topology: ring\ndevices: 8\nbandwidth: 25 GB/s\n")
            done = self.bash(f"$CAIRN platform {from_where}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_endless_input(self):
        done = self.bash("$CAIRN compare <(yes) missing")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^cairn: /dev/fd/\d+: too large \(expected at most 256 MiB\)\n$")

    def test_results_of_commands_are_compared(self):
        a, b = (f"$CAIRN run vgg-e-on-{platform} --json" for platform in ("dc-dla", "mc-dla"))
        for command in (f"$CAIRN compare <(sleep 2; {a}) <({b})", f"mkfifo pipe; {a} > pipe & $CAIRN compare pipe <({b})"):
            done = self.bash(command)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn("times as fast", done.stdout)

    def test_a_report_pipe_without_reader(self):
        os.mkfifo(self.folder / "pipe")
        for flag in ("--report", "--trace"):
            self.refuse(["run", "vgg-e-on-dc-dla", flag, "pipe"], f'{flag}: "pipe" is a pipe without a reader')

    def test_a_report_is_written_to_a_pipe(self):
        done = self.bash("$CAIRN run vgg-e-on-dc-dla --report >(cat > page.html) > text; code=$?; wait $!; exit $code")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "page.html").read_text(encoding="utf-8").rstrip().endswith("</html>"))


class Terminal(CliTest):
    """Control characters from files and arguments never reach the terminal."""
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
