#!/usr/bin/python3
"""What README.md, the tutorial and the examples show is what the program prints: every command after `$ cairn` is run in the
folder of the page, and the output below it, where there is any, must be the same."""
import os
import pathlib
import re
import subprocess
import unittest

from program import PROGRAM, TIMEOUT_S

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = re.compile(r"^\$ (cairn .*)\n((?:(?!```|\$ ).*\n)*)", re.MULTILINE)


def run_as_written(command, folder):
    path = f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"
    return subprocess.run(["/bin/bash", "-o", "pipefail", "-c", command], cwd=folder, env={**os.environ, "PATH": path},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


class Readme(unittest.TestCase):
    def check_page(self, page, least):
        commands = COMMAND.findall(page.read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(commands), least, page)
        for command, shown in commands:
            with self.subTest(page=page.relative_to(ROOT), command=command):
                done = run_as_written(command, page.parent)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                if shown.strip():
                    self.assertEqual(done.stdout.strip(), shown.strip())

    def test_the_first_page(self):
        self.check_page(ROOT / "README.md", least=2)

    def test_the_tutorial(self):
        self.check_page(ROOT / "docs" / "tutorial.md", least=9)

    def test_examples(self):
        pages = sorted(ROOT.glob("examples/*/README.md"))
        self.assertTrue(pages)
        for page in pages:
            self.check_page(page, least=0 if (page.parent / "main.cpp").exists() else 1)


if __name__ == "__main__":
    unittest.main()
