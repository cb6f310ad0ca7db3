"""Runs the program under test the way a user's shell would."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["CAIRN_PROGRAM"]
TIMEOUT_S = 300
RING = "ring:8@25GB/s,500ns"


def run(*arguments, cwd=None, stdout=subprocess.PIPE, env=None):
    """The finished process; a hang fails the test."""
    return subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=stdout,
                          stderr=subprocess.PIPE, text=True, errors="replace", timeout=TIMEOUT_S, cwd=cwd,
                          env={**os.environ, **(env or {})}, check=False)


class CliTest(unittest.TestCase):
    """Each test runs in an empty folder of its own."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="cairn-cli-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, content):
        """A file in the test's folder; text or bytes."""
        file = self.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def run_here(self, *arguments, **options):
        return run(*arguments, cwd=self.folder, **options)

    def succeed(self, *arguments, **options):
        """What a run that must succeed prints."""
        done = self.run_here(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def succeed_json(self, *arguments, **options):
        def refuse(constant):
            raise ValueError(f"{constant} is not JSON")

        return json.loads(self.succeed(*arguments, "--json", **options), parse_constant=refuse)

    def check_units(self, value, units, counts, key=""):
        """Every number's key ends in its unit, or it is a count."""
        if isinstance(value, dict):
            for inner_key, inner in value.items():
                self.check_units(inner, units, counts, inner_key)
        elif isinstance(value, list):
            for inner in value:
                self.check_units(inner, units, counts, key)
        elif not isinstance(value, (str, bool)):
            known = key in counts or key in ("schema_version", "bound_by_resource") or key.endswith(units)
            self.assertTrue(known, f"{key}: {value} has no unit")

    def refuse(self, arguments, *expected, code=2):
        """A run that must fail: says why on standard error, in one line, and leaves nothing behind."""
        before = sorted(self.folder.rglob("*"))
        done = self.run_here(*arguments)
        message = done.stderr
        self.assertEqual(done.returncode, code, f"{arguments}: {message}")
        self.assertEqual(done.stdout, "", f"{arguments}")
        self.assertTrue(message.startswith("cairn: "), f"{arguments}: {message}")
        self.assertEqual(message.count("\n"), 1, f"{arguments}: {message}")
        for word in ("terminate", "what()", "std::", "Assertion", "bug"):
            self.assertNotIn(word, message, f"{arguments}")
        for part in expected:
            self.assertIn(part, message, f"{arguments}")
        self.assertEqual(sorted(self.folder.rglob("*")), before, f"{arguments}: left something behind")
        return message
